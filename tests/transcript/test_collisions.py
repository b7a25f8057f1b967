"""Ids that several messages share, and messages that turn into another kind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from transcript_tui.transcript.model import Message
from transcript_tui.transcript.pipeline import Pipeline

Json = dict[str, Any]

STARTED: Json = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
CALL: list[Json] = [
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"},
    {"type": "TOOL_CALL_END", "toolCallId": "c"},
]
RESULT: Json = {"type": "TOOL_CALL_RESULT", "messageId": "x", "toolCallId": "c", "content": "r"}
ACTIVITY: Json = {
    "type": "ACTIVITY_SNAPSHOT",
    "messageId": "x",
    "activityType": "a",
    "content": {},
}


def folded(*events: Json) -> Pipeline:
    pipeline = Pipeline()
    for event in (STARTED, *events):
        pipeline.feed(json.dumps(event).encode())
    assert pipeline.stream.violation is None
    return pipeline


def message(pipeline: Pipeline, id: str) -> Message:
    (found,) = (
        entry
        for entry in pipeline.transcript.held()
        if isinstance(entry, Message) and entry.id == id
    )
    return found


@pytest.mark.parametrize(
    "restated",
    [
        {"role": "activity", "activityType": "a", "content": {}},
        {"role": "reasoning", "content": "thought"},
    ],
)
def test_a_role_counts_as_carried_also_where_its_id_is_listed_again(restated: Json) -> None:
    """events/state: a snapshot that carries any declares the complete set."""
    reasoning: Json = {"type": "REASONING_MESSAGE_START", "messageId": "x", "role": "reasoning"}
    held = ACTIVITY if restated["role"] == "activity" else reasoning
    pipeline = folded(
        held,
        {
            "type": "MESSAGES_SNAPSHOT",
            "messages": [{"id": "b", **restated}, {"id": "b", "role": "user", "content": "u"}],
        },
    )
    roles = [(one["id"], one["role"]) for one in pipeline.transcript.messages()]
    assert roles == [("b", restated["role"]), ("b", "user")]


def test_of_two_messages_with_one_id_the_first_in_order_counts() -> None:
    pipeline = folded(
        *CALL,
        {"type": "TEXT_MESSAGE_START", "messageId": "x"},
        {"type": "TEXT_MESSAGE_END", "messageId": "x"},
        RESULT,
        {"type": "TEXT_MESSAGE_START", "messageId": "x"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "x", "delta": "!"},
    )
    contents = [(one["role"], one.get("content")) for one in pipeline.transcript.messages()]
    assert contents == [("assistant", None), ("tool", "r!"), ("assistant", "")]


def test_closing_an_item_shows_also_where_another_message_has_its_id() -> None:
    pipeline = folded(
        *CALL,
        {"type": "TEXT_MESSAGE_START", "messageId": "x"},
        RESULT,
        {"type": "TEXT_MESSAGE_END", "messageId": "x"},
    )
    transcript = pipeline.transcript
    (opened,) = (
        entry
        for entry in transcript.held()
        if isinstance(entry, Message) and entry.openings.count()
    )
    assert opened.at(5).open
    assert not opened.at(6).open
    changed = transcript.changes(5, 6)
    assert changed is None or opened.key in changed


def test_an_activity_is_never_open() -> None:
    pipeline = folded({"type": "TEXT_MESSAGE_START", "messageId": "x"}, ACTIVITY)
    view = message(pipeline, "x").at()
    assert (view.role, view.open) == ("activity", False)


@pytest.mark.parametrize(
    "replacing",
    [
        ACTIVITY,
        {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "x", "role": "user", "content": "r"}]},
        {
            "type": "MESSAGES_SNAPSHOT",
            "messages": [{"id": "x", "role": "tool", "toolCallId": "other", "content": "r"}],
        },
        {"type": "MESSAGES_SNAPSHOT", "messages": []},
    ],
)
def test_a_call_that_loses_its_answer_changes(replacing: Json) -> None:
    kept = {
        "id": "c",
        "role": "assistant",
        "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}],
    }
    if "messages" in replacing:
        replacing = {**replacing, "messages": [kept, *replacing["messages"]]}
    pipeline = folded(*CALL, RESULT, replacing)
    caller = message(pipeline, "c")
    assert [caller.at(position).tool_calls[0].state for position in (4, 5)] == [
        "answered",
        "complete",
    ]
    changed = pipeline.transcript.changes(4, 5)
    assert changed is None or caller.key in changed


def test_many_answers_to_many_calls_of_one_id_are_folded_in_time() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}
    callers = [{"id": f"m{i}", "role": "assistant", "toolCalls": [call]} for i in range(200)]
    answers = [
        {"id": f"t{i}", "role": "tool", "toolCallId": "c", "content": ""} for i in range(200)
    ]
    pipeline = folded({"type": "MESSAGES_SNAPSHOT", "messages": [*callers, *answers]})
    assert pipeline.transcript.changes(1, 2) is None
    assert len(pipeline.transcript.messages()) == 400


def test_more_answers_to_one_call_than_are_listed_change_everything() -> None:
    answers = [{**RESULT, "messageId": f"t{number}"} for number in range(70)]
    pipeline = folded(*CALL, *answers)
    length = pipeline.transcript.length
    assert pipeline.transcript.changes(length - 1, length) is None


def test_what_stood_open_before_a_belated_beginning_ends_there() -> None:
    pipeline = Pipeline(keep_going=True)
    for event in (
        {"type": "CUSTOM", "name": "n", "value": 1},
        {"type": "TEXT_MESSAGE_START", "messageId": "x"},
        STARTED,
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ):
        pipeline.feed(json.dumps(event).encode())
    pipeline.end()
    assert pipeline.stream.after == []
    view = message(pipeline, "x").at()
    assert (view.open, view.cut) == (False, True)
    (run,) = pipeline.stream.runs
    assert (run.run_id, run.ending.now is not None) == ("r", True)
    assert run.ending.now is not None
    assert run.ending.now.kind == "finished"


def test_a_message_that_answers_again_does_not_answer_earlier() -> None:
    held = [{"role": "tool", "id": "x", "toolCallId": "c", "content": "r"}]
    caller = {
        "role": "assistant",
        "id": "c",
        "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}],
    }
    again = {"type": "MESSAGES_SNAPSHOT", "messages": [caller, *held]}
    other = {**RESULT, "messageId": "y"}
    transcript = folded(*CALL, RESULT, other, ACTIVITY, again).transcript
    calling = next(one for one in transcript.entries if isinstance(one, Message))
    answers = [calling.at(position).tool_calls[0].result for position in range(3, 8)]
    x, y = (one.key for one in transcript.entries if isinstance(one, Message) and one.id in "xy")
    assert answers == [None, x, y, y, x]
