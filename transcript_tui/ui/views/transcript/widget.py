"""The widget of one message: it shows whichever item it was given last, so it is recycled."""

from __future__ import annotations

from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from transcript_tui.ui.views.transcript.item import Item
from transcript_tui.ui.widgets.strips import StripsWidget


class ItemWidget(StripsWidget):
    """Draws the rows of an item that are in view, and is as tall as they are.

    Textual's work for a widget grows with its height, in sight or not.
    """

    def __init__(self) -> None:
        super().__init__()
        self.base = Style()
        self.disputed = False
        """A terminal may draw one of the rows wider than it is."""
        self._item: Item | None = None
        self._rows = range(0)
        """Those of the item that are in view."""
        self._drawn: dict[int, Strip] = {}
        """What was drawn of these."""
        self._version = -1
        """Of the item."""

    def show(self, item: Item, rows: range) -> None:
        """Show these rows of an item; those that have changed are painted."""
        shown, self._rows = self._rows, rows
        if item is not self._item or rows.start != shown.start:
            self._item = item
            self._drawn.clear()
        elif item.version == self._version and rows == shown:
            return
        self._version = item.version
        drawn = self._drawn
        strips = item.strips(rows.start, rows.stop)
        self.disputed = any(strip.disputed for strip in strips)
        changed = [y for y, strip in enumerate(strips) if strip is not drawn.get(y)]
        if changed:
            self.touch()
            top, bottom = changed[0], changed[-1] + 1
            self.refresh(Region(0, top, self.size.width or 1, bottom - top))

    def strip_at(self, y: int) -> Strip:
        return self.strips_in(range(y, y + 1))[0]

    def strips_in(self, lines: range) -> list[Strip]:
        shown: list[Strip] = []
        if self._item is not None:
            first, last = (
                min(self._rows.start + y, self._item.height) for y in (lines.start, lines.stop)
            )
            shown += self._item.strips(first, last)
        self._drawn.update(enumerate(shown, lines.start))
        return shown + [Strip.blank(self.size.width, self.base)] * (len(lines) - len(shown))
