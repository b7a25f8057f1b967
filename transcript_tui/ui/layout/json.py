"""JSON, indented as it arrives: what is there is shown, whole or not."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from transcript_tui.ui.layout.document import Page
from transcript_tui.ui.layout.plain import Plain
from transcript_tui.ui.layout.source import STEP, Reader, Source
from transcript_tui.ui.layout.styles import DocumentStyles
from transcript_tui.ui.text import label

LONGEST: Final = 2_000
"""Characters of a string that are shown; of the rest the number is told."""
COMPACT: Final = 56
"""Characters of a value that is shown in one line."""
INDENT: Final = 2
DEEPEST: Final = 40
"""Levels that are indented."""

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


class Printer:
    """Takes JSON piece by piece, gives lines."""

    __slots__ = ("_at", "_expect", "_fresh", "_stack", "compact", "line", "lines", "start")

    def __init__(self) -> None:
        self.lines: list[tuple[str, int, int]] = []
        """Finished ones, with the offsets of what they show."""
        self.line = ""
        self.compact: str | None = ""
        """All of it in one line; ``None``: too long for that."""
        self.start = 0
        self._at = 0
        self._stack: tuple[str, ...] = ()
        self._fresh = False
        """A container was just opened."""
        self._expect = "value"

    def copy(self) -> Printer:
        other = Printer()
        other.line, other.compact, other.start, other._at = (
            self.line, self.compact, self.start, self._at,
        )  # fmt: skip
        other._stack, other._fresh, other._expect = self._stack, self._fresh, self._expect
        return other

    def close(self, at: int) -> None:
        """Nothing follows."""
        if self.line:
            self.lines.append((self.line, self.start, at))
        self.line = ""

    def scalar(self, text: str, at: int, *, string: bool) -> None:
        """A key, a string, a number or a word."""
        if self._expect == "key" and not string:
            raise NotJson
        if self._expect not in ("key", "value"):
            raise NotJson
        key = self._expect == "key"
        self._break(at)
        self._put(text, at)
        self._expect = "colon" if key else "after" if self._stack else "end"

    def mark(self, char: str, at: int) -> None:
        """One of ``{ } [ ] , :``."""
        match char:
            case "{" | "[":
                if self._expect != "value":
                    raise NotJson
                self._break(at)
                self._put(char, at)
                self._stack = (*self._stack, char)
                self._fresh = True
                self._expect = "key" if char == "{" else "value"
            case "}" | "]":
                self._end(char, at)
            case ",":
                if self._expect != "after":
                    raise NotJson
                self._put(",", at, " ")
                self._expect = "key" if self._stack[-1] == "{" else "value"
            case _:
                if self._expect != "colon":
                    raise NotJson
                self._put(": ", at)
                self._expect = "value"

    def _end(self, char: str, at: int) -> None:
        opened = "{" if char == "}" else "["
        if not self._stack or self._stack[-1] != opened:
            raise NotJson
        if not (self._expect == "after" or self._fresh):
            raise NotJson
        self._stack = self._stack[:-1]
        if self._fresh:
            self._fresh = False
            self._put(char, at)
        else:
            self._new_line(at)
            self._put(char, at)
        self._expect = "after" if self._stack else "end"

    def _break(self, at: int) -> None:
        """Before a value or key: a new line, unless it follows a key."""
        if self._fresh or self.line.endswith(","):
            self._fresh = False
            self._new_line(at)

    def _new_line(self, at: int) -> None:
        self.lines.append((self.line, self.start, at))
        self.line = " " * (INDENT * min(len(self._stack), DEEPEST))
        self.start = at

    def _put(self, text: str, at: int, after: str = "") -> None:
        self.line += text
        if self.compact is not None:
            self.compact += text + after
            if len(self.compact) > COMPACT:
                self.compact = None


class JsonSource(Source):
    """The leaves of a JSON text; of any other text those of its source."""

    def __init__(self) -> None:
        super().__init__("source")
        self._plain = False
        self._begin()

    def _begin(self) -> None:
        self._printer = Printer()
        self._lines = Plain("json")
        self._given = 0
        """Lines that ``_lines`` has been given."""
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
        if printer.compact is None:
            self._give(printer)
        self.leaves += self._lines.leaves
        self._lines.leaves.clear()
        self.settled = len(self.leaves)
        if self.complete:
            self._show(text, rest, length)

    def _show(self, text: str, rest: int, length: int) -> None:
        """The leaves that are still open."""
        printer = self._printer.copy()
        if self._string >= 0:
            begun = read_string(text[rest:])
            printer.scalar(begun, length, string=True)
        elif text[rest:]:
            if not _BEGUN.fullmatch(text[rest:]):
                raise NotJson
            printer.scalar(label(text[rest:]), length, string=False)
        lines = self._lines.copy()
        if printer.compact is not None:
            if printer.compact:
                lines.feed(printer.compact, 0, length)
        else:
            pending = [] if self._printer.compact is None else self._printer.lines
            printer.close(length)
            for line in [*pending, *printer.lines]:
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
                printer.mark(char, base + at)
                at += 1
            elif char == '"':
                end, closed = _end(text, at + 1)
                if not closed:
                    self._string, self._scanned = base + at, end - at
                    break
                printer.scalar(quoted(text[at:end]), base + at, string=True)
                at = end
            else:
                word = _WORD.match(text, at)
                if word is None:
                    raise NotJson
                if word.end() == size:
                    break
                if not _VALUE.fullmatch(word.group()):
                    raise NotJson
                printer.scalar(word.group(), base + at, string=False)
                at = word.end()
        self._json_at = base + at
        return at

    def _end_of_string(self, text: str, printer: Printer, base: int) -> int:
        end, closed = _end(text, self._scanned)
        if not closed:
            self._scanned = end
            return 0
        self._string, self._scanned = -1, 0
        printer.scalar(quoted(text[:end]), base, string=True)
        return end

    @property
    def read_to(self) -> int:
        if self._plain:
            return super().read_to
        return self._length if self.complete else self._json_at + self._scanned

    def at(self, offset: int) -> int:
        index = bisect_right(self.leaves, offset, key=lambda leaf: leaf.start) - 1
        return max(0, min(index, len(self.leaves) - 1))


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _end(text: str, at: int) -> tuple[int, bool]:
    """After the quote that ends the string of which ``at`` is the next character, and whether
    it is there; else from where to look on."""
    match = _STRING.match(text, at)
    end = match.end() if match else at
    return (end + 1, True) if text[end : end + 1] == '"' else (end, False)


def quoted(text: str) -> str:
    """A string as it came, its end left out where it is very long."""
    if len(text) <= LONGEST:
        return label(text)
    return f'{label(text[:LONGEST])}…" ⟨{len(text) - LONGEST - 1:,} more characters⟩'


def read_string(text: str) -> str:
    """The beginning of a string."""
    if len(text) <= LONGEST:
        return label(text)
    return f"{label(text[:LONGEST])}… ⟨{len(text) - LONGEST:,} more characters⟩"


class JsonDocument(Page):
    """A JSON text, whole or not; any other text is shown as it is."""

    def __init__(self, styles: DocumentStyles) -> None:
        super().__init__(JsonSource(), styles)

    def update(self, text: str, *, open: bool = False) -> bool:
        """Show ``text``; whether anything changed. What it has in common is kept."""
        return self._replace(text, open=open)
