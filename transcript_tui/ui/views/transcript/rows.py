"""Rows of cells: the small pieces that items are drawn of.

Everything here takes text that has passed the gate (``ui/text.py``) already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

ELLIPSIS = "…"

Piece = tuple[str, Style]
"""Text and how it looks."""


def row(*pieces: Piece) -> Strip:
    """One row of these pieces, as wide as they are."""
    return Strip([Segment(text, style) for text, style in pieces if text])


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
    left: Sequence[Piece], right: Sequence[Piece], width: int, base: Style, fill: str = " "
) -> Strip:
    """A row with pieces at both ends; the left ones are cut where there is no room for both."""
    right_cells = sum(cell_len(text) for text, _ in right)
    if right_cells >= width - 4:
        right, right_cells = (), 0
    room = width - right_cells - (1 if right_cells else 0)
    kept: list[Piece] = []
    for text, style in left:
        cells = cell_len(text)
        if cells > room:
            kept.append((cut(text, room), style))
            room = 0
            break
        kept.append((text, style))
        room -= cells
    gap = width - sum(cell_len(text) for text, _ in kept) - right_cells
    return row(*kept, (fill * gap, base), *right)


def spoken(left: Sequence[Piece], right: Sequence[Piece]) -> str:
    """What pieces at both ends of a row say, without what is drawn between them."""
    ends = ("".join(text for text, _ in pieces).strip() for pieces in (left, right))
    return "  ".join(filter(None, ends))


def wrap(text: str, width: int) -> list[str]:
    """``text`` in lines of at most ``width`` cells, broken at spaces where there are any.

    For sentences of a few lines (errors, interrupts); messages have ``ui.layout``.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line, used = "", 0
        for word in paragraph.split(" "):
            cells = cell_len(word)
            if line and used + 1 + cells <= width:
                line, used = f"{line} {word}", used + 1 + cells
                continue
            if line:
                lines.append(line)
            *whole, line = _pieces(word, width) if cells > width > 1 else (word,)
            lines += whole
            used = cell_len(line)
        lines.append(line)
    return lines


def _pieces(word: str, width: int) -> Iterator[str]:
    """A word in pieces of at most ``width`` cells; of a long one only the next is looked at."""
    start, reach = 0, 8 * width + 16
    while len(word) - start > reach or cell_len(word[start:]) > width:
        near = word[start : start + reach]
        piece = Strip([Segment(near)]).crop(0, width).text.rstrip(" ") or near[:1]
        yield piece
        start += len(piece)
    yield word[start:]
