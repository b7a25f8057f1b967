"""What chunks stand for, event by event."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins

from tests.protocol.streams import STARTED, Json, event, judged, kinds, run
from transcript_tui.protocol.stream import Verifier


def chunk(family: str, **fields: Any) -> Json:
    return event(f"{family}_CHUNK", **fields)


def expansion(*events: Json) -> list[Json]:
    verifier, delivered = judged([STARTED, *events], end=False)
    assert verifier.violation is None
    return [to_builtins(each) for each in delivered[1:]]


M = {"messageId": "m"}
C = {"toolCallId": "c"}
S1 = {"subagentRunId": "s1"}
FULL = {"metadata": {"k": 1}, "rawEvent": {"p": 1}}


def test_a_first_text_chunk() -> None:
    assert expansion(
        chunk("TEXT_MESSAGE", **M, delta="x", name="n", timestamp=1, **S1, **FULL)
    ) == [
        event("TEXT_MESSAGE_START", **M, role="assistant", name="n", **S1, metadata={"k": 1}),
        event("TEXT_MESSAGE_CONTENT", **M, delta="x", **S1, **FULL),
    ]


def test_a_first_tool_chunk() -> None:
    fields = {**C, "toolCallName": "f", "parentMessageId": "m"}
    assert expansion(chunk("TOOL_CALL", **fields, delta="{", **S1, **FULL)) == [
        event("TOOL_CALL_START", **fields, **S1, metadata={"k": 1}),
        event("TOOL_CALL_ARGS", **C, delta="{", **S1, **FULL),
    ]


def test_a_first_reasoning_chunk() -> None:
    assert expansion(chunk("REASONING_MESSAGE", **M, delta="x", **S1, **FULL)) == [
        event("REASONING_MESSAGE_START", **M, role="reasoning", **S1, metadata={"k": 1}),
        event("REASONING_MESSAGE_CONTENT", **M, delta="x", **S1, **FULL),
    ]


FIRST = [
    (chunk("TEXT_MESSAGE", **M), "TEXT_MESSAGE", "CONTENT", M),
    (chunk("TOOL_CALL", **C, toolCallName="f"), "TOOL_CALL", "ARGS", C),
    (chunk("REASONING_MESSAGE", **M), "REASONING_MESSAGE", "CONTENT", M),
]


@pytest.mark.parametrize(("first", "family", "content", "id"), FIRST)
def test_continuations(first: Json, family: str, content: str, id: Json) -> None:
    kind = f"{family}_{content}"
    assert kinds_of(first) == [f"{family}_START"]
    for fields, expected in (
        ({"delta": "x"}, [event(kind, **id, delta="x")]),
        ({"delta": "x", **id}, [event(kind, **id, delta="x")]),
        ({"delta": ""}, [event(kind, **id, delta="")]),
        ({"delta": "x", **FULL}, [event(kind, **id, delta="x", **FULL)]),
        ({}, []),
        (id, []),
        ({"metadata": {}}, [event(kind, **id, delta="", metadata={})]),
        ({"rawEvent": 1}, [event(kind, **id, delta="", rawEvent=1)]),
        ({"timestamp": 1}, []),
    ):
        assert expansion(first, chunk(family, **fields))[1:] == expected


@pytest.mark.parametrize(("first", "family", "content", "id"), FIRST)
def test_owners_of_continuations(first: Json, family: str, content: str, id: Json) -> None:
    kind = f"{family}_{content}"
    opener = {**first, **S1}
    for fields in ({}, S1, id, {**id, **S1}):
        later = expansion(opener, chunk(family, delta="x", **fields))[1:]
        assert later == [event(kind, **id, delta="x", **S1)]
    assert expansion(opener, event("CUSTOM", name="n", value=1, **S1))[1:2] == [
        event(f"{family}_END", **id, **S1)
    ]


def kinds_of(*events: Json) -> list[str]:
    return [each["type"] for each in expansion(*events)]


@pytest.mark.parametrize(
    ("closer", "owner"),
    [
        (event("TEXT_MESSAGE_START", messageId="z"), None),
        (event("TOOL_CALL_START", toolCallId="z", toolCallName="f"), None),
        (event("TOOL_CALL_RESULT", messageId="z", toolCallId="z", content=""), None),
        (event("STATE_SNAPSHOT", snapshot=1), None),
        (event("STATE_DELTA", delta=[]), None),
        (event("CUSTOM", name="n", value=1), None),
        (event("STEP_STARTED", stepName="s"), None),
        (event("REASONING_START", messageId="z"), None),
        (event("REASONING_MESSAGE_START", messageId="z", role="reasoning"), None),
        (chunk("TOOL_CALL", **C, toolCallName="f"), None),
        (chunk("REASONING_MESSAGE", messageId="z"), None),
        (chunk("TEXT_MESSAGE", messageId="z"), None),
        (event("MESSAGES_SNAPSHOT", messages=[]), None),
        (event("MESSAGES_SNAPSHOT", messages=[]), "s1"),
        (event("RUN_ERROR", message="m"), "s1"),
        (event("STATE_SNAPSHOT", snapshot=1, **S1), "s1"),
    ],
)
def test_what_closes_a_lane(closer: Json, owner: str | None) -> None:
    opener = chunk("TEXT_MESSAGE", **M, **({"subagentRunId": owner} if owner else {}))
    found = kinds_of(opener, closer)
    assert found[:2] == ["TEXT_MESSAGE_START", "TEXT_MESSAGE_END"]


@pytest.mark.parametrize(
    ("aside", "owner"),
    [
        (event("RAW", event=1), None),
        (event("ACTIVITY_SNAPSHOT", messageId="a", activityType="t", content={}), None),
        (event("ACTIVITY_DELTA", messageId="a", activityType="t", patch=[]), None),
        (
            event("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="m", encryptedValue="v"),
            None,
        ),
        (event("SUBAGENT_STARTED", **S1, name="n"), None),
        (event("STATE_SNAPSHOT", snapshot=1), "s1"),
        (event("STATE_SNAPSHOT", snapshot=1, **S1), None),
        (chunk("TEXT_MESSAGE", messageId="z", **S1), None),
        (event("FUTURE"), None),
    ],
)
def test_what_leaves_a_lane_open(aside: Json, owner: str | None) -> None:
    opener = chunk("TEXT_MESSAGE", **M, **({"subagentRunId": owner} if owner else {}))
    assert "TEXT_MESSAGE_END" not in kinds_of(opener, aside)


def test_a_subagents_end_closes_its_lane_and_no_other() -> None:
    events = [
        event("SUBAGENT_STARTED", **S1, name="n"),
        chunk("TEXT_MESSAGE", **M, **S1),
        chunk("TEXT_MESSAGE", messageId="p"),
        event("SUBAGENT_FINISHED", **S1),
    ]
    assert kinds_of(*events)[-2:] == ["TEXT_MESSAGE_END", "SUBAGENT_FINISHED"]
    assert expansion(*events, chunk("TEXT_MESSAGE", delta="x"))[-1] == event(
        "TEXT_MESSAGE_CONTENT", messageId="p", delta="x"
    )


def test_run_level_events_close_every_lane_in_the_order_of_opening() -> None:
    verifier, delivered = judged(
        run(chunk("TEXT_MESSAGE", **M, **S1), chunk("TOOL_CALL", **C, toolCallName="f"))
    )
    assert verifier.violation is None
    assert kinds(delivered)[-3:] == ["TEXT_MESSAGE_END", "TOOL_CALL_END", "RUN_FINISHED"]


def test_an_explicit_event_for_an_assembled_id_ends_the_shorthand_first() -> None:
    for tag in ({}, S1):
        verifier, delivered = judged(
            [
                STARTED,
                chunk("TEXT_MESSAGE", **M, **tag, delta="x"),
                event("TEXT_MESSAGE_CONTENT", **M, delta="y"),
            ]
        )
        assert kinds(delivered)[-1] == "TEXT_MESSAGE_END"
        assert verifier.violation is not None
        assert verifier.violation.rule == "not-open"


def test_an_explicit_start_reopens_what_chunks_had_opened() -> None:
    assert kinds_of(chunk("TEXT_MESSAGE", **M), event("TEXT_MESSAGE_START", **M)) == [
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_END",
        "TEXT_MESSAGE_START",
    ]


def test_a_rejected_first_chunk_leaves_nothing_to_continue() -> None:
    for opener, first in (
        (event("TEXT_MESSAGE_START", **M), chunk("TEXT_MESSAGE", **M, delta="x")),
        (
            event("TOOL_CALL_START", **C, toolCallName="f"),
            chunk("TOOL_CALL", **C, toolCallName="f", delta="x"),
        ),
        (
            event("REASONING_MESSAGE_START", **M, role="reasoning"),
            chunk("REASONING_MESSAGE", **M, delta="x"),
        ),
    ):
        other = chunk("TOOL_CALL", toolCallId="other", toolCallName="f", **S1)
        late = {"type": first["type"], "delta": "y"}
        verifier, _ = judged([STARTED, opener, other, first, late], keep_going=True)
        assert verifier.violation is not None
        assert verifier.violation.rule == "open-open"
        assert [found.rule for found in verifier.after] in (["chunk-first"], [])


def test_a_wrong_chunk_changes_nothing() -> None:
    verifier = Verifier(keep_going=True)
    for each in (
        STARTED,
        chunk("TEXT_MESSAGE", **M, delta="a"),
        chunk("TEXT_MESSAGE", role="user", delta="b"),
        chunk("TOOL_CALL", delta="c"),
    ):
        import json

        verifier.step(json.dumps(each).encode())
    (content,) = verifier.step(b'{"type":"TEXT_MESSAGE_CHUNK","delta":"d"}')
    assert to_builtins(content) == event("TEXT_MESSAGE_CONTENT", **M, delta="d")


def test_a_chunk_that_comes_too_late_is_told_what_ended_its_item() -> None:
    verifier, _ = judged(
        [
            STARTED,
            chunk("TEXT_MESSAGE", **M),
            event("CUSTOM", name="n", value=1),
            chunk("TEXT_MESSAGE", delta="x"),
        ]
    )
    assert verifier.violation is not None
    assert "CUSTOM ended the item" in (verifier.violation.likely or "")


def test_a_chunk_stream_that_breaks_off_stays_open() -> None:
    verifier, delivered = judged([STARTED, chunk("TEXT_MESSAGE", **M, delta="x")])
    assert kinds(delivered)[-1] == "TEXT_MESSAGE_CONTENT"
    assert [warned.rule for warned in verifier.warnings] == ["truncated"]


def test_a_rejected_continuation_leaves_its_item_open() -> None:
    # The result takes the id over, so that the owner of the open message changes.
    result = event("TOOL_CALL_RESULT", messageId="m", toolCallId="c", content="")
    first = chunk("TEXT_MESSAGE", **M, **S1, delta="a")
    second = chunk("TEXT_MESSAGE", **M, **S1, delta="b")
    verifier, delivered = judged(
        [STARTED, first, result, second, {**second, "messageId": "z"}], keep_going=True
    )
    assert verifier.violation is not None
    assert verifier.violation.rule == "owner"
    assert [found.rule for found in verifier.after] == ["owner"]
    assert kinds(delivered)[-1] == "TOOL_CALL_RESULT"


@pytest.mark.parametrize(
    ("family", "first", "second"),
    [
        ("TEXT_MESSAGE", {"messageId": "a"}, {"messageId": "b"}),
        (
            "TOOL_CALL",
            {"toolCallId": "a", "toolCallName": "f"},
            {"toolCallId": "b", "toolCallName": "f"},
        ),
        ("REASONING_MESSAGE", {"messageId": "a"}, {"messageId": "b"}),
    ],
)
def test_another_id_in_the_lane_opens_another_item(family: str, first: Json, second: Json) -> None:
    told = [
        each["type"].rsplit("_", 1)[1]
        for each in expansion(chunk(family, **first, delta="x"), chunk(family, **second, delta="y"))
    ]
    content = "ARGS" if family == "TOOL_CALL" else "CONTENT"
    assert told == ["START", content, "END", "START", content]


def test_another_call_without_a_name_is_no_continuation_of_the_one_before() -> None:
    verifier, _ = judged(
        [
            STARTED,
            chunk("TOOL_CALL", **C, toolCallName="f", delta="x"),
            chunk("TOOL_CALL", toolCallId="other", delta="y"),
        ],
        end=False,
    )
    assert verifier.violation is not None
    assert verifier.violation.rule == "chunk-first"
