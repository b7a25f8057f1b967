"""Text selected with the mouse, across items: kept by entry and by what stands in the row, so that
neither scrolling nor what is laid out above moves it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from transcript_tui.session.turns import Turns
from transcript_tui.ui.layout.copying import PlainText, text_of
from transcript_tui.ui.layout.rows import EVERYTHING, Copied
from transcript_tui.ui.views.transcript.item import Item, Spot
from transcript_tui.ui.views.transcript.stage import Stage

Place = tuple[int, Spot, int]
"""(entry key, what stands in the row, cell)."""
Cell = tuple[int, int, int]
"""(entry key, row of the item, cell), as it is now."""
Ends = tuple[Cell, Cell]
"""The first cell of a selection, and the one after its last."""
Marked = tuple[int, int, int, int]
"""Of an item: first row, first cell, last row, cell after the last."""


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

    def within(self, stage: Stage, item: Item) -> Marked | None:
        """What is selected of an item."""
        if self._from is None or self._to is None:
            return None
        return _within(_ends(stage, self._from, self._to), item)

    def blank(self, stage: Stage) -> bool:
        """Whether only blanks and borders are selected."""
        # Where so much is selected that it is yet to be read, there is text in it.
        read = (rows is None or text_of(rows).strip("\n") != "" for rows in self.copied(stage))
        return not any(read)

    async def text(self, stage: Stage, done: Callable[[float], None]) -> str | None:
        """What is selected now, as plain text: put together in slices of time, as it may be a
        whole transcript. ``done``: is told how far that is, 0 to 1."""
        turns, text = Turns(), PlainText()
        turns.begin()
        for some in self.copied(stage, done):
            text.add(some or ())
            if turns.over:
                await turns.give()
        return text.finish().strip("\n") or None

    def copied(
        self, stage: Stage, done: Callable[[float], None] = lambda _: None
    ) -> Iterator[list[Copied | None] | None]:
        """What is selected now, some rows at a time; ``None``: it was read a step further."""
        if self._from is None or self._to is None:
            return
        begin, end = self._from, self._to
        first, last = sorted((begin[0], end[0]))
        count = last - first + 1
        key = first
        while key <= last and key < stage.size:
            if stage.shown(key):
                item = stage.item(key)
                marked = _within(_ends(stage, begin, end), item)
                if marked is not None and item.reaches_unread(marked[0], marked[2]):
                    stage.read_step(key)
                    yield None
                    continue
                rows = 0
                for some in item.copied_between(*marked) if marked is not None else ():
                    yield some
                    rows += len(some)
                    done((key - first + min(1.0, rows / item.height)) / count)
            key = stage.viewport.heights.after(key)
            done((min(key, last + 1) - first) / count)


def _ends(stage: Stage, begin: Place, end: Place) -> Ends:
    first, last = sorted((_cell(stage, begin), _cell(stage, end)))
    # The cell under the pointer belongs to the selection.
    return first, (last[0], last[1], last[2] + 1)


def _within(ends: Ends, item: Item) -> Marked | None:
    (first, row, cell), (last, last_row, last_cell) = ends
    if not first <= item.key <= last:
        return None
    start = (row, cell) if item.key == first else (0, 0)
    end = (last_row, last_cell) if item.key == last else (item.height - 1, EVERYTHING)
    return (*start, *end)


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
