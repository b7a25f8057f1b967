"""The widget of one message: it shows whichever item it was given last, so it is recycled."""

from __future__ import annotations

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from transcript_tui.ui.layout.cells import plain_widths
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
        rows = [
            y for y in range(first, min(last, item.height)) if item.strip(y) is not drawn.get(y)
        ]
        if rows:
            self.touch()
            top, bottom = rows[0], rows[-1] + 1
            self.refresh(Region(0, top, self.size.width or 1, bottom - top))

    def disputed(self, first: int, last: int) -> bool:
        """Whether a terminal may draw one of these rows wider than it is."""
        item = self.item
        return item is not None and any(
            not plain_widths(item.strip(y).text) for y in range(first, min(last, item.height))
        )

    def strip_at(self, y: int) -> Strip:
        item = self.item
        if item is None or not 0 <= y < item.height:
            return Strip.blank(self.size.width, self.base)
        strip = self._drawn[y] = item.strip(y)
        return strip
