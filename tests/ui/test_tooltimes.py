"""Tools counted a message at a time equal, wherever that went, a counting of all of them."""

from __future__ import annotations

import json
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import broken_streams, payloads, streams
from tests.transcript.folding import FINISHED, STARTED, Event, call, event, result, text
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import Message
from transcript_tui.transcript.statistics import between
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


def read(tools: ToolTimes, position: int, *, stop: bool = False) -> Tools:
    while tools.go_to(position, lambda: stop):
        pass
    return tools.tools()


CALLING: list[Event] = [
    STARTED, *text("m", "x"), *call("c", "{}", name="find", parentMessageId="m"),
    result("c", "t", "found"), *call("d", "{}", name="book"),
    event("MESSAGES_SNAPSHOT", messages=[
        {"id": "m", "role": "assistant", "content": "x", "toolCalls": [
            {"id": "c", "type": "function", "function": {"name": "seek", "arguments": ""}},
        ]},
        {"id": "t", "role": "tool", "toolCallId": "d", "content": "moved"},
    ]),
    *call("c", "{}", name="find"), result("d", "u", "again"), FINISHED,
]  # fmt: skip


@given(
    st.one_of(
        st.just([json.dumps(one).encode() for one in CALLING]),
        streams().map(payloads),
        broken_streams(),
    ),
    st.data(),
)
def test_tools_are_counted_as_they_stand(parts: list[bytes], data: st.DataObject) -> None:
    tape = Tape()
    tools = ToolTimes(tape)
    for number, payload in enumerate(parts):
        tape.take([Frame(payload, 0, 0, number / 4)])
        if data.draw(st.integers(0, 3)) == 0:
            position = data.draw(st.integers(0, tape.length))
            assert read(tools, position, stop=data.draw(st.booleans())) == counted(tape, position)
    tape.end()
    for position in (tape.length, 0, tape.length // 2, tape.length):
        assert read(tools, position) == counted(tape, position)
