"""What enforcement removes, what it calls malformed, and where."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from msgspec import Meta, inspect, to_builtins

from tests.protocol.streams import STARTED, Json, event, judged
from transcript_tui.protocol.enforcement import compile_plan, enforce, plan_of
from transcript_tui.protocol.events import KINDS, MessagesSnapshot, StateDelta
from transcript_tui.protocol.plans import MAX_FAULTS, Report, kind_of
from transcript_tui.protocol.pointer import pointer

TEXT = {"type": "text", "text": "a"}


def snapshot(*messages: Json) -> Json:
    return event("MESSAGES_SNAPSHOT", messages=list(messages))


def user(*parts: Any) -> Json:
    return {"role": "user", "id": "u", "content": list(parts)}


def stripped(value: Json) -> tuple[Any, list[str | None], str | None]:
    """What is delivered of ``value``, the paths removed from it, and a violation's path."""
    verifier, delivered = judged([STARTED, value], end=False)
    left = to_builtins(delivered[1]) if len(delivered) > 1 else None
    paths = [warned.path for warned in verifier.warnings]
    return left, paths, verifier.violation.path if verifier.violation else None


def test_an_unknown_property_goes_at_any_depth() -> None:
    part = {"type": "image", "source": {"type": "url", "value": "v", "x": 1}, "y": 1}
    left, paths, _ = stripped({**snapshot({**user(part), "z": 1}), "w": 1})
    assert paths == [
        "/w",
        "/messages/0/content/0/source/x",
        "/messages/0/content/0/y",
        "/messages/0/z",
    ]
    clean = {"type": "image", "source": {"type": "url", "value": "v"}}
    assert left == snapshot(user(clean))


def test_an_unknown_member_in_a_list_goes_and_the_list_stays() -> None:
    left, paths, _ = stripped(snapshot(user(TEXT, {"type": "hologram"}, TEXT)))
    assert paths == ["/messages/0/content/1"]
    assert left == snapshot(user(TEXT, TEXT))


def test_an_unknown_value_in_a_required_place_takes_what_contains_it() -> None:
    part = {"type": "audio", "source": {"type": "ipfs", "x": 1}, "id": 7, "y": 1}
    left, paths, violation = stripped(snapshot(user(part, TEXT)))
    # The wrong id and the unknown property inside went with it: they are not said.
    assert paths == ["/messages/0/content/0"]
    assert left == snapshot(user(TEXT))
    assert violation is None


def test_an_unknown_value_in_an_optional_place_goes_alone() -> None:
    left, paths, _ = stripped(
        event("RUN_FINISHED", threadId="t", runId="r", outcome={"type": "paused", "x": 1})
    )
    assert paths == ["/outcome"]
    assert left == event("RUN_FINISHED", threadId="t", runId="r")


def test_an_unknown_value_in_a_required_place_of_the_event_takes_the_event() -> None:
    value = event("REASONING_ENCRYPTED_VALUE", subtype="x", entityId="e", encryptedValue="v")
    left, paths, _ = stripped(value)
    assert left is None
    assert paths == ["/subtype"]


def test_open_objects_are_left_alone() -> None:
    anything = {"type": "hologram", "x": None, "op": "zap", "role": "robot"}
    operation = {"op": "add", "path": "", "value": anything, "extra": anything}
    for value in (
        event("STATE_DELTA", delta=[operation], metadata=anything, rawEvent=anything),
        event("STATE_SNAPSHOT", snapshot=anything),
        event("ACTIVITY_SNAPSHOT", messageId="a", activityType="t", content=anything),
        event("ACTIVITY_DELTA", messageId="a", activityType="t", patch=[operation]),
        event("RAW", event=anything),
        event("CUSTOM", name="n", value=anything),
        event("RUN_FINISHED", threadId="t", runId="r", result=anything),
    ):
        left, paths, violation = stripped(value)
        assert left == value
        assert paths == []
        assert violation is None


def test_several_unknown_elements_of_one_list_are_one_warning_with_a_count() -> None:
    verifier, _ = judged(
        [STARTED, snapshot(user({"type": "a"}, {"type": "b"}), user({"type": "c"}))]
    )
    assert [(w.path, w.count) for w in verifier.warnings if w.rule == "unknown-property"] == [
        ("/messages/0/content/0", 3)
    ]


def test_what_is_wrong_is_said_with_place_kind_and_expectation() -> None:
    verifier, _ = judged([STARTED, event("TEXT_MESSAGE_CONTENT", messageId=7)])
    assert verifier.violation is not None
    assert verifier.violation.message == (
        "TEXT_MESSAGE_CONTENT is malformed: /messageId is a number, where a string is expected; "
        "/delta is missing, where a string is expected."
    )
    assert verifier.violation.paths == ("/messageId", "/delta")
    assert verifier.violation.path == "/messageId"


def test_a_malformed_event_says_what_was_unknown_in_it_too() -> None:
    verifier, _ = judged([{**STARTED, "runId": 7, "future": 1}])
    assert verifier.violation is not None
    assert [warned.path for warned in verifier.warnings] == ["/future"]


def test_many_faults_are_not_all_listed() -> None:
    verifier, _ = judged([STARTED, snapshot(*({"role": "user"} for _ in range(1000)))])
    assert verifier.violation is not None
    assert len(verifier.violation.paths) == MAX_FAULTS
    assert "; 97 more" in verifier.violation.message


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "a boolean"),
        (1, "a number"),
        (1.5, "a number"),
        ("x", "'x'"),
        ("y" * 500, "y" * 120 + "…'"),
        ([], "a list"),
        ({}, "an object"),
    ],
)
def test_kinds_have_names(value: Any, words: str) -> None:
    verifier, _ = judged([{**STARTED, "timestamp": value}])
    assert (verifier.violation is None) == (type(value) is int)
    assert verifier.violation is None or words in verifier.violation.message
    if not isinstance(value, str):
        assert kind_of(value) == words


@pytest.mark.parametrize(("given", "delivered"), [(1.0, 1), (-0.0, 0), (2**53 - 1, 2**53 - 1)])
def test_json_has_one_kind_of_number(given: float, delivered: int) -> None:
    _, events = judged([{**STARTED, "timestamp": given}], end=False)
    assert events[0].timestamp == delivered
    assert type(events[0].timestamp) is int


def test_every_kind_has_a_plan_that_knows_its_fields() -> None:
    for name, kind in KINDS.items():
        plan = plan_of(kind)
        assert set(plan.fields) == {"type", *kind.__struct_encode_fields__}, name
        assert not plan.open


def test_reports_are_made_in_place() -> None:
    value: dict[str, Any] = snapshot({"role": "robot"}, {"role": "user", "id": "u", "content": ""})
    report = enforce(value, MessagesSnapshot)
    assert [pointer(removal.path) for removal in report.removals] == ["/messages/0"]
    assert len(value["messages"]) == 1
    assert not enforce(event("STATE_DELTA", delta=[]), StateDelta).removals


def test_plans_for_what_no_shape_says_yet() -> None:
    numbers = compile_plan(inspect.type_info(list[Annotated[int, Meta(ge=0, le=5)]]))
    report = Report()
    assert numbers.apply([1.0, 2], (), report) == [1, 2]
    assert not report.faults
    marked = Annotated[bool, Meta(extra={"anything": 1})]
    assert compile_plan(inspect.type_info(marked)).expected == "true or false"
    with pytest.raises(TypeError, match="no plan"):
        compile_plan(inspect.type_info(bytes))


def test_numbers_in_places_of_any_value() -> None:
    for value in (1, 1.5, 10**30, False, "x", [], {}):
        _, events = judged([STARTED, event("RUN_FINISHED", threadId="t", runId="r", result=value)])
        assert events[1].result == value
