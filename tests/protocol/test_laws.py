"""Laws of the pipeline up to delivered events."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.protocol.streams import (
    Json,
    encoded,
    judged,
    kinds,
    streams,
    valid_streams,
)
from transcript_tui.protocol.events import KINDS
from transcript_tui.protocol.rules import RULES
from transcript_tui.protocol.stream import Verifier
from transcript_tui.wire import jsontext

BYTES = st.one_of(
    st.binary(max_size=30),
    st.sampled_from(
        [
            b"",
            b"null",
            b"[]",
            b"[DONE]",
            b'{"type":"RAW","event":NaN}',
            b'{"type":"RUN_ERROR","type":"RUN_STARTED","threadId":"t","runId":"r"}',
            b'{"type":"RUN_STARTED","threadId":"t","runId":"r","runId":"q"}',
            b'{"type":"RUN_STARTED","threadId":"t","runId":"\\ud83d"}',
            b'{"type":"RUN_STARTED","threadId":"\xff","runId":"r"}',
            b'{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1.0}',
            b'{"type":"RUN_STARTED","threadId":"t","runId":"r","timestamp":1e400}',
            b'{"type":"RAW","event":123456789012345678901234567890}',
            b'{"type":"RAW","event":' + b"7" * 5000 + b"}",
            b'{"type":"RAW","event":' + b"[" * 200 + b"]" * 200 + b"}",
            b'{"type":"RAW","event":' + b"[" * 2000 + b"]" * 2000 + b"}",
        ]
    ),
)


def finding(verifier: Verifier) -> tuple[Any, ...]:
    """All that a verifier says."""
    return (
        verifier.violation,
        verifier.after,
        verifier.warnings,
        verifier.events,
        verifier.phase,
        verifier.verdict,
    )


@given(valid_streams())
def test_valid_streams_are_accepted_without_a_warning(events: list[Json]) -> None:
    verifier, delivered = judged(events)
    assert verifier.violation is None
    assert verifier.warnings == []
    assert len(delivered) >= 1


@given(streams, st.booleans())
def test_the_fast_route_says_what_the_general_route_says(events: list[Json], going: bool) -> None:
    fast, delivered = judged(events, keep_going=going)
    slow, expected = judged(events, keep_going=going, fast=False)
    assert delivered == expected
    assert finding(fast) == finding(slow)


@given(st.lists(BYTES, max_size=6), st.booleans())
def test_the_routes_agree_on_any_bytes_and_never_raise(data: list[bytes], going: bool) -> None:
    fast, delivered = judged(data, keep_going=going)
    slow, expected = judged(data, keep_going=going, fast=False)
    assert delivered == expected
    assert finding(fast) == finding(slow)


def big() -> int:
    """A function: Hypothesis looks into lambdas and values, and cannot print such a number."""
    return 10**4999


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.floats(allow_nan=False)
        | st.integers()
        | st.builds(big)
        | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["type", "id", "role", "content", "messages", "op", "path", "x", "title"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=10,
    ),
    st.sampled_from(sorted(KINDS)),
)
def test_any_value_of_any_kind_has_a_verdict(value: Any, kind: str) -> None:
    fields = value if isinstance(value, dict) else {"content": value}
    payload = jsontext.dumps({**fields, "type": kind}).encode()
    for fast in (True, False):
        verifier = Verifier(fast=fast)
        verifier.step(b'{"type":"RUN_STARTED","threadId":"t","runId":"r"}')
        verifier.step(payload)
        verifier.end()
        for finding in (*verifier.warnings, *filter(None, [verifier.violation])):
            assert finding.rule in RULES
            assert finding.message


@given(streams)
def test_what_stands_before_a_violation_is_the_accepted_prefix(events: list[Json]) -> None:
    verifier, delivered = judged(events)
    if verifier.violation is None:
        return
    prefix, before = judged(events[: verifier.violation.event], end=False)
    assert prefix.violation is None
    assert delivered[: len(before)] == before
    # Only ends of items that chunks had opened may come between.
    assert all(
        kind.endswith("_END") or kind.endswith("_START") for kind in kinds(delivered[len(before) :])
    )


@given(valid_streams())
def test_chunks_say_what_their_expansion_says(events: list[Json]) -> None:
    from msgspec import to_builtins

    _, delivered = judged(events)
    spelled_out = [to_builtins(event) for event in delivered]
    verifier, again = judged([json.dumps(event).encode() for event in spelled_out])
    assert verifier.violation is None
    assert again == delivered


@given(streams)
def test_counts_add_up(events: list[Json]) -> None:
    verifier, _ = judged(events)
    assert verifier.events == len(events)
    assert all(warned.count >= 1 for warned in verifier.warnings)


@given(streams)
def test_reading_on_delivers_at_least_what_was_accepted(events: list[Json]) -> None:
    verifier, delivered = judged(events)
    onward, more = judged(events, keep_going=True)
    assert onward.violation == verifier.violation
    assert more[: len(delivered)] == delivered


@given(streams)
def test_encoding_does_not_matter(events: list[Json]) -> None:
    compact = judged(encoded(events))
    spaced = judged([json.dumps(event, ensure_ascii=True, indent=1).encode() for event in events])
    assert compact[1] == spaced[1]
    assert finding(compact[0]) == finding(spaced[0])
