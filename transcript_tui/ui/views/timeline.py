"""What happened when: a lane for each run, step, message, tool call and subagent."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from rich.cells import set_cell_size
from textual.app import ComposeResult
from textual.widgets import Static

from transcript_tui.transcript.model import (
    AnyEntry,
    Message,
    Rejection,
    RunStart,
    Step,
    Subagent,
)
from transcript_tui.ui.amounts import duration
from transcript_tui.ui.text import label
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.rows import Cells, RowList

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

STALL = 2.0
"""Seconds without an event that count as a stall."""

STALLS_WITHIN = 20_000
"""Events that are looked through for stalls."""

REST = 20
"""Times the last reading took: so long it is not read again, however fast events come."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One row."""

    key: int
    """The entry it belongs to."""
    label: str
    style: str
    depth: int
    start: float
    first: float | None
    """First token, where that is later than the start."""
    end: float | None
    """``None`` = still going on."""


class TimelinePane(Pane):
    """Lanes over the time of the tape; the selection is shared with the transcript."""

    DEFAULT_CSS = """
    TimelinePane #timeline-empty { display: none; }
    TimelinePane.-empty #timeline-empty { display: block; }
    TimelinePane.-empty RowList { display: none; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "timeline")
        self.border_title = "Timeline"
        self._lanes: list[Lane] = []
        self._stalls: list[tuple[float, float]] = []
        self._read_for = (-1, -1)
        self._rest_until = 0.0
        self._now = 0.0
        self._total = 0.0

    def compose(self) -> ComposeResult:
        yield RowList(self._cells)
        yield Static(
            "There is nothing to show over time: the log has no times",
            id="timeline-empty",
            classes="empty",
        )

    def moves(self) -> Moves:
        return self.query_one(RowList)

    @property
    def lanes_shown(self) -> tuple[int, ...]:
        """The entries of the lanes, from the top."""
        return tuple(lane.key for lane in self._lanes)

    @property
    def lane_chosen(self) -> int | None:
        """The entry under the cursor."""
        cursor = self.query_one(RowList).cursor
        return self._lanes[cursor].key if 0 <= cursor < len(self._lanes) else None

    def show_at(self, position: int) -> None:
        self.position = position
        tape = self.session.tape
        read_for = (tape.length, position)
        if read_for == self._read_for:
            return
        began = time.perf_counter()
        if began < self._rest_until:
            self.set_timer(self._rest_until - began, self._read_again)
            return
        self._read_for = read_for
        self._total = tape.duration
        self._now = (tape.time(position - 1) or 0.0) if position else 0.0
        self._lanes = list(lanes(self.session, position)) if tape.timing else []
        self.set_class(not self._lanes, "-empty")
        rows = self.query_one(RowList)
        rows.set_count(len(self._lanes), follow=True)
        self._stalls = stalls(self.session, position)
        longest = max((until - since for since, until in self._stalls), default=0.0)
        gap = f" · longest gap {duration(longest)}" if longest else ""
        self.border_subtitle = f"0 – {duration(self._total)}{gap}" if self._lanes else ""
        ended = time.perf_counter()
        self._rest_until = ended + REST * (ended - began)

    def _read_again(self) -> None:
        if self.is_attached:
            self.show_at(self.position)

    def selected(self, key: int | None) -> None:
        for row, lane in enumerate(self._lanes):
            if lane.key == key:
                if self._lanes[self.query_one(RowList).cursor].key != key:
                    self.query_one(RowList).put_cursor(row)
                return

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        self.post_message(self.Picked(self._lanes[message.index].key))

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        message.stop()
        lane = self._lanes[message.index]
        entry = self.session.tape.transcript.entries[lane.key]
        self.post_message(self.Sought(max(0, entry.born), lane.key))

    def _cells(self, row: int) -> Cells:
        lane = self._lanes[row]
        width = self.query_one(RowList).scrollable_content_region.width
        label_width = max(10, min(34, width // 3))
        name = set_cell_size("  " * lane.depth + lane.label, label_width - 1) + " "
        end = lane.end if lane.end is not None else self._now
        took = f" {duration(max(0.0, end - lane.start)):>7}"
        return [
            (name, lane.style),
            *self._bar(lane, width - label_width - len(took)),
            (took, "dim" if lane.end is not None else lane.style),
        ]

    def _bar(self, lane: Lane, width: int) -> Cells:
        """``·`` before the first token, ``█`` from there on, ``▶`` where it still goes on;
        ``░`` where nothing arrived at all."""
        if width <= 0:
            return []
        scale = (width - 1) / self._total if self._total > 0 else 0.0
        end = lane.end if lane.end is not None else self._now
        start_x = min(width - 1, int(lane.start * scale))
        end_x = min(width - 1, max(start_x, int(end * scale)))
        first = lane.first if lane.first is not None else lane.start
        first_x = min(end_x, max(start_x, int(first * scale)))
        head = "▶" if lane.end is None else "█"
        return [
            (" " * start_x, ""),
            ("·" * (first_x - start_x), lane.style),
            (self._filled(first_x, end_x, scale), lane.style),
            (head, lane.style),
            (" " * (width - end_x - 1), ""),
        ]

    def _filled(self, start: int, end: int, scale: float) -> str:
        """Columns ``start`` to ``end``; those that lie wholly within a stall are shaded."""
        cells = ["█"] * (end - start)
        for since, until in self._stalls:
            for x in range(max(start, int(since * scale) + 1), min(end, int(until * scale))):
                cells[x - start] = "░"
        return "".join(cells)


def lanes(session: Session, position: int) -> Iterator[Lane]:
    """A lane for each entry that takes time, in the order of the transcript."""
    transcript = session.tape.transcript
    for entry in transcript.entries[: transcript.count_at(position)]:
        if entry.held(position):
            yield from _lanes_of(entry, session, position)


def _lanes_of(entry: AnyEntry, session: Session, position: int) -> Iterator[Lane]:
    def at(stamp: int | None) -> float | None:
        if stamp is None or not 0 <= stamp < position:
            return None
        return session.tape.time(stamp)

    start = at(entry.born)
    if start is None:
        return
    match entry:
        case RunStart():
            ending = entry.run.ending.at(position)
            name = f"run {label(entry.run.run_id or '')}"
            end = at(min(ending.stamp, position - 1)) if ending is not None else None
            yield Lane(entry.key, name, "accent", 0, start, None, end)
        case Step():
            yield Lane(
                entry.key, f"step {label(entry.name)}", "dim", 1, start, None, at(entry.finished)
            )
        case Subagent():
            over = entry.ending.at(position)
            end = at(over.stamp) if over is not None else None
            name = f"subagent {label(entry.name)}"
            yield Lane(entry.key, name, "role-subagent", 1, start, None, end)
        case Message():
            yield from _message_lanes(entry, session, position, start)
        case Rejection():
            yield Lane(entry.key, "⚑ violation", "ending-rejected", 0, start, None, start)
        case _:
            return


def _message_lanes(entry: Message, session: Session, position: int, start: float) -> Iterator[Lane]:
    view = entry.at(position)
    tape = session.tape
    first = tape.time(view.first) if view.first is not None and view.first >= 0 else None
    last = tape.time(view.last) if view.last is not None and view.last >= 0 else None
    name = label(view.name) if view.name else view.role
    if view.length or view.parts or not view.tool_calls:
        end = None if view.open else last if last is not None else start
        yield Lane(entry.key, name, f"role-{view.role}", 1, start, first, end)
    for call in view.tool_calls:
        began = tape.time(call.started) if call.started >= 0 else None
        over = call.answered if call.answered is not None else call.ended
        if began is None:
            continue
        ended = tape.time(over) if over is not None else None
        complete = tape.time(call.ended) if call.ended is not None else None
        yield Lane(entry.key, f"⚙ {label(call.name)}", "role-tool", 2, began, complete, ended)


def stalls(session: Session, position: int) -> list[tuple[float, float]]:
    """Since when and until when nothing came for long, before ``position``; bounded work."""
    tape = session.tape
    if not tape.timing or position < 2:
        return []
    times = tape.times(max(0, position - STALLS_WITHIN), position)
    return [(a, b) for a, b in pairwise(times) if b - a >= STALL]
