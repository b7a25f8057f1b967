"""A row of laid-out text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.strip import Strip

from transcript_tui.ui.layout.cells import Span, strip_of, width_of


class Reach(NamedTuple):
    """Cells of a row that lead somewhere."""

    x: int
    end: int
    address: str
    text: str


class Row(NamedTuple):
    """One row: cells, how many of them are decoration, and what leads where."""

    strip: Strip
    lead: int = 0
    """Cells before the text: signs of quotes and lists, margins."""
    tail: int = 0
    """Cells after the text: the rest of a code block's background."""
    links: tuple[Reach, ...] = ()


def row_of(lead: Sequence[Span], text: Sequence[Span], tail: Sequence[Span] = ()) -> Row:
    """A row of decoration, text, decoration."""
    start = sum([width_of(span.text) for span in lead])
    strip = strip_of([*lead, *text, *tail])
    links: tuple[Reach, ...] = ()
    if any(span.link for span in text):
        links = tuple(_reaches(text, start))
    return Row(strip, start, sum([width_of(span.text) for span in tail]), links)


def _reaches(spans: Sequence[Span], x: int) -> list[Reach]:
    found: list[Reach] = []
    for text, _, link in spans:
        end = x + width_of(text)
        if link and text:
            if found and found[-1].end == x and found[-1].address == link:
                text, x = found[-1].text + text, found[-1].x
                found.pop()
            found.append(Reach(x, end, link, text))
        x = end
    return found
