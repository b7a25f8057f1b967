"""How long a view rests before it shows what changed."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.widget import Widget

from transcript_tui.ui.timers import after

__all__ = ["Throttle"]


class Throttle:
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

    def shown(self, since: float) -> None:
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
