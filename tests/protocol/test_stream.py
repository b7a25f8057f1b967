"""A verifier's bookkeeping: numbers, verdicts, reading on, the end."""

from __future__ import annotations

import json

import pytest
from msgspec import UNSET

from tests.protocol.streams import FINISHED, STARTED, Json, event, judged, kinds, run, text
from transcript_tui.protocol.stream import Verifier

START = event("TEXT_MESSAGE_START", messageId="m")
CONTENT = event("TEXT_MESSAGE_CONTENT", messageId="m", delta="x")
END = event("TEXT_MESSAGE_END", messageId="m")


def step(verifier: Verifier, value: Json | bytes) -> str:
    verifier.step(value if isinstance(value, bytes) else json.dumps(value).encode())
    return verifier.verdict


def test_payloads_are_numbered_and_each_has_a_verdict() -> None:
    verifier = Verifier()
    verdicts = [
        step(verifier, each)
        for each in (
            STARTED,
            START,
            {**CONTENT, "future": 1},
            event("FUTURE"),
            event("TEXT_MESSAGE_CHUNK", messageId="q"),
            event("TEXT_MESSAGE_CHUNK"),
            {**CONTENT, "delta": 7},
            CONTENT,
            b"x",
        )
    ]
    assert verdicts == [
        "delivered",
        "delivered",
        "warned",
        "dropped",
        "delivered",
        "dropped",
        "rejected",
        "after",
        "after",
    ]
    assert verifier.events == 9
    assert verifier.violation is not None
    assert verifier.violation.event == 6
    assert [(warned.rule, warned.event) for warned in verifier.warnings] == [
        ("unknown-property", 2),
        ("unknown-event", 3),
    ]


def test_nothing_is_judged_after_a_violation() -> None:
    verifier, delivered = judged([STARTED, CONTENT, event("FUTURE"), *text(), FINISHED])
    assert kinds(delivered) == ["RUN_STARTED"]
    assert verifier.warnings == []
    assert verifier.after == []


def test_reading_on_leaves_out_what_offends_and_judges_the_rest() -> None:
    verifier, delivered = judged(
        [STARTED, CONTENT, START, b"{", CONTENT, END, END, FINISHED], keep_going=True
    )
    assert kinds(delivered) == [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    assert verifier.violation is not None
    assert (verifier.violation.rule, verifier.violation.event) == ("not-open", 1)
    assert [(found.rule, found.event) for found in verifier.after] == [
        ("not-json", 3),
        ("not-open", 6),
    ]


def test_reading_on_after_a_wrong_beginning_assumes_a_run() -> None:
    verifier, delivered = judged([START, *text(), FINISHED], keep_going=True)
    assert verifier.violation is not None
    assert verifier.violation.rule == "first-event"
    assert verifier.after == []
    assert kinds(delivered)[-1] == "RUN_FINISHED"


def test_a_run_that_begins_after_a_wrong_beginning_is_no_nested_run() -> None:
    custom = event("CUSTOM", name="n", value=1)
    verifier, delivered = judged([custom, STARTED, *text(), FINISHED], keep_going=True)
    assert verifier.violation is not None
    assert verifier.violation.rule == "first-event"
    assert verifier.after == []
    assert kinds(delivered)[0] == "RUN_STARTED"
    verifier, _ = judged([custom, STARTED, STARTED], keep_going=True)
    assert [found.rule for found in verifier.after] == ["run-nested"]


ELSEWHERE = {**STARTED, "threadId": "other", "runId": "q"}
ERROR = event("RUN_ERROR", message="m")


@pytest.mark.parametrize(
    ("before", "start"),
    [
        ([STARTED, FINISHED], ELSEWHERE),
        ([STARTED, ERROR], ELSEWHERE),
        ([], {**ELSEWHERE, "timestamp": None}),
        ([STARTED, FINISHED], {**ELSEWHERE, "timestamp": None}),
        ([ERROR], event("RUN_STARTED")),
    ],
)
def test_reading_on_after_a_rejected_start_assumes_its_run(before: list[Json], start: Json) -> None:
    end = {**FINISHED, "threadId": "other", "runId": "q"}
    verifier, delivered = judged([*before, start, *text(), end, *run()], keep_going=True)
    assert verifier.violation is not None
    assert verifier.violation.event == len(before)
    assert verifier.after == []
    ran = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]
    assert kinds(delivered)[len(before) :] == [*ran, "RUN_STARTED", "RUN_FINISHED"]


def test_an_assumed_run_that_is_cut_has_no_name() -> None:
    verifier, _ = judged([event("RUN_STARTED"), START], keep_going=True)
    assert [warned.message for warned in verifier.warnings] == [
        "The input ends with a run open: no RUN_FINISHED or RUN_ERROR came."
    ]


def test_a_rejected_start_inside_a_run_changes_nothing() -> None:
    wrong = {**STARTED, "timestamp": None}
    verifier, delivered = judged([STARTED, START, wrong, CONTENT, END, FINISHED], keep_going=True)
    assert verifier.after == []
    assert kinds(delivered)[-1] == "RUN_FINISHED"


def test_reading_on_after_an_end_that_came_too_early() -> None:
    verifier, delivered = judged([STARTED, START, FINISHED, END, FINISHED], keep_going=True)
    assert kinds(delivered)[-2:] == ["TEXT_MESSAGE_END", "RUN_FINISHED"]
    assert verifier.after == []


def test_one_event_may_deliver_some_and_break_a_rule() -> None:
    verifier = Verifier()
    step(verifier, STARTED)
    step(verifier, event("TEXT_MESSAGE_CHUNK", messageId="m", delta="x"))
    step(verifier, START | {"messageId": "z"})
    assert verifier.verdict == "delivered"
    step(verifier, event("TEXT_MESSAGE_CHUNK", messageId="m", delta="y"))
    delivered = verifier.step(json.dumps(START | {"messageId": "z"}).encode())
    assert kinds(delivered) == ["TEXT_MESSAGE_END"]
    assert verifier.verdict == "rejected"


@pytest.mark.parametrize(
    ("events", "phase"),
    [
        ([], "new"),
        ([STARTED], "active"),
        (run(), "finished"),
        ([event("RUN_ERROR", message="m")], "failed"),
    ],
)
def test_the_phase(events: list[Json], phase: str) -> None:
    assert judged(events)[0].phase == phase


def rules(verifier: Verifier) -> list[tuple[str, int | None]]:
    return [(warned.rule, warned.event) for warned in verifier.warnings]


def test_the_end_of_the_bytes() -> None:
    def ended(*events: Json, tail: bytes = b"") -> list[tuple[str, int | None]]:
        verifier, _ = judged(events, end=False)
        assert verifier.end(tail) == ()
        return rules(verifier)

    assert ended() == [("empty", None)]
    assert ended(event("FUTURE"))[1:] == [("empty", None)]
    assert ended(*run()) == []
    assert ended(STARTED) == [("truncated", None)]
    assert ended(STARTED, tail=b"data: {") == [("truncated", None)]
    assert ended(*run(), tail=b"data: {") == [("framing-end", None)]
    assert ended(tail=b"data: {") == [("framing-end", None), ("empty", None)]
    assert ended(CONTENT) == []
    assert ended(STARTED, CONTENT) == []


def test_the_end_when_reading_on() -> None:
    verifier, _ = judged([STARTED, CONTENT], keep_going=True)
    assert rules(verifier) == [("truncated", None)]


def test_what_the_wire_found() -> None:
    verifier = Verifier()
    verifier.framing("framing-bom")
    verifier.framing("framing-crlf")
    verifier.framing("framing-end")
    step(verifier, STARTED)
    verifier.framing("framing-end")
    assert rules(verifier) == [
        ("framing-bom", None),
        ("framing-crlf", None),
        ("framing-end", None),
        ("framing-end", 0),
    ]


def test_repeated_warnings_are_counted_per_type_and_path() -> None:
    extra = {**CONTENT, "future": 1}
    verifier, _ = judged(
        [
            STARTED,
            START,
            extra,
            {**extra, "more": 1},
            extra,
            {**END, "future": 1},
            event("A"),
            event("A"),
            event("B"),
        ],
        end=False,
    )
    assert [(w.rule, w.path, w.event, w.count) for w in verifier.warnings] == [
        ("unknown-property", "/future", 2, 3),
        ("unknown-property", "/more", 3, 1),
        ("unknown-property", "/future", 5, 1),
        ("unknown-event", None, 6, 2),
        ("unknown-event", None, 8, 1),
    ]


def test_versions_are_said_each_time() -> None:
    newer = {**STARTED, "protocolVersion": "1.2"}
    verifier, _ = judged([newer, FINISHED, newer, FINISHED])
    assert rules(verifier) == [("version", 0), ("version", 2)]
    assert "1.1" in verifier.warnings[0].message
    odd, _ = judged([{**STARTED, "protocolVersion": "draft"}], end=False)
    assert "cannot interpret" in odd.warnings[0].message


def test_the_fast_route_comes_back_after_events_that_it_cannot_take() -> None:
    odd = {**CONTENT, "future": 1}
    plain = [CONTENT] * 20
    verifier, delivered = judged(
        [STARTED, START, *[odd] * 20, *plain, *[odd] * 20, *plain, END, FINISHED]
    )
    assert verifier.violation is None
    assert len(delivered) == 84
    assert verifier.warnings[0].count == 40


def test_delivered_events_are_typed_and_absent_is_unset() -> None:
    _, (started, start) = judged([STARTED, START], end=False)
    assert started.thread_id == "t"
    assert start.role is UNSET


def test_a_huge_payload_is_no_trouble() -> None:
    big = {**CONTENT, "delta": "x[{" * 1_000_000}
    verifier, delivered = judged([STARTED, START, big, END, FINISHED])
    assert verifier.violation is None
    assert len(delivered[2].delta) == 3_000_000


def test_a_payload_that_nobody_read_is_refused_by_its_length() -> None:
    verifier, _ = judged([STARTED])
    verifier.oversized(1000)
    assert verifier.violation is not None
    assert (verifier.violation.rule, verifier.violation.event) == ("not-json", 1)
    assert "longer than 1,000 bytes" in verifier.violation.message
    assert verifier.verdict == "rejected"
    verifier.oversized(1000)
    assert (verifier.verdict, verifier.events, verifier.after) == ("after", 3, [])


def test_a_payload_that_is_left_out_is_only_counted() -> None:
    verifier, _ = judged([STARTED], end=False)
    verifier.left_out()
    assert (verifier.verdict, verifier.events, verifier.warnings) == ("dropped", 2, [])
    verifier.step(b"no JSON")
    verifier.left_out()
    assert verifier.violation is not None
    assert (verifier.violation.event, verifier.verdict, verifier.events) == (2, "after", 4)


def test_deep_nesting_is_refused_in_words() -> None:
    deep = b'{"type":"RAW","event":' + b"[" * 255 + b"]" * 255 + b"}"
    verifier, delivered = judged([STARTED, deep], end=False)
    assert len(delivered) == 2
    verifier, _ = judged([STARTED, b'{"type":"RAW","event":' + b"[" * 256 + b"]" * 256 + b"}"])
    assert verifier.violation is not None
    assert "nested deeper than 256" in verifier.violation.message
