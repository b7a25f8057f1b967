"""Deltas in a row are what stepping them one by one would deliver."""

from __future__ import annotations

import json
from collections.abc import Iterator

from hypothesis import given
from msgspec import structs

from tests.protocol.streams import STARTED, Json, encoded, event, judged, streams
from transcript_tui.protocol.events import Expanded, TextMessageContent, ToolCallArgs
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
        if isinstance(last, TextMessageContent | ToolCallArgs):
            row: list[str] = []
            payload = verifier.row(source, last, row)
            delivered += [structs.replace(last, delta=delta) for delta in row]
        else:
            payload = next(source, None)
    return delivered


def plain(events: list[Expanded]) -> list[object]:
    """Events without what a row does not carry, because nothing depends on it."""
    bare = {"timestamp": None, "raw_event": None, "metadata": None}
    return [structs.replace(each, **bare) for each in events]


@given(streams)
def test_rows_deliver_what_steps_deliver(events: list[Json]) -> None:
    payloads = encoded(events)
    stepped, expected = judged(payloads, end=False)
    verifier = Verifier()
    delivered = by_rows(payloads, verifier)
    assert plain(delivered) == plain(expected)
    assert verifier.events == stepped.events
    assert verifier.violation == stepped.violation
    assert verifier.warnings == stepped.warnings


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
