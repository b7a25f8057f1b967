"""A text that is read while it grows, cut into leaves; nothing is read twice."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from transcript_tui.text import TAB, clean, extends, marked
from transcript_tui.ui.layout.leaves import LIMIT, Leaf
from transcript_tui.ui.layout.likelyend import likely_end
from transcript_tui.ui.layout.markdown.blocks import Markdown
from transcript_tui.ui.layout.markdown.halfwritten import (
    calmed_leaf,
    may_begin_block,
    may_close_fence,
)
from transcript_tui.ui.layout.plain import Plain

Mode = Literal["markdown", "source"]
Reader = Callable[[int, int], str]
"""The characters from an offset to another one."""

STEP: Final = 24_000
"""Characters that are read at once of a text of which much was not read."""
MARGIN: Final = 200
"""A line is cut when it is longer than a leaf by this many characters."""
_BREAK: Final = re.compile(r"\r\n|\n|\r")
_EVERY: Final = 32
"""Leaves between two states of the machine that are kept for going back."""


@dataclass(frozen=True, slots=True)
class _State:
    leaves: int
    at: int
    inside: str | None
    machine: Markdown | Plain
    definitions: dict[str, str]


class Source:
    """The leaves of a text, as far as it is there."""

    def __init__(self, mode: Mode) -> None:
        self.mode = mode
        self.leaves: list[Leaf] = []
        """All of them; the last ones may change."""
        self.settled = 0
        """How many of them never change while the text grows."""
        self.definitions: dict[str, str] = {}
        self._machine: Markdown | Plain = self._fresh()
        self._at = 0
        """Where what has not been read for good begins."""
        self._inside: str | None = None
        """… in the middle of a line."""
        self._states: list[_State] = []
        self._due = _EVERY
        """Leaves there will be when the machine's state is to be kept the next time."""
        self._ahead: list[Leaf] = []
        """The leaves of what was read furthest, after going back: coming again is not reading."""
        self._length = 0
        self._open = False
        self.complete = True
        """Everything that is there is in leaves."""
        self._end: Source | None = None
        """The end of the text while it is not ``complete``, read as it most likely is."""
        self.trailing = 0
        """How many of the last leaves are those that were the last before the latest update."""
        self._begins = 0
        """Where its text begins: such an end is a source of its own."""

    def _fresh(self) -> Markdown | Plain:
        return Markdown() if self.mode == "markdown" else Plain()

    @property
    def read_to(self) -> int:
        """Where what was not read begins."""
        return self._length if self.complete else self._at

    def update(self, read: Reader, length: int, *, open: bool, whole: bool = False) -> int:
        """Bring it up to ``length`` characters; how many leaves stayed as they were.

        Where much is to be read, one ``STEP`` is, unless ``whole``: then it is not ``complete``,
        an ``unread`` leaf stands for what is left, and behind it stands how it most likely ends.
        """
        if length == self._length and open == self._open and self.complete:
            return len(self.leaves)
        old, kept = self.leaves[self.settled :], self.settled
        if length < self._at:
            self._back(length)
            old, kept = [], self.settled
        self._length, self._open, self.trailing = length, open, 0
        del self.leaves[self.settled :]
        if self._ahead:
            self._come_again(length)
        self.complete = whole or length - self._at <= 2 * STEP
        rest = self._read(read(self._at, length if self.complete else self._at + STEP))
        self.leaves += self._machine.leaves
        self._machine.leaves.clear()
        self.settled = len(self.leaves)
        if not self.complete:
            self.leaves += self._unread(read)
            self.trailing = _common_end(old, self.leaves[kept:])
            return kept
        self._end = None
        tail, definitions = self._tail(rest, length)
        self.leaves += tail
        self._define(definitions)
        for mine, other in zip(old, self.leaves[kept:], strict=False):
            if mine != other:
                break
            kept += 1
        return kept

    def _unread(self, read: Reader) -> list[Leaf]:
        """A leaf for what was not read, and those of the end."""
        end = self._end
        if end is None or not self._at < end._begins or not 0 <= self._length - end._at <= STEP:
            end = self._end = self._ending(read)
        end.update(read, self._length, open=self._open, whole=True)
        self._define(end.definitions)
        return [Leaf("unread", self._at, end._begins, ()), *end.leaves]

    def _define(self, further: dict[str, str]) -> None:
        """Definitions for good are the machine's own, not copied for each token; mostly there
        are no ``further`` ones."""
        mine = self._machine.definitions
        self.definitions = {**further, **mine} if further else mine

    def _ending(self, read: Reader) -> Source:
        found = likely_end(read(self._at, self._length), self._machine, self._at)
        end = Source(self.mode)
        end._begins = end._at = self._at + found.at
        end._inside, end._machine = "" if found.inside else None, found.machine
        return end

    def at(self, offset: int) -> int:
        """The leaf that shows a character of the source."""
        index = bisect_right(self.leaves, offset, key=lambda leaf: leaf.start) - 1
        return max(0, min(index, len(self.leaves) - 1))

    def _read(self, text: str) -> str:
        """Feed whole lines, and pieces of lines that are too long; what is left is returned."""
        if "\r" in text:
            return self._read_breaks(text)
        lines = text.split("\n")
        rest = lines.pop()
        if clean(text):
            self._clean_lines(lines)
        else:
            for line in lines:
                self._line(line, 1)
        return self._pieces(rest)

    def _clean_lines(self, lines: list[str]) -> None:
        """Whole lines that the gate would not change: there may be a hundred thousand."""
        machine, at = self._machine, self._at
        for line in lines:
            if self._inside is not None or len(line) > LIMIT + MARGIN:
                self._at = at
                self._line(line, 1)
                at = self._at
                continue
            end = at + len(line) + 1
            machine.feed(line, at, end)
            self._at = at = end
            if len(machine.leaves) >= self._due - self.settled:
                self._remember()

    def _read_breaks(self, text: str) -> str:
        start = 0
        for match in _BREAK.finditer(text):
            if match.end() == len(text) and match.group() == "\r":
                break  # the other half of CRLF may follow
            self._line(text[start : match.start()], match.end() - match.start())
            start = match.end()
        rest = text[start:]
        half = rest[len(rest.removesuffix("\r")) :]
        return self._pieces(rest.removesuffix("\r")) + half

    def _line(self, line: str, breaks: int) -> None:
        line = self._pieces(line)
        end = self._at + len(line) + breaks
        self._feed(self._machine, line, self._at, end)
        self._at, self._inside = end, None
        self._remember()

    def _pieces(self, line: str) -> str:
        """Pieces of a line that is too long for one leaf; what is left of it."""
        at = 0
        while len(line) - at > LIMIT + MARGIN:
            piece = line[at : at + _cut(line, at)]
            at += len(piece)
            end = self._at + len(piece)
            self._feed(self._machine, piece, self._at, end)
            self._at, self._inside = end, piece[len(piece.rstrip(" ")) :]
            self._remember()
        return line[at:] if at else line

    def _feed(self, machine: Markdown | Plain, line: str, start: int, end: int) -> None:
        line = marked(line)
        if "\t" in line:
            line = line.expandtabs(TAB)
        if self._inside is not None:
            machine.more(line, start, end, self._inside)
        else:
            machine.feed(line, start, end)

    def _tail(self, rest: str, length: int) -> tuple[list[Leaf], dict[str, str]]:
        """The leaves that are still open, with what is there of the last line."""
        machine = self._machine.copy()
        rest = rest.removesuffix("\r")
        if (rest or self._inside is not None) and not self._waits(machine, rest):
            self._feed(machine, rest, self._at, length)
        leaves = machine.finish()
        if leaves and self._open and self.mode == "markdown":
            leaves[-1] = calmed_leaf(leaves[-1])
        return leaves, machine.definitions

    def _waits(self, machine: Markdown | Plain, rest: str) -> bool:
        """Whether the last line, as far as it is there, is shown only when it is known what it is:
        it may still turn out to be a mark."""
        if not self._open or self._inside is not None:
            return False
        if machine.in_code:
            return machine.in_fence and may_close_fence(rest)
        return may_begin_block(rest)

    def _remember(self) -> None:
        """Keep the machine's state now and then."""
        count = self.settled + len(self._machine.leaves)
        if count >= self._due:
            machine = self._machine.copy()
            state = _State(count, self._at, self._inside, machine, dict(self._machine.definitions))
            self._states.append(state)
            self._due = count + _EVERY

    def forget_ahead(self) -> None:
        """What follows is not what followed before: another text."""
        while self._states and self._states[-1].at > self._length:
            self._states.pop()
        self._end = None
        self._due = (self._states[-1].leaves if self._states else 0) + _EVERY
        self._ahead = []

    def _back(self, length: int) -> None:
        """Take back what was read after ``length``."""
        if self.settled > len(self._ahead):
            self._ahead = self.leaves[: self.settled]
        self._restore(self._state_at(length))
        del self.leaves[self.settled :]

    def _come_again(self, length: int) -> None:
        """Go on over what was read before, up to the last state that was kept of it."""
        state = self._state_at(length)
        if state is not None and state.at > self._at:
            before = self.settled
            self._restore(state)
            self.leaves += self._ahead[before : self.settled]

    def _state_at(self, length: int) -> _State | None:
        index = bisect_right(self._states, length, key=lambda state: state.at)
        return self._states[index - 1] if index else None

    def _restore(self, state: _State | None) -> None:
        if state is None:
            self._machine, self._at, self._inside, self.settled = self._fresh(), 0, None, 0
        else:
            self._machine = state.machine.copy()
            self._machine.definitions.update(state.definitions)
            self._at, self._inside, self.settled = state.at, state.inside, state.leaves


def _common_end(left: list[Leaf], right: list[Leaf]) -> int:
    """How many leaves at the end are the same objects."""
    same = 0
    for mine, other in zip(reversed(left), reversed(right), strict=False):
        if mine is not other:
            break
        same += 1
    return same


def _cut(line: str, at: int) -> int:
    """How many characters from ``at`` make a piece: to a space where there is one."""
    space = line.rfind(" ", at + LIMIT // 2, at + LIMIT) + 1
    if space and not extends(line[space], " "):
        return space - at
    end = at + LIMIT
    while end > at + LIMIT // 2 and _within(line, at, end):
        end -= 1
    return end - at


def _within(line: str, at: int, end: int) -> bool:
    """Whether a cut at ``end`` would part a grapheme."""
    if not extends(line[end], line[end - 1]):
        return False
    if "\U0001f1e6" <= line[end] <= "\U0001f1ff":
        start = end
        while start > at and "\U0001f1e6" <= line[start - 1] <= "\U0001f1ff":
            start -= 1
        return (end - start) % 2 == 1
    return True
