"""What a view reads or counts: a slice of time at once, the rest in turns with everything else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

from textual.widget import Widget

from transcript_tui.ui import workers

__all__ = ["SlicedWork"]

SLICE: Final = 0.008
"""Seconds of work at a time."""
TELL: Final = 0.1
"""Seconds between two showings of how far it is."""


class SlicedWork:
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
            workers.start(self._widget, self._rest, "slices")
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
