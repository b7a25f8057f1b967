"""Text broken into rows of at most so many cells: between words, or wherever that has to be."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import Final, NamedTuple

from transcript_tui.ui.cells import Range, Span, graphemes, narrow


def wrap(text: str, width: int, first: int | None = None) -> list[Range]:
    """Rows of at most ``width`` cells, broken at spaces where there are any.

    ``text`` has no line breaks. Spaces at a break belong to no row. ``first``: cells of the
    first row, where they differ. A grapheme wider than a row stands alone in one.
    """
    if narrow(text):
        return _wrap_narrow(text, width, width if first is None else first)
    return _wrap_wide(text, width, width if first is None else first)


def _wrap_narrow(text: str, width: int, room: int) -> list[Range]:
    rows: list[Range] = []
    start, length = 0, len(text)
    while length - start > room:
        cut = text.rfind(" ", start, start + room + 1)
        if cut < 0 or not text[start:cut].strip(" "):
            cut = after = start + max(1, room)
        else:
            after = cut
            while after < length and text[after] == " ":
                after += 1
            while cut > start and text[cut - 1] == " ":
                cut -= 1
        rows.append((start, cut))
        start, room = after, width
    if start < length or not rows:
        rows.append((start, length))
    return rows


def _wrap_wide(text: str, width: int, room: int) -> list[Range]:
    pieces = graphemes(text)
    ends = [0, *map(itemgetter(0), pieces)]
    cells = [0, *accumulate(map(itemgetter(1), pieces))]
    rows: list[Range] = []
    first, count = 0, len(pieces)
    while first < count:
        # The first grapheme that has no room; a row has one, however wide.
        over = max(first + 1, bisect_right(cells, cells[first] + room) - 1)
        if over >= count:
            break
        cut, after = _cut(text, ends, cells, first, over)
        rows.append((ends[first], ends[cut]))
        first, room = after, width
    if first < count or not rows:
        rows.append((ends[first], len(text)))
    return rows


def _cut(text: str, ends: list[int], cells: list[int], first: int, over: int) -> tuple[int, int]:
    """Where the row of graphemes from ``first`` on ends, and the next begins: grapheme ``over``
    has no room in it."""
    if _is_space(text, ends, over):
        after = over
        while after < len(ends) - 1 and text[ends[after]] == " ":
            after += 1
        return over, after
    for after in range(over, first, -1):
        if _is_space(text, ends, after - 1):
            cut = after - 1
            while cut > first and _is_space(text, ends, cut - 1):
                cut -= 1
            if cut > first:
                return cut, after
            break  # there are only spaces before
        wide = cells[after] - cells[after - 1] == 2
        if wide and _may_break(text, ends[after - 1], ends[after]):
            return after, after
    return over, over


def _is_space(text: str, ends: list[int], index: int) -> bool:
    return ends[index + 1] - ends[index] == 1 and text[ends[index]] == " "


_NOT_FIRST: Final = frozenset("、。，．！？：；）」』】〉》〕］｝・ー々…!?),.:;]}%")
_NOT_LAST: Final = frozenset("（「『【〈《〔［｛([{")


def _may_break(text: str, position: int, end: int) -> bool:
    """After a wide character a line may be broken, save before closing and after opening signs."""
    return text[end] not in _NOT_FIRST and text[position] not in _NOT_LAST and text[end] != " "


def chop(text: str, width: int) -> list[Range]:
    """Rows of exactly ``width`` cells as far as graphemes allow, spaces kept: for code."""
    if narrow(text):
        return [(at, min(at + width, len(text))) for at in range(0, len(text), max(1, width))] or [
            (0, 0)
        ]
    rows: list[Range] = []
    start = used = position = 0
    for end, cells in graphemes(text):
        if used + cells > width and position > start:
            rows.append((start, position))
            start, used = position, 0
        used += cells
        position = end
    rows.append((start, len(text)))
    return rows


def slices(spans: Sequence[Span], ranges: Sequence[Range]) -> list[list[Span]]:
    """The spans of each range; ranges ascend."""
    return [
        [Span(text, spans[index].style, spans[index].link) for text, index in row]
        for row in portions([span.text for span in spans], ranges)
    ]


def portions(texts: Sequence[str], ranges: Sequence[Range]) -> list[list[tuple[str, int]]]:
    """What each range of the texts joined takes of them: (text, index of the one it is of);
    ranges ascend."""
    rows: list[list[tuple[str, int]]] = []
    index = base = 0
    for start, end in ranges:
        row: list[tuple[str, int]] = []
        while index < len(texts) and base + len(texts[index]) <= start:
            base += len(texts[index])
            index += 1
        at, offset = index, base
        while at < len(texts) and offset < end:
            text = texts[at]
            left, right = max(0, start - offset), min(len(text), end - offset)
            if right > left:
                row.append((text[left:right], at))
            offset += len(text)
            at += 1
        rows.append(row)
    return rows


class Wrapped(NamedTuple):
    """A row of a text that was wrapped."""

    spans: list[Span]
    joint: str | None
    """What stands between it and the row above; ``None``: a line begins here."""


def joints(text: str, ranges: Sequence[Range]) -> list[str | None]:
    """What stands in a line before each of its rows; ``None`` before the first."""
    return [None, *[text[before[1] : after[0]] for before, after in pairwise(ranges)]]


def wrap_spans(spans: Sequence[Span], width: int) -> list[Wrapped]:
    """Rows of spans; a ``\\n`` in them begins a new row."""
    rows: list[Wrapped] = []
    for line in _lines(spans):
        text = "".join([span.text for span in line])
        ranges = wrap(text, width)
        rows.extend(map(Wrapped, slices(line, ranges), joints(text, ranges)))
    return rows


def _lines(spans: Sequence[Span]) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    for span in spans:
        if "\n" not in span.text:
            lines[-1].append(span)
            continue
        first, *rest = span.text.split("\n")
        lines[-1].append(Span(first, span.style, span.link))
        lines.extend([Span(part, span.style, span.link)] for part in rest)
    return lines
