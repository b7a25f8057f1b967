"""Lanes counted an entry at a time equal, wherever that went, a reading of all of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.looking import STREAMS, from_each_to_each, places
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import Message
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.ui.views.lanerows import LaneRows
from transcript_tui.ui.views.lanes import Axis, Lane, lanes_of


def all_of(tape: Tape, position: int) -> list[Lane]:
    found: list[Lane] = []
    for entry in tape.transcript.held(position):
        call = entry.body_at(position).tool_call_id if isinstance(entry, Message) else None
        caller = None if call is None else tape.transcript.message_by_call(call, position)
        if caller is None or caller > entry.key:
            found += lanes_of(entry, tape.time, position)
    return found


@given(STREAMS, st.data())
def test_there_is_a_row_for_each_lane(parts: list[bytes], data: st.DataObject) -> None:
    tape = Tape()
    rows = LaneRows(tape)

    def look(position: int, *, stop: bool) -> None:
        rows.measure_by(Axis(tape.time, tape.duration, invented=False))
        while rows.go_to(position, lambda: stop):
            touch()
        wanted = all_of(tape, position)
        assert [rows.row(row) for row in range(rows.count)] == wanted
        assert [rows.key(row) for row in range(rows.count)] == [lane.key for lane in wanted]
        for lane in wanted:
            first = rows.row_of(lane.key)
            assert first is not None
            assert wanted[first].key == lane.key

    def touch() -> None:
        """Painting may come between: nothing that is asked for then may fail."""
        for row in range(-1, rows.count + 3):
            rows.row(row)
            rows.key(row)
            rows.row_of(row)

    for position, stop in places(tape, parts, data):
        look(position, stop=stop)
    for keep_going in (True, False, True):
        for _ in tape.refold(lambda keep_going=keep_going: Pipeline(keep_going=keep_going)):
            pass
        touch()
        look(tape.length, stop=False)


def test_there_is_wherever_one_came_from() -> None:
    for tape, start, position in from_each_to_each():
        rows = LaneRows(tape)
        rows.measure_by(Axis(tape.time, tape.duration, invented=False))
        rows.go_to(start, lambda: False)
        rows.go_to(position, lambda: False)
        assert [rows.row(row) for row in range(rows.count)] == all_of(tape, position)
