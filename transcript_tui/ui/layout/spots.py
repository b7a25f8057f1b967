"""Where among the rows of a leaf a character of its source is shown."""

from __future__ import annotations

from collections.abc import Iterator

from transcript_tui.ui.layout.cells import graphemes
from transcript_tui.ui.layout.leaves import Leaf
from transcript_tui.ui.layout.rows import Row


def spot(source: str, offset: int, leaf: Leaf, rows: list[Row]) -> tuple[int, int]:
    """Where a character of a leaf's source is among its rows.

    Marks are not shown, so positions do not agree: the word at ``offset`` is looked for, as
    often as it stands before.
    """
    word = _word(source, offset)
    begin = offset
    times = source.count(word, 0, begin) if word else 0
    places = list(_places(rows, word)) if word else []
    if places:
        return places[min(times, len(places) - 1)]
    share = offset / max(1, len(source))
    y = min(len(rows) - 1, int(share * len(rows)))
    return max(leaf.gap if len(rows) > 1 else 0, y), rows[y].lead


def _places(rows: list[Row], word: str) -> Iterator[tuple[int, int]]:
    for y, row in enumerate(rows):
        text = row.strip.text
        at = text.find(word)
        while at >= 0:
            yield y, _cells(text, at)
            at = text.find(word, at + 1)


def _cells(text: str, end: int) -> int:
    used = 0
    for stop, width in graphemes(text):
        if stop > end:
            break
        used += width
    return used


def _word(source: str, offset: int) -> str:
    """The letters and digits at ``offset``; one character where there are none."""
    end = offset
    while end < len(source) and end - offset < 24 and source[end].isalnum():
        end += 1
    return source[offset : max(end, offset + 1)].strip()
