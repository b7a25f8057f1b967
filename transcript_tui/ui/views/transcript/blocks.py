"""What an item is stacked of: rows that are drawn at once, and flows of laid-out text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from textual.strip import Strip


class LaidOut(Protocol):
    """What a flow draws: the part of ``ui.layout.Document`` that it needs."""

    def height(self, width: int) -> int: ...
    def line(self, width: int, y: int) -> Strip: ...


class Rows:
    """Rows that stand as they are."""

    __slots__ = ("height", "strips")

    def __init__(self, strips: Sequence[Strip]) -> None:
        self.strips = strips
        self.height = len(strips)

    def strip(self, y: int) -> Strip:
        return self.strips[y]


class Flow:
    """Text laid out at a width, behind a prefix (a card's border); at most ``limit`` lines."""

    __slots__ = ("_composed", "document", "height", "hidden", "name", "prefix", "width")

    def __init__(
        self,
        name: str,
        document: LaidOut,
        width: int,
        prefix: Strip | None = None,
        limit: int | None = None,
    ) -> None:
        self.name = name
        """Which text of the item this is: ``text``, ``arguments:0``, …"""
        self.document = document
        self.width = width
        self.prefix = prefix
        total = document.height(width)
        # One line more than the limit is shown rather than a row that says "1 more line".
        self.height = total if limit is None or total <= limit + 1 else limit
        self.hidden = total - self.height
        self._composed: dict[int, tuple[Strip, Strip]] = {}

    def strip(self, y: int) -> Strip:
        inner = self.document.line(self.width, y)
        if self.prefix is None:
            return inner
        kept = self._composed.get(y)
        if kept is not None and kept[0] is inner:
            return kept[1]
        composed = Strip.join((self.prefix, inner))
        self._composed[y] = (inner, composed)
        return composed


Block = Rows | Flow
