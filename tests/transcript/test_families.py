"""Each family's rules, one by one: ``protocol.md``, with what it leaves to the reference client."""

from __future__ import annotations

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
    snapshot,
    text,
    thought,
    views,
    warned,
)
from transcript_tui.protocol.events import StepFinished, SubagentFinished
from transcript_tui.transcript.model import NOTHING, RunEnd, Step, Subagent
from transcript_tui.transcript.pipeline import VERDICTS
from transcript_tui.transcript.reduce import fold_payload
from transcript_tui.transcript.reduce.fold import Fold
from transcript_tui.transcript.transcript import Transcript

# Text messages and reopening


def test_a_reopened_message_goes_on_in_its_place() -> None:
    pipeline = run(*text("m", "One. "), *text("n", "Between."), *text("m", "Two."))
    assert contents(pipeline) == [("m", "assistant", "One. Two."), ("n", "assistant", "Between.")]
    view = views(pipeline)[0]
    assert (view.openings, view.open, view.settled) == (2, False, 9)
    assert warned(pipeline) == []


def test_reopening_across_runs_counts_what_was_settled() -> None:
    pipeline = run(*text("m", "One. "))
    pipeline = fed(STARTED, *text("m", "One. "), FINISHED, STARTED, *text("m", "Two.")[:2])
    view = views(pipeline)[0]
    assert (view.open, view.openings, view.settled, view.length) == (True, 2, 5, 9)


def test_established_role_name_and_owner_stand() -> None:
    pipeline = fed(
        STARTED, *text("m", "a", role="user", name="North", subagentRunId="s"), FINISHED,
        STARTED, *text("m", "b", role="system", name="South"), FINISHED,
    )  # fmt: skip
    view = views(pipeline)[0]
    assert (view.role, view.name, view.owner, view.content()) == ("user", "North", "s", "ab")
    assert warned(pipeline) == ["reopen-disagrees"]
    message = pipeline.stream.warnings[0].message
    assert all(word in message for word in ("'system'", "'South'", "owner"))


def test_an_empty_delta_is_content_of_a_message_made_by_a_call() -> None:
    events = [*call("c", "{}"), event("TEXT_MESSAGE_START", messageId="c")]
    pipeline = run(*events, event("TEXT_MESSAGE_END", messageId="c"))
    assert "content" not in pipeline.transcript.messages()[0]
    delta = event("TEXT_MESSAGE_CONTENT", messageId="c", delta="")
    pipeline = run(*events, delta, event("TEXT_MESSAGE_END", messageId="c"))
    assert pipeline.transcript.messages()[0]["content"] == ""


def test_an_emoji_split_across_deltas_and_across_a_closing_is_whole() -> None:
    pipeline = run(*text("m", "a\ud83d", "\ude00b", "\ud83d"), *text("m", "\ude00"))
    assert views(pipeline)[0].content() == "a😀b😀"
    pipeline = run(*text("m", "a\ud83d"))
    assert views(pipeline)[0].content() == "a\ufffd"


# Tool calls and their placement


def test_a_call_hangs_on_its_parent_or_alone() -> None:
    pipeline = run(*text("m", "Looking."), *call("c", parentMessageId="m"), *call("d", "{}"))
    assert [(view.id, len(view.tool_calls)) for view in views(pipeline)] == [("m", 1), ("d", 1)]


def test_a_parent_that_is_not_held_is_made_and_streams_later() -> None:
    pipeline = run(*call("c", parentMessageId="m", subagentRunId="s"), *text("m", "Text."))
    assert contents(pipeline) == [("m", "assistant", "Text.")]
    assert views(pipeline)[0].owner == "s"
    assert warned(pipeline) == ["reopen-disagrees"]


def test_an_empty_parent_is_none() -> None:
    assert contents(run(*call("c", parentMessageId=""))) == [("c", "assistant", None)]


def test_a_parent_of_another_role_is_left_alone() -> None:
    pipeline = run(*text("u", "Hi", role="user"), *call("c", parentMessageId="u"))
    assert [one[:2] for one in contents(pipeline)] == [("u", "user"), ("c", "assistant")]
    assert warned(pipeline) == ["parent-role"]


def test_a_call_whose_own_message_id_is_taken() -> None:
    pipeline = run(*text("c", "Text.", role="user"), *call("c"))
    assert [one[:2] for one in contents(pipeline)] == [("c", "user"), ("c", "assistant")]
    assert warned(pipeline) == ["id-taken"]


def test_a_reopened_call_appends_and_takes_the_new_name() -> None:
    pipeline = run(
        *text("m"), *call("c", '{"a":', parentMessageId="m"), *text("n"),
        *call("c", "1}", name="write", parentMessageId="n"),
    )  # fmt: skip
    view = views(pipeline)[0].tool_calls[0]
    assert (view.name, view.arguments, view.started, view.ended) == ("write", '{"a":1}', 3, 10)
    assert views(pipeline, 6)[0].tool_calls[0].name == "find"
    assert warned(pipeline) == ["call-renamed", "reopen-disagrees"]


def test_arguments_split_in_an_emoji_and_a_closing_are_whole_again() -> None:
    pipeline = run(
        *call("c", "a\ud83d"), *call("c", "\ude00"), *call("c", "!\ud83d"), *call("c", "\ude00")
    )
    told = [views(pipeline, n)[0].tool_calls[0].arguments for n in (3, 4, 5, 6, 10, 13)]
    assert told == ["a", "a\ufffd", "a", "a😀", "a😀!\ufffd", "a😀!😀"]


def test_call_states() -> None:
    pipeline = fed(
        STARTED, *call("c", "{}"), event("TOOL_CALL_START", toolCallId="d", toolCallName="x")
    )
    assert [view.tool_calls[0].state for view in views(pipeline)] == ["complete", "streaming"]
    feed(pipeline, result("c", "t"), FAILED)
    assert [view.tool_calls[0].state for view in views(pipeline)[:2]] == ["answered", "cut"]
    assert views(pipeline)[1].tool_calls[0].ended is None
    assert views(run(*call("c", "{}")))[0].tool_calls[0].state == "pending"
    answered = views(run(*call("c", "{}"), result("c", "t")))[0].tool_calls[0]
    assert (answered.result, answered.answered) == (2, 4)


def test_a_call_was_answered_when_its_result_came_not_when_a_snapshot_restates_it() -> None:
    caller = {
        "id": "c",
        "role": "assistant",
        "toolCalls": [
            {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        ],
    }
    again = {"id": "other", "role": "tool", "toolCallId": "c", "content": "R"}
    pipeline = run(*call("c", "{}"), result("c", "t", "R"), *text("m"), snapshot(caller, again))
    restated = views(pipeline)[0].tool_calls[0]
    assert restated.result == held(pipeline)[-1].key
    assert restated.answered == 4
    assert views(pipeline, 4)[0].tool_calls[0].answered is None


def test_a_call_may_be_answered_before_it_ends() -> None:
    begin, end = call("c")
    answered = views(run(begin, result("c", "t"), end))[0].tool_calls[0]
    assert (answered.result, answered.answered, answered.ended) == (2, 2, 3)


def test_a_call_that_is_made_again_is_answered_again() -> None:
    pipeline = run(
        *call("c", "{}"), result("c", "t1"), *call("c", ""), result("c", "t2"), result("c", "t3")
    )
    view = views(pipeline)[0].tool_calls[0]
    first, second = held(pipeline)[1:3]
    assert (first.born, second.born) == (4, view.answered)
    assert view.ended is not None
    assert view.ended < second.born


def test_a_result_stands_behind_its_call_in_the_protocols_order() -> None:
    pipeline = run(
        *call("c", "{}"), *call("d", "{}", parentMessageId="c"), *text("m", "Meanwhile."),
        result("c", "t1"), result("d", "t2"), result("nobody", "t3"),
    )  # fmt: skip
    assert [one[0] for one in contents(pipeline)] == ["c", "t1", "t2", "m", "t3"]
    # On the screen everything stays where it appeared.
    assert [message.id for message in held(pipeline)] == ["c", "m", "t1", "t2", "t3"]
    assert [one["id"] for one in pipeline.transcript.messages(8)] == ["c", "m"]


def test_results_stand_right_after_an_earlier_one_was_dropped_or_changed() -> None:
    user = {"id": "m", "role": "user", "content": "Q"}
    caller = {
        "id": "c",
        "role": "assistant",
        "toolCalls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}],
    }
    pipeline = run(
        *call("c"), *text("m", "x"), result("c", "t1"), snapshot(caller, user), result("c", "t2")
    )
    assert [one[0] for one in contents(pipeline)] == ["c", "t2", "m"]
    assert views(pipeline)[0].tool_calls[0].result == held(pipeline)[2].key


def test_a_result_whose_id_is_taken_adds_another() -> None:
    pipeline = run(result("c", "t", "one"), result("c", "t", "two"))
    assert contents(pipeline) == [("t", "tool", "one"), ("t", "tool", "two")]
    assert warned(pipeline) == ["id-taken"]


def test_parts_stay_parts_until_text_takes_their_place() -> None:
    parts = [
        {"type": "text", "text": "Seen"},
        {"type": "image", "source": {"type": "file", "value": "f1", "provider": "p"}},
    ]
    pipeline = run(result("c", "t", parts), *text("t", "text"))
    assert warned(pipeline) == ["id-taken"]
    assert pipeline.transcript.messages(2)[0]["content"] == parts
    assert contents(pipeline) == [("t", "tool", "text")]
    assert [len(view.parts) for view in (views(pipeline, 3)[0], views(pipeline)[0])] == [2, 0]
    assert (views(pipeline, 3)[0].first, views(pipeline)[0].first) == (1, 3)


# Ids across kinds


def test_text_for_an_activity_is_dropped_with_a_warning_each() -> None:
    activity = event("ACTIVITY_SNAPSHOT", messageId="a", activityType="plan", content={"x": 1})
    pipeline = run(activity, *text("a", "x", metadata={"k": 1}), *thought("a", "y"))
    assert pipeline.transcript.messages() == [
        {"id": "a", "role": "activity", "activityType": "plan", "content": {"x": 1}}
    ]
    assert warned(pipeline) == ["id-taken"] * 6


@pytest.mark.parametrize("first", [thought("x", "a"), [result("c", "x", "a")]])
def test_text_for_a_reasoning_or_tool_message_appends(first: list[Any]) -> None:
    pipeline = run(*first, *text("x", "b"))
    assert [one[2] for one in contents(pipeline)] == ["ab"]
    assert warned(pipeline) == ["id-taken"]


def test_reasoning_for_a_text_message_appends() -> None:
    pipeline = run(*text("x", "a"), *thought("x", "b"))
    assert contents(pipeline) == [("x", "assistant", "ab")]
    assert warned(pipeline) == ["id-taken"]


# Reasoning


def test_spans_and_messages_have_namespaces_of_their_own() -> None:
    pipeline = run(
        event("REASONING_START", messageId="x"), *thought("x", "Hm."),
        event("REASONING_END", messageId="x"),
    )  # fmt: skip
    assert contents(pipeline) == [("x", "reasoning", "Hm.")]
    assert warned(pipeline) == []


def test_encrypted_values_go_with_what_they_name() -> None:
    def sealed(subtype: str, id: str, **fields: Any) -> dict[str, Any]:
        value = {"subtype": subtype, "entityId": id, "encryptedValue": "v", **fields}
        return event("REASONING_ENCRYPTED_VALUE", **value, metadata={"nowhere": 1})

    activity = event("ACTIVITY_SNAPSHOT", messageId="a", activityType="x", content={})
    pipeline = run(
        activity, *thought("r", "Hm."), *call("c"),
        sealed("message", "r", encryptedValueType="k"), sealed("message", "r"),
        sealed("tool-call", "c", encryptedValueType="k"),
        sealed("message", "a"), sealed("message", "none"), sealed("tool-call", "none"),
    )  # fmt: skip
    assert warned(pipeline) == ["unknown-entity"] * 3
    messages = pipeline.transcript.messages()
    assert messages[1] == {"id": "r", "role": "reasoning", "content": "Hm.", "encryptedValue": "v"}
    assert messages[2]["toolCalls"][0]["encryptedValueType"] == "k"
    early = pipeline.transcript.messages(8)[1]
    assert early["encryptedValueType"] == "k"
    assert "encryptedValue" not in pipeline.transcript.messages(7)[1]
    assert [view.encrypted for view in views(pipeline)] == [False, True, False]
    assert views(pipeline)[2].tool_calls[0].encrypted


# Metadata


def test_metadata_goes_where_the_text_says() -> None:
    pipeline = run(
        event("TEXT_MESSAGE_START", messageId="m", metadata={"a": 1}),
        event("TEXT_MESSAGE_CONTENT", messageId="m", delta="x", metadata={"a": {"b": 2}}),
        *call("c", parentMessageId="m", metadata={"call": 1}),
        event("TEXT_MESSAGE_END", messageId="m", metadata={"z": None}),
        result("c", "t", metadata={"result": 1}),
        event("CUSTOM", name="n", value=None, metadata={"nowhere": 1}),
    )
    first, second = pipeline.transcript.messages()
    assert first["metadata"] == {"a": {"b": 2}, "z": None}
    assert first["toolCalls"][0]["metadata"] == {"call": 1}
    assert second["metadata"] == {"result": 1}
    assert views(pipeline, 2)[0].metadata == {"a": 1}


# State


def test_state_is_replaced_and_patched() -> None:
    patch = [{"op": "add", "path": "/a", "value": 1, "note": "kept"}]
    pipeline = run(event("STATE_DELTA", delta=patch), event("STATE_SNAPSHOT", snapshot=None))
    at = pipeline.transcript.state_at
    assert [at(position) for position in (0, 1, 2, 3)] == [{}, {}, {"a": 1}, None]


def test_a_patch_that_fails_says_where() -> None:
    pipeline = run(event("STATE_DELTA", delta=[{"op": "remove", "path": "/x"}]))
    (warning,) = pipeline.stream.warnings
    assert (warning.rule, warning.path, warning.event) == ("patch-failed", "/delta/0", 1)
    assert "/x" in warning.message
    assert pipeline.transcript.state_at() == {}


# Activity


def activity(content: Any, **fields: Any) -> dict[str, Any]:
    told = {"messageId": "a", "activityType": "plan", "content": content, **fields}
    return event("ACTIVITY_SNAPSHOT", **told)


def test_a_replacing_activity_keeps_metadata_and_mints_its_owner_again() -> None:
    pipeline = run(
        activity({"x": 1}, metadata={"k": 1}, subagentRunId="s"),
        activity({"y": 1}, activityType="search", metadata={"l": 2}),
        activity({"z": 1}, activityType="other", replace=False, metadata={"m": 3}),
        activity({"y": 2}, activityType="search"),
    )
    assert pipeline.transcript.messages() == [
        {
            "id": "a",
            "role": "activity",
            "content": {"y": 2},
            "activityType": "search",
            "metadata": {"k": 1, "l": 2, "m": 3},
        }
    ]
    first, second = views(pipeline, 2)[0], views(pipeline, 4)[0]
    assert (first.owner, first.activity, first.activity_type) == ("s", {"x": 1}, "plan")
    assert (second.owner, second.activity, second.last) == (None, {"y": 1}, 2)


@pytest.mark.parametrize("replace", [None, True, False])
def test_an_activity_takes_over_a_message_of_another_kind(replace: bool | None) -> None:
    told = {} if replace is None else {"replace": replace}
    pipeline = run(*text("a", "Text."), *call("c", parentMessageId="a"), activity({"x": 1}, **told))
    taken = replace is not False
    assert [one[1] for one in contents(pipeline)] == ["activity" if taken else "assistant"]
    assert warned(pipeline) == ["id-taken"]
    assert pipeline.transcript.message_by_call("c") == (None if taken else 1)


def test_an_amendment_retypes_and_merges_metadata_even_where_it_fails() -> None:
    def delta(path: str, **fields: Any) -> dict[str, Any]:
        patch = [{"op": "replace", "path": path, "value": 2}]
        told = {"messageId": "a", "activityType": "search", "patch": patch, **fields}
        return event("ACTIVITY_DELTA", **told)

    pipeline = run(activity({"x": 1}), delta("/x"), delta("/y", metadata={"k": 1}), delta(""))
    assert pipeline.transcript.messages()[0] == {
        "id": "a",
        "role": "activity",
        "content": {"x": 2},
        "activityType": "search",
        "metadata": {"k": 1},
    }
    assert warned(pipeline) == ["patch-failed", "patch-failed"]
    assert views(pipeline, 2)[0].activity_type == "plan"
    pipeline = run(*text("a", "x"), delta("/x"), delta("/x", messageId="none"))
    assert warned(pipeline) == ["activity-missing", "activity-missing"]


# Snapshots of messages


def user(id: str, content: Any = "Q", **fields: Any) -> dict[str, Any]:
    return {"id": id, "role": "user", "content": content, **fields}


def test_a_snapshot_replaces_in_place_appends_and_drops() -> None:
    pipeline = run(
        *text("a", "A"), *text("b", "B"), *text("c", "C"),
        snapshot(user("new"), user("c", "C2"), user("a", "A")),
    )  # fmt: skip
    assert contents(pipeline) == [("a", "user", "A"), ("c", "user", "C2"), ("new", "user", "Q")]
    assert [one["id"] for one in pipeline.transcript.messages(10)] == ["a", "b", "c"]


def test_what_nobody_else_can_know_stays_unless_the_snapshot_has_its_kind() -> None:
    events = [activity({}), *thought("r", "Hm."), *text("m", "x")]
    assert [one[0] for one in contents(run(*events, snapshot()))] == ["a", "r"]
    other = {"id": "b", "role": "activity", "activityType": "x", "content": {}}
    assert [one[0] for one in contents(run(*events, snapshot(other)))] == ["r", "b"]
    thinking = {"id": "s", "role": "reasoning", "content": ""}
    assert [one[0] for one in contents(run(*events, snapshot(thinking)))] == ["a", "s"]


def test_a_restated_message_is_not_touched() -> None:
    parts = [{"type": "text", "text": "Seen"}]
    told = [
        {"id": "m", "role": "assistant", "content": "Text.", "name": "North", "metadata": {"k": 1}},
        {
            "id": "c",
            "role": "assistant",
            "toolCalls": [
                {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"},
                 "metadata": {"k": [1]}, "encryptedValue": "v"},
            ],
        },
        {"id": "t", "role": "tool", "toolCallId": "c", "content": "done"},
        {"id": "a", "role": "activity", "activityType": "plan", "content": {"x": True}},
        {"id": "r", "role": "reasoning", "content": "Hm.", "encryptedValue": "v"},
        user("u", parts),
    ]  # fmt: skip
    pipeline = fed(STARTED, snapshot(*told))
    before = [message.body for message in held(pipeline)]
    feed(pipeline, snapshot(*told))
    assert [message.body for message in held(pipeline)] == before
    assert pipeline.transcript.changes(2, 3) == set()
    changed = [dict(one) for one in told]
    changed[3]["content"] = {"x": 1}
    feed(pipeline, snapshot(*changed))
    assert pipeline.transcript.changes(3, 4) == {held(pipeline)[3].key}
    assert pipeline.transcript.messages() == changed


def test_a_tool_message_and_an_activity_that_differ_in_one_field() -> None:
    tool = {"id": "t", "role": "tool", "toolCallId": "c", "content": "done"}
    plan = {"id": "a", "role": "activity", "activityType": "plan", "content": {"x": 1}}
    pipeline = fed(STARTED, snapshot(tool, plan))
    before = held(pipeline)[1].body.activity
    told = [{**tool, "content": "other"}, {**plan, "activityType": "search"}]
    feed(pipeline, snapshot(*told))
    assert pipeline.transcript.messages() == told
    assert held(pipeline)[1].body.activity is before
    assert [one["id"] for one in pipeline.transcript.messages(2)] == ["t", "a"]


def test_many_restated_messages_cost_only_those_that_differ() -> None:
    told = [user(f"u{number}", f"text {number}") for number in range(5000)]
    pipeline = fed(STARTED, snapshot(*told))
    told[77] = user("u77", "changed")
    texts = [message.body.text for message in held(pipeline)]
    feed(pipeline, snapshot(*told))
    assert pipeline.transcript.changes(2, 3) == {78}
    after = [message.body.text for message in held(pipeline)]
    assert [index for index in range(5000) if texts[index] is not after[index]] == [77]


def test_a_snapshot_mends_a_call_and_shares_what_is_equal() -> None:
    caller = {
        "id": "m",
        "role": "assistant",
        "content": "Text.",
        "toolCalls": [
            {"id": "c", "type": "function", "function": {"name": "find", "arguments": "{}"}}
        ],
    }
    pipeline = run(*text("m", "Text."), *call("c", "}", parentMessageId="m"), snapshot(caller))
    now, before = views(pipeline)[0], views(pipeline, 7)[0]
    assert (before.tool_calls[0].arguments, now.tool_calls[0].arguments) == ("}", "{}")
    assert now.text is before.text
    assert (now.tool_calls[0].started, now.tool_calls[0].ended) == (4, 6)
    assert pipeline.transcript.messages()[0] == caller


def test_a_renamed_call_in_a_snapshot_keeps_its_arguments() -> None:
    shape = {"id": "c", "type": "function", "function": {"name": "other", "arguments": "{}"}}
    caller = {"id": "c", "role": "assistant", "toolCalls": [shape]}
    pipeline = run(*call("c", "{}"), snapshot(caller))
    now, before = (views(pipeline, position)[0].tool_calls[0] for position in (5, 4))
    assert now.text is before.text
    assert (before.name, now.name) == ("find", "other")


def test_content_for_a_message_that_a_snapshot_dropped_is_dropped() -> None:
    pipeline = run(
        event("TEXT_MESSAGE_START", messageId="m"),
        event("TOOL_CALL_START", toolCallId="c", toolCallName="x"),
        snapshot(),
        event("TEXT_MESSAGE_CONTENT", messageId="m", delta="x"),
        event("TOOL_CALL_ARGS", toolCallId="c", delta="x"),
        event("TEXT_MESSAGE_END", messageId="m"),
        event("TOOL_CALL_END", toolCallId="c"),
    )
    assert contents(pipeline) == []
    assert warned(pipeline) == ["dropped-open"] * 4
    assert VERDICTS[pipeline.verdicts[4]] == "warned"


def test_an_open_message_that_a_snapshot_restates_goes_on() -> None:
    caller = {
        "id": "m",
        "role": "assistant",
        "content": "Other. ",
        "toolCalls": [{"id": "c", "type": "function", "function": {"name": "x", "arguments": "["}}],
    }
    pipeline = fed(
        STARTED,
        event("TEXT_MESSAGE_START", messageId="m"),
        event("TEXT_MESSAGE_CONTENT", messageId="m", delta="One."),
        event("TOOL_CALL_START", toolCallId="c", toolCallName="x", parentMessageId="m"),
        snapshot(caller),
    )
    assert (views(pipeline)[0].open, views(pipeline)[0].settled) == (True, 7)
    feed(
        pipeline,
        event("TEXT_MESSAGE_CONTENT", messageId="m", delta="Two."),
        event("TOOL_CALL_ARGS", toolCallId="c", delta="]"),
        event("TEXT_MESSAGE_END", messageId="m"),
        event("TOOL_CALL_END", toolCallId="c"),
        FINISHED,
    )
    view = views(pipeline)[0]
    assert (view.content(), view.open) == ("Other. Two.", False)
    assert (view.tool_calls[0].arguments, view.tool_calls[0].state) == ("[]", "pending")


def test_an_open_message_dropped_and_restated_is_open_still() -> None:
    shape = {"id": "c", "type": "function", "function": {"name": "x", "arguments": ""}}
    pipeline = fed(
        STARTED,
        event("TEXT_MESSAGE_START", messageId="m"),
        event("TOOL_CALL_START", toolCallId="c", toolCallName="x", parentMessageId="m"),
        event("REASONING_MESSAGE_START", messageId="r", role="reasoning"),
        snapshot({"id": "x", "role": "reasoning", "content": ""}),
        snapshot(
            {"id": "m", "role": "assistant", "content": "", "toolCalls": [shape]},
            {"id": "r", "role": "reasoning", "content": ""},
        ),
    )
    assert [view.open for view in views(pipeline)] == [True, True]
    assert views(pipeline)[0].tool_calls[0].state == "streaming"
    feed(pipeline, FAILED)
    assert [view.cut for view in views(pipeline)] == [True, True]


def test_a_snapshot_that_lists_an_id_twice() -> None:
    pipeline = run(snapshot(user("u", "one"), user("u", "two")))
    assert contents(pipeline) == [("u", "user", "one"), ("u", "user", "two")]
    assert warned(pipeline) == ["id-taken"]
    # Held twice, both are replaced by the one that is told last, and both are dropped.
    again = [STARTED, snapshot(user("u", "one"), user("u", "two")), snapshot(user("u", "three"))]
    pipeline = fed(*again)
    assert [one[2] for one in contents(pipeline)] == ["three", "three"]
    feed(pipeline, snapshot())
    assert contents(pipeline) == []


def test_of_two_with_one_id_only_the_kept_kind_stays() -> None:
    pipeline = run(result("c", "x", "a"), *thought("y"), result("c", "y"), snapshot())
    assert contents(pipeline) == [("y", "reasoning", "")]
    pipeline = run(result("c", "x", "a"), result("c", "x"), activity({}, messageId="x"), snapshot())
    assert [one[1] for one in contents(pipeline)] == ["activity"]


def test_an_empty_list_of_calls_is_told_again() -> None:
    shape = {"id": "m", "role": "assistant", "toolCalls": []}
    pipeline = fed(STARTED, snapshot(shape), *call("c", parentMessageId="m"))
    assert pipeline.transcript.messages(2) == [shape]
    assert len(pipeline.transcript.messages()[0]["toolCalls"]) == 1


# Runs, steps, subagents


def test_messages_of_a_started_runs_input_are_added_where_not_held() -> None:
    told = {"threadId": "t", "runId": "r", "messages": [user("u"), user("m", "other")]}
    pipeline = fed({**STARTED, "input": told}, *text("m", "x"))
    feed(
        pipeline,
        FINISHED,
        {**STARTED, "input": {**told, "messages": [user("v"), user("u", "new")]}},
    )
    assert contents(pipeline) == [("u", "user", "Q"), ("m", "user", "otherx"), ("v", "user", "Q")]


@pytest.mark.parametrize(
    ("outcome", "kind", "pending"),
    [
        (None, "finished", ("c", "d")),
        ({"type": "success"}, "finished", ("c", "d")),
        ({"type": "success", "pendingToolCallIds": ["d"]}, "finished", ("d",)),
        ({"type": "cancelled"}, "cancelled", ()),
        (
            {"type": "interrupt", "interrupts": [{"id": "i", "reason": "ask"}]},
            "interrupted",
            ("c", "d"),
        ),
        ({"type": "paused"}, "finished", ("c", "d")),
    ],
)
def test_endings_and_pending_calls(outcome: Any, kind: str, pending: tuple[str, ...]) -> None:
    finished = FINISHED if outcome is None else {**FINISHED, "outcome": outcome}
    events = [*call("c"), *call("e"), *call("d"), result("e", "t")]
    pipeline = fed(STARTED, *events, {**finished, "result": {"answer": 1}})
    ending = pipeline.transcript.runs[0].ending.now
    assert ending is not None
    assert (ending.kind, ending.pending, ending.result) == (kind, pending, {"answer": 1})
    assert len(ending.interrupts) == (kind == "interrupted")


def test_a_late_error_turns_a_finished_run() -> None:
    usage = [{"inputTokens": 3}]
    pipeline = fed(STARTED, {**FINISHED, "usage": usage}, {**FAILED, "code": "E"})
    (run_,) = pipeline.transcript.runs
    early, late = run_.ending.at(2), run_.ending.now
    assert early is not None
    assert late is not None
    assert (early.kind, late.kind, late.message, late.code) == (
        "finished",
        "failed",
        "it broke",
        "E",
    )
    assert late.usage == early.usage
    assert run_.events == 3
    assert sum(isinstance(entry, RunEnd) for entry in pipeline.transcript.entries) == 1


def test_an_error_outside_any_run_is_a_run_without_ids() -> None:
    pipeline = fed({**FAILED, "usage": [{"outputTokens": 1}]})
    (run_,) = pipeline.transcript.runs
    assert (run_.thread_id, run_.run_id, run_.events) == (None, None, 1)
    assert run_.ending.now is not None
    assert run_.ending.now.usage is not None
    assert [type(entry) for entry in pipeline.transcript.entries] == [RunEnd]


def test_an_error_cuts_what_is_open() -> None:
    pipeline = fed(
        STARTED, *text("m", "Half an ans")[:2], event("STEP_STARTED", stepName="s"), FAILED
    )
    view = views(pipeline)[0]
    assert (view.open, view.cut, view.settled) == (False, True, 11)
    assert [one.cut for one in views(pipeline, 4)] == [False]
    step = next(entry for entry in pipeline.transcript.entries if isinstance(entry, Step))
    assert step.finished is None


def test_steps_match_by_name_and_owner() -> None:
    pipeline = run(
        event("STEP_STARTED", stepName="s"),
        event("STEP_STARTED", stepName="s", subagentRunId="x"),
        event("STEP_FINISHED", stepName="s", subagentRunId="x"),
        event("STEP_FINISHED", stepName="s"),
    )
    steps = [entry for entry in pipeline.transcript.entries if isinstance(entry, Step)]
    assert [(step.owner, step.finished) for step in steps] == [(None, 4), ("x", 3)]


def test_subagents_end_in_three_ways() -> None:
    def started(id: str) -> dict[str, Any]:
        return event(
            "SUBAGENT_STARTED", subagentRunId=id, name=f"name {id}", description="d",
            parentToolCallId="c", parentMessageId="m",
        )  # fmt: skip

    suspended = {"type": "suspended", "interruptIds": ["i"]}
    pipeline = run(
        started("a"), started("b"), {**started("c"), "parentSubagentRunId": "a"},
        event("SUBAGENT_FINISHED", subagentRunId="a", outcome=suspended),
        event("SUBAGENT_ERROR", subagentRunId="b", message="broke", code="E"),
        event("SUBAGENT_FINISHED", subagentRunId="c", outcome={"type": "success"}),
    )  # fmt: skip
    found = [entry for entry in pipeline.transcript.entries if isinstance(entry, Subagent)]
    endings = [entry.ending.now for entry in found]
    assert [ending and ending.kind for ending in endings] == ["suspended", "failed", "finished"]
    assert endings[0] is not None
    assert endings[0].interrupts == ("i",)
    assert found[2].parent == "a"
    assert pipeline.transcript.subagent("a") is found[0]
    assert pipeline.transcript.subagent("a", 1) is None
    assert pipeline.transcript.subagent("nobody") is None


def test_a_subagents_id_used_in_two_runs_means_the_latest() -> None:
    one = event("SUBAGENT_STARTED", subagentRunId="a", name="first")
    end = event("SUBAGENT_FINISHED", subagentRunId="a")
    pipeline = fed(STARTED, one, end, FINISHED, STARTED, {**one, "name": "second"}, end, FINISHED)
    names = [
        found.name
        for position in (4, 8)
        if (found := pipeline.transcript.subagent("a", position)) is not None
    ]
    assert names == ["first", "second"]


def test_passthrough_keeps_its_place() -> None:
    pipeline = run(
        event("RAW", event={"x": 1}, source="sdk"), event("RAW", event=None),
        event("CUSTOM", name="note", value=[1], subagentRunId="s"),
    )  # fmt: skip
    told = [(e.kind, e.name, e.owner) for e in pipeline.transcript.entries[1:4]]
    assert told == [("RAW", "sdk", None), ("RAW", "", None), ("CUSTOM", "note", "s")]


CALLER = {
    "id": "c",
    "role": "assistant",
    "toolCalls": [{"id": "c", "type": "function", "function": {"name": "find", "arguments": ""}}],
}
LATER = {"id": "m", "role": "assistant", "content": "Later."}


def order(*events: Any) -> list[str]:
    return [message["id"] for message in run(*events).transcript.messages()]


def test_a_result_stands_behind_its_caller_though_an_earlier_one_was_dropped() -> None:
    streamed = (*call("c"), result("c", "t1"), *text("m", "Later."))
    assert order(*streamed, snapshot(CALLER, LATER), result("c", "t2")) == ["c", "t2", "m"]


def test_a_result_stands_behind_those_a_snapshot_told_of() -> None:
    told = {"id": "t1", "role": "tool", "toolCallId": "c", "content": "first"}
    assert order(snapshot(CALLER, told, LATER), result("c", "t2")) == ["c", "t1", "t2", "m"]


def test_ends_of_what_never_began_change_nothing() -> None:
    """Verification lets none through; the reducer alone does not trip over them either."""
    fold = Fold(Transcript())
    for end in (
        StepFinished(step_name="s"),
        SubagentFinished(subagent_run_id="s"),
    ):
        fold.stamp += 1
        fold_payload(fold, [end])
    assert list(fold.transcript.touched) == [NOTHING, NOTHING]
    assert fold.transcript.entries == []


def test_a_message_replaced_twice_has_three_contents() -> None:
    told = [{"id": "m", "role": "user", "content": content} for content in ("One", "Two", "Three")]
    pipeline = run(*(snapshot(message) for message in told))
    # Position 1 is after RUN_STARTED.
    assert [views(pipeline, position)[0].content() for position in (2, 3, 4)] == [
        "One",
        "Two",
        "Three",
    ]


def test_changes_over_a_snapshot_and_a_delta_name_all_that_changed() -> None:
    first, second = (
        [{"id": id, "role": "user", "content": content} for id in "ab"] for content in ("x", "y")
    )
    pipeline = run(snapshot(*first), *text("m", "Hi"), snapshot(*second), *text("m", "there"))
    transcript = pipeline.transcript
    keys = {message.id: message.key for message in held(pipeline)}
    dropped = keys["m"] - 1  # the first m, which the second snapshot leaves out
    # RUN_STARTED, snapshot, START, CONTENT, END | snapshot, START, CONTENT
    assert transcript.changes(5, 8) == {keys["a"], keys["b"], dropped, keys["m"]}
