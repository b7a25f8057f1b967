"""Streams by hand for the tests of single rules."""

from __future__ import annotations

import json
from typing import Any

from transcript_tui.transcript.model import Message, MessageView
from transcript_tui.transcript.pipeline import Pipeline

Event = dict[str, Any]

STARTED: Event = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
FINISHED: Event = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
FAILED: Event = {"type": "RUN_ERROR", "message": "it broke"}


def event(type: str, **fields: Any) -> Event:
    return {"type": type, **fields}


def fed(*events: Event | bytes, **options: Any) -> Pipeline:
    """A pipeline after ``events``, its bytes not ended."""
    pipeline = Pipeline(**options)
    feed(pipeline, *events)
    return pipeline


def feed(pipeline: Pipeline, *events: Event | bytes) -> None:
    for one in events:
        pipeline.feed(one if isinstance(one, bytes) else json.dumps(one).encode())


def run(*events: Event | bytes, **options: Any) -> Pipeline:
    """A whole run around ``events``, and the end of the bytes."""
    pipeline = fed(STARTED, *events, FINISHED, **options)
    pipeline.end()
    assert pipeline.stream.violation is None
    return pipeline


def text(id: str, *deltas: str, **fields: Any) -> list[Event]:
    """A whole text message."""
    return [
        event("TEXT_MESSAGE_START", messageId=id, **fields),
        *(event("TEXT_MESSAGE_CONTENT", messageId=id, delta=delta) for delta in deltas),
        event("TEXT_MESSAGE_END", messageId=id),
    ]


def thought(id: str, *deltas: str) -> list[Event]:
    return [
        event("REASONING_MESSAGE_START", messageId=id, role="reasoning"),
        *(event("REASONING_MESSAGE_CONTENT", messageId=id, delta=delta) for delta in deltas),
        event("REASONING_MESSAGE_END", messageId=id),
    ]


def call(id: str, *deltas: str, name: str = "find", **fields: Any) -> list[Event]:
    return [
        event("TOOL_CALL_START", toolCallId=id, toolCallName=name, **fields),
        *(event("TOOL_CALL_ARGS", toolCallId=id, delta=delta) for delta in deltas),
        event("TOOL_CALL_END", toolCallId=id),
    ]


def result(call_id: str, id: str, content: Any = "done", **fields: Any) -> Event:
    return event("TOOL_CALL_RESULT", messageId=id, toolCallId=call_id, content=content, **fields)


def snapshot(*messages: Event) -> Event:
    return event("MESSAGES_SNAPSHOT", messages=list(messages))


def warned(pipeline: Pipeline) -> list[str]:
    return [one.rule for one in pipeline.stream.warnings]


def held(pipeline: Pipeline) -> list[Message]:
    return [entry for entry in pipeline.transcript.held() if isinstance(entry, Message)]


def views(pipeline: Pipeline, position: int | None = None) -> list[MessageView]:
    at = pipeline.transcript.length if position is None else position
    return [one.at(at) for one in pipeline.transcript.held(at) if isinstance(one, Message)]


def contents(pipeline: Pipeline) -> list[tuple[str, str, Any]]:
    return [(one["id"], one["role"], one.get("content")) for one in pipeline.transcript.messages()]


_ANSWER = {"id": "t", "role": "tool", "toolCallId": "c", "content": "found"}
CALLING: list[Event] = [
    STARTED, *text("m", "x"), *call("c", "{}", name="find", parentMessageId="m"),
    result("c", "t", "found"), *call("d", "{}", name="book"),
    event("MESSAGES_SNAPSHOT", messages=[{"id": "m", "role": "assistant", "content": ""}, _ANSWER]),
    event("MESSAGES_SNAPSHOT", messages=[_ANSWER]),
    event("MESSAGES_SNAPSHOT", messages=[
        {"id": "m", "role": "assistant", "content": "x", "toolCalls": [
            {"id": "c", "type": "function", "function": {"name": "seek", "arguments": ""}},
        ]},
        {"id": "t", "role": "tool", "toolCallId": "d", "content": "moved"},
    ]),
    *call("c", "{}", name="find"), result("d", "u", "again"), FINISHED,
]  # fmt: skip
"""A call that is answered, loses its answer, is itself taken away and comes back."""
