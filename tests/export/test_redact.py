"""Redaction: no word survives, everything else does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import broken_streams, payloads, streams
from transcript_tui.export.redact import Redactor, words
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire.jsontext import parse

SECRET = "Marguerite"
"""Stands in everything that people write."""

EVENTS: tuple[dict[str, Any], ...] = (
    {"type": "RUN_STARTED", "threadId": "t-1", "runId": "r-1", "input": {
        "threadId": "t-1", "runId": "r-1", "state": {"key": SECRET}, "tools": [
            {"name": "find", "description": SECRET, "parameters": {"description": SECRET}}],
        "context": [{"description": SECRET, "value": SECRET}],
        "forwardedProps": [SECRET], "messages": [
            {"id": "u", "role": "user", "name": SECRET, "content": [
                {"type": "text", "text": SECRET},
                {"type": "image", "source": {"type": "data", "value": SECRET, "mimeType": "a/b"}},
            ]}]}},
    {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": SECRET},
    {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "find"},
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": '{"who": "Marg'},
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": 'uerite\\u00e9\\n", "n": -12.5e3, "b"'},
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": ': [true, null, 0]}'},
    {"type": "TOOL_CALL_END", "toolCallId": "c"},
    {"type": "TOOL_CALL_RESULT", "toolCallId": "c", "messageId": "a", "content": SECRET},
    {"type": "STATE_SNAPSHOT", "snapshot": {"list": [SECRET, 1204, 0.5, True, None]}},
    {"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/list/-", "value": SECRET}]},
    {"type": "CUSTOM", "name": "progress", "value": {"of": SECRET, "userId": SECRET}},
    {"type": "RAW", "event": SECRET, "source": SECRET},
    {"type": "ACTIVITY_SNAPSHOT", "messageId": "v", "activityType": "PLAN",
     "content": {"step": SECRET}},
    {"type": "RUN_FINISHED", "threadId": "t-1", "runId": "r-1", "result": SECRET,
     "usage": [{"provider": "p", "model": "m-1", "inputTokens": 12}]},
)  # fmt: skip


def redacted(parts: list[bytes]) -> list[bytes]:
    redactor = Redactor()
    return [redactor.payload(part) for part in parts]


def folded(parts: list[bytes]) -> Pipeline:
    pipeline = Pipeline(record_events="types")
    pipeline.feed_all(parts)
    pipeline.end()
    return pipeline


def test_no_word_survives_and_the_rest_does() -> None:
    given_ = payloads(list(EVENTS))
    out = redacted(given_)
    told = b"\n".join(out).decode()
    assert SECRET not in told
    assert "Marg" not in told
    assert "uerite" not in told
    for kept in ("t-1", "r-1", "find", "/list/-", "PLAN", "progress", "m-1", '"inputTokens": 12'):
        assert kept in told, kept
    before, after = folded(given_), folded(out)
    assert before.stream.violation is None
    assert after.stream.violation is None
    assert after.stream.event_types() == before.stream.event_types()
    (call,) = (m for m in after.transcript.messages() if m.get("toolCalls"))
    arguments = call["toolCalls"][0]["function"]["arguments"]
    assert json.loads(arguments) == {"who": "Xxxxxxxxxxx\n", "n": -11.1e1, "b": [True, None, 1]}
    assert after.transcript.state_at(10**6) == {
        "list": ["Xxxxxxxxxx", 1111, 1.1, True, None, "Xxxxxxxxxx"]
    }


def test_what_was_removed_is_said_without_it() -> None:
    redactor = Redactor()
    for part in payloads(list(EVENTS)):
        redactor.payload(part)
    told = redactor.removed.sentences()
    assert "TEXT_MESSAGE_CHUNK /delta: 1 value, 10 characters" in told
    assert any(told_.startswith("TOOL_CALL_ARGS /delta: 3 values, ") for told_ in told)
    assert SECRET not in "\n".join(told)


@pytest.mark.parametrize(
    "payload", [b"Marguerite said", b'{"type": "X", "a": "Margue', b"[1]", b""]
)
def test_what_is_no_event_loses_its_words_too(payload: bytes) -> None:
    out = Redactor().payload(payload)
    assert b"argue" not in out
    assert len(out) == len(payload)


@given(st.text(st.characters(exclude_categories=())))
def test_sizes_stay(text: str) -> None:
    filled = words(text)
    assert len(filled) == len(text)
    assert len(filled.encode("utf-8", "surrogatepass")) == len(
        text.encode("utf-8", "surrogatepass")
    )
    assert words(filled) == filled


@given(streams().map(payloads))
def test_a_valid_stream_stays_valid_and_keeps_its_shape(parts: list[bytes]) -> None:
    before, after = folded(parts), folded(redacted(parts))
    assert after.stream.violation is None
    assert after.stream.event_types() == before.stream.event_types()
    assert shape(after) == shape(before)


def shape(pipeline: Pipeline) -> list[Any]:
    return [
        (m["id"], m["role"], m.get("toolCallId"), _size(m.get("content")))
        for m in pipeline.transcript.messages()
    ]


def _size(content: Any) -> Any:
    return len(content) if isinstance(content, (str, list)) else sorted(content or {})


@given(broken_streams())
def test_nothing_breaks_it(parts: list[bytes]) -> None:
    for part, out in zip(parts, redacted(parts), strict=True):
        try:
            value = parse(part)
        except ValueError:
            continue
        assert type(parse(out)) is type(value)


@given(st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
), st.integers(1, 9))  # fmt: skip
def test_arguments_stay_json_however_they_are_cut(value: Any, size: int) -> None:
    text = json.dumps([value])
    cut = [text[start : start + size] for start in range(0, len(text), size)]
    events = [{"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": piece} for piece in cut]
    out = "".join(parse(part)["delta"] for part in redacted(payloads(events)))
    assert len(out) == len(text)
    assert same_shape(json.loads(out), [value])


def same_shape(one: Any, other: Any) -> bool:
    if isinstance(other, dict):
        return list(one) == list(other) and all(same_shape(one[k], other[k]) for k in other)
    if isinstance(other, list):
        return len(one) == len(other) and all(map(same_shape, one, other))
    return type(one) is type(other) or isinstance(one, (int, float))


def test_real_streams_keep_their_verdict(shared: Path) -> None:
    from transcript_tui.session.redacted import redacted_tape
    from transcript_tui.session.tape import Tape
    from transcript_tui.wire.reader import open_reader

    for path in sorted((shared / "streams").glob("*.sse")):
        tape, reader = Tape(), open_reader()
        tape.take([*reader.feed(path.read_bytes()), *reader.end()])
        tape.end()
        fresh, removed = redacted_tape(tape)
        assert removed.sentences()
        assert fresh.length == tape.length
        assert fresh.transcript.touched == tape.transcript.touched
        assert [run.ending.now and run.ending.now.kind for run in fresh.transcript.runs] == [
            run.ending.now and run.ending.now.kind for run in tape.transcript.runs
        ]
        assert [len(s.tail) for s in fresh.streams] == [len(s.tail) for s in tape.streams]
