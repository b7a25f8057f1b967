"""The widget of one message: it shows whichever item it was given last, so it is recycled."""

from __future__ import annotations

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from transcript_tui.ui.views.transcript.item import Item
from transcript_tui.ui.widgets.strips import StripsWidget


class ItemWidget(StripsWidget):
    """Draws the rows of an item that are in view."""

    def __init__(self) -> None:
        super().__init__()
        self.item: Item | None = None
        self.base = Style()
        self._drawn: dict[int, Strip] = {}
        self._painted = -1
        """Version of the item that is on the screen."""
        self._asked_width: object = None
        self._disputed = False

    def show(self, item: Item) -> None:
        if item is not self.item:
            self.item = item
            self._drawn.clear()
            self._painted = -1
            self.touch()
            self.refresh()

    def repaint(self, first: int, last: int) -> None:
        """Paint those of the rows from ``first`` to before ``last`` that have changed."""
        item = self.item
        if item is None or self._painted == item.version:
            return
        self._painted = item.version
        drawn = self._drawn
        strips = item.strips(first, min(last, item.height))
        rows = [y for y, strip in enumerate(strips, first) if strip is not drawn.get(y)]
        if rows:
            self.touch()
            top, bottom = rows[0], rows[-1] + 1
            self.refresh(Region(0, top, self.size.width or 1, bottom - top))

    def disputed(self, first: int, last: int) -> bool:
        """Whether a terminal may draw one of these rows wider than it is."""
        item = self.item
        if item is None:
            return False
        asked = (item, item.version, first, last)
        if asked != self._asked_width:
            rows = item.strips(first, min(last, item.height))
            self._asked_width, self._disputed = asked, any(row.disputed for row in rows)
        return self._disputed

    def strip_at(self, y: int) -> Strip:
        return self.strips_in(range(y, y + 1))[0]

    def strips_in(self, lines: range) -> list[Strip]:
        first, last = max(0, lines.start), lines.stop
        shown = self.item.strips(first, min(last, self.item.height)) if self.item else []
        self._drawn.update(enumerate(shown, first))
        blank = Strip.blank(self.size.width, self.base)
        return [blank] * (first - lines.start) + shown + [blank] * (last - first - len(shown))
