"""A line of Markdown, on its way through the containers."""

from __future__ import annotations

from msgspec import Struct


class Line(Struct, gc=False):
    """A line without its break, and how far it was read."""

    text: str
    start: int
    """Its offsets in the source: where it begins, and where the next one does."""
    end: int
    at: int = 0
    """Where what no container has taken begins."""
    indent: int = 0
    """Spaces there."""
    content: str = ""
    """What stands behind them; empty where the rest of the line is blank."""

    def take(self, count: int) -> None:
        """``count`` characters more belong to a container."""
        self.at += count
        rest = self.text[self.at :]
        self.content = rest.lstrip(" ")
        self.indent = len(rest) - len(self.content)

    def take_quote_mark(self) -> None:
        """The ``>`` behind the indent, and a space after it, belong to a quote."""
        self.take(self.indent + 1 + (self.content[1:2] == " "))

    def take_rest(self) -> None:
        """All that is left belongs to a leaf."""
        self.content = ""

    @property
    def rest(self) -> str:
        """What no container has taken."""
        return self.text[self.at :]
