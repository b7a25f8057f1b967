"""Going through the transcript: scrolling, jumping, and the selection cursor."""

from __future__ import annotations

from typing import Any, Literal

from transcript_tui.ui.views.transcript.canvas import Canvas
from transcript_tui.ui.views.transcript.jumping import Jumping


class Navigation(Canvas):
    """What is in view, and what is selected."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._jumping = Jumping(self)

    def scroll_lines(self, lines: int) -> None:
        stage = self._stage
        if not stage.placed or (lines > 0 and stage.viewport.at_end and self.following):
            return
        stage.scroll(lines)
        self._arrive()

    def scroll_pages(self, pages: float) -> None:
        rows = self._stage.viewport.rows
        lines = round(rows * pages)
        if abs(pages) == 1:
            # Two lines of the page before stay in view.
            lines -= 2 if pages > 0 else -2
        self.scroll_lines(lines or (1 if pages > 0 else -1))

    def go_first(self) -> None:
        self._stage.viewport.anchor(0)
        self._arrive()

    def go_last(self) -> None:
        """Go to the end, and follow it again."""
        self._follow(True)
        self.settle()

    def hold(self) -> None:
        """Follow the end no longer: what is in view stays."""
        self._follow(False)

    def _arrive(self) -> None:
        self.follow_if_at_end()
        self.settle()

    def follow_if_at_end(self) -> None:
        """After the reader moved: at the end, follow it again; elsewhere, stop following."""
        self._stage.place(None)
        self._follow(self._stage.viewport.at_end)

    def jump_to(self, key: int, *, select: bool = True) -> None:
        """Bring an entry into view; asks for its position first where it is not held here."""
        self._jumping.to(key, select=select)

    def jump_to_change(self, key: int) -> None:
        """Bring into view what the event before the position did to an entry: the end of it, or
        where it was."""
        self._jumping.to_change(key)

    def jump_run(self, step: int) -> bool:
        """To the next (+1) or previous (-1) run; whether there is one."""
        return self._jumping.to_run(step)

    def bring(self, key: int, line: int) -> None:
        """Bring a line of an item into view, and the cursor to the item."""
        stage = self._stage
        rows = stage.viewport.rows
        # Folding the match before may have moved what is in view.
        stage.place(None)
        now = next((one for one in stage.placed if one.key == key), None)
        if now is None or not 0 <= now.y + line < rows - 1:
            stage.viewport.anchor(key, line)
            stage.viewport.scroll(-(rows // 3))
        self.follow_if_at_end()
        self.select(key)
        self.settle()

    def here(self, step: int = 1) -> int:
        """The entry from which one goes on: the selected one if it is in view, else the first;
        going back (``step`` = -1) what comes after the last."""
        placed = self._stage.placed
        if self.selected is not None and any(one.key == self.selected for one in placed):
            return self.selected
        if not placed:
            return -1
        return placed[0].key if step > 0 else placed[-1].key + 1

    # The selection cursor

    def select(self, key: int | None) -> None:
        self.selected = key

    def watch_selected(self, key: int | None) -> None:
        if self.is_mounted:
            self.settle()
            self.post_message(self.Selected(self, key))

    def select_next(self) -> None:
        self._step(1)

    def select_previous(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        stage = self._stage
        placed = {one.key: one for one in stage.placed}
        if not placed:
            return
        now = placed.get(self.selected) if self.selected is not None else None
        if now is None:
            keys = list(placed)
            wanted = keys[-1] if step < 0 or self.following else keys[0]
            self.select(wanted)
            return
        rows = stage.viewport.rows
        hidden = now.y + now.height - rows if step > 0 else -now.y
        if hidden > 0 and now.height > rows:
            # A long item scrolls first.
            self.scroll_lines(step * min(hidden, max(1, rows - 2)))
            return
        heights = stage.viewport.heights
        key = heights.after(now.key) if step > 0 else heights.previous(now.key)
        if not 0 <= key < stage.size:
            self.scroll_lines(step * rows)
            return
        stage.reveal(key)
        self.follow_if_at_end()
        self.select(key)

    def folding(self) -> Literal["open", "fold", "inspect"]:
        """What :meth:`toggle_fold` would do."""
        item = self._stage.items.get(self.selected) if self.selected is not None else None
        if item is None or item.folded:
            return "open"
        return "fold" if item.foldable else "inspect"

    def toggle_fold(self) -> bool:
        """Fold or unfold the selected item; whether there was anything to fold."""
        key = self.selected
        if key is None or not self._stage.shown(key):
            return False
        item = self._stage.item(key)
        if not item.foldable:
            self.post_message(self.Opened(self, key))
            return False
        opens = item.folded
        self._stage.fold(key, opens)
        if opens:
            # What was opened is to be read from where it begins: the end is not followed past it.
            self._arrive()
        else:
            self.settle()
        self.post_message(self.Folded(self))
        return True
