"""Where a match of the search stands on the screen."""

from __future__ import annotations

from itertools import islice
from typing import Final

from transcript_tui.ui.views.transcript.blocks import Flow
from transcript_tui.ui.views.transcript.item import Item, matched_cells
from transcript_tui.ui.views.transcript.search import Search

MOST_ROWS: Final = 5_000
"""Rows of one text that are looked at for a match."""


def locate(item: Item, search: Search, hit: int) -> tuple[int, int] | None:
    """(row of the item, which match of the row) of match ``hit``; ``None`` = not drawn now."""
    hits = search.hits(item.key)
    if not 0 <= hit < len(hits):
        return None
    name = hits[hit][0]
    nth = sum(1 for other in hits[:hit] if other[0] == name)
    for top, block in item.blocks():
        if isinstance(block, Flow) and block.name == name:
            return _in_rows(item, search, range(top, top + block.height), nth)
    if name:
        return None
    return _in_rows(item, search, _bare_rows(item), nth)


def _bare_rows(item: Item) -> list[int]:
    return [
        top + y
        for top, block in item.blocks()
        if not isinstance(block, Flow)
        for y in range(block.height)
    ]


def _in_rows(
    item: Item, search: Search, rows: range | list[int], nth: int
) -> tuple[int, int] | None:
    """The ``nth`` match among what rows show, the last one where they show fewer."""
    last = None
    for row in islice(rows, MOST_ROWS):
        cells = matched_cells(item.content(row).text, search.pattern)
        for number in range(len(cells)):
            last = (row, number)
            if not nth:
                return last
            nth -= 1
    return last
