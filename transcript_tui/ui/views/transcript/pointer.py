"""The mouse over the transcript: turning, clicking, and selecting text across items."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.timer import Timer

from transcript_tui.ui.timers import after
from transcript_tui.ui.views.transcript.marking import Marking

if TYPE_CHECKING:
    from transcript_tui.ui.views.transcript.view import TranscriptView

WHEEL: Final = 3
"""Lines a turn of the wheel."""
REPEAT: Final = 0.06
"""Seconds a line, while text is selected beyond an edge."""


class Pointer:
    """A button that is held down, and what it has selected."""

    def __init__(self, view: TranscriptView) -> None:
        self._view = view
        self._timer: Timer | None = None
        self.marking = Marking()

    def press(self, x: int, y: int) -> None:
        if self.marking.clear():
            self._view.post_message(self._view.TextSelected(self._view, False))
        if self.marking.begin(self._view.stage, x, y):
            self._view.capture_mouse()
        self._view.settle()

    def drag(self, x: int, y: int) -> None:
        """Select up to a cell; beyond an edge the view scrolls along."""
        if not self.marking.dragging:
            return
        self._rest()
        view = self._view
        rows = view.stage.viewport.rows
        if not 0 <= y < rows:
            view.scroll_lines(-1 if y < 0 else 1)
            self._timer = after(view, REPEAT, lambda: self.drag(x, y))
        self.marking.extend(view.stage, x, max(0, min(rows - 1, y)))
        if self.marking.anything:
            # Text does not run away from under the pointer.
            view.hold()
        view.settle()

    def release(self, y: int) -> None:
        """Text was selected, or it was a click: then the item is."""
        self._rest()
        view = self._view
        # Also where the marking ended before the button went up (Esc, another size).
        view.release_mouse()
        if not self.marking.dragging:
            return
        if self.marking.finish():
            self._tell()
            return
        placed = view.stage.placed_at(y)
        if placed is not None:
            view.select(placed.key)
            if view.stage.item(placed.key).opens(y - placed.y):
                view.toggle_fold()

    def click_again(self, x: int, y: int, times: int) -> None:
        """The second of some clicks takes a word, on an item's first row the item; the third a
        line."""
        view, marking = self._view, self.marking
        placed = view.stage.placed_at(y)
        if placed is None:
            return
        if times == 2 and placed.y == y:
            view.post_message(view.Opened(view, placed.key))
        elif marking.word(view.stage, x, y) if times == 2 else marking.line(view.stage, y):
            view.settle()
            self._tell()

    def _tell(self) -> None:
        view = self._view
        if self.marking.blank(view.stage):
            self.marking.clear()
        view.settle()
        view.post_message(view.TextSelected(view, self.marking.anything))

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
