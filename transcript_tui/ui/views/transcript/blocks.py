"""What an item is stacked of: rows that are drawn at once, and flows of laid-out text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from textual.strip import Strip

from transcript_tui.ui.cells import cell_after
from transcript_tui.ui.layout import Document, JsonDocument
from transcript_tui.ui.layout.rows import Copied, Row

MOST_ROWS: Final = 50
"""Rows of one match that are highlighted."""

LaidOut: TypeAlias = Document | JsonDocument


class Rows:
    """Rows that stand as they are."""

    __slots__ = ("_rows", "height")

    lead = 0

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows
        self.height = len(rows)

    def strip(self, y: int) -> Strip:
        return self._rows[y].strip

    def strips(self, first: int, last: int) -> list[Strip]:
        return [row.strip for row in self._rows[first:last]]

    def copied(self, y: int, left: int, right: int) -> Copied | None:
        """What cells of a row give to the one who copies them."""
        return self._rows[y].copied(left, right)

    def rows_between(self, first: int, last: int) -> Iterator[list[Row]]:
        """Rows for copying, some at a time."""
        yield list(self._rows[first:last])


class Flow:
    """Text laid out at a width, behind a prefix (a card's border); at most ``limit`` lines."""

    __slots__ = ("_composed", "document", "height", "hidden", "limit", "name", "prefix", "width")

    def __init__(
        self,
        name: str,
        document: LaidOut,
        width: int,
        prefix: Strip | None = None,
        limit: int | None = None,
    ) -> None:
        self.name = name
        """Which text of the item this is: ``text``, ``arguments:0``, …"""
        self.document = document
        self.width = width
        self.prefix = prefix
        self.limit = limit
        self.hidden = 0
        """Lines beyond the limit."""
        self.height = 0
        self._measure()
        self._composed: dict[int, tuple[Strip, Strip]] = {}

    def _measure(self) -> None:
        total = self.document.height(self.width)
        # One line more than the limit is shown rather than a row that says "1 more line".
        cut = self.limit is not None and total > self.limit + 1
        self.height = self.limit if cut and self.limit is not None else total
        self.hidden = total - self.height

    @property
    def lead(self) -> int:
        """Cells of the prefix."""
        return 0 if self.prefix is None else self.prefix.cell_length

    def settle(self, first: int, last: int) -> bool:
        """Lay out what these rows need; whether the height changed."""
        if self.document.exact(self.width):
            return False
        self.document.settle(self.width, first, last)
        before = self.height
        self._measure()
        return self.height != before

    @property
    def whole(self) -> bool:
        """Whether all that is to be shown of the text was read."""
        return self.hidden > 0 or self.document.complete

    def read_on(self) -> None:
        """Read a step further in a very long text."""
        self.document.read_on()
        self._measure()

    def strip(self, y: int) -> Strip:
        return self._behind(y, self.document.line(self.width, y))

    def strips(self, first: int, last: int) -> list[Strip]:
        """Rows from ``first`` to before ``last``; cheaper than one by one."""
        inner = self.document.lines(self.width, first, last)
        if self.prefix is None:
            return inner
        return [self._behind(y, strip) for y, strip in enumerate(inner, first)]

    def _behind(self, y: int, inner: Strip) -> Strip:
        if self.prefix is None:
            return inner
        kept = self._composed.get(y)
        if kept is not None and kept[0] is inner:
            return kept[1]
        composed = Strip.join((self.prefix, inner))
        self._composed[y] = (inner, composed)
        return composed

    def copied(self, y: int, left: int, right: int) -> Copied | None:
        return self.document.copied(self.width, y, left - self.lead, right - self.lead)

    def rows_between(self, first: int, last: int) -> Iterator[list[Row]]:
        """Rows for copying, some at a time."""
        if self.hidden:
            self.settle(first, last)
        return self.document.rows_between(self.width, first, last)

    def reaches_unread(self, first: int, last: int) -> bool:
        """Whether these rows stand for text that is to be read."""
        return not self.whole and self.document.reaches_unread(self.width, first, last)

    def spans(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Where the characters from ``start`` to before ``end`` are shown: (row, cell, cell)."""
        locate, width, lead = self.document.locate, self.width, self.lead
        y, x = locate(width, start)
        # What is shown in another order than it is written in ends where it begins.
        last_y, last_x = max((y, x), locate(width, max(start, end - 1)))
        last_x = cell_after(self.document.line(width, last_y).text, last_x)
        return [
            (row, lead + (x if row == y else 0), lead + (last_x if row == last_y else width))
            for row in range(y, min(last_y, y + MOST_ROWS) + 1)
        ]


Block: TypeAlias = Rows | Flow
