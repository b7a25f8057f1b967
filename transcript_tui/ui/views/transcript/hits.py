"""Where a match of the search stands on the screen."""

from __future__ import annotations

from transcript_tui.ui.views.transcript.blocks import Flow
from transcript_tui.ui.views.transcript.item import Item, Span, matched_cells
from transcript_tui.ui.views.transcript.search import Search


def locate(item: Item, search: Search, hit: int) -> tuple[Span, ...]:
    """The cells of match ``hit`` of an item; empty where it is not drawn now (folded)."""
    found = search.hit(item.key, hit)
    if found is None:
        return ()
    if not found.name:
        return _in_rows(item, search, search.bare_before(item.key, hit))
    for top, block in item.blocks():
        if isinstance(block, Flow) and block.name == found.name:
            spans = block.spans(found.start, found.end)
            if spans[0][0] >= block.height:
                return ()
            return tuple((top + row, left, right) for row, left, right in spans)
    return ()


def _in_rows(item: Item, search: Search, nth: int) -> tuple[Span, ...]:
    """The ``nth`` match among rows that are no laid-out text; the last where there are fewer."""
    found: tuple[Span, ...] = ()
    for top, block in item.blocks():
        if isinstance(block, Flow):
            continue
        for y in range(block.height):
            for left, right in matched_cells(block.strip(y).text, search.pattern):
                found = ((top + y, left, right),)
                if not nth:
                    return found
                nth -= 1
    return found
