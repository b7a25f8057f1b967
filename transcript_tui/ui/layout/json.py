"""JSON, indented as it arrives: what is there is shown, whole or not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Final

from transcript_tui.text import label
from transcript_tui.ui.layout.document import Page
from transcript_tui.ui.layout.leaves import Leaf
from transcript_tui.ui.layout.plain import Plain
from transcript_tui.ui.layout.source import STEP, Reader, Source
from transcript_tui.ui.layout.styles import DocumentStyles

LONGEST: Final = 2_000
"""Characters of a string that are shown; of the rest the number is told."""
COMPACT: Final = 56
"""Columns within which a container is shown in one line."""
INDENT: Final = 2
DEEPEST: Final = 40
"""Levels that are indented."""

_OPENED: Final = {"}": "{", "]": "["}
_LEVELS: Final = {"{": 1, "[": 1, "}": -1, "]": -1}

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'(?:[^"\\]|\\.)*+', re.DOTALL)
_WORD: Final = re.compile(r"[-+.\w]+")
_VALUE: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|true|false|null")
_BEGUN: Final = re.compile(
    r"-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][-+]?\d*)?)?|t(?:r(?:u(?:e)?)?)?"
    r"|f(?:a(?:l(?:s(?:e)?)?)?)?|n(?:u(?:l(?:l)?)?)?"
)


class NotJson(Exception):
    """The text is something else; it is shown as it is."""


class Grammar:
    """What may come next in a JSON text."""

    __slots__ = ("expect", "stack")

    def __init__(self, expect: str = "value", stack: tuple[str, ...] = ()) -> None:
        self.expect = expect
        """``value``, ``key``, ``colon``, ``after`` (a value in a container) or ``end``."""
        self.stack = stack
        """The containers that are open."""

    def copy(self) -> Grammar:
        return Grammar(self.expect, self.stack)

    def take(self, token: str, before: str) -> None:
        """``token`` follows ``before``; raises :class:`NotJson` where it may not."""
        expect = self.expect
        match token[0]:
            case "{" | "[" if expect == "value":
                self.stack = (*self.stack, token)
                self.expect = "key" if token == "{" else "value"
            case "}" | "]" if self.stack and self.stack[-1] == _OPENED[token]:
                if expect != "after" and before != _OPENED[token]:
                    raise NotJson
                self.stack = self.stack[:-1]
                self.expect = "after" if self.stack else "end"
            case "," if expect == "after":
                self.expect = "key" if self.stack[-1] == "{" else "value"
            case ":" if expect == "colon":
                self.expect = "value"
            case '"' if expect == "key":
                self.expect = "colon"
            case char if expect == "value" and char not in "{}[],:":
                self.expect = "after" if self.stack else "end"
            case _:
                raise NotJson


class Printer:
    """Takes JSON token by token, gives lines: a container that fits stands in one line, any
    other is broken out. One that has not ended stands in one line as long as it fits."""

    __slots__ = ("_before", "_depth", "_due", "_grammar", "_held", "_inner", "_width", "line",
                 "lines", "start")  # fmt: skip

    def __init__(self) -> None:
        self.lines: list[tuple[str, int, int]] = []
        """Finished ones, with the offsets of what they show."""
        self.line = ""
        self.start = 0
        self._grammar = Grammar()
        self._before = ""
        self._depth = 0
        """Containers that are open and broken out."""
        self._due = False
        """The next key or value begins a line."""
        self._held: list[tuple[str, int]] = []
        """The tokens, with their offsets, of the outermost container that still fits."""
        self._inner = 0
        """Containers that are open among those."""
        self._width = 0

    def copy(self) -> Printer:
        """The same without the finished lines."""
        other = Printer()
        other.line, other.start, other._depth, other._due = (
            self.line, self.start, self._depth, self._due,
        )  # fmt: skip
        other._grammar, other._before = self._grammar.copy(), self._before
        other._held, other._inner, other._width = list(self._held), self._inner, self._width
        return other

    def close(self, at: int) -> None:
        """Nothing follows."""
        held = "".join([_spaced(token) for token, _ in self._held])
        if held:
            self._begin_line(self._held[0][1])
        if self.line or held:
            self.lines.append((self.line + held, self.start, at))
        self.line, self._held = "", []

    def take(self, token: str, at: int) -> None:
        """One of ``{ } [ ] , :``, a string with its quotes, a number or a word."""
        self._grammar.take(token, self._before)
        self._before = token
        self._put(token, at)

    def _put(self, token: str, at: int) -> None:
        if not self._held and token not in ("{", "["):
            self._lay(token, at)
            return
        self._held.append((token, at))
        self._width += len(_spaced(token))
        self._inner += _LEVELS.get(token, 0)
        if self._width > COMPACT - (self._indent if self._due else len(self.line)):
            self._break_out()
        elif self._inner == 0:
            self._begin_line(self._held[0][1])
            self.line += "".join([_spaced(token) for token, _ in self._held])
            self._held, self._width = [], 0

    def _break_out(self) -> None:
        """What is held does not fit; what it holds may."""
        held, self._held, self._inner, self._width = self._held, [], 0, 0
        self._lay(*held[0])
        for token, at in held[1:]:
            self._put(token, at)

    def _lay(self, token: str, at: int) -> None:
        """A token of a container that is broken out."""
        match token:
            case ",":
                self.line += ","
                self._due = True
            case ":":
                self.line += ": "
            case "}" | "]":
                self._depth -= 1
                self._due = not self.line.endswith(_OPENED[token])
                self._begin_line(at)
                self.line += token
            case _:
                self._begin_line(at)
                self.line += token
                if token in ("{", "["):
                    self._depth += 1
                    self._due = True

    @property
    def _indent(self) -> int:
        return INDENT * min(self._depth, DEEPEST)

    def _begin_line(self, at: int) -> None:
        """A new line, if one is due."""
        if self._due:
            self.lines.append((self.line, self.start, at))
            self.line, self.start, self._due = " " * self._indent, at, False


def _spaced(token: str) -> str:
    return token + " " if token in (",", ":") else token


class JsonSource(Source):
    """The leaves of a JSON text; of any other text those of its source."""

    def __init__(self, longest: int = LONGEST) -> None:
        super().__init__("source")
        self._plain = False
        self._longest = longest
        self._begin()

    def _begin(self) -> None:
        self._printer = Printer()
        self._lines = Plain("json")
        self._json_at = 0
        self._string = -1
        """Where the string began that is not yet at its end; -1: none."""
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
        until = self._json_at + self._scanned + STEP
        self.complete = whole or until + STEP >= length
        text = read(self._json_at, length if self.complete else until)
        printer = self._printer
        rest = self._tokens(text, printer)
        self._give(printer)
        self.leaves += self._lines.leaves
        self._lines.leaves.clear()
        self.settled = len(self.leaves)
        if self.complete:
            self._show(text, rest, length)
        else:
            self.leaves.append(Leaf("unread", self.read_to, length, ()))

    def _show(self, text: str, rest: int, length: int) -> None:
        """The leaves that are still open."""
        printer = self._printer.copy()
        if self._string >= 0:
            begun = read_string(text[rest:], self._longest)
            printer.take(begun, length)
        elif text[rest:]:
            if not _BEGUN.fullmatch(text[rest:]):
                raise NotJson
            printer.take(label(text[rest:]), length)
        printer.close(length)
        lines = self._lines.copy()
        for line in printer.lines:
            lines.feed(*line)
        self.leaves += lines.finish()

    def _give(self, printer: Printer) -> None:
        for line in printer.lines:
            self._lines.feed(*line)
        printer.lines.clear()

    def _tokens(self, text: str, printer: Printer) -> int:
        """Read whole tokens; where in ``text`` what is left begins."""
        base, at, size = self._json_at, 0, len(text)
        if self._string >= 0:
            at = self._end_of_string(text, printer, base)
            if self._string >= 0:
                return 0
        while at < size:
            at = _skip(text, at)
            if at >= size:
                break
            char = text[at]
            if char in "{}[],:":
                printer.take(char, base + at)
                at += 1
            elif char == '"':
                end, closed = _end(text, at + 1)
                if not closed:
                    self._string, self._scanned = base + at, end - at
                    break
                printer.take(quoted(text[at:end], self._longest), base + at)
                at = end
            else:
                ended = _end_of_word(text, at)
                if ended is None:
                    break
                printer.take(text[at:ended], base + at)
                at = ended
        self._json_at = base + at
        return at

    def _end_of_string(self, text: str, printer: Printer, base: int) -> int:
        end, closed = _end(text, self._scanned)
        if not closed:
            self._scanned = end
            return 0
        self._string, self._scanned = -1, 0
        printer.take(quoted(text[:end], self._longest), base)
        return end

    @property
    def read_to(self) -> int:
        if self._plain:
            return super().read_to
        return self._length if self.complete else self._json_at + self._scanned

    def at(self, offset: int) -> int:
        index = bisect_right(self.leaves, offset, key=lambda leaf: leaf.start) - 1
        return max(0, min(index, len(self.leaves) - 1))


def _end_of_word(text: str, at: int) -> int | None:
    """Where a number or a literal ends; ``None``: more of it may come."""
    word = _WORD.match(text, at)
    if word is None:
        raise NotJson
    if word.end() == len(text):
        return None
    if not _VALUE.fullmatch(word.group()):
        raise NotJson
    return word.end()


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _end(text: str, at: int) -> tuple[int, bool]:
    """After the quote that ends the string of which ``at`` is the next character, and whether
    it is there; else from where to look on."""
    match = _STRING.match(text, at)
    end = match.end() if match else at
    return (end + 1, True) if text[end : end + 1] == '"' else (end, False)


def quoted(text: str, longest: int = LONGEST) -> str:
    """A string as it came, its end left out where it is very long."""
    if len(text) <= longest:
        return label(text)
    return f'{label(text[:longest])}…" ⟨{len(text) - longest - 1:,} more characters⟩'


def read_string(text: str, longest: int = LONGEST) -> str:
    """The beginning of a string."""
    if len(text) <= longest:
        return label(text)
    return f"{label(text[:longest])}… ⟨{len(text) - longest:,} more characters⟩"


def laid_out(text: str) -> Iterator[str]:
    """All of a JSON text in lines that have passed the gate; any other text as it is. Read as
    far as lines are asked for."""
    source = JsonSource(longest=len(text))
    given = until = 0
    while given <= until:
        source.update(lambda start, end: text[start:end], len(text), open=False)
        until = len(source.leaves) if source.complete else source.settled
        for leaf in source.leaves[given:until]:
            yield from leaf.lines
        given = until + source.complete


class JsonDocument(Page):
    """A JSON text, whole or not; any other text is shown as it is."""

    def __init__(self, styles: DocumentStyles) -> None:
        super().__init__(JsonSource(), styles)

    def update(self, text: str, *, open: bool = False) -> bool:
        """Show ``text``; whether anything changed. What it has in common is kept."""
        return self._replace(text, open=open)
