"""What may follow what in a JSON text."""

from __future__ import annotations

from typing import Final, NamedTuple

OPENED: Final = {"}": "{", "]": "["}
"""What each closing bracket closes."""


class NotJson(Exception):
    """The text is something else; it is shown as it is."""


class Open(NamedTuple):
    """A container that has not ended, and those around it: they are shared, not copied for each
    further one, of which there may be a hundred thousand."""

    bracket: str
    around: Open | None


class Grammar:
    """What may come next in a JSON text."""

    __slots__ = ("expect", "open")

    def __init__(self, expect: str = "value", open: Open | None = None) -> None:
        self.expect = expect
        """``value``, ``key``, ``colon``, ``after`` (a value in a container) or ``end``."""
        self.open = open
        """The innermost container that has not ended."""

    def copy(self) -> Grammar:
        return Grammar(self.expect, self.open)

    def take(self, token: str, before: str) -> None:
        """``token`` follows ``before``; raises :class:`NotJson` where it may not."""
        expect, open = self.expect, self.open
        match token[0]:
            case "{" | "[" if expect == "value":
                self.open = Open(token, open)
                self.expect = "key" if token == "{" else "value"
            case "}" | "]" if open is not None and open.bracket == OPENED[token]:
                if expect != "after" and before != OPENED[token]:
                    raise NotJson
                self.open = open.around
                self.expect = "end" if open.around is None else "after"
            case "," if expect == "after" and open is not None:
                self.expect = "key" if open.bracket == "{" else "value"
            case ":" if expect == "colon":
                self.expect = "value"
            case '"' if expect == "key":
                self.expect = "colon"
            case char if expect == "value" and char not in "{}[],:":
                self.expect = "end" if open is None else "after"
            case _:
                raise NotJson
