"""A text that grows, laid out a leaf at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from textual.strip import Strip

from transcript_tui.ui.layout.cells import graphemes
from transcript_tui.ui.layout.inline import normalized
from transcript_tui.ui.layout.leaves import Leaf
from transcript_tui.ui.layout.painter import Painter
from transcript_tui.ui.layout.rows import EVERYTHING, Copied, Row
from transcript_tui.ui.layout.source import Mode, Reader, Source
from transcript_tui.ui.layout.stack import Stack
from transcript_tui.ui.layout.styles import DocumentStyles

EAGER: Final = 64
"""Leaves that are laid out to know a height exactly; where there are more it is a guess."""
WIDTHS: Final = 2
"""Widths at which rows are kept."""


class Link(NamedTuple):
    """Where a piece of text leads; ``address`` is plain text, nothing opens it."""

    text: str
    address: str
    y: int
    x: int
    end: int
    """The cell after its last one."""


class Anchor(NamedTuple):
    """A row of a document that is found again after other rows changed."""

    offset: int
    """Of the leaf in the source."""
    row: int


class Page:
    """Rows of a source at any width; what :class:`Document` and ``JsonDocument`` share."""

    def __init__(self, source: Source, styles: DocumentStyles, *, addresses: bool = False) -> None:
        self.length = 0
        """Characters that are shown."""
        self._addresses = addresses
        self._painter = Painter(styles, addresses=addresses)
        self._source = source
        self._read: Reader = _nothing
        self._open = False
        self._seen = 0
        """Characters that are in leaves."""
        self._seen_open = False
        self._stacks: dict[int, Stack] = {}
        self._labels: dict[str, str] = {}

    # The text

    def _show(self, read: Reader, length: int, *, open: bool) -> bool:
        changed = length != self.length or open != self._open
        self._read, self.length, self._open = read, length, open
        return changed

    def _replace(self, text: str, *, open: bool) -> bool:
        before = self._read(0, self.length)
        if before == text and open == self._open:
            return False
        if not text.startswith(before):
            self._show(self._read, _common(before, text), open=open)
            self._sync()
        self._source.forget_ahead()
        return self._show(_Slices(text), len(text), open=open)

    def restyle(self, styles: DocumentStyles) -> None:
        """Draw everything again in other styles."""
        self._painter = Painter(styles, addresses=self._addresses)
        self._painter.links = self._labels
        self._stacks.clear()

    def _sync(self, *, further: bool = False, whole: bool = False) -> None:
        """Leaves up to the length, or a step ``further`` where much is not read yet."""
        more = (further or whole) and not self._source.complete
        if self._seen == self.length and self._seen_open == self._open and not more:
            return
        kept = self._source.update(self._read, self.length, open=self._open, whole=whole)
        self._seen, self._seen_open = self.length, self._open
        for stack in self._stacks.values():
            stack.truncate(kept)
            stack.extend(self._source.leaves[len(stack) :])
        self._relabel()

    def _relabel(self) -> None:
        """Links whose address stands elsewhere: drawn again when the address is known."""
        labels = {normalized(key): value for key, value in self._source.definitions.items()}
        if labels == self._labels:
            return
        self._labels = self._painter.links = labels
        for index, leaf in enumerate(self._source.leaves):
            if any("[" in line for line in leaf.lines):
                for stack in self._stacks.values():
                    stack.forget(index)

    def _stack(self, width: int) -> Stack:
        self._sync()
        stack = self._stacks.get(width)
        if stack is None:
            while len(self._stacks) >= WIDTHS:
                del self._stacks[next(iter(self._stacks))]
            stack = self._stacks[width] = Stack(width)
            stack.extend(self._source.leaves)
        return stack

    # Heights

    def height(self, width: int) -> int:
        """Rows; exact unless :meth:`exact` says otherwise."""
        stack = self._stack(width)
        count = len(stack)
        if not stack.exact and stack.guesses <= EAGER:
            self._settle(stack, 0, count)
        return stack.height + self._unread(stack)

    def _unread(self, stack: Stack) -> int:
        """About how many rows the text takes that is not in leaves."""
        read = self._source.read_to
        return 0 if self._source.complete else (self.length - read) * stack.height // max(1, read)

    def exact(self, width: int) -> bool:
        """Whether no part of the height is a guess."""
        return self._stack(width).exact and self._source.complete

    def settle(self, width: int, first: int, last: int) -> None:
        """Lay out what the rows from ``first`` to before ``last`` show.

        Negative rows count from the end, and ``last`` = 0 is the end. Afterwards these rows stay
        where they are, and the height is what it is, until the text changes or others are settled.
        """
        stack = self._stack(width)
        self.height(width)
        if first < 0 or not last:
            self._sync(whole=True)
        if first < 0:
            self._settle_end(stack, -first)
            return
        while True:
            self._reach(stack, last)
            if not stack.height:
                return
            top = stack.at(min(first, stack.height - 1))[0]
            bottom = stack.at(min(last or stack.height, stack.height) - 1)[0]
            if not self._settle(stack, top, bottom + 1):
                return

    def _reach(self, stack: Stack, y: int) -> None:
        """Read on until row ``y`` is in leaves."""
        while y >= stack.height and not self._source.complete:
            self._further()

    def _settle_end(self, stack: Stack, rows: int) -> None:
        index, found = len(stack), 0
        while index and found < rows:
            index -= 1
            found += len(self._rows(stack, index))

    def _settle(self, stack: Stack, first: int, last: int) -> bool:
        """Whether anything was left to lay out."""
        indices = stack.unsettled(first, last)
        for index in indices:
            self._rows(stack, index)
        return bool(indices)

    def _rows(self, stack: Stack, index: int) -> list[Row]:
        return stack.rows(index, self._source.leaves[index], self._painter)

    # Rows

    def _row(self, width: int, y: int) -> Row:
        stack = self._stack(width)
        self._reach(stack, y)
        if not 0 <= y < stack.height:
            return _BLANK
        index, offset = stack.at(y)
        rows = self._rows(stack, index)
        # A guess that was too high: the row that is asked for is no longer there.
        return rows[offset] if offset < len(rows) else _BLANK

    def line(self, width: int, y: int) -> Strip:
        """Row ``y``, at most ``width`` cells; the same object while nothing changes."""
        return self._row(width, y).strip

    def lines(self, width: int, first: int, last: int) -> list[Strip]:
        return [self.line(width, y) for y in range(first, last)]

    def copied(self, width: int, y: int, left: int = 0, right: int = EVERYTHING) -> Copied | None:
        """What cells of row ``y`` give to the one who copies them; ``None``: it has no text."""
        return self._row(width, y).copied(left, right)

    def links(self, width: int, first: int, last: int) -> list[Link]:
        """What leads somewhere in the rows from ``first`` to before ``last``."""
        found: list[Link] = []
        for y in range(max(0, first), min(last, self.height(width))):
            found += [
                Link(reach.text, reach.address, y, reach.x, reach.end)
                for reach in self._row(width, y).links
            ]
        return found

    # Places

    def locate(self, width: int, offset: int) -> tuple[int, int]:
        """(row, cell) where the character at ``offset`` of the source is shown, or near it."""
        stack = self._stack(width)
        if not len(stack):
            return 0, 0
        self._reach_offset(offset)
        self.height(width)
        index = self._source.at(offset)
        leaf = self._source.leaves[index]
        rows = self._rows(stack, index)
        top = stack.top(index)
        source = self._read(leaf.start, leaf.end)
        # Link definitions are in no leaf: what is shown next stands for them.
        y, x = _find(source, max(0, min(offset - leaf.start, len(source))), leaf, rows)
        return top + y, x

    def _reach_offset(self, offset: int) -> None:
        while offset >= self._source.read_to and not self._source.complete:
            self._further()

    def _further(self) -> None:
        """Read a step; all of it where a step leads nowhere (one word longer than that)."""
        before = self._source.read_to
        self._sync(further=True)
        if self._source.read_to == before:
            self._sync(whole=True)

    def anchor(self, width: int, y: int) -> Anchor:
        """What is shown in row ``y``, to be found again with :meth:`place`."""
        stack = self._stack(width)
        self._reach(stack, y)
        if not stack.height:
            return Anchor(0, 0)
        index, row = stack.at(max(0, min(y, stack.height - 1)))
        return Anchor(self._source.leaves[index].start, row)

    def place(self, width: int, anchor: Anchor) -> int:
        """The row that an anchor is in now."""
        stack = self._stack(width)
        if not len(stack):
            return 0
        self._reach_offset(anchor.offset)
        index = self._source.at(anchor.offset)
        rows = self._rows(stack, index)
        return stack.top(index) + min(anchor.row, max(0, len(rows) - 1))


class Document(Page):
    """A text, as Markdown or as it is."""

    def __init__(self, mode: Mode, styles: DocumentStyles, *, addresses: bool = False) -> None:
        super().__init__(Source(mode), styles, addresses=addresses)
        self.mode: Mode = mode

    def update(self, read: Reader, length: int, *, open: bool = False) -> bool:
        """Show ``length`` characters of a text that ``read`` gives; whether anything changed.

        It must be the text that was there before, longer or shorter. ``open``: it still grows,
        so that what is half-written at its end is shown as it will be.
        """
        return self._show(read, length, open=open)

    def replace(self, text: str, *, open: bool = False) -> bool:
        """Show any text; what it has in common with the one before is kept."""
        return self._replace(text, open=open)


_BLANK: Final = Row(Strip([]))


def _nothing(start: int, end: int) -> str:
    return ""


class _Slices:
    def __init__(self, text: str) -> None:
        self._text = text

    def __call__(self, start: int, end: int) -> str:
        return self._text[start:end]


def _common(left: str, right: str) -> int:
    """How many characters at the beginning are the same."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _find(source: str, offset: int, leaf: Leaf, rows: list[Row]) -> tuple[int, int]:
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
