"""What may follow what in a JSON text."""

from __future__ import annotations

from typing import Final

OPENED: Final = {"}": "{", "]": "["}
"""What each closing bracket closes."""


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
            case "}" | "]" if self.stack and self.stack[-1] == OPENED[token]:
                if expect != "after" and before != OPENED[token]:
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
