"""Graphemes, their widths in cells, and rows of them.

Widths are Rich's, so that what is measured here is what Textual measures. Where Rich cuts
finer than writing does (flags, conjuncts), graphemes are kept whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import repeat
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
