"""The likely cause, where it is known."""

from __future__ import annotations

import json

import pytest

from tests.conformance.test_cases import VERDICTS
from tests.conftest import shared_path
from tests.protocol.streams import FINISHED, STARTED, Json, event, judged, run
from transcript_tui.protocol import likely
from transcript_tui.wire import Frame, open_reader

CONTENT = b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"hello"}'


@pytest.mark.parametrize(
    ("payload", "cause"),
    [
        (b"", likely.EMPTY),
        (b"[DONE]", likely.SENTINEL),
        (b"null", likely.SENTINEL),
        (b"<html><body>502 Bad Gateway", likely.MARKUP),
        (b"<!DOCTYPE html>", likely.MARKUP),
        (b"data: " + CONTENT, likely.TWICE),
        (b"event: message", likely.TWICE),
        (b": ping", likely.HEARTBEAT),
        (CONTENT[:30] + b'": heartbeat', likely.HEARTBEAT),
        (CONTENT[:20] + b": keep-alive\n" + CONTENT[20:], likely.HEARTBEAT),
        (CONTENT[:30] + b"data: " + CONTENT, likely.GLUED),
        (CONTENT + CONTENT, likely.SEVERAL),
        (CONTENT + b"\n" + CONTENT, likely.SEVERAL),
        (b"[" + CONTENT + b"," + CONTENT + b"]", likely.SEVERAL),
        (b"{", likely.PRETTY),
        (b'"type": "RAW",', likely.PRETTY),
        (b'{"type":"RAW","event":NaN}', likely.NOT_A_NUMBER),
        (b'{"type":"RAW","event":[-Infinity]}', likely.NOT_A_NUMBER),
        (b"{'type': 'RAW', 'event': 1}", likely.PYTHON),
        (b'{"type": "RAW", "event": None}', likely.PYTHON),
        (CONTENT[:30], likely.CUT),
        (CONTENT[30:], likely.CUT),
        (b'{"type":"RAW","event":"a\nb"}', likely.CONTROL),
        (b'{"type":"RAW","event":1,}', None),
        (b"hello", None),
        (b"7", None),
    ],
)
def test_causes_of_text_that_is_no_object(payload: bytes, cause: str | None) -> None:
    verifier, _ = judged([STARTED, payload])
    assert verifier.violation is not None
    assert verifier.violation.rule == "not-json"
    assert verifier.violation.likely == cause


def test_both_ends_of_a_huge_payload_are_looked_at() -> None:
    filler = b'"' + b"x" * 200_000 + b'"'
    assert likely.cause_of_text(b'{"a":' + filler + b"}{" + filler) == likely.CUT
    assert likely.cause_of_text(b"<html>" + filler) == likely.MARKUP
    assert likely.cause_of_text(b'{"a":' + filler + b',"b":NaN}') == likely.NOT_A_NUMBER


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (event("TEXT_MESSAGE_CONTENT", message_id="m", delta="x"), "snake_case"),
        (event("TOOL_CALL_START", tool_call_id="m", tool_call_name="x"), "snake_case"),
        (event("RUN_STARTED", thread_id="t", run_id="r"), "snake_case"),
        (event("TEXT_MESSAGE_CONTENT", messageId="m", delta=None), "empty fields"),
        ({"error": {"message": "boom"}}, "wrapped"),
        ({"event": {"type": "RAW"}}, "wrapped"),
        (event("RUN_STARTED", runId="r"), "without the ids"),
        (event("RUN_STARTED", threadId="t", runId="r", timestamp=1.5), "whole milliseconds"),
        (event("STATE_DELTA", delta={"a": 1}), "JSON Patch"),
        (event("STATE_DELTA", delta=[{"op": "remove", "path": "a.b"}]), "slash"),
        (event("TEXT_MESSAGE_START", messageId="m", role="tool"), "TOOL_CALL_RESULT"),
        (event("TEXT_MESSAGE_START", messageId="m", role="model"), "mapped"),
        ({**FINISHED, "outcome": "success"}, "names its type"),
        (event("TEXT_MESSAGE_CONTENT", messageId="m", text="x"), "delta is here under another"),
    ],
)
def test_causes_of_malformed_events(value: Json, words: str) -> None:
    verifier, _ = judged([value] if value.get("type") == "RUN_STARTED" else [STARTED, value])
    assert verifier.violation is not None
    assert words in (verifier.violation.likely or "")


def test_a_part_without_its_type_is_no_wrapped_event() -> None:
    parts = event("TOOL_CALL_RESULT", messageId="m", toolCallId="c", content=[{"text": "x"}])
    verifier, _ = judged([STARTED, parts])
    assert verifier.violation is not None
    assert verifier.violation.path == "/content/0/type"
    assert verifier.violation.likely is None


def test_an_unexplained_fault_has_no_cause() -> None:
    verifier, _ = judged([STARTED, event("TEXT_MESSAGE_CONTENT", messageId="m", delta=7)])
    assert verifier.violation is not None
    assert verifier.violation.likely is None


START = event("TEXT_MESSAGE_START", messageId="m")
END = event("TEXT_MESSAGE_END", messageId="m")
ERROR = event("RUN_ERROR", message="m")
SUB = event("SUBAGENT_STARTED", subagentRunId="s", name="n")
SUB_END = event("SUBAGENT_FINISHED", subagentRunId="s")
CALL_OF_M = event(
    "TOOL_CALL_START", toolCallId="c", toolCallName="f", parentMessageId="m", subagentRunId="z"
)
CHUNK = event("TEXT_MESSAGE_CHUNK", messageId="m")
ASKED = {"id": "i", "reason": "ask"}


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([STARTED, ERROR, FINISHED], "always sends RUN_FINISHED"),
        ([STARTED, ERROR, END], "cleans up"),
        ([*run(), END], "cleans up"),
        ([*run(), START], "goes on sending"),
        (run(START), "TEXT_MESSAGE_END never comes"),
        (run(START, END, END), "after its TEXT_MESSAGE_END"),
        (run(END), "is missing"),
        (run(START, START), "never sent"),
        ([START], "never sends RUN_STARTED"),
        ([STARTED, STARTED], "never sent"),
        ([STARTED, {**FINISHED, "runId": "x"}], "new id"),
        ([*run(), {**STARTED, "threadId": "x"}], "anew for each run"),
        (
            run(
                event("STEP_STARTED", stepName="s"),
                event("STEP_FINISHED", stepName="s", subagentRunId="a"),
            ),
            "open under",
        ),
        (run(event("STEP_FINISHED", stepName="s")), "STEP_STARTED is missing"),
        (run(*[event("STEP_STARTED", stepName="s")] * 2), "STEP_FINISHED was never sent"),
        (run(*[SUB] * 2), "Its end was never sent"),
        (run(SUB, SUB_END, SUB_END), "sent twice"),
        (run(SUB_END), "SUBAGENT_STARTED is missing"),
        (run({**SUB, "parentSubagentRunId": "p"}), "parent's SUBAGENT_STARTED"),
        (run(START, {**END, "subagentRunId": "s"}), "whichever agent is at work"),
        (run({**START, "subagentRunId": "s"}, CALL_OF_M), "another agent"),
        ([STARTED, {**FINISHED, "outcome": {"type": "interrupt", "interrupts": []}}], "success"),
        (
            [STARTED, {**FINISHED, "outcome": {"type": "interrupt", "interrupts": [ASKED] * 2}}],
            "listed twice",
        ),
        (run(event("TEXT_MESSAGE_CHUNK", delta="x")), "first chunk is missing"),
        (run(event("TOOL_CALL_CHUNK", toolCallId="c")), "first chunk only"),
        (run(CHUNK, {**CHUNK, "role": "user"}), "defaults"),
        (run(CHUNK, event("CUSTOM", name="n", value=1), {"type": CHUNK["type"]}), "CUSTOM ended"),
        (
            run(
                {**CHUNK, "subagentRunId": "a"},
                {**CHUNK, "messageId": "z", "subagentRunId": "b"},
                {"type": CHUNK["type"], "delta": "x"},
            ),
            "Several agents",
        ),
    ],
)
def test_causes_of_wrong_sequences(events: list[Json], words: str) -> None:
    verifier, _ = judged(events)
    assert verifier.violation is not None
    assert words in (verifier.violation.likely or "")


CASES = {
    "A1.jsonl": "always sends RUN_FINISHED",
    "A4.jsonl": "cleans up",
    "A5.jsonl": "TEXT_MESSAGE_END never comes",
    "A8.jsonl": "without the ids",
    "A14.jsonl": "after its TEXT_MESSAGE_END",
    "A19.jsonl": "sent twice",
    "A23.jsonl": "empty fields",
    "A35.jsonl": "json.dumps",
    "A55.sse": "heartbeat",
    "A58.sse": "sentinel",
    "A59.sse": "glued",
    "A62.jsonl": "empty fields",
}


def test_every_case_that_is_rejected_has_a_cause() -> None:
    assert {name.partition(".")[0] for name in CASES} == set(VERDICTS)


@pytest.mark.parametrize("name", CASES)
def test_the_cases_from_public_reports_have_their_causes(name: str) -> None:
    reader = open_reader()
    pieces = reader.feed(shared_path("cases", name).read_bytes()) + reader.end()
    verifier, _ = judged([piece.payload for piece in pieces if isinstance(piece, Frame)])
    assert verifier.violation is not None
    assert CASES[name] in (verifier.violation.likely or "")


def test_messages_name_the_ids_concerned() -> None:
    verifier, _ = judged(run(*({**START, "messageId": json.dumps(n)} for n in range(12))))
    assert verifier.violation is not None
    assert "text message '0'" in verifier.violation.message
    assert "and 2 more" in verifier.violation.message


def test_messages_are_short_and_printable_whatever_a_producer_writes() -> None:
    nasty = "\x1b[31m\ud83d" + "x" * 10_000
    for events in (
        [STARTED, {**START, "messageId": nasty}, {**START, "messageId": nasty}],
        [STARTED, {**START, "role": nasty}],
        [
            {**STARTED, "protocolVersion": nasty, nasty: 1},
            event(nasty),
            {**FINISHED, "runId": nasty},
        ],
        [
            STARTED,
            {**FINISHED, "outcome": {"type": nasty}},
            {**FINISHED, "outcome": {"type": nasty}},
        ],
        [STARTED, event("THINKING_START", title=nasty), {**START, "metadata": nasty}],
        [
            STARTED,
            event("TEXT_MESSAGE_CHUNK", messageId=nasty, name=nasty),
            event("TEXT_MESSAGE_CHUNK", messageId=nasty, name="n"),
        ],
    ):
        verifier, _ = judged(events)
        found = [warned.message for warned in verifier.warnings]
        if verifier.violation is not None:
            found += [verifier.violation.message, verifier.violation.likely or ""]
        assert len(found) >= 1
        for message in found:
            assert message.isprintable()
            assert len(message) < 1500


@pytest.mark.parametrize(
    ("value", "cause"), [({"hits": 2}, likely.STRUCTURED), (2, None), ("2 hits", None)]
)
def test_a_result_that_is_no_text(value: object, cause: str | None) -> None:
    result = event("TOOL_CALL_RESULT", messageId="m", toolCallId="c", content=value)
    verifier, _ = judged([STARTED, result, FINISHED])
    assert (verifier.violation and verifier.violation.likely) == cause
