"""The compatibility boundary: retired shapes are translated, and it is said."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import to_builtins

from tests.protocol.streams import FINISHED, STARTED, Json, event, judged, kinds, run
from transcript_tui.protocol.stream import Verifier


def retired(verifier: Verifier) -> list[tuple[str | None, int]]:
    return [(w.path, w.count) for w in verifier.warnings if w.rule == "retired-shape"]


def thinking(kind: str, **fields: Any) -> Json:
    return event(f"THINKING_{kind}", **fields)


def test_thinking_becomes_reasoning_under_minted_ids() -> None:
    verifier, delivered = judged(
        run(
            thinking("START", title="weighing"),
            thinking("TEXT_MESSAGE_START"),
            thinking("TEXT_MESSAGE_CONTENT", delta="a"),
            thinking("TEXT_MESSAGE_CONTENT", delta="b", timestamp=1),
            thinking("TEXT_MESSAGE_END"),
            thinking("TEXT_MESSAGE_START"),
            thinking("TEXT_MESSAGE_END"),
            thinking("END"),
        )
    )
    assert verifier.violation is None
    assert kinds(delivered)[1:-1] == [
        "REASONING_START",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_END",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_END",
        "REASONING_END",
    ]
    ids = [each.message_id for each in delivered[1:-1]]
    assert ids[0] == ids[7]
    assert ids[1] == ids[2] == ids[3] == ids[4]
    assert ids[5] == ids[6]
    assert len(set(ids)) == 3
    assert ("/title", 1) in retired(verifier)
    lost = next(w for w in verifier.warnings if w.path == "/title")
    assert "weighing" in lost.message
    assert [count for path, count in retired(verifier) if path == "/type"] == [1, 2, 2, 2, 1]


def test_thinking_keeps_the_ids_that_it_has() -> None:
    verifier, delivered = judged(
        run(
            thinking("START", messageId="s"),
            thinking("TEXT_MESSAGE_START", messageId="m"),
            thinking("TEXT_MESSAGE_CONTENT", delta="a"),
            thinking("TEXT_MESSAGE_START", messageId="n"),
            thinking("TEXT_MESSAGE_CONTENT", messageId="m", delta="b"),
            thinking("TEXT_MESSAGE_END", messageId="m"),
            thinking("TEXT_MESSAGE_END", messageId="n"),
            thinking("END"),
        )
    )
    assert verifier.violation is None
    ids = [each.message_id for each in delivered[1:-1]]
    assert ids == ["s", "m", "m", "n", "m", "m", "n", "s"]


@pytest.mark.parametrize("value", [None, 7])
def test_a_wrong_id_of_thinking_is_malformed(value: object) -> None:
    verifier, _ = judged(run(thinking("START", messageId=value)))
    assert verifier.violation is not None
    assert (verifier.violation.rule, verifier.violation.path) == ("malformed", "/messageId")


@pytest.mark.parametrize("kind", ["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "END"])
def test_thinking_without_its_opener_is_rejected_as_reasoning_is(kind: str) -> None:
    verifier, _ = judged(run(thinking(kind, delta="a")))
    assert verifier.violation is not None
    assert verifier.violation.rule == "not-open"
    assert retired(verifier)


def test_minted_ids_are_the_same_each_time() -> None:
    events = run(thinking("TEXT_MESSAGE_START"), thinking("TEXT_MESSAGE_END"))
    assert judged(events)[1] == judged(events)[1]


def messages(*parts: Any) -> list[Json]:
    return [{"role": "user", "id": "u", "content": list(parts)}]


def delivered_parts(*parts: Any) -> tuple[Any, Verifier]:
    verifier, delivered = judged(
        [STARTED, event("MESSAGES_SNAPSHOT", messages=messages(*parts))], end=False
    )
    assert verifier.violation is None
    return to_builtins(delivered[1])["messages"][0]["content"], verifier


def binary(**fields: Any) -> Json:
    return {"type": "binary", "mimeType": "image/png", **fields}


@pytest.mark.parametrize(
    ("mime", "kind"),
    [
        ("image/png", "image"),
        ("audio/wav", "audio"),
        ("video/mp4", "video"),
        ("application/pdf", "document"),
        ("image", "document"),
        ("", "document"),
    ],
)
def test_a_binary_part_becomes_the_media_part_of_its_type(mime: str, kind: str) -> None:
    parts, verifier = delivered_parts({"type": "binary", "mimeType": mime, "url": "u"})
    assert parts == [{"type": kind, "source": {"type": "url", "value": "u", "mimeType": mime}}]
    assert retired(verifier) == [("/messages/0/content/0", 1)]


def test_data_goes_before_url_and_the_filename_is_kept() -> None:
    parts, verifier = delivered_parts(binary(data="QQ==", url="u", filename="cat.png", id="b"))
    source = {"type": "data", "value": "QQ==", "mimeType": "image/png"}
    assert parts == [{"type": "image", "source": source, "metadata": {"filename": "cat.png"}}]
    paths = [path for path, _ in retired(verifier)]
    assert paths == [f"/messages/0/content/0{name}" for name in ("", "/url", "/id")]


def test_a_binary_part_with_only_an_id_is_lost_and_it_is_said() -> None:
    parts, verifier = delivered_parts(binary(id="b"))
    assert parts == []
    assert [w.rule for w in verifier.warnings] == ["retired-shape", "unknown-property"]


def test_a_loss_is_said_also_after_a_part_that_was_read() -> None:
    _, verifier = delivered_parts(binary(data="QQ=="), binary(id="b"), binary())
    said = [(w.message, w.path) for w in verifier.warnings if w.rule == "retired-shape"]
    place = "/messages/0/content"
    assert [path for _, path in said] == [f"{place}/0", f"{place}/1/id", f"{place}/2/mimeType"]
    assert [" is lost." in message for message, _ in said] == [False, True, True]


def test_a_binary_part_that_repeats_a_media_part_is_left_out() -> None:
    modern = {
        "type": "image",
        "source": {"type": "url", "value": "u", "mimeType": "image/png"},
        "metadata": {"filename": "f", "more": 1},
        "id": "p",
    }
    assert delivered_parts(binary(url="u", filename="f"), modern)[0] == [modern]
    assert delivered_parts(modern, binary(url="u"))[0] == [modern]
    assert len(delivered_parts(modern, binary(url="u", filename="other"))[0]) == 2
    assert len(delivered_parts(modern, binary(url="v"))[0]) == 2
    assert len(delivered_parts({"type": "text", "text": ""}, binary(url="v"))[0]) == 2
    assert len(delivered_parts({**modern, "metadata": "m"}, binary(url="u", filename="f"))[0]) == 2
    assert len(delivered_parts(modern, binary(url="u", filename=["f"]))[0]) == 2


def test_what_is_not_quite_binary_is_left_to_enforcement() -> None:
    parts, verifier = delivered_parts({"type": "binary", "url": "u"}, {"type": "text", "text": ""})
    assert parts == [{"type": "text", "text": ""}]
    assert [w.rule for w in verifier.warnings] == ["unknown-property"]


def test_tool_results_and_echoed_inputs_are_translated_too() -> None:
    image = {"type": "image", "source": {"type": "url", "value": "u"}, "metadata": None}
    run_input = {
        "threadId": "t",
        "runId": "r",
        "messages": messages(binary(url="u"), image),
        "tools": [{"name": "n", "description": "d", "parameters": None}],
        "resume": [{"interruptId": "i", "status": "resolved", "payload": None}],
        "forwardedProps": None,
        "state": None,
    }
    result = event("TOOL_CALL_RESULT", messageId="m", toolCallId="c", content=[image])
    verifier, delivered = judged([{**STARTED, "input": run_input}, result], end=False)
    assert verifier.violation is None
    assert len(delivered) == 2
    assert [path for path, _ in retired(verifier)] == [
        "/input/forwardedProps",
        "/input/tools/0/parameters",
        "/input/resume/0/payload",
        "/input/messages/0/content/1/metadata",
        "/input/messages/0/content/0",
        "/content/0/metadata",
    ]


TEXT = {"type": "text", "text": ""}
ASSISTANT = {"role": "assistant", "id": "a"}

LISTED = [
    ({**STARTED, "rawEvent": None}, "/rawEvent"),
    ({**FINISHED, "result": None}, "/result"),
    ({**FINISHED, "outcome": None}, "/outcome"),
    (
        event("TOOL_CALL_START", toolCallId="c", toolCallName="f", parentMessageId=None),
        "/parentMessageId",
    ),
    (
        event("TOOL_CALL_CHUNK", toolCallId="c", toolCallName="f", parentMessageId=None),
        "/parentMessageId",
    ),
]


@pytest.mark.parametrize(("value", "path"), LISTED)
def test_a_listed_null_counts_as_absent(value: Json, path: str) -> None:
    before = [] if value["type"] == "RUN_STARTED" else [STARTED]
    verifier, _ = judged([*before, value], end=False)
    assert verifier.violation is None
    assert retired(verifier) == [(path, 1)]
    assert verifier.verdict == "warned"


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({**STARTED, "timestamp": None}, "/timestamp"),
        ({**STARTED, "parentRunId": None}, "/parentRunId"),
        ({**STARTED, "input": None}, "/input"),
        ({**STARTED, "protocolVersion": None}, "/protocolVersion"),
        (event("RUN_ERROR", message="m", code=None), "/code"),
        (event("RUN_ERROR", message="m", usage=None), "/usage"),
        (event("TEXT_MESSAGE_START", messageId="m", role=None), "/role"),
        (event("TEXT_MESSAGE_START", messageId="m", name=None), "/name"),
        (event("TEXT_MESSAGE_START", messageId="m", metadata=None), "/metadata"),
        (event("TEXT_MESSAGE_START", messageId="m", subagentRunId=None), "/subagentRunId"),
        (event("TEXT_MESSAGE_CHUNK", messageId=None), "/messageId"),
        (event("SUBAGENT_FINISHED", subagentRunId="s", outcome=None), "/outcome"),
        (
            event("MESSAGES_SNAPSHOT", messages=messages({**TEXT, "metadata": None})),
            "/messages/0/content/0/metadata",
        ),
        (
            event("MESSAGES_SNAPSHOT", messages=[{**ASSISTANT, "toolCalls": None}]),
            "/messages/0/toolCalls",
        ),
    ],
)
def test_every_other_null_is_malformed_and_the_cause_is_named(value: Json, path: str) -> None:
    before = [] if value["type"] == "RUN_STARTED" else [STARTED]
    verifier, _ = judged([*before, value])
    assert verifier.violation is not None
    assert (verifier.violation.rule, verifier.violation.path) == ("malformed", path)
    assert "without omitting empty fields" in (verifier.violation.likely or "")


def test_shapes_that_are_wrong_altogether_are_left_to_enforcement() -> None:
    for run_input in (
        7,
        {"messages": 7, "tools": [7], "resume": {}},
        {"messages": [{"content": [7]}]},
        {
            "messages": [
                {"content": [{"type": []}, {"type": "binary", "mimeType": "a/b", "url": [1]}]}
            ]
        },
        {"messages": [{"content": [{"type": {}, "source": {"value": []}}]}]},
    ):
        verifier, _ = judged([{**STARTED, "input": run_input}])
        assert verifier.violation is not None
        assert verifier.violation.rule == "malformed"
