"""Lines of cells, cut where no grapheme is in two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from transcript_tui.ui.cells import LONGEST_GRAPHEME, Range, width_of
from transcript_tui.ui.wrapping import chop, portions

if TYPE_CHECKING:
    from transcript_tui.ui.views.styledcells import Cells

__all__ = ["cells_of", "shortened"]


def shortened(cells: Cells, width: int) -> Cells:
    """What ``width`` cells hold of a line, and a sign where that is not all."""
    if sum([width_of(text) for text, _ in cells]) <= width:
        return cells
    text = "".join([text for text, _ in cells])[: width * LONGEST_GRAPHEME]
    kept = cells_of(cells, [chop(text, width - 1)[0]] if width > 1 else [])
    row = kept[0] if kept else []
    return [*row, ("…", row[-1][1] if row else "")]


def cells_of(cells: Cells, ranges: Sequence[Range]) -> list[list[tuple[str, str]]]:
    """The cells of each range of a line; ranges ascend."""
    rows = portions([text for text, _ in cells], ranges)
    return [[(text, cells[index][1]) for text, index in row] for row in rows]
