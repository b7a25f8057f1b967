"""Deltas in a row are what stepping them one by one would deliver."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, structs

from tests.protocol.rows import rows
from tests.protocol.streams import STARTED, Json, encoded, event, judged, streams
from transcript_tui.protocol.deltas import Growing
from transcript_tui.protocol.events import Expanded, TextMessageContent
from transcript_tui.protocol.stream import Verifier

START = event("TEXT_MESSAGE_START", messageId="m")


def content(delta: str = "x", **fields: object) -> Json:
    return event("TEXT_MESSAGE_CONTENT", messageId="m", delta=delta, **fields)


def by_rows(payloads: list[bytes], verifier: Verifier) -> list[Expanded]:
    """What is delivered when rows are taken wherever one may begin."""
    delivered: list[Expanded] = []
    source: Iterator[bytes] = iter(payloads)
    payload = next(source, None)
    while payload is not None:
        events = verifier.step(payload)
        delivered += events
        last = events[-1] if len(events) == 1 else None
        if isinstance(last, Growing):
            row: list[str] = []
            payload = verifier.row(source, last, row)
            delivered += [structs.replace(last, delta=delta, metadata=UNSET) for delta in row]
        else:
            payload = next(source, None)
    return delivered


def plain(events: list[Expanded]) -> list[object]:
    """Events without what a row does not carry, because nothing depends on it."""
    bare = {"timestamp": UNSET, "raw_event": UNSET}
    return [structs.replace(each, **bare) for each in events]


def check_rows(events: list[Json], going: bool) -> None:
    payloads = encoded(events)
    stepped, expected = judged(payloads, end=False, keep_going=going, fast=False)
    verifier = Verifier(keep_going=going)
    delivered = by_rows(payloads, verifier)
    assert plain(delivered) == plain(expected)
    assert verifier.events == stepped.events
    assert verifier.violation == stepped.violation
    assert verifier.after == stepped.after
    assert verifier.warnings == stepped.warnings


@given(streams, st.booleans())
def test_rows_deliver_what_steps_deliver(events: list[Json], going: bool) -> None:
    check_rows(events, going)


@given(rows, st.sampled_from([True, True, False]))
def test_rows_of_chunks_deliver_what_steps_deliver(events: list[Json], going: bool) -> None:
    check_rows(events, going)


def row_after(first: Json, *later: Json | bytes, **options: bool) -> tuple[list[str], bytes | None]:
    verifier, _ = judged([STARTED, START], end=False, **options)
    (delta,) = verifier.step(json.dumps(first).encode())
    assert isinstance(delta, TextMessageContent)
    payloads = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in later]
    row: list[str] = []
    return row, verifier.row(iter(payloads), delta, row)


def test_a_row_goes_on_to_its_end() -> None:
    assert row_after(content(), content("a"), content("b", timestamp=1)) == (["a", "b"], None)


def test_a_row_ends_at_anything_else() -> None:
    for other in (
        event("TEXT_MESSAGE_END", messageId="m"),
        event("TEXT_MESSAGE_CONTENT", messageId="z", delta="x"),
        content(subagentRunId="s"),
        content(metadata={}),
        content(future=1),
        content("x" * 1000),
        b"{",
    ):
        payload = other if isinstance(other, bytes) else json.dumps(other).encode()
        assert row_after(content(), content("a"), other, content("b")) == (["a"], payload)


def test_no_row_where_every_event_must_be_stepped() -> None:
    later = json.dumps(content("a")).encode()
    assert row_after(content(), later, fast=False) == ([], later)
    assert row_after(content()) == ([], None)


CHUNKED = {
    "text": event("TEXT_MESSAGE_CHUNK", messageId="m", role="user"),
    "call": event("TOOL_CALL_CHUNK", toolCallId="m", toolCallName="f"),
    "reasoning": event("REASONING_MESSAGE_CHUNK", messageId="m"),
}


@pytest.mark.parametrize("owner", [{}, {"subagentRunId": "s"}], ids=["parent", "subagent"])
@pytest.mark.parametrize("kind", CHUNKED)
def test_chunks_of_an_item_are_a_row(kind: str, owner: Json) -> None:
    first = {**CHUNKED[kind], **owner}
    bare = {"type": first["type"], "delta": "x", **owner}
    again = {**first, "delta": "y", "timestamp": 7}
    verifier, _ = judged([STARTED, first], end=False)
    (delta,) = verifier.step(encoded([bare])[0])
    assert isinstance(delta, Growing)
    for other in (
        {**bare, "metadata": {}},
        {key: value for key, value in first.items() if key != "delta"},
        {**again, "messageId": "z"} if "messageId" in first else {**again, "toolCallId": "z"},
        {**bare, "subagentRunId": "other"},
        event("RAW", event=1),
        event("STEP_STARTED", stepName="s"),
    ):
        row: list[str] = []
        rest = verifier.row(iter(encoded([bare, again, other, bare])), delta, row)
        assert (row, rest) == (["x", "y"], encoded([other])[0])


def test_a_chunk_that_contradicts_its_opener_is_not_of_the_row() -> None:
    verifier, _ = judged([STARTED, CHUNKED["text"]], end=False)
    bare = event("TEXT_MESSAGE_CHUNK", delta="x")
    (delta,) = verifier.step(encoded([bare])[0])
    assert isinstance(delta, Growing)
    wrong = encoded([{**bare, "role": "system"}])
    assert verifier.row(iter(wrong), delta, []) == wrong[0]
