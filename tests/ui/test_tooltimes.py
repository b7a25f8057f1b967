"""Tools counted a message at a time equal, wherever that went, a counting of all of them."""

from __future__ import annotations

from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.looking import STREAMS, from_each_to_each, places
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import Message
from transcript_tui.transcript.statistics import between
from transcript_tui.ui.views.tooltimes import ToolTimes

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
