"""What a stage shows equals, wherever it went, what a stage shows that went there at once."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ui.looking import STREAMS, from_each_to_each, places
from tests.ui.transcript.gallery import message
from tests.ui.transcript.harness import finished, started
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import AnyEntry
from transcript_tui.ui.layout import DocumentStyles
from transcript_tui.ui.views.transcript import Filter, ViewOptions
from transcript_tui.ui.views.transcript.palette import Palette
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.views.transcript.shown import likely_height
from transcript_tui.ui.views.transcript.stage import MANY_KEYS, Stage
from transcript_tui.wire.frames import Frame

STYLES = DocumentStyles.from_variables({})
OPTIONS = st.builds(
    ViewOptions,
    tools=st.sampled_from(["full", "folded", "when-done", "hidden"]),
    reasoning=st.sampled_from(["full", "when-done", "hidden"]),
    passthrough=st.booleans(),
    buffered=st.booleans(),
    filter=st.sampled_from(
        [None, *map(Filter.parse, ("kind:problem", "subagent:researcher", "kind:tool", "word"))]
    ),
)


def staged(tape: Tape, options: ViewOptions) -> Stage:
    stage = Stage(Scene(tape.transcript, options, Palette.read({})), STYLES)
    stage.scene.time, stage.scene.payload = tape.time, tape.payload
    stage.resize(60, 20)
    return stage


def told(stage: Stage) -> list[tuple[int, list[str]]]:
    """Each item's rows, drawn."""
    found = []
    for key in range(stage.size):
        if stage.shown(key):
            item = stage.item(key)
            found.append((key, [item.content(y).text for y in range(item.height)]))
    return found


def hidden(stage: Stage) -> list[int]:
    """What the filter hides."""
    return [key for key in range(stage.size) if stage.filters_out(key)]


@pytest.fixture(autouse=True, params=[MANY_KEYS, 2])
def _many(request: pytest.FixtureRequest) -> Iterator[None]:
    """How many changed entries are many: those of a test are few."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("transcript_tui.ui.views.transcript.stage.MANY_KEYS", request.param)
        yield


@given(STREAMS, OPTIONS, st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_shows_what_stands_there(
    parts: list[bytes], options: ViewOptions, data: st.DataObject
) -> None:
    tape = Tape()
    stage = staged(tape, options)
    for position, _ in places(tape, parts, data):
        stage.show(position)
        at_once = staged(tape, options)
        at_once.show(position)
        assert told(stage) == told(at_once)
        assert hidden(stage) == hidden(at_once)
        assert stage.filtered == len(hidden(stage))


@given(STREAMS, OPTIONS, st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_it_does_wherever_one_went_before(
    parts: list[bytes], options: ViewOptions, data: st.DataObject
) -> None:
    tape = Tape()
    tape.take([Frame(part, 0, 0, number / 4) for number, part in enumerate(parts)])
    if data.draw(st.booleans()):
        tape.end()
    stage = staged(tape, options)
    for position in data.draw(st.lists(st.integers(0, tape.length), max_size=12)):
        stage.show(position)
        at_once = staged(tape, options)
        at_once.show(position)
        assert [key for key in range(stage.size) if stage.shown(key)] == [
            key for key in range(at_once.size) if at_once.shown(key)
        ]
        assert stage.viewport.total == at_once.viewport.total
        assert hidden(stage) == hidden(at_once)


def test_going_far_looks_at_what_changes_while_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []

    def counted(entry: AnyEntry, scene: Scene) -> int:
        asked.append(entry.key)
        return likely_height(entry, scene)

    monkeypatch.setattr("transcript_tui.ui.views.transcript.stage.likely_height", counted)
    tape = Tape()
    events = [started(), *(event for n in range(300) for event in message(f"m{n}", "x" * n))]
    tape.take([Frame(json.dumps(event).encode(), 0, 0) for event in events])
    stage = staged(tape, ViewOptions())
    stage.show(tape.length)
    assert len(asked) == 301
    asked.clear()
    for position in (4, tape.length, tape.length // 2, tape.length // 2 - 400, tape.length - 1, 1):
        stage.show(position)
    # The message that is open at each position, before and after.
    assert len(asked) < 20


def test_it_does_wherever_one_came_from() -> None:
    for tape, start, position in from_each_to_each():
        stage, at_once = staged(tape, ViewOptions()), staged(tape, ViewOptions())
        stage.show(start)
        told(stage)
        stage.show(position)
        at_once.show(position)
        assert told(stage) == told(at_once), (start, position)


def test_what_was_left_to_the_front_end_is_named_as_it_was_then() -> None:
    """A later run takes the call away, and uses its id for another."""
    call = {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "find"}
    ended = {"type": "TOOL_CALL_END", "toolCallId": "c"}
    waits = {"type": "interrupt", "interrupts": [{"id": "i", "reason": "ask", "toolCallId": "c"}]}
    first = [started(), call, ended, finished(outcome=waits)]
    later = [
        started("r2"),
        {"type": "MESSAGES_SNAPSHOT", "messages": []},
        call | {"toolCallName": "write"},
        ended,
        finished("r2"),
    ]
    tape = Tape()
    tape.take([Frame(json.dumps(event).encode(), 0, 0) for event in first + later])
    for position in (len(first), len(first) + 2, tape.length):
        stage = staged(tape, ViewOptions())
        stage.show(position)
        shown = "\n".join(row for _, rows in told(stage) for row in rows)
        assert "tool call find" in shown
        assert "left to the front end: find" in shown


def test_what_is_not_born_yet_is_let_go_whatever_arrived_meanwhile() -> None:
    """A late RUN_ERROR touches everything, while what is looked at is before it."""
    tape = Tape()
    before = [started(), *message("m", "first"), finished()]
    changed = {"id": "m", "role": "assistant", "content": "changed"}
    before.insert(4, {"type": "MESSAGES_SNAPSHOT", "messages": [changed]})
    tape.take([Frame(json.dumps(event).encode(), 0, 0) for event in before])
    stage = staged(tape, ViewOptions())
    stage.show(tape.length)
    assert "changed" in str(told(stage))
    late = {"type": "RUN_ERROR", "message": "late"}
    tape.take([Frame(json.dumps(late).encode(), 0, 0)])
    for position in (0, 4):
        stage.show(position)
        assert "changed" not in str(told(stage))
    assert "first" in str(told(stage))
