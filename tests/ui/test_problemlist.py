"""The list of problems equals, wherever it went, what a reading of everything finds there."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import broken_streams
from tests.transcript.folding import FINISHED, STARTED, event
from transcript_tui.protocol.findings import Warned
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import Cut, RunEnd
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.ui.views.problemlist import REMARK, Problem, ProblemList, problems_at
from transcript_tui.wire import frames
from transcript_tui.wire.frames import Frame, FramingCr


def all_of(session: Any, position: int) -> list[Problem]:
    found = [Problem(None, Warned(REMARK, None, note)) for note in session.notes]
    for stream in session.tape.pipeline.streams:
        if stream.violation is not None:
            found.append(Problem(stream.first + stream.violation.event, stream.violation))
        found += [Problem(stream.first + after.event, after, True) for after in stream.after]
    found += [
        Problem(None if warned.event is None else max(0, stamp), warned)
        for stamp, warned in session.tape.transcript.warnings(position)
    ]
    held = [one for one in found if one.payload is None or one.payload < position]
    return sorted(held, key=lambda one: -1 if one.payload is None else one.payload)


def endings_of(session: Any, position: int) -> list[tuple[int | None, str | None]]:
    found: list[tuple[int | None, str | None]] = []
    for entry in session.tape.transcript.held(position):
        ending = entry.run.ending.at(position) if isinstance(entry, RunEnd) else None
        if isinstance(entry, Cut):
            found.append((entry.key, "truncated"))
        elif ending is not None and ending.kind == "failed":
            found.append((entry.key, "failed"))
    return found


@given(st.lists(broken_streams(), min_size=1, max_size=3), st.booleans(), st.data())
def test_it_lists_what_there_is(
    streams: list[list[bytes]], keep_going: bool, data: st.DataObject
) -> None:
    tape = Tape(lambda: Pipeline(keep_going=keep_going))
    session: Any = SimpleNamespace(tape=tape, notes=[])
    listed = ProblemList(session)

    def look() -> None:
        position = data.draw(st.integers(0, tape.length))
        listed.go_to(position)
        wanted = all_of(session, position)
        rows = [listed[row] for row in range(len(listed))]
        assert [one for one in rows if one.ending is None] == wanted
        ended = [(one.key, one.ending) for one in rows if one.ending is not None]
        assert sorted(ended, key=str) == sorted(endings_of(session, position), key=str)
        assert listed.failed + listed.cut == len(ended)
        numbers = [-1 if one.payload is None else one.payload for one in rows]
        assert numbers == sorted(numbers)
        assert listed.violations == sum(not isinstance(one.found, Warned) for one in wanted)
        if tape.length:
            number = data.draw(st.integers(0, tape.length - 1))
            blamed = [one for one in all_of(session, number + 1) if one.payload == number]
            assert problems_at(session, number) == blamed

    if data.draw(st.booleans()):
        tape.take([frames.Cut(b"data: {", 1, 0)])
        look()
        session.notes.append("nothing came")
        look()
        tape.next_stream(None)
    for number, payloads in enumerate(streams):
        if number:
            tape.next_stream(None)
        for payload in payloads:
            tape.take([Frame(payload, 0, 0)])
            if data.draw(st.integers(0, 3)) == 0:
                look()
        if data.draw(st.booleans()):
            tape.take([FramingCr()])
            session.notes.append("a note")
        look()
    tape.end()
    look()
    for _ in tape.refold(lambda: Pipeline(keep_going=not keep_going)):
        pass
    look()


def test_failed_runs_stay_listed_when_everything_is_judged_anew() -> None:
    tape = Tape()
    session: Any = SimpleNamespace(tape=tape, notes=[])
    listed = ProblemList(session)
    failing = event("RUN_ERROR", message="no luck")
    tape.take([Frame(json.dumps(one).encode(), 0, 0) for one in (STARTED, failing)])
    tape.take([frames.NewStream(1), Frame(json.dumps(FINISHED).encode(), 0, 0)])
    for keep_going in (False, True, False):
        for _ in tape.refold(lambda keep_going=keep_going: Pipeline(keep_going=keep_going)):
            pass
        for position in (3, 3, 2, 3):
            listed.go_to(position)
            rules = [one.found.rule for one in listed]
            assert rules == ["failed", *["first-event"] * (position - 2)]
