"""A scrollbar of one column for views that scroll by an index of heights."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from transcript_tui.ui.widgets.strips import StripsWidget


class Rail(StripsWidget):
    """Shows which part of all lines is in view; drag or click to go elsewhere."""

    class Moved(Message):
        """The reader asked for another part; ``line`` is the first to be shown."""

        def __init__(self, line: int) -> None:
            super().__init__()
            self.line = line

    def __init__(self) -> None:
        super().__init__()
        self._total = self._first = self._window = 0
        self._thumb = (0, 0)
        self._grabbed: tuple[int, int] | None = None
        self._groove = self._handle = Strip.blank(1)

    def dress(self, groove: Style, handle: Style) -> None:
        self._groove = Strip([Segment("│", groove)])
        self._handle = Strip([Segment("┃", handle)])
        self.touch()
        self.refresh()

    def show(self, first: int, window: int, total: int) -> None:
        """Lines ``first`` to ``first + window`` of ``total`` are in view."""
        self._first, self._window, self._total = first, window, total
        thumb = self._measure(window)
        if thumb != self._thumb:
            self._thumb = thumb
            self.touch()
            self.refresh()

    def _measure(self, height: int) -> tuple[int, int]:
        if self._total <= self._window or height <= 0:
            return (0, 0)
        size = max(1, height * self._window // self._total)
        free = self._total - self._window
        start = round(min(self._first, free) * (height - size) / free)
        return (start, start + size)

    def strip_at(self, y: int) -> Strip:
        start, end = self._thumb
        return self._handle if start <= y < end else self._groove

    def on_mouse_down(self, event: events.MouseDown) -> None:
        event.stop()
        start, end = self._thumb
        if not end:
            return
        if not start <= event.y < end:
            self._go(event.y - (end - start) // 2)
        self.capture_mouse()
        self._grabbed = (event.screen_y, self._first)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._grabbed is None:
            return
        event.stop()
        from_y, first = self._grabbed
        lines = (event.screen_y - from_y) * self._total / max(1, self.size.height)
        self.post_message(self.Moved(max(0, round(first + lines))))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        event.stop()
        self.release_mouse()
        self._grabbed = None

    def on_click(self, event: events.Click) -> None:
        event.stop()

    def _go(self, row: int) -> None:
        start, end = self._thumb
        room = max(1, self.size.height - (end - start))
        free = self._total - self._window
        self._first = max(0, min(free, round(row * free / room)))
        self.post_message(self.Moved(self._first))
