"""Where among the rows of a leaf a character of its source is shown."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from transcript_tui.text import safe
from transcript_tui.ui.cells import cell_after, graphemes
from transcript_tui.ui.layout.leaves import Leaf
from transcript_tui.ui.layout.rows import Row


def spot(source: str, offset: int, leaf: Leaf, rows: list[Row]) -> tuple[int, int]:
    """Where a character of a leaf's source is among its rows.

    Marks are not shown, so positions do not agree: the word at ``offset`` is looked for, as
    often as it stands before. Rows are broken anywhere, so that blanks count for nothing; one
    stands behind what is before it.
    """
    written = source[:offset].rstrip() if source[offset : offset + 1].isspace() else ""
    if written:
        y, x = spot(source, len(written) - 1, leaf, rows)
        return y, cell_after(rows[y].strip.text, x)
    word = _squeezed(safe(_word(source, offset)))
    before = len(_squeezed(safe(source[:offset])))
    times = sum(1 for _ in takewhile(before.__gt__, _places(_squeezed(safe(source)), word)))
    texts = [_shown(row, continued=y > leaf.gap) for y, row in enumerate(rows)]
    places = list(islice(_places("".join(map(_squeezed, texts)), word), times + 1))
    if places:
        return _cell(rows, texts, places[-1])
    share = offset / max(1, len(source))
    y = min(len(rows) - 1, int(share * len(rows)))
    return max(leaf.gap if len(rows) > 1 else 0, y), rows[y].lead


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _shown(row: Row, *, continued: bool) -> str:
    """What of the source a row shows: what stands before it in a later one is no part of that, and
    takes a cell a character."""
    text = row.strip.text
    return text[row.lead :] if continued else text


def _places(text: str, word: str) -> Iterator[int]:
    at = text.find(word) if word else -1
    while at >= 0:
        yield at
        at = text.find(word, at + 1)


def _cell(rows: list[Row], texts: list[str], at: int) -> tuple[int, int]:
    """Row and cell of the character ``at`` of all that rows show, blanks left out."""
    for y, text in enumerate(texts):
        length = len(_squeezed(text))
        if at < length:
            inked = [index for index, char in enumerate(text) if not char.isspace()]
            whole = rows[y].strip.text
            return y, _cells(whole, len(whole) - len(text) + inked[at])
        at -= length
    raise IndexError(at)


def _cells(text: str, end: int) -> int:
    used = 0
    for stop, width in graphemes(text):
        if stop > end:
            break
        used += width
    return used


def _word(source: str, offset: int) -> str:
    """The letters and digits at ``offset``; the character there where there are none."""
    end = offset
    while end < len(source) and end - offset < 24 and source[end].isalnum():
        end += 1
    return source[offset : max(end, offset + 1)]
