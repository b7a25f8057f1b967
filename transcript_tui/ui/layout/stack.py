"""Leaves on top of each other at one width: rows of those that were asked for, guesses of the
rest, and where each begins."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from transcript_tui.ui.layout.leaves import Leaf
from transcript_tui.ui.layout.painter import Painter
from transcript_tui.ui.layout.rows import Row
from transcript_tui.ui.prefixsums import PrefixSums

KEPT: Final = 192
"""Leaves whose rows are kept; heights are kept of all."""


class Stack:
    """The leaves of one document at one width."""

    def __init__(self, width: int) -> None:
        self.width = width
        self._heights = PrefixSums()
        self._settled = bytearray()
        self._guessed = 0
        """Leaves whose height is a guess."""
        self._rows: OrderedDict[int, list[Row]] = OrderedDict()
        self._spare: dict[int, list[Row]] = {}
        """Rows of the last leaves as they were before the text grew."""

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def height(self) -> int:
        return self._heights.total

    @property
    def exact(self) -> bool:
        return not self._guessed

    @property
    def guesses(self) -> int:
        return self._guessed

    def height_of(self, index: int) -> int:
        return self._heights[index]

    def truncate(self, length: int) -> None:
        """Only the first ``length`` leaves stay."""
        if length >= len(self._heights):
            return
        self._spare = {}
        for index in range(length, len(self._heights)):
            rows = self._rows.pop(index, None)
            if rows is not None:
                self._spare[index] = rows
        self._guessed -= self._settled.count(0, length)
        self._heights.truncate(length)
        del self._settled[length:]

    def extend(self, leaves: Sequence[Leaf]) -> None:
        width = self.width
        self._heights.extend([guess(leaf, width) for leaf in leaves])
        self._settled.extend(bytes(len(leaves)))
        self._guessed += len(leaves)

    def replace(self, first: int, last: int, leaves: Sequence[Leaf]) -> None:
        """Let ``leaves`` stand instead of those from ``first`` to before ``last``."""
        if last >= len(self):
            self.truncate(first)
            self.extend(leaves)
            return
        heights = [self._heights[index] for index in range(last, len(self))]
        settled = self._settled[last:]
        rows = {index: rows for index, rows in self._rows.items() if index >= last}
        self.truncate(first)
        self.extend(leaves)
        shift = len(self) - last
        self._heights.extend(heights)
        self._settled += settled
        self._guessed += settled.count(0)
        self._rows.update((index + shift, rows) for index, rows in rows.items())

    def suppose(self, index: int, height: int) -> None:
        """Leaf ``index`` is taken to be so tall; nobody lays it out."""
        self._heights.set(index, height)
        if not self._settled[index]:
            self._settled[index] = 1
            self._guessed -= 1

    def forget(self, index: int) -> None:
        """A leaf is to be drawn again."""
        self._rows.pop(index, None)
        if index < len(self._settled) and self._settled[index]:
            self._settled[index] = 0
            self._guessed += 1

    def forget_rows(self) -> None:
        """All is to be drawn again; heights stay."""
        self._rows.clear()
        self._spare.clear()

    def rows(self, index: int, leaf: Leaf, painter: Painter) -> list[Row]:
        """The rows of a leaf; its height is known from then on."""
        rows = self._rows.get(index)
        if rows is None:
            rows = painter.rows(leaf, self.width)
            spare = self._spare.pop(index, None)
            if spare:
                _reuse(rows, spare)
            self._rows[index] = rows
            if not self._settled[index]:
                self._settled[index] = 1
                self._guessed -= 1
            self._heights.set(index, len(rows))
            if len(self._rows) > KEPT:
                self._rows.popitem(last=False)
        else:
            self._rows.move_to_end(index)
        return rows

    def laid_out(self) -> list[int]:
        """Leaves whose height is no guess."""
        return _places(self._settled, 1, 0, len(self._settled))

    def unsettled(self, first: int, last: int) -> list[int]:
        """Leaves from ``first`` to before ``last`` whose height is a guess."""
        return _places(self._settled, 0, first, last)

    def at(self, y: int) -> tuple[int, int]:
        """The leaf that row ``y`` belongs to, and which row of it."""
        return self._heights.at(y)

    def top(self, index: int) -> int:
        """The first row of a leaf."""
        return self._heights.before(index)


def _places(values: bytearray, value: int, first: int, last: int) -> list[int]:
    """Where ``value`` stands, from ``first`` to before ``last``."""
    found = []
    index = values.find(value, first, last)
    while index >= 0:
        found.append(index)
        index = values.find(value, index + 1, last)
    return found


def _reuse(rows: list[Row], before: list[Row]) -> None:
    """Rows that look as before stay the same objects: whoever draws them sees nothing new."""
    for at, (row, old) in enumerate(zip(rows, before, strict=False)):
        if row == old:
            rows[at] = old


def guess(leaf: Leaf, width: int) -> int:
    """About how many rows a leaf takes."""
    containers, lines, kind = leaf.containers, leaf.lines, leaf.kind
    room = max(1, width - 2 * len(containers)) if containers else width or 1
    rows = len(lines[0]) // room + 1 if len(lines) == 1 else _rows(lines, room)
    if kind == "paragraph":
        pass  # most are
    elif kind == "fence":
        rows += bool(leaf.info) and not leaf.part
    elif kind == "table":
        rows += 0 if leaf.part else 2
    elif kind in ("rule", "item"):
        rows = 1
    return (rows or 1) + leaf.gap


def _rows(lines: Sequence[str], room: int) -> int:
    return sum([len(line) // room + 1 for line in lines])
