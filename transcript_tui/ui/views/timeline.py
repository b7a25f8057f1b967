"""What happened when: a lane for each run, step, message, tool call and subagent."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rich.cells import set_cell_size
from textual.app import ComposeResult
from textual.widgets import Static

from transcript_tui.ui.amounts import duration
from transcript_tui.ui.views.lanerows import LaneRows
from transcript_tui.ui.views.lanes import Axis, Lane, axis_of, stalls, ticks
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.rowlist import RowList
from transcript_tui.ui.views.slicedwork import SlicedWork
from transcript_tui.ui.views.styledcells import Cells
from transcript_tui.ui.views.throttle import Throttle

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

REST: Final = 20
"""Times that reading and showing took: so long it is not read again, however fast events come."""
TOOK: Final = 8
"""Columns of a lane's duration."""
NOTHING: Final = "Nothing has happened so far"
NO_TIMES: Final = (
    "The log has no times. With --timing paced it is played at an invented rhythm, "
    "and that is shown here"
)
NAMES: Final = 10, 34
"""Columns of the lanes' names, at least and at most."""


class TimelinePane(Pane):
    """Lanes over the time of the tape; the selection is shared with the transcript."""

    DEFAULT_CSS = """
    TimelinePane #timeline-empty { display: none; }
    TimelinePane.-empty #timeline-empty { display: block; }
    TimelinePane.-empty RowList, TimelinePane.-empty #timeline-axis { display: none; }
    TimelinePane #timeline-axis { height: 1; color: $dim; background: $surface; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "timeline")
        self.border_title = "Timeline"
        self._lanes = LaneRows(session.tape)
        self._reading = SlicedWork(self, self._read, tell=self._tell, finish=self.show_again)
        self._throttle = Throttle(self, self.show_again, times=REST)
        self._stalls: list[tuple[float, float]] = []
        self._read_for: tuple[float | None, ...] = ()
        self._now = 0.0
        self._total = 0.0

    def compose(self) -> ComposeResult:
        yield Static("", id="timeline-axis", markup=False)
        yield RowList(self._cells)
        yield Static(NOTHING, id="timeline-empty", classes="empty")

    def moves(self) -> Moves:
        return self.query_one(RowList)

    @property
    def lane_chosen(self) -> int | None:
        """The entry under the cursor."""
        return self._lanes.key(self.query_one(RowList).cursor)

    def show_at(self, position: int) -> None:
        self.position = position
        tape = self.session.tape
        state = (tape.length, tape.generation, tape.transcript.revision)
        read_for = (*state, position, self.session.player.total)
        if self._reading.going or read_for == self._read_for or self._throttle.resting():
            return
        began = time.perf_counter()
        if self._reading.go_on():
            return
        self._read_for = read_for
        self._show(axis_of(self.session), position)
        self._throttle.shown(began)

    def _read(self, enough: Callable[[], bool]) -> bool:
        axis = axis_of(self.session)
        if axis is None:
            return False
        self._lanes.measure_by(axis)
        return self._lanes.go_to(self.position, enough)

    def _tell(self) -> None:
        born = self.session.tape.transcript.count_at(self.position)
        self.border_subtitle = f"reading {self._lanes.read / max(1, born):.0%}"
        self._show_rows(self._lanes.count)

    def _show_rows(self, count: int) -> None:
        self.query_one(RowList).set_count(count, follow=True)

    def _show(self, axis: Axis | None, position: int) -> None:
        self._total = axis.total if axis is not None else 0.0
        self._now = (axis.times(position - 1) or 0.0) if axis is not None and position else 0.0
        self._stalls = stalls(self.session, position)
        self._tell_if_empty(axis, position)
        self._show_rows(self._lanes.count if axis is not None else 0)
        self.border_title = "Timeline"
        if axis is not None and axis.invented and position:
            self.border_title = "Timeline · the log has no times, the rhythm is invented"
        longest = max((until - since for since, until in self._stalls), default=0.0)
        self.border_subtitle = f"longest gap {duration(longest)}" if longest else ""
        self._draw_axis()

    def _tell_if_empty(self, axis: Axis | None, position: int) -> None:
        self.set_class(axis is None or not position, "-empty")
        self.query_one("#timeline-empty", Static).update(NO_TIMES if position else NOTHING)

    def on_resize(self) -> None:
        self._draw_axis()

    def _draw_axis(self) -> None:
        names, bars = self._columns()
        line = [" "] * bars
        for column, tick in ticks(self._total, bars):
            if column + len(tick) < bars:
                line[column : column + len(tick)] = tick
        # One line whatever is in it: nothing else moves.
        axis = self.query_one("#timeline-axis", Static)
        axis.update(" " * names + "".join(line), layout=False)

    def _columns(self) -> tuple[int, int]:
        """Columns of the names, and of the bars."""
        width = self.query_one(RowList).scrollable_content_region.width
        least, most = NAMES
        names = max(least, min(most, width // 3, self._lanes.longest + 1))
        return names, max(0, width - names - TOOK)

    def selected(self, key: int | None) -> None:
        row = self._lanes.row_of(key) if key is not None else None
        if row is not None and self.lane_chosen != key:
            self.query_one(RowList).put_cursor(row)

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        key = self._lanes.key(message.index)
        if key is not None:
            self.post_message(self.Picked(key))

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        message.stop()
        key = self._lanes.key(message.index)
        if key is not None:
            entry = self.session.tape.transcript.entries[key]
            self.post_message(self.Sought(max(0, entry.born), key))

    def _cells(self, row: int) -> Cells:
        lane = self._lanes.row(row)
        if lane is None:
            return []
        names, bars = self._columns()
        name = set_cell_size("  " * lane.depth + lane.label, names - 1) + " "
        end = lane.end if lane.end is not None else self._now
        took = f" {duration(max(0.0, end - lane.start)):>{TOOK - 1}}"
        return [
            (name, lane.style),
            *self._bar(lane, bars),
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
