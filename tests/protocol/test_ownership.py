"""Owners where a snapshot restates what is open, and lanes by the thousand."""

from __future__ import annotations

import pytest

from tests.protocol.streams import STARTED, Json, event, judged

S1 = {"subagentRunId": "s1"}
S2 = {"subagentRunId": "s2"}
CALL = {"id": "x", "type": "function", "function": {"name": "f", "arguments": ""}}

ITEMS: dict[str, tuple[Json, Json, Json]] = {
    "text": (
        event("TEXT_MESSAGE_START", messageId="x", **S1),
        {"id": "x", "role": "assistant", "content": ""},
        event("TEXT_MESSAGE_END", messageId="x"),
    ),
    "reasoning": (
        event("REASONING_MESSAGE_START", messageId="x", role="reasoning", **S1),
        {"id": "x", "role": "reasoning", "content": ""},
        event("REASONING_MESSAGE_END", messageId="x"),
    ),
    "span": (
        event("REASONING_START", messageId="x", **S1),
        {"id": "x", "role": "reasoning", "content": ""},
        event("REASONING_END", messageId="x"),
    ),
    "call": (
        event("TOOL_CALL_START", toolCallId="x", toolCallName="f", **S1),
        {"id": "m", "role": "assistant", "toolCalls": [CALL]},
        event("TOOL_CALL_END", toolCallId="x"),
    ),
}


def _rule(start: Json, message: Json, end: Json) -> str | None:
    snapshot = event("MESSAGES_SNAPSHOT", messages=[message])
    verifier, _ = judged([STARTED, start, snapshot, end])
    return None if verifier.violation is None else verifier.violation.rule


@pytest.mark.parametrize("item", ITEMS)
def test_a_snapshot_says_whose_an_open_item_is(item: str) -> None:
    """events/state: it establishes each message's ownership through the messages it contains."""
    start, message, end = ITEMS[item]
    assert _rule(start, message, {**end, **S1}) == "owner"
    assert _rule(start, message, end) is None
    assert _rule(start, {**message, **S2}, {**end, **S2}) is None
    assert _rule(start, {**message, **S2}, {**end, **S1}) == "owner"
    assert _rule(start, {**message, **S1}, {**end, **S1}) is None


def test_an_echoed_input_puts_owners_on_record() -> None:
    echo = {
        "threadId": "t",
        "runId": "r",
        "messages": [{"id": "x", "role": "user", "content": "", **S2}],
    }
    verifier, _ = judged(
        [{**STARTED, "input": echo}, event("TEXT_MESSAGE_START", messageId="x", **S1)]
    )
    assert verifier.violation is not None
    assert verifier.violation.rule == "owner"
