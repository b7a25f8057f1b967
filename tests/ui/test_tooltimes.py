"""Tools counted a message at a time equal, wherever that went, a counting of all of them."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import chain

from hypothesis import given
from hypothesis import strategies as st

from tests.transcript.folding import STARTED, call, result
from tests.ui.looking import STREAMS, from_each_to_each, places
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import Message
from transcript_tui.transcript.statistics import between
from transcript_tui.ui.views.perentry import MANY
from transcript_tui.ui.views.tooltimes import ToolTimes
from transcript_tui.wire.frames import Frame

Tools = list[tuple[str, int, list[float]]]


def counted(tape: Tape, position: int) -> Tools:
    counts: dict[str, int] = defaultdict(int)
    took: dict[str, list[float]] = defaultdict(list)
    for entry in tape.transcript.held(position):
        for one in entry.at(position).tool_calls if isinstance(entry, Message) else ():
            counts[one.name] += 1
            seconds = between(one.started, one.answered, tape.time)
            if seconds is not None:
                took[one.name].append(seconds)
    return [(name, counts[name], sorted(took[name])) for name in sorted(counts)]


def read(tools: ToolTimes, position: int, *, stop: bool) -> Tools:
    while tools.go_to(position, lambda: stop):
        pass
    return tools.tools()


@given(STREAMS, st.data())
def test_tools_are_counted_as_they_stand(parts: list[bytes], data: st.DataObject) -> None:
    tape = Tape()
    tools = ToolTimes(tape)
    for position, stop in places(tape, parts, data):
        assert read(tools, position, stop=stop) == counted(tape, position)


def test_they_are_wherever_one_came_from() -> None:
    for tape, start, position in from_each_to_each():
        tools = ToolTimes(tape)
        read(tools, start, stop=False)
        assert read(tools, position, stop=False) == counted(tape, position)


def test_they_are_after_a_step_over_more_than_anybody_looks_at() -> None:
    tape = Tape()
    calls = [call(f"c{number}") for number in range(MANY + 1)]
    answers = [[result(f"c{number}", f"t{number}")] for number in range(MANY + 1)]
    for number, payload in enumerate([STARTED, *chain(*chain(*zip(calls, answers, strict=True)))]):
        tape.take([Frame(json.dumps(payload).encode(), 0, 0, number / 4)])
    tools = ToolTimes(tape)
    for position in (tape.length, 3, tape.length, 0):
        assert read(tools, position, stop=True) == counted(tape, position)
