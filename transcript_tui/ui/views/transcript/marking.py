"""Text selected with the mouse, across items: kept by entry and by what stands in the row, so that
neither scrolling nor what is laid out above moves it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from transcript_tui.ui.layout.copying import text_of
from transcript_tui.ui.layout.rows import EVERYTHING, Copied
from transcript_tui.ui.views.transcript.item import Item, Spot
from transcript_tui.ui.views.transcript.stage import Stage

Place = tuple[int, Spot, int]
"""(entry key, what stands in the row, cell)."""
Cell = tuple[int, int, int]
"""(entry key, row of the item, cell), as it is now."""
MOST_ITEMS: Final = 20_000
"""Items that one selection copies at most."""


class Marking:
    """From where the button went down to where the pointer is."""

    def __init__(self) -> None:
        self._from: Place | None = None
        self._to: Place | None = None
        self.dragging = False

    @property
    def anything(self) -> bool:
        """Whether anything is selected."""
        return self._to is not None

    def clear(self) -> bool:
        """Whether anything was selected."""
        had = self._to is not None
        self._from = self._to = None
        self.dragging = False
        return had

    def begin(self, stage: Stage, x: int, y: int) -> bool:
        self._from, self._to = _place(stage, x, y), None
        self.dragging = self._from is not None
        return self.dragging

    def extend(self, stage: Stage, x: int, y: int) -> None:
        place = _place(stage, x, y)
        if place is None or self._from is None:
            return
        if self._to is not None or _cell(stage, place) != _cell(stage, self._from):
            self._to = place

    def word(self, stage: Stage, x: int, y: int) -> bool:
        """Select the word at a cell, also where it goes on in other rows; whether there is one."""
        placed = stage.placed_at(y)
        if placed is None:
            return False
        key, row, item = placed.key, y - placed.y, stage.item(placed.key)
        found = next((each for each in item.words(row) if each[0] <= x < each[1]), None)
        if found is None:
            return False
        first = last = (row, *found)
        while item.runs_on(first[0]) and first[1:] == item.words(first[0])[0]:
            first = (first[0] - 1, *item.words(first[0] - 1)[-1])
        while item.runs_on(last[0] + 1) and last[1:] == item.words(last[0])[-1]:
            last = (last[0] + 1, *item.words(last[0] + 1)[0])
        self._from = key, item.spot(first[0]), first[1]
        self._to = key, item.spot(last[0]), last[2] - 1
        return True

    def line(self, stage: Stage, y: int) -> bool:
        """Select the line at a row, in all of its rows."""
        placed = stage.placed_at(y)
        if placed is None:
            return False
        key, item = placed.key, stage.item(placed.key)
        first = last = y - placed.y
        while item.joint(first) is not None:
            first -= 1
        while item.joint(last + 1) is not None:
            last += 1
        self._from, self._to = (key, item.spot(first), 0), (key, item.spot(last), EVERYTHING)
        return True

    def finish(self) -> bool:
        """The button went up: whether anything is selected."""
        self.dragging = False
        if self._to is None:
            self._from = None
        return self._to is not None

    def _ends(self, stage: Stage) -> tuple[Cell, Cell] | None:
        if self._from is None or self._to is None:
            return None
        first, last = sorted((_cell(stage, self._from), _cell(stage, self._to)))
        # The cell under the pointer belongs to the selection.
        return first, (last[0], last[1], last[2] + 1)

    def within(self, stage: Stage, item: Item) -> tuple[int, int, int, int] | None:
        """What is selected of an item: first row, first cell, last row, cell after the last."""
        ends, key, height = self._ends(stage), item.key, item.height
        if ends is None:
            return None
        (first, row, cell), (last, last_row, last_cell) = ends
        if not first <= key <= last:
            return None
        start = (row, cell) if key == first else (0, 0)
        end = (last_row, last_cell) if key == last else (height - 1, EVERYTHING)
        return (*start, *end)

    def text(self, stage: Stage) -> str | None:
        ends = self._ends(stage)
        if ends is None:
            return None
        rows: list[Copied | None] = []
        key, last = ends[0][0], ends[1][0]
        for _ in range(MOST_ITEMS):
            if key > last or key >= stage.size:
                break
            if stage.shown(key):
                rows += self._rows(stage, key)
            key = stage.viewport.heights.after(key)
        return text_of(rows).strip("\n") or None

    def _rows(self, stage: Stage, key: int) -> Iterator[Copied | None]:
        item = stage.item(key)
        marked = self.within(stage, item)
        while marked is not None and stage.lay_out(key, marked[0], marked[2] + 1):
            # What was not read yet took its true height.
            marked = self.within(stage, item)
        if marked is None:
            return
        first, start, last, end = marked
        for y in range(first, min(last + 1, item.height)):
            left = start if y == first else 0
            right = end if y == last else EVERYTHING
            yield item.copied(y, left, right)


def _place(stage: Stage, x: int, y: int) -> Place | None:
    placed = stage.placed_at(y)
    if placed is None:
        if not stage.placed:
            return None
        last = stage.placed[-1]
        return last.key, stage.item(last.key).spot(last.height - 1), EVERYTHING
    return placed.key, stage.item(placed.key).spot(y - placed.y), x


def _cell(stage: Stage, place: Place) -> Cell:
    key, spot, x = place
    return key, stage.item(key).find(spot) if stage.shown(key) else 0, x
