"""A JSON text that is read while it grows, whole or not, cut into leaves."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from transcript_tui.text import label
from transcript_tui.ui.layout.json.grammar import NotJson
from transcript_tui.ui.layout.json.indenter import Indenter
from transcript_tui.ui.layout.leaves import Leaf
from transcript_tui.ui.layout.plain import Plain
from transcript_tui.ui.layout.source import STEP, Reader, Source

LONGEST: Final = 2_000
"""Characters of a string or a number that are shown; of the rest the number is told."""
_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL)
_WORD: Final = re.compile(r"[-+.\w]+")
_VALUE: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")
_BEGUN: Final = re.compile(
    r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d*)?)?|t(?:r(?:u(?:e)?)?)?"
    r"|f(?:a(?:l(?:s(?:e)?)?)?)?|n(?:u(?:l(?:l)?)?)?"
)


class JsonSource(Source):
    """The leaves of a JSON text; of any other text those of its source."""

    def __init__(self, longest: int = LONGEST) -> None:
        super().__init__("source")
        self._plain = False
        self._longest = longest
        self._begin()

    def _begin(self) -> None:
        self._indenter = Indenter()
        self._lines = Plain("json")
        self._json_at = 0
        """Where the token begins that is not yet at its end."""
        self._scanned = 0
        """How much of it was looked through."""
        self.leaves, self.settled = [], 0

    def update(self, read: Reader, length: int, *, open: bool, whole: bool = False) -> int:
        if self._plain:
            return super().update(read, length, open=open, whole=whole)
        if length == self._length and open == self._open and self.complete:
            return len(self.leaves)
        old, kept = self.leaves[self.settled :], self.settled
        if length < max(self._length, self._json_at):
            self._begin()
            old, kept = [], 0
        self._length, self._open = length, open
        try:
            self._take(read, length, whole=whole)
        except NotJson:
            self._begin()
            self._plain, self._length = True, 0
            super().update(read, length, open=open)
            return 0
        for mine, other in zip(old, self.leaves[kept:], strict=False):
            if mine != other:
                break
            kept += 1
        return kept

    def _take(self, read: Reader, length: int, *, whole: bool) -> None:
        del self.leaves[self.settled :]
        # An escape is two characters: so there is always one more that can be read.
        until = self._json_at + self._scanned + STEP + 1
        self.complete = whole or until + STEP >= length
        text = read(self._json_at, length if self.complete else until)
        indenter = self._indenter
        rest = self._tokens(text, indenter)
        self._give(indenter)
        self.leaves += self._lines.leaves
        self._lines.leaves.clear()
        self.settled = len(self.leaves)
        if self.complete:
            self._show(text[rest:], length)
        else:
            self.leaves.append(Leaf("unread", self.read_to, length, ()))

    def _show(self, rest: str, length: int) -> None:
        """The leaves that are still open."""
        indenter = self._indenter.copy()
        if rest:
            # While it grows, what is longer than is shown is not looked through for each token.
            looked = rest[: self._longest] if self._open else rest
            if rest[0] != '"' and not _BEGUN.fullmatch(looked):
                raise NotJson
            indenter.take(shortened(rest, self._longest), length)
        indenter.close(length)
        lines = self._lines.copy()
        for line in indenter.lines:
            lines.feed(*line)
        self.leaves += lines.finish()

    def _give(self, indenter: Indenter) -> None:
        for line in indenter.lines:
            self._lines.feed(*line)
        indenter.lines.clear()

    def _tokens(self, text: str, indenter: Indenter) -> int:
        """Read whole tokens; where in ``text`` what is left begins."""
        base, at, size = self._json_at, 0, len(text)
        while at < size:
            at = _skip(text, at)
            if at >= size:
                break
            char = text[at]
            if char in "{}[],:":
                indenter.take(char, base + at)
                at += 1
                continue
            read, quote = (_string, char) if char == '"' else (_word, "")
            end, ended = read(text, at, at + self._scanned)
            if not ended:
                self._scanned = end - at
                break
            self._scanned = 0
            indenter.take(shortened(text[at:end], self._longest, quote), base + at)
            at = end
        self._json_at = base + at
        return at

    @property
    def read_to(self) -> int:
        if self._plain:
            return super().read_to
        return self._length if self.complete else self._json_at + self._scanned

    def at(self, offset: int) -> int:
        index = bisect_right(self.leaves, offset, key=lambda leaf: leaf.start) - 1
        return max(0, min(index, len(self.leaves) - 1))


def _word(text: str, at: int, looked: int) -> tuple[int, bool]:
    """Where the number or literal that begins ``at`` ends, and whether all of it is there; else
    from where to look on. Up to ``looked`` it was looked through."""
    match = _WORD.match(text, looked)
    end = match.end() if match else looked
    if end == len(text):
        return end, False
    if not _VALUE.fullmatch(text, at, end):
        raise NotJson
    return end, True


def _string(text: str, at: int, looked: int) -> tuple[int, bool]:
    """As ``_word``, of the string whose quote is ``at``."""
    match = _STRING.match(text, max(at + 1, looked))
    end = match.end() if match else looked
    return (end + 1, True) if text[end : end + 1] == '"' else (end, False)


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def shortened(text: str, longest: int, closing: str = "") -> str:
    """A string or a number as it came, its end left out where it is very long, but not what
    closes it."""
    if len(text) <= longest:
        return label(text)
    more = len(text) - longest - len(closing)
    return f"{label(text[:longest])}…{closing} ⟨{more:,} more characters⟩"
