"""Streams, input, endings nobody tells, and reading on past a violation."""

from __future__ import annotations

import json
from itertools import chain
from typing import Any

import pytest

from tests.transcript.folding import (
    FAILED,
    FINISHED,
    STARTED,
    call,
    contents,
    event,
    fed,
    feed,
    held,
    result,
    run,
    text,
    views,
    warned,
)
from transcript_tui.errors import UsageError
from transcript_tui.transcript.model import Cut, Entry, Message, Rejection, RunEnd
from transcript_tui.transcript.pipeline import VERDICTS, Given, Pipeline, read_input

ORPHAN = event("TEXT_MESSAGE_CONTENT", messageId="nowhere", delta="x")


def kinds(pipeline: Pipeline) -> list[str]:
    return [type(entry).__name__ for entry in pipeline.transcript.entries]


def endings(pipeline: Pipeline) -> list[str]:
    found = [one.ending.now for one in pipeline.transcript.runs]
    return ["open" if ending is None else ending.kind for ending in found]


def verdicts(pipeline: Pipeline) -> list[str]:
    return [VERDICTS[code] for code in pipeline.verdicts]


def test_truncation_cuts_and_shows_the_tail() -> None:
    pipeline = fed(STARTED, *text("m", "Half an ans")[:2])
    assert endings(pipeline) == ["open"]
    revision = pipeline.transcript.revision
    pipeline.end(b'{"type":"TE')
    pipeline.end()
    assert endings(pipeline) == ["truncated"]
    assert pipeline.transcript.revision == revision + 1
    last = pipeline.transcript.entries[-1]
    assert isinstance(last, Cut)
    assert (last.kind, last.tail, last.born) == ("truncated", b'{"type":"TE', 2)
    assert views(pipeline)[0].cut
    assert warned(pipeline) == ["truncated"]
    assert pipeline.transcript.changes(2, 3) is None


def test_a_tail_after_the_run_is_shown_and_warned_about() -> None:
    pipeline = fed(STARTED, FINISHED)
    pipeline.end(b"{")
    assert endings(pipeline) == ["finished"]
    assert kinds(pipeline) == ["RunStart", "RunEnd", "Cut"]
    assert warned(pipeline) == ["framing-end"]


def test_no_event_at_all() -> None:
    pipeline = Pipeline()
    pipeline.end()
    assert (pipeline.stream.verdict, warned(pipeline)) == ("accepted", ["empty"])
    assert pipeline.transcript.warnings(0)[0][1].rule == "empty"


def test_a_rejection_keeps_what_came_before_and_judges_nothing_after() -> None:
    pipeline = fed(STARTED, *text("m", "kept")[:2], ORPHAN, *text("n", "not"), FINISHED)
    pipeline.end(b"tail")
    assert verdicts(pipeline) == ["delivered"] * 3 + ["rejected"] + ["after"] * 4
    assert endings(pipeline) == ["rejected"]
    assert contents(pipeline) == [("m", "assistant", "kept")]
    assert views(pipeline)[0].cut
    assert not pipeline.transcript.after_violation(3)
    assert pipeline.transcript.after_violation(4)
    rejection = pipeline.transcript.entries[-1]
    assert isinstance(rejection, Rejection)
    assert rejection.violation is pipeline.stream.violation
    assert pipeline.stream.after == []


def test_a_violation_after_the_run_leaves_its_ending() -> None:
    pipeline = fed(STARTED, FINISHED, ORPHAN)
    assert endings(pipeline) == ["finished"]
    assert kinds(pipeline) == ["RunStart", "RunEnd", "Rejection"]


def test_a_huge_payload_among_others_is_folded_in_its_place() -> None:
    start, *deltas, end = text("m", "a", "b", "x" * 2_000_000, "c")
    events = [STARTED, start, *deltas, end, FINISHED]
    at_once = Pipeline(record_events="types")
    at_once.feed_all([json.dumps(one).encode() for one in events])
    one_by_one = fed(*events, record_events="types")
    assert contents(at_once) == contents(one_by_one)
    assert views(at_once)[0].content() == "ab" + "x" * 2_000_000 + "c"
    assert at_once.stream.length == one_by_one.stream.length == len(events)
    assert at_once.stream.event_types() == one_by_one.stream.event_types()
    assert list(at_once.transcript.touched) == list(one_by_one.transcript.touched)


def test_a_payload_that_nobody_read_is_rejected_where_it_stood() -> None:
    pipeline = fed(STARTED, *text("m", "kept")[:2])
    pipeline.oversized(1000)
    feed(pipeline, FINISHED)
    assert verdicts(pipeline)[-2:] == ["rejected", "after"]
    assert kinds(pipeline)[-1] == "Rejection"
    assert (pipeline.stream.length, pipeline.transcript.entries[-1].born) == (5, 3)
    assert views(pipeline)[0].content() == "kept"


def test_what_is_left_out_has_a_number_and_nothing_else() -> None:
    start, one, two, end = (json.dumps(part).encode() for part in text("m", "a", "b"))
    first, last = json.dumps(STARTED).encode(), json.dumps(FINISHED).encode()
    pipeline = Pipeline(record_events="types")
    pipeline.feed_some([None, first, start, None, one, None, None, two, end, last])
    whole = Pipeline(record_events="types")
    whole.feed_some([first, start, one, two, end, last])
    assert contents(pipeline) == contents(whole)
    assert pipeline.stream.event_types() == whole.stream.event_types()
    assert pipeline.transcript.runs[0].events == whole.transcript.runs[0].events == 6
    assert (pipeline.stream.length, len(pipeline.verdicts)) == (10, 10)
    assert verdicts(pipeline).count("dropped") == 4
    assert not pipeline.stream.warnings


def test_keeping_on_reads_past_and_marks() -> None:
    pipeline = fed(
        STARTED, *text("m", "one")[:2], ORPHAN, b"[DONE]",
        event("TEXT_MESSAGE_CONTENT", messageId="m", delta=" two"),
        event("TEXT_MESSAGE_END", messageId="m"), FINISHED, keep_going=True,
    )  # fmt: skip
    pipeline.end()
    assert contents(pipeline) == [("m", "assistant", "one two")]
    assert endings(pipeline) == ["rejected"]
    assert [one.rule for one in pipeline.stream.after] == ["not-json"]
    found = [entry for entry in pipeline.transcript.entries if isinstance(entry, Rejection)]
    assert [entry.after for entry in found] == [False, True]
    assert kinds(pipeline)[-1] == "RunEnd"
    assert pipeline.transcript.rejected == [(3, 7)]
    assert not views(pipeline)[0].cut


def test_keeping_on_from_a_wrong_first_event() -> None:
    pipeline = fed(
        ORPHAN, event("STEP_STARTED", stepName="s"), *text("m", "x"), result("c", "t"),
        event("SUBAGENT_STARTED", subagentRunId="a", name="n"),
        event("SUBAGENT_FINISHED", subagentRunId="a"),
        event("STEP_FINISHED", stepName="s"), FINISHED, keep_going=True,
    )  # fmt: skip
    pipeline.end()
    assert endings(pipeline) == ["rejected"]
    assert [view.content() for view in views(pipeline)] == ["x", "done"]
    assert isinstance(pipeline.transcript.entries[-1], RunEnd)


def test_violations_are_counted_by_position() -> None:
    read_on = fed(STARTED, ORPHAN, STARTED, ORPHAN, FINISHED, keep_going=True)
    (stream,) = read_on.streams
    found = sorted(one.event for one in (stream.violation, *stream.after) if one is not None)
    assert len(found) > 1
    for position in range(6):
        assert stream.violations_at(position) == sum(event < position for event in found)
    (stream,) = fed(STARTED, FINISHED).streams
    assert stream.violations_at(2) == 0


def test_keeping_on_to_an_error_and_to_the_end_of_the_bytes() -> None:
    pipeline = fed(STARTED, ORPHAN, FAILED, keep_going=True)
    ending = pipeline.transcript.runs[0].ending.now
    assert ending is not None
    assert (ending.kind, ending.message, ending.stamp) == ("rejected", "it broke", 1)
    pipeline = fed(STARTED, ORPHAN, *text("m", "x")[:2], keep_going=True)
    pipeline.end()
    assert endings(pipeline) == ["rejected"]
    assert views(pipeline)[0].cut


def test_input_comes_before_everything() -> None:
    given = {"messages": [{"id": "u", "role": "user", "content": "Q"}], "state": {"a": 1}}
    pipeline = run(*text("m", "A"), input=given)
    assert contents(pipeline) == [("u", "user", "Q"), ("m", "assistant", "A")]
    assert views(pipeline, 0)[0].id == "u"
    assert pipeline.transcript.entries[0].born == -1
    assert pipeline.transcript.state_at(0) == {"a": 1}
    assert pipeline.transcript.revision > 0


def test_calls_of_the_input_are_nobodys_pending() -> None:
    shape = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    given = read_input({"messages": [{"id": "m", "role": "assistant", "toolCalls": [shape]}]})
    assert isinstance(given, Given)
    pipeline = run(input=given)
    call = views(pipeline)[0].tool_calls[0]
    assert (call.state, call.started, call.ended) == ("complete", -1, None)


def test_what_of_the_input_no_transcript_can_hold_is_named() -> None:
    wizard = {"id": "w", "role": "wizard", "content": "x"}
    given = read_input({"messages": [wizard, {"id": "u", "role": "user", "content": "Q"}]})
    assert [message.id for message in given.messages] == ["u"]
    (left_out,) = given.left_out
    assert left_out.startswith("/messages/0 of the input is left out")


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ([], "no JSON object"),
        ({"messages": [{"id": 7, "role": "user", "content": ""}]}, "/messages/0/id"),
        ({"messages": {}}, "/messages"),
    ],
)
def test_malformed_input_is_named(value: Any, named: str) -> None:
    with pytest.raises(UsageError, match=named):
        Pipeline(input=value)


def test_streams_of_one_thread_go_on_and_another_threads_do_not() -> None:
    pipeline = fed(
        STARTED, event("STATE_SNAPSHOT", snapshot={"a": 1}), *text("m", "one "), FINISHED
    )
    pipeline.next_stream()
    feed(pipeline, STARTED, *text("m", "two"), FINISHED)
    assert contents(pipeline) == [("m", "assistant", "one two")]
    pipeline.next_stream("The connection was lost.")
    feed(
        pipeline,
        {**STARTED, "threadId": "other"},
        *text("m", "three"),
        {**FINISHED, "threadId": "other"},
    )
    assert contents(pipeline) == [("m", "assistant", "three")]
    assert pipeline.transcript.state_at() == {}
    assert len(views(pipeline)) == 2
    first, second, third = pipeline.streams
    assert [one.runs[0].index for one in pipeline.streams] == [0, 1, 2]
    assert (first.position, second.first, third.first) == (6, 6, 11)
    assert [one["content"] for one in pipeline.transcript.messages(second.position)] == ["one two"]
    assert pipeline.transcript.state_at(second.position) == {"a": 1}
    gaps = [entry for entry in pipeline.transcript.entries if isinstance(entry, Cut)]
    assert [(gap.kind, gap.message) for gap in gaps] == [("gap", "The connection was lost.")]
    # Back on the first thread, its conversation goes on.
    pipeline.next_stream()
    feed(pipeline, STARTED, *text("m", "!"), FINISHED)
    assert contents(pipeline) == [("m", "assistant", "one two!")]
    assert pipeline.transcript.state_at() == {"a": 1}


def test_input_of_a_later_stream_goes_to_its_thread() -> None:
    pipeline = fed(STARTED, *text("m", "x"), FINISHED)
    pipeline.next_stream()
    user = {"id": "u", "role": "user", "content": "Q"}
    pipeline.give({"threadId": "other", "messages": [user]})
    assert contents(pipeline) == [("u", "user", "Q")]
    feed(pipeline, {**STARTED, "threadId": "other"})
    assert contents(pipeline) == [("u", "user", "Q")]


def test_what_is_open_does_not_cross_streams() -> None:
    pipeline = fed(STARTED, *text("m", "one ")[:2])
    pipeline.next_stream()
    feed(pipeline, STARTED, *text("m", "two"), FINISHED)
    assert endings(pipeline) == ["truncated", "finished"]
    assert contents(pipeline) == [("m", "assistant", "one two")]
    feed(pipeline, FAILED)
    assert endings(pipeline) == ["truncated", "failed"]


def test_framing_is_warned_about_in_its_stream() -> None:
    pipeline = fed(STARTED)
    pipeline.framing("framing-crlf")
    pipeline.framing("framing-bom")
    feed(pipeline, FINISHED)
    assert sorted(warned(pipeline)) == ["framing-bom", "framing-crlf"]
    assert [stamp for stamp, _ in pipeline.transcript.warnings()] == [0, 0]


def test_what_was_delivered_is_recorded_if_asked() -> None:
    chunk = event("TEXT_MESSAGE_CHUNK", messageId="m", delta="x", timestamp=5)
    full, types, none = (
        run(chunk, event("FUTURE"), record_events=record) for record in ("full", "types", "none")
    )
    told = [
        "RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]  # fmt: skip
    assert full.stream.event_types() == types.stream.event_types() == told
    assert none.stream.event_types() == types.stream.events() == []
    assert full.stream.events()[2] == {
        "type": "TEXT_MESSAGE_CONTENT",
        "messageId": "m",
        "delta": "x",
    }
    assert full.transcript.runs[0].events == 5


def test_changes_are_listed_payload_by_payload() -> None:
    pipeline = fed(STARTED, *text("m", "x", "y"), result("c", "t"), event("FUTURE"))
    transcript = pipeline.transcript
    assert transcript.changes(1, 2) == {1}
    assert transcript.changes(4, 2) == {1}
    assert transcript.changes(5, 7) == {2}
    assert transcript.changes(3, 3) == set()
    assert transcript.changes(0, 10**6) is None
    assert verdicts(pipeline)[-1] == "dropped"


def test_changes_far_apart_are_listed_where_there_are_entries_enough_to_read() -> None:
    messages = [text(f"m{number}", *"xyz") for number in range(1_000)]
    many = fed(STARTED, *chain.from_iterable(messages)).transcript
    assert many.length > 5_000
    assert many.changes(2, many.length) == set(range(1, 1_001))
    one = fed(STARTED, *text("m", *"x" * 5_000)).transcript
    assert one.changes(2, one.length) is None


def test_an_end_that_changes_no_entry_leaves_the_changes_listed() -> None:
    finished = event("RUN_FINISHED", threadId="t", runId="r")
    pipeline = fed(STARTED, *text("m", "x"), finished)
    transcript = pipeline.transcript
    before = transcript.changes(0, transcript.length)
    assert before is not None
    revision = transcript.revision
    pipeline.end()
    assert transcript.changes(0, transcript.length) == before
    assert transcript.revision == revision + 1


def test_chunks_that_close_one_item_and_open_another_change_both() -> None:
    pipeline = fed(
        STARTED,
        event("TEXT_MESSAGE_CHUNK", messageId="m", delta="x"),
        event("TEXT_MESSAGE_CHUNK", messageId="n", delta="y"),
    )
    assert pipeline.transcript.changes(2, 3) == {1, 2}


def test_an_answer_changes_its_call_too() -> None:
    start = event("TOOL_CALL_START", toolCallId="c", toolCallName="f")
    pipeline = fed(STARTED, start, event("TOOL_CALL_END", toolCallId="c"), result("c", "t"))
    assert pipeline.transcript.changes(3, 4) == {1, 2}


def test_the_end_of_a_run_changes_what_it_ends() -> None:
    """Its divider, what never came to its end, calls without an answer; nothing else."""
    pipeline = fed(
        STARTED,
        *text("before", "x"),
        FINISHED,
        {**STARTED, "runId": "again"},
        *text("m", "x"),
        *call("answered", "{}"),
        result("answered", "t"),
        *call("pending", "{}"),
        event("STEP_STARTED", stepName="done"),
        event("STEP_FINISHED", stepName="done"),
        event("STEP_STARTED", stepName="open"),
        event("SUBAGENT_STARTED", subagentRunId="s", name="n"),
        event("TEXT_MESSAGE_START", messageId="cut"),
        FAILED,
    )
    transcript = pipeline.transcript
    changed = transcript.changes(transcript.length - 1, transcript.length)
    assert [type(transcript.entries[key]).__name__ for key in sorted(changed or ())] == [
        "RunStart",
        "Message",
        "Step",
        "Subagent",
        "Message",
        "RunEnd",
    ]
    ids = {
        entry.id
        for entry in map(transcript.entries.__getitem__, changed or ())
        if isinstance(entry, Message)
    }
    assert ids == {"pending", "cut"}


def test_a_call_is_found_by_its_id_at_any_position() -> None:
    pipeline = fed(STARTED, event("TOOL_CALL_START", toolCallId="c", toolCallName="f"))
    assert pipeline.transcript.message_by_call("c") == 1
    assert pipeline.transcript.message_by_call("c", 1) is None
    assert pipeline.transcript.message_by_call("d") is None


def test_an_answer_is_held_by_its_call_and_only_the_latest() -> None:
    start = event("TOOL_CALL_START", toolCallId="c", toolCallName="f")
    end = event("TOOL_CALL_END", toolCallId="c")
    pipeline = fed(STARTED, result("other", "o"), start, end, result("c", "t"), result("c", "u"))
    transcript = pipeline.transcript
    alone, caller, earlier, later = held(pipeline)
    assert transcript.holder_of(alone) is None  # nobody made that call
    assert transcript.holder_of(caller) is None  # answers none
    assert transcript.holder_of(earlier) is None
    assert transcript.holder_of(earlier, 5) == caller.key  # the second came after it
    assert transcript.holder_of(later) == caller.key


def test_a_stream_of_deltas_in_a_row_equals_one_by_one() -> None:
    deltas = [event("TEXT_MESSAGE_CONTENT", messageId="m", delta=f"{n} ") for n in range(50)]
    deltas[20]["metadata"] = {"k": 1}
    deltas[30]["timestamp"] = 5
    parts = [
        json.dumps(one).encode()
        for one in (STARTED, *text("m")[:1], *deltas, *text("m")[1:], FINISHED)
    ]
    at_once = Pipeline()
    at_once.feed_all(parts)
    assert contents(at_once) == [("m", "assistant", "".join(f"{n} " for n in range(50)))]
    assert at_once.transcript.runs[0].events == len(parts)
    assert at_once.stream.verifier.events == len(parts)
    assert isinstance(at_once.transcript.entries[0], Entry)


def test_deltas_that_were_warned_about_go_together_too() -> None:
    deltas = [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": f"{n} "} for n in range(30)
    ]
    for number in (3, 4, 5, 6, 9, 20):
        deltas[number]["seq"] = str(number)
    deltas[20]["other"] = "x"
    events = (STARTED, *text("m")[:1], *deltas, *text("m")[1:], FINISHED)
    parts = [json.dumps(one).encode() for one in events]
    at_once, one_by_one = Pipeline(record_events="types"), Pipeline(record_events="types")
    at_once.feed_all(parts)
    for part in parts:
        one_by_one.feed(part)
    for pipeline in (at_once, one_by_one):
        warned = [n for n, code in enumerate(pipeline.verdicts) if VERDICTS[code] == "warned"]
        assert warned == [5, 6, 7, 8, 11, 22]
        assert pipeline.stream.event_types() == [one["type"] for one in events]
        assert contents(pipeline) == [("m", "assistant", "".join(f"{n} " for n in range(30)))]
        noted = [(stamp, one.path, one.count) for stamp, one in pipeline.transcript.noted]
        assert noted == [(5, "/seq", 6), (22, "/other", 1)]
        assert pipeline.transcript.runs[0].events == len(parts)
    assert at_once.transcript.touched == one_by_one.transcript.touched
