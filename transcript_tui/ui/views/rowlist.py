"""A list of one-line rows, as long as it likes: only what is in view is drawn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from transcript_tui.ui.views.styledcells import Cells, strip_of
from transcript_tui.ui.widgets.themed import Themed


def stretch(view: ScrollView, size: Size) -> None:
    """Let a view have another size to scroll over.

    Textual would lay the whole screen out anew for each row that comes; nothing moves unless
    the scrollbar comes or goes, and that sees to itself.
    """
    if size != view.virtual_size:
        view.set_reactive(ScrollView.virtual_size, size)
        view._scroll_update(size)


class RowList(ScrollView, Themed, can_focus=True):
    """Rows drawn on demand by ``draw(index)``; a cursor that follows the end while it is there."""

    DEFAULT_CSS = """
    RowList {
        height: 1fr; width: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1;
        background: $surface; color: $foreground;
    }
    """

    @dataclass
    class OfRow(Message):
        """Something happened to a row."""

        rows: RowList
        index: int

        @property
        def control(self) -> RowList:
            return self.rows

        @property
        def gone(self) -> bool:
            """The list became shorter before this was read: another key was faster."""
            return self.index >= self.rows.count

    class Moved(OfRow):
        """The cursor moved, by the user's hand."""

    class Chosen(OfRow):
        """Enter or a double click."""

    def __init__(self, draw: Callable[[int], Cells], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._draw = draw
        self._count = 0
        self._cursor = 0

    @property
    def count(self) -> int:
        return self._count

    @property
    def cursor(self) -> int:
        return self._cursor

    def set_count(self, count: int, *, follow: bool = False, changed: bool = True) -> None:
        """Say how many rows there are now; ``follow`` keeps a cursor at the end there.

        Unless rows ``changed`` that were there before, what grows out of sight is not drawn.
        """
        before, was_last = self._count, self._cursor >= self._count - 1
        self._count = count
        region = self.scrollable_content_region
        stretch(self, Size(region.width, count))
        if (follow and was_last) or self._cursor >= count:
            self.put_cursor(count - 1)
        if changed or count < before or before < self.scroll_offset.y + region.height:
            self.refresh()

    def put_cursor(self, index: int, *, center: bool = False) -> None:
        """Move the cursor without saying so: a selection made elsewhere."""
        index = max(0, min(index, self._count - 1))
        before, self._cursor = self._cursor, index
        height = max(1, self.scrollable_content_region.height)
        if center:
            self.scroll_to(y=max(0, index - height // 2), animate=False, immediate=True)
        else:
            self._bring_into_view(index, height)
        if before != index:
            self.refresh_line(before - self.scroll_offset.y)
        self.refresh_line(index - self.scroll_offset.y)

    def _bring_into_view(self, index: int, height: int) -> None:
        top = self.scroll_offset.y
        if index < top:
            self.scroll_to(y=index, animate=False, immediate=True)
        elif index >= top + height:
            self.scroll_to(y=index - height + 1, animate=False, immediate=True)

    def refresh_line(self, y: int) -> None:
        """Draw line ``y`` of the viewport again."""
        self.refresh(Region(0, y, self.size.width, 1))

    # What the shell's keys call, the same names as the transcript's

    def scroll_lines(self, lines: int) -> None:
        self._move(self._cursor + lines)

    def scroll_pages(self, pages: float) -> None:
        self._move(self._cursor + round(pages * max(1, self.size.height - 1)))

    def go_first(self) -> None:
        self._move(0)

    def go_last(self) -> None:
        self._move(self._count - 1)

    def select_next(self) -> None:
        self._move(self._cursor + 1)

    def select_previous(self) -> None:
        self._move(self._cursor - 1)

    def toggle_fold(self) -> bool:
        if self._count:
            self.post_message(self.Chosen(self, self._cursor))
        return self._count > 0

    def _move(self, index: int) -> None:
        if not self._count:
            return
        self.put_cursor(index)
        self.post_message(self.Moved(self, self._cursor))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = offset.y + self.scroll_offset.y
        if index >= self._count:
            return
        self._move(index)
        if event.chain >= 2:
            self.post_message(self.Chosen(self, index))

    def on_resize(self) -> None:
        region = self.scrollable_content_region
        self.virtual_size = Size(region.width, self._count)
        # What was put where there was no room yet is brought into view now.
        self._bring_into_view(self._cursor, max(1, region.height))

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        base = self.rich_style
        if index >= self._count:
            return Strip.blank(width, base)
        over = None
        if index == self._cursor:
            over = self.inks[self._cursor_style()]
        return strip_of(self._draw(index), self.inks, width, base, over)

    def _cursor_style(self) -> str:
        if not self.has_focus:
            return "/panel underline" if self.app.no_color else "/panel"
        style = "selection-foreground/selection-background"
        return f"{style} reverse" if self.app.no_color else style

    def watch_has_focus(self, _focused: bool) -> None:
        super().watch_has_focus(_focused)
        self.refresh()
