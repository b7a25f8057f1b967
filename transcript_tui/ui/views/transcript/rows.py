"""Rows of cells: the small pieces that items are drawn of.

Everything here takes text that has passed the gate (``text.py``) already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from transcript_tui.ui import wrapping
from transcript_tui.ui.layout.rows import Column, Row

ELLIPSIS = "…"
LEAST = 6
"""Cells to which a piece of a row is shortened at most; else what follows it gives way, too."""

Piece = tuple[str, Style]
"""Text and how it looks."""


def row(*pieces: Piece) -> Strip:
    """One row of these pieces, as wide as they are."""
    return Strip([Segment(text, style) for text, style in pieces if text])


def cells_of(pieces: Sequence[Piece]) -> int:
    """Cells that pieces take beside each other."""
    return sum(cell_len(text) for text, _ in pieces)


def cut(text: str, width: int) -> str:
    """``text`` in at most ``width`` cells; a mark stands for what is left out."""
    if width <= 0:
        return ""
    if len(text) > 4 * width:
        # Graphemes may take many characters, but what is certainly past the edge is not measured.
        text = text[: 8 * width + 16]
    if cell_len(text) <= width:
        return text
    kept = Strip([Segment(text)]).crop(0, width - 1).text.rstrip()
    return kept + ELLIPSIS


def cut_start(text: str, width: int) -> str:
    """The end of ``text`` in at most ``width`` cells."""
    if width <= 0:
        return ""
    text = text[-(8 * width + 16) :]
    cells = cell_len(text)
    if cells <= width:
        return text
    return ELLIPSIS + Strip([Segment(text)]).crop(cells - width + 1, cells).text.lstrip()


def fit(strip: Strip, width: int, style: Style) -> Strip:
    """``strip`` in exactly ``width`` cells."""
    return strip if strip.cell_length == width else strip.adjust_cell_length(width, style)


def sides(
    left: Sequence[Piece],
    right: Sequence[Piece],
    width: int,
    base: Style,
    fill: str = " ",
    lead: str = "",
) -> Row:
    """A row with pieces at both ends; the left ones are cut where there is no room for both.

    ``lead`` stands before them. It and what is drawn between the ends is no text.
    """
    right_cells = cells_of(right)
    if right_cells >= width - 4:
        right, right_cells = (), 0
    before = cell_len(lead)
    kept = _kept(left, width - before - right_cells - (1 if right_cells else 0))
    gap = width - before - cells_of(kept) - right_cells
    if gap and fill != " " and not (kept and kept[-1][0].endswith(" ")):
        # What was cut lost its blank with its end; the line does not touch it all the same.
        kept.append((" ", base))
        gap -= 1
    strip = row((lead, base), *kept, (fill * gap, base), *right)
    columns = (_extent(kept, before), *([_extent(right, width - right_cells)] if right else ()))
    return Row(strip, before, columns=columns, between="  ")


def within(pieces: Sequence[Piece], width: int) -> Strip:
    """A row of pieces, which are cut where there is no room for them."""
    return row(*_kept(pieces, width))


def _kept(pieces: Sequence[Piece], room: int) -> list[Piece]:
    """As much of the pieces as there is room for; the longest gives, so that the others stay."""
    kept: list[Piece] = []
    for text, style in _squeezed(pieces, room):
        cells = cell_len(text)
        if cells > room:
            kept.append((cut(text, room), style))
            break
        kept.append((text, style))
        room -= cells
    return kept


def _squeezed(pieces: Sequence[Piece], room: int) -> list[Piece]:
    squeezed = list(pieces)
    widths = [cell_len(text) for text, _ in pieces]
    over = sum(widths) - room
    longest = widths.index(max(widths)) if widths else 0
    if over > 0 and widths[longest] - over >= LEAST:
        text, style = pieces[longest]
        squeezed[longest] = (cut(text, widths[longest] - over), style)
    return squeezed


def _extent(pieces: Sequence[Piece], x: int) -> Column:
    """The cells of some pieces, without the blanks at their ends."""
    text = "".join([text for text, _ in pieces])
    bare = text.strip(" ")
    start = x + text.find(bare) if bare else x
    return Column(start, start + cell_len(bare))


def wrap(text: str, width: int) -> list[str]:
    """``text`` in lines of at most ``width`` cells, broken at spaces where there are any."""
    return [line for line, _ in _wrapped(text, width)]


def sentence(text: str, style: Style, width: int, prefix: Sequence[Piece] = ()) -> list[Row]:
    """A few lines of text, wrapped; they stand as far in as ``prefix`` before the first."""
    head = row(*prefix)
    blank = row((" " * head.cell_length, style))
    said = head.text.strip(" ")
    rows: list[Row] = []
    for line, joint in _wrapped(text, max(1, width - head.cell_length)):
        front = blank if rows else head
        mark = f"{said} " if said and not rows else ""
        strip = Strip.join((front, row((line, style))))
        rows.append(Row(strip, head.cell_length, joint=joint, said=mark))
    return rows


def _wrapped(text: str, width: int) -> Iterator[tuple[str, str | None]]:
    """Lines, and what joins each to the one above."""
    for line in text.split("\n"):
        ranges = wrapping.wrap(line, width)
        for (start, end), joint in zip(ranges, wrapping.joints(line, ranges), strict=True):
            yield line[start:end], joint
