"""What a view reads or counts: a slice of time at once, the rest in turns with everything else;
and how long it rests in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from textual.widget import Widget

from transcript_tui.ui.timers import after

__all__ = ["Rests", "Slices"]

SLICE: Final = 0.008
"""Seconds of work at a time."""
TELL: Final = 0.1
"""Seconds between two showings of how far it is."""


class Slices:
    """Work of a widget that may take long."""

    def __init__(
        self,
        widget: Widget,
        work: Callable[[Callable[[], bool]], bool],
        *,
        tell: Callable[[], None],
        finish: Callable[[], None],
    ) -> None:
        """``work`` goes on until there is enough, and says whether there is more; ``tell`` shows
        how far it is, ``finish`` what came of it."""
        self._widget = widget
        self._work = work
        self._tell = tell
        self._finish = finish
        self.going = False
        """There is more, and it goes on by itself."""

    def go_on(self) -> bool:
        """Work for a slice of time; ``True``: there is more, :attr:`going` on by itself."""
        more = self._slice()
        if more and not self.going:
            self.going = True
            self._widget.run_worker(self._rest(), name="slices")
        return more

    def _slice(self) -> bool:
        until = time.perf_counter() + SLICE
        return self._work(lambda: time.perf_counter() > until)

    async def _rest(self) -> None:
        told = time.monotonic()
        try:
            while self._slice():
                if time.monotonic() - told > TELL:
                    told = time.monotonic()
                    self._tell()
                await asyncio.sleep(0)
        finally:
            self.going = False
        self._finish()


class Rests:
    """A widget rests so many times as long as showing something took: that is a small share of
    everything, however fast events come."""

    def __init__(
        self, widget: Widget, show: Callable[[], None], *, times: float, least: float = 0.0
    ) -> None:
        """``show``: what is asked for meanwhile, done afterwards; ``least``: seconds."""
        self._widget = widget
        self._show = show
        self._times = times
        self._least = least
        self._until = 0.0
        self._waiting = False

    def begin(self, since: float) -> None:
        """What began at ``since`` (``time.perf_counter``) is shown."""
        now = time.perf_counter()
        self._until = now + max(self._least, self._times * (now - since))

    def resting(self) -> bool:
        """Whether it is too early; it is shown by itself when it is time."""
        left = self._until - time.perf_counter()
        if left > 0 and not self._waiting:
            self._waiting = True
            after(self._widget, left, self._over)
        return left > 0

    def _over(self) -> None:
        self._waiting = False
        if self._widget.is_mounted:
            self._show()
