"""A text that grows, laid out a leaf at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from textual.strip import Strip

from transcript_tui.ui.layout.markdown.inline import normalized
from transcript_tui.ui.layout.painter import Painter
from transcript_tui.ui.layout.rows import EVERYTHING, Copied, Row
from transcript_tui.ui.layout.source import Mode, Reader, Source
from transcript_tui.ui.layout.spots import spot
from transcript_tui.ui.layout.stack import Stack
from transcript_tui.ui.layout.styles import DocumentStyles

EAGER: Final = 64
"""Leaves that are laid out to know a height exactly; where there are more it is a guess."""
EAGER_TEXT: Final = 6_000
"""Characters of these at most: laying them out takes a third of a painting."""
WAITING: Final = 8
"""Of so many rows that are yet to be read one says how far it is."""
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
        self._defined: tuple[dict[str, str], int] = ({}, 0)
        """What these were made of, and how many there were."""

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
        """Draw everything again in other styles, which change no height."""
        self._painter = Painter(styles, addresses=self._addresses)
        self._painter.links = self._labels
        for stack in self._stacks.values():
            stack.forget_rows()

    def read_on(self, *, whole: bool = False) -> bool:
        """Read a step further, or all of it, where much was not read; whether any is left.

        Until then rows that were not read are blank, and those of the end are a guess (as are
        heights): what is read on in the background changes neither what was read nor, where the
        guess was right, the end.
        """
        self._sync()
        before = self._source.read_to
        if not self._source.complete:
            self._sync(further=True, whole=whole)
            if self._source.read_to == before:
                self._sync(further=True, whole=True)  # one line longer than a step
        return not self._source.complete

    def _sync(self, *, further: bool = False, whole: bool = False) -> None:
        """Leaves up to the length, or a step ``further`` where much is not read yet."""
        same = self._seen == self.length and self._seen_open == self._open
        if same and not further:
            return
        source = self._source
        kept = source.update(self._read, self.length, open=self._open, whole=whole)
        self._seen, self._seen_open = self.length, self._open
        end = len(source.leaves) - source.trailing
        for stack in self._stacks.values():
            before = stack.height
            stack.replace(kept, len(stack) - source.trailing, source.leaves[kept:end])
            self._suppose_unread(stack, before if same else 0)
        self._relabel()

    def _suppose_unread(self, stack: Stack, before: int) -> None:
        """About how many rows the unread takes; so many that the height is as it was ``before``."""
        source = self._source
        if source.complete:
            return
        index = source.settled
        leaf = source.leaves[index]
        rest = stack.height - stack.height_of(index)
        likely = (leaf.end - leaf.start) * stack.top(index) // max(1, leaf.start)
        stack.suppose(index, max(1, before - rest if before else likely))

    def _relabel(self) -> None:
        """Links whose address stands elsewhere: drawn again when the address is known."""
        definitions = self._source.definitions
        if definitions is self._defined[0] and len(definitions) == self._defined[1]:
            return  # none is ever changed, there may only be more
        labels = {normalized(key): value for key, value in definitions.items()}
        self._defined = definitions, len(definitions)
        if labels == self._labels:
            return
        self._labels = self._painter.links = labels
        leaves = self._source.leaves
        for stack in self._stacks.values():
            for index in stack.laid_out():
                if any("[" in line for line in leaves[index].lines):
                    stack.forget(index)

    def _stack(self, width: int) -> Stack:
        self._sync()
        stack = self._stacks.get(width)
        if stack is None:
            while len(self._stacks) >= WIDTHS:
                del self._stacks[next(iter(self._stacks))]
            stack = self._stacks[width] = Stack(width)
            stack.extend(self._source.leaves)
            self._suppose_unread(stack, 0)
        return stack

    # Heights

    def height(self, width: int) -> int:
        """Rows; exact unless :meth:`exact` says otherwise."""
        stack = self._stack(width)
        count = len(stack)
        if self._source.complete and not stack.exact and self._is_little(stack):
            self._settle(stack, 0, count)
        return stack.height

    def _is_little(self, stack: Stack) -> bool:
        """Whether what was not laid out yet is soon."""
        if stack.guesses > EAGER:
            return False
        leaves = (self._source.leaves[index] for index in stack.unsettled(0, len(stack)))
        return sum([leaf.end - leaf.start for leaf in leaves]) <= EAGER_TEXT

    @property
    def complete(self) -> bool:
        """Whether all of it was read; :meth:`read_on` reads what was not."""
        self._sync()
        return self._source.complete

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
        if first < 0:
            self._settle_end(stack, -first)
            return
        while stack.height:
            top = stack.at(min(first, stack.height - 1))[0]
            bottom = stack.at(min(last or stack.height, stack.height) - 1)[0]
            if not self._settle(stack, top, bottom + 1):
                return

    def _settle_end(self, stack: Stack, rows: int) -> None:
        index, found = len(stack), 0
        while index and found < rows:
            index -= 1
            if self._source.leaves[index].kind == "unread":
                return
            found += len(self._rows(stack, index))

    def _settle(self, stack: Stack, first: int, last: int) -> bool:
        """Whether anything was left to lay out."""
        indices = stack.unsettled(first, last)
        for index in indices:
            self._rows(stack, index)
        return bool(indices)

    def _rows(self, stack: Stack, index: int) -> list[Row]:
        return stack.rows(index, self._source.leaves[index], self._painter)

    def _rows_from(self, stack: Stack, index: int, first: int, most: int) -> list[Row]:
        """Rows of a leaf from ``first`` on, at ``most`` so many."""
        if self._source.leaves[index].kind != "unread":
            return self._rows(stack, index)[first : first + most]
        said = self._painter.waiting(self._source.read_to * 100 // max(1, self.length))
        last = min(first + most, stack.height_of(index))
        return [said if y % WAITING == WAITING // 2 else _NOTHING for y in range(first, last)]

    # Rows

    def _row(self, width: int, y: int) -> Row:
        stack = self._stack(width)
        if not 0 <= y < stack.height:
            return _BLANK
        index, offset = stack.at(y)
        rows = self._rows_from(stack, index, offset, 1)
        # A guess that was too high: the row that is asked for is no longer there.
        return rows[0] if rows else _BLANK

    def line(self, width: int, y: int) -> Strip:
        """Row ``y``, at most ``width`` cells; the same object while nothing changes."""
        return self._row(width, y).strip

    def lines(self, width: int, first: int, last: int) -> list[Strip]:
        """Rows from ``first`` to before ``last``; cheaper than one by one."""
        stack = self._stack(width)
        strips: list[Strip] = []
        while len(strips) < last - first:
            y = first + len(strips)
            index, offset = stack.at(y) if 0 <= y < stack.height else (-1, 0)
            rows = self._rows_from(stack, index, offset, last - y) if index >= 0 else []
            strips += [row.strip for row in rows or [_BLANK]]
        return strips

    def copied(self, width: int, y: int, left: int = 0, right: int = EVERYTHING) -> Copied | None:
        """What cells of row ``y`` give to the one who copies them; ``None``: it has no text."""
        return self._row(width, y).copied(left, right)

    def reaches_unread(self, width: int, first: int, last: int) -> bool:
        """Whether the rows from ``first`` to before ``last`` stand for text that was not read."""
        if self.complete:
            return False
        stack = self._stack(width)
        ends = [stack.at(max(0, min(y, stack.height - 1)))[0] for y in (first, last - 1)]
        return ends[0] <= self._source.settled <= ends[1]

    def rows_between(self, width: int, first: int, last: int) -> Iterator[list[Row]]:
        """The rows from ``first`` to before ``last``, a leaf at a time, for copying: of the text
        as it is now, however late they are asked for. They are without the colours of code, and
        nothing keeps them."""
        stack = self._stack(width)
        if not first < min(last, stack.height):
            return iter(())
        top, start = stack.at(max(0, first))
        bottom, end = stack.at(min(last, stack.height) - 1)
        leaves = self._source.leaves[top : bottom + 1]
        painter = Painter(self._painter.styles.plain(), addresses=self._addresses)
        painter.links = self._labels
        # At the end of all there may be more rows than were guessed.
        stops = {len(leaves) - 1: end + 1} if last < stack.height else {}
        return (
            painter.rows(leaf, width)[0 if number else start : stops.get(number)]
            for number, leaf in enumerate(leaves)
            if leaf.kind != "unread"
        )

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
        self.height(width)
        index = self._source.at(offset)
        y, x = self._within(stack, index, offset)
        return stack.top(index) + y, x

    def _within(self, stack: Stack, index: int, offset: int) -> tuple[int, int]:
        """Where in its leaf a character is shown."""
        leaf = self._source.leaves[index]
        # Link definitions are in no leaf: what is shown next stands for them.
        at, size = max(0, min(offset, leaf.end) - leaf.start), leaf.end - leaf.start
        if leaf.kind == "unread":
            return at * (stack.height_of(index) - 1) // max(1, size), 0
        rows = self._rows(stack, index)
        return spot(self._read(leaf.start, leaf.end), at, leaf, rows)

    def anchor(self, width: int, y: int) -> Anchor:
        """What is shown in row ``y``, to be found again with :meth:`place`."""
        stack = self._stack(width)
        if not stack.height:
            return Anchor(0, 0)
        index, row = stack.at(max(0, min(y, stack.height - 1)))
        leaf = self._source.leaves[index]
        if leaf.kind == "unread":
            share = (leaf.end - leaf.start) * row // stack.height_of(index)
            return Anchor(leaf.start + share, 0)
        return Anchor(leaf.start, row)

    def place(self, width: int, anchor: Anchor) -> int:
        """The row that an anchor is in now."""
        stack = self._stack(width)
        if not len(stack):
            return 0
        index = self._source.at(anchor.offset)
        leaf = self._source.leaves[index]
        if leaf.start == anchor.offset and leaf.kind != "unread":
            rows = self._rows(stack, index)
            return stack.top(index) + min(anchor.row, max(0, len(rows) - 1))
        # What was taken for the beginning of a leaf is within another one.
        y, _ = self._within(stack, index, anchor.offset)
        return max(0, min(stack.top(index) + y + anchor.row, stack.height - 1))


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
_NOTHING: Final = Row(Strip([]), said=None)


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
