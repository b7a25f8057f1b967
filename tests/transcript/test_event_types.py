"""Types of delivered events are the same however many payloads are taken at once."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.protocol.events import StepFinished
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.transcript.reduce import Fold, fold_payload
from transcript_tui.transcript.transcript import Transcript

EVENTS = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m"},
    *({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"} for _ in range(9)),
    {"type": "TEXT_MESSAGE_END", "messageId": "m"},
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"},
    *({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "1"} for _ in range(5)),
    {"type": "TOOL_CALL_END", "toolCallId": "c"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
]


@given(st.integers(1, len(EVENTS)), st.sampled_from(["types", "full"]))
def test_rows_of_deltas_are_recorded_one_by_one(step: int, record: str) -> None:
    pipeline = Pipeline(record_events="full" if record == "full" else "types")
    payloads = [json.dumps(event).encode() for event in EVENTS]
    for start in range(0, len(payloads), step):
        pipeline.feed_all(payloads[start : start + step])
    assert pipeline.stream.event_types() == [event["type"] for event in EVENTS]
    assert len(pipeline.stream.delivered) == (len(EVENTS) if record == "full" else 0)


def test_a_step_that_was_never_started_is_finished_without_a_word() -> None:
    """Verification lets none through; the reducer is total all the same (its law is random)."""
    transcript = Transcript()
    fold = Fold(transcript)
    fold.begin_stream([])
    fold.stamp = 0
    fold_payload(fold, (StepFinished(step_name="never"),))
    assert transcript.entries == []
