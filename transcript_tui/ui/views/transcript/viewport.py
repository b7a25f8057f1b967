"""Which entries are in view and where: pure arithmetic over heights, anchored to what is read.

The anchor is an entry and a line of it: the topmost line in view. Whatever grows, shrinks or
settles elsewhere, that line stays where it is. Only entries in view are ever measured.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from transcript_tui.ui.views.transcript.heights import Heights


@dataclass(frozen=True, slots=True)
class Placed:
    """An entry in view: its first line is at row ``y`` of the viewport, which may be negative."""

    key: int
    y: int
    height: int


class Viewport:
    """A window of ``rows`` rows over all lines."""

    def __init__(self, heights: Heights, measure: Callable[[int], int]) -> None:
        self.heights = heights
        self._measure = measure
        """True height of an entry at the present width; costs a layout at most."""
        self.rows = 0
        self.key = 0
        self.line = 0
        self.at_end = True

    @property
    def topmost(self) -> tuple[int, int]:
        """The entry and the line of it that the view begins with."""
        return self.key, self.line

    @property
    def first_line(self) -> int:
        """The topmost line in view, counted over all entries."""
        return self.heights.before(self.key) + self.line

    @property
    def total(self) -> int:
        return self.heights.total

    def measure(self, key: int) -> int:
        height = self._measure(key)
        if height != self.heights[key]:
            self.heights.set(key, height)
        return height

    def _after(self, key: int) -> int:
        """The next entry that has a height when it is looked at closely; past the end: none."""
        while True:
            key = self.heights.after(key)
            if key >= len(self.heights) or self.measure(key):
                return key

    def _previous(self, key: int) -> int:
        while True:
            key = self.heights.previous(key)
            if key < 0 or self.measure(key):
                return key

    def anchor(self, key: int, line: int = 0) -> None:
        """Let line ``line`` of an entry be the topmost; :meth:`place` makes it possible."""
        self.key, self.line = key, line

    def scroll(self, lines: int) -> None:
        """Move down (or up, where negative), stopping at the ends."""
        self.line += lines
        self._climb()

    def _climb(self) -> None:
        while self.line < 0:
            above = self._previous(self.key)
            if above < 0:
                self.line = 0
                return
            self.key = above
            self.line += self.measure(above)

    def scroll_to(self, line: int) -> None:
        """Let the line that the index has there be the topmost."""
        self.key, self.line = self.heights.at(max(0, line))

    def place(self) -> list[Placed]:
        """What is in view from the anchor down; never past the end where there is more above."""
        if not self._settle_anchor():
            self.at_end = True
            return []
        placed: list[Placed] = []
        y, key = -self.line, self.key
        while y < self.rows and key < len(self.heights):
            height = self.measure(key)
            placed.append(Placed(key, y, height))
            y += height
            if y > self.rows:
                break  # whatever follows is out of sight: nobody need know how tall it is
            key = self._after(key)
        if y < self.rows or (key >= len(self.heights) and y == self.rows):
            return self.place_end()
        self.at_end = False
        return placed

    def place_end(self) -> list[Placed]:
        """The end in view, at the bottom row; at the top where all of it fits."""
        self.at_end = True
        placed: list[Placed] = []
        y, key = self.rows, self._previous(len(self.heights))
        while key >= 0:
            height = self.measure(key)
            y -= height
            placed.append(Placed(key, y, height))
            if y <= 0:
                break  # whatever is above is out of sight: nobody need know how tall it is
            key = self._previous(key)
        placed.reverse()
        if y > 0:
            placed = [Placed(one.key, one.y - y, one.height) for one in placed]
        if placed:
            self.anchor(placed[0].key, -placed[0].y)
        else:
            self.anchor(0)
        return placed

    def _settle_anchor(self) -> bool:
        """Make the anchor a line that exists; false where nothing is shown at all."""
        size = len(self.heights)
        if self.key >= size:
            self.key, self.line = self._previous(size), 0
            if self.key < 0:
                self.key = 0
                return False
            self.line = self.measure(self.key)
        elif not self.measure(self.key):
            # What was read is gone (dropped, hidden, filtered): the next below takes its place.
            key = self._after(self.key)
            if key >= size:
                key = self._previous(self.key)
                if key < 0:
                    return False
            self.key, self.line = key, 0
        height = self.measure(self.key)
        while self.line >= height:
            below = self._after(self.key)
            if below >= size:
                self.line = max(0, height - 1)
                break
            self.line -= height
            self.key = below
            height = self.measure(below)
        return True
