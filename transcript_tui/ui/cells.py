"""Graphemes, their widths in cells, and lines of at most so many cells.

Widths are Rich's, so that what is measured here is what Textual measures. Where Rich cuts
finer than writing does (flags, conjuncts), graphemes are kept whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise, repeat
from operator import itemgetter
from typing import Final, NamedTuple

from rich.cells import cell_len as rich_cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from transcript_tui.text import extends, pictograph

LONGEST_GRAPHEME: Final = 32
"""Characters: what piles up higher is cut off, as no terminal draws it."""
_NARROW: Final = "\x20-\x7e\xa0-\xac\xae-\u02ff"
_WIDE: Final = "\u3000-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60"
_RUN: Final = re.compile(f"([{_NARROW}]+)|([{_WIDE}]+)")
"""Characters of one cell, and of two, that are graphemes unless something is drawn onto them."""
_OTHER: Final = re.compile(f"[^{_NARROW}{_WIDE}]")
_DISPUTED: Final = re.compile(f"[^{_NARROW}{_WIDE}\u2010-\u203a\u2190-\u21ff\u2500-\u25ff\u276f]")
"""What not all terminals are as wide as Rich about; our own signs are not among it."""
_PILED: Final = re.compile(f"[^\x00-\u02ff]{{{LONGEST_GRAPHEME}}}")
"""What a grapheme that is too long holds at least, one of the others among it."""
_ZWJ: Final = "\u200d"


class Span(NamedTuple):
    """A piece of a line and how it looks."""

    text: str
    style: Style
    link: str | None = None
    """Where it leads, as plain text that has passed the gate."""


Range = tuple[int, int]
"""Start and end of a row within its text, in characters."""


def width_of(text: str) -> int:
    """Cells that ``text`` takes; it has passed the gate."""
    if text.isascii():
        return len(text)
    if _ZWJ not in text:
        return rich_cell_len(text)
    return sum(rich_cell_len(part) for part in joined_parts(text))


def joined_parts(text: str) -> list[str]:
    """``text`` cut where Rich would swallow a letter: it takes what follows a joiner as part of
    an emoji, which is true of emoji only."""
    parts = []
    start = 0
    at = text.find(_ZWJ)
    while at >= 0:
        if at + 1 < len(text) and not pictograph(text[at + 1]):
            parts.append(text[start : at + 1])
            start = at + 1
        at = text.find(_ZWJ, at + 1)
    parts.append(text[start:])
    return parts


def graphemes(text: str) -> list[tuple[int, int]]:
    """(end, cells) of each grapheme in order."""
    found: list[tuple[int, int]] = []
    start, length = 0, len(text)
    while start < length:
        run = _RUN.match(text, start)
        end = start if run is None else run.end()
        if end < length and run is not None and extends(text[end], text[end - 1]):
            # The last of the run has something drawn onto it.
            end -= 1
        if end > start and run is not None:
            found += zip(range(start + 1, end + 1), repeat(run.lastindex or 1))
        else:
            end = start + 1
            while end < length and _continues(text, start, end):
                end += 1
            found.append((end, width_of(text[start:end])))
        start = end
    return found


def cell_after(text: str, cell: int) -> int:
    """The first cell after the grapheme that is drawn at a cell."""
    used = 0
    for _, width in graphemes(text):
        if used > cell:
            break
        used += width
    return max(used, cell + 1)


def _continues(text: str, start: int, end: int) -> bool:
    before, char = text[end - 1], text[end]
    if "\U0001f1e6" <= char <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff":
        return end - start == 1
    return extends(char, before)


def plain_widths(text: str) -> bool:
    """Whether all terminals agree on the cells of ``text``: letters of one cell, and of two."""
    return text.isascii() or _DISPUTED.search(text) is None


def narrow(text: str) -> bool:
    """Whether each character of ``text`` is one grapheme of one cell, surely."""
    return text.isascii() or (max(text) < "\u0300" and "\xad" not in text)


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


def snapped(text: str, left: int, right: int) -> Range:
    """The cells from ``left`` to before ``right``, widened so that they cut no grapheme."""
    if narrow(text):
        return left, right
    first, last, x = left, right, 0
    for cells in map(itemgetter(1), graphemes(text)):
        if x < left < x + cells:
            first = x
        if x < right < x + cells:
            last = x + cells
        x += cells
    return first, last


def reached(text: str, left: int, right: int) -> str:
    """What the cells from ``left`` to before ``right`` show; graphemes stay whole."""
    left = max(0, left)
    if narrow(text):
        return text[left : max(left, right)]
    kept = []
    start = x = 0
    for end, cells in graphemes(text):
        # What takes no cell belongs to the one that it stands in front of.
        if x < right and (x + cells > left or x == left):
            kept.append(text[start:end])
        start, x = end, x + cells
    return "".join(kept)


def segments(text: str, style: Style) -> list[Segment]:
    """Segments that Rich measures as :func:`width_of` does."""
    if _ZWJ not in text:
        return [Segment(_bounded(text), style)]
    return [Segment(_bounded(part), style) for part in joined_parts(text)]


def _bounded(text: str) -> str:
    """No grapheme longer than ``LONGEST_GRAPHEME``."""
    if _PILED.search(text) is None or _OTHER.search(text) is None:
        return text
    start = 0
    kept = []
    for end, _ in graphemes(text):
        kept.append(text[start : min(end, start + LONGEST_GRAPHEME)])
        start = end
    return "".join(kept)


def strip_of(spans: Sequence[Span]) -> Strip:
    """One row as Textual draws it."""
    parts: list[Segment] = []
    for text, style, _ in spans:
        if text:
            parts.extend(segments(text, style))
    return Strip(parts)
