"""A row of laid-out text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from textual.strip import Strip

from transcript_tui.ui.cells import Span, reached, strip_of, width_of

EVERYTHING: Final = 1 << 30
"""A cell beyond the end of any row."""


class Reach(NamedTuple):
    """Cells of a row that lead somewhere."""

    x: int
    end: int
    address: str
    text: str


class Column(NamedTuple):
    """The text of one of several that stand beside each other in a row."""

    x: int
    end: int
    joint: str = ""
    """What stands between it and the one above, where the row goes on with a line."""


class Copied(NamedTuple):
    """What a row, or a part of it, gives to the one who copies it."""

    texts: tuple[str | None, ...]
    """One, or as many as the row has columns; ``None``: not reached."""
    joints: tuple[str, ...] | None
    """What joins each to the one of the row above; ``None``: a line begins here."""
    between: str
    """What separates columns."""


class Row(NamedTuple):
    """One row: cells, how many of them are decoration, and what leads where."""

    strip: Strip
    lead: int = 0
    """Cells before the text: signs of quotes and lists, margins."""
    tail: int = 0
    """Cells after the text: the rest of a code block's background."""
    links: tuple[Reach, ...] = ()
    joint: str | None = None
    """What stands between this row's text and that of the row above where a line was only
    wrapped: blanks, or nothing. ``None``: a line begins here."""
    said: str | None = ""
    """What the lead says, for copying: the mark of a list. ``None``: the row is all decoration."""
    columns: tuple[Column, ...] = ()
    """Where there are several texts in it, as in a table."""
    between: str = "\t"

    def copied(self, left: int = 0, right: int = EVERYTHING) -> Copied | None:
        """What the cells from ``left`` to before ``right`` give; graphemes stay whole."""
        if self.said is None:
            return None
        # What stands before and after the text takes a cell a character; what the text begins
        # with may be drawn onto the last of those.
        row, lead = self.strip.text, self.lead
        text = row[lead : len(row) - self.tail]
        texts: tuple[str | None, ...] = (reached(text, left - lead, right - lead),)
        joints: tuple[str, ...] | None = None if self.joint is None else (self.joint,)
        if self.columns:
            texts = tuple([self._cell(each, left, right) for each in self.columns])
            joints = joints and tuple([each.joint for each in self.columns])
        mark = self._mark(left, right)
        if mark:
            texts = (mark + (texts[0] or ""), *texts[1:])
        return Copied(texts, joints, self.between)

    def _cell(self, column: Column, left: int, right: int) -> str | None:
        if right <= column.x or left >= max(column.end, column.x + 1):
            return None
        return reached(self.strip.text, max(left, column.x), min(right, column.end))

    def _mark(self, left: int, right: int) -> str:
        """A mark is copied whole where the selection reaches it."""
        said = self.said or ""
        if not said or left >= self.lead or right <= 0:
            return ""
        return said if left <= 0 else said.lstrip(" ")


def copied_pieces(
    pieces: Iterable[Sequence[Row]], left: int, right: int
) -> Iterator[list[Copied | None]]:
    """What rows give, a piece at a time; the first of all from cell ``left`` on, the last up to
    before cell ``right``."""
    held: list[Row] = []
    for piece in pieces:
        rows = [*held, *piece]
        # Which one is the last is known when no other follows.
        held = rows[-1:]
        yield [row.copied(0 if y else left) for y, row in enumerate(rows[:-1])]
        left = left if len(rows) < 2 else 0
    yield [row.copied(left, right) for row in held]


def row_of(
    lead: Sequence[Span],
    text: Sequence[Span],
    tail: Sequence[Span] = (),
    *,
    joint: str | None = None,
    said: str | None = "",
) -> Row:
    """A row of decoration, text, decoration."""
    start = sum([width_of(span.text) for span in lead])
    strip = strip_of([*lead, *text, *tail])
    links: tuple[Reach, ...] = ()
    if any(span.link for span in text):
        links = tuple(_reaches(text, start))
    return Row(strip, start, sum([width_of(span.text) for span in tail]), links, joint, said)


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
