"""Owners where a snapshot restates what is open, and lanes by the thousand."""

from __future__ import annotations

import time

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


def _lanes(count: int) -> float:
    """CPU seconds to open a lane for each of many subagents, and to name other items then."""
    chunks = [
        event("TEXT_MESSAGE_CHUNK", messageId=f"m{i}", delta="x", subagentRunId=f"s{i}")
        for i in range(count)
    ]
    starts = [
        event("TEXT_MESSAGE_START", messageId=f"q{i}", subagentRunId="other") for i in range(count)
    ]
    begun = time.process_time()
    verifier, _ = judged([STARTED, *chunks, *starts])
    assert verifier.violation is None
    return time.process_time() - begun


def test_many_lanes_cost_each_the_same() -> None:
    _lanes(100)
    # Scanning all lanes for each event made it 10 times for twice as many and worse.
    assert min(_lanes(4000) for _ in range(2)) < 12 * min(_lanes(1000) for _ in range(2))
