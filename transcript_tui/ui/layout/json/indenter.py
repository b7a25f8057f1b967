"""JSON in lines: what fits into one stands there, all else is broken out and indented."""

from __future__ import annotations

from typing import Final

from transcript_tui.ui.layout.json.grammar import OPENED, Grammar

COMPACT: Final = 56
"""Columns within which a container is shown in one line."""
INDENT: Final = 2
DEEPEST: Final = 40
"""Levels that are indented."""

_LEVELS: Final = {"{": 1, "[": 1, "}": -1, "]": -1}


class Indenter:
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

    def copy(self) -> Indenter:
        """The same without the finished lines."""
        other = Indenter()
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
                self._due = not self.line.endswith(OPENED[token])
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
