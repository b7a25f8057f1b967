"""Whatever is kept of what was looked through, changes are those of each payload."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.strategies import broken_streams, payloads, streams
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.transcript.stretches import STRETCH
from transcript_tui.transcript.transcript import Transcript


def one_by_one(transcript: Transcript, count: int, start: int, end: int) -> set[int] | None:
    found: set[int] = set()
    for number in range(start, min(end, transcript.length)):
        keys = transcript.changes(number, number + 1)
        if keys is None:
            return None
        found |= keys
    return {key for key in found if key < count}


@pytest.fixture(autouse=True, params=[STRETCH, 3])
def _stretch(request: pytest.FixtureRequest) -> Iterator[None]:
    """How many payloads a stretch has: a test has few."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("transcript_tui.transcript.stretches.STRETCH", request.param)
        yield


@given(st.one_of(streams().map(payloads), broken_streams()), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_they_are_the_same_however_far_apart(parts: list[bytes], data: st.DataObject) -> None:
    pipeline = Pipeline(keep_going=True)
    transcript = pipeline.transcript
    numbers = st.integers(0, len(parts) + 2)
    asked = data.draw(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=6))
    for part in [*parts, None]:
        pipeline.end() if part is None else pipeline.feed(part)
        for count, one, other in asked:
            expected = one_by_one(transcript, count, min(one, other), max(one, other))
            assert transcript.changes_among(count, one, other) == expected


def test_payloads_are_looked_through_once() -> None:
    deltas = [
        b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}' for _ in range(3 * STRETCH)
    ]
    pipeline = Pipeline()
    pipeline.feed_all([
        b'{"type":"RUN_STARTED","threadId":"t","runId":"r"}',
        b'{"type":"TEXT_MESSAGE_START","messageId":"m"}',
        *deltas,
    ])  # fmt: skip
    transcript = pipeline.transcript
    assert transcript.changes_among(2, 2, transcript.length) == {1}
    # What was looked through is not asked again, whatever became of it.
    transcript.touched[STRETCH] = 0
    assert transcript.changes_among(2, 2, transcript.length) == {1}
