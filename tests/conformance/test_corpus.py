"""The official conformance corpus: 77 fixtures, read where they lie, every key checked.

How they are to be read is said in the corpus' own README and in ``shared/conformance``'s.
``errorContains`` and ``warnings`` quote the reference client; here each is mapped to the
rule that says the same thing, and to what our own sentence must name.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, get_args

import pytest

from tests.conftest import SHARED, shared_path
from tests.pipelines import as_jsonl, as_sse, read
from transcript_tui.session.sources.run_input import build_run_input
from transcript_tui.transcript.pipeline import Pipeline

EXCLUDED: Final = {
    "truncated-run-reported-as-completed": "pins an admitted gap of the reference client; the "
    "rule itself is in truncated-stream-fails-the-run",
    "era-0-0-39-flattens-content": "a downgrade towards old peers, which the text only permits",
    "era-0-0-57-subagent-dropped-with-warning": "a downgrade towards old peers",
    "era-pinned-peer-omits-protocol-version": "a downgrade towards old peers",
    "era-0-0-47-upgrades-binary-content": "the same for what is sent; what is received is "
    "upgraded, which has a test of its own below",
}

FATAL: Final = {
    "chunk-conflicting-role-fatal": ("chunk-conflict", "role"),
    "chunk-conflicting-tool-name-fatal": ("chunk-conflict", "toolCallName"),
    "content-without-start-fatal": ("not-open", "orphan-content-m1"),
    "custom-closes-chunk-stream-fatal": ("chunk-first", "messageId"),
    "duplicate-interrupt-id-fatal": ("interrupts", "i-duplicate-interrupt"),
    "event-after-run-finished-fatal": ("after-close", "RUN_FINISHED"),
    "first-chunk-missing-id-fatal": ("chunk-first", "messageId"),
    "first-event-not-run-started-fatal": ("first-event", "TEXT_MESSAGE_START"),
    "first-tool-chunk-missing-name-fatal": ("chunk-first", "toolCallName"),
    "malformed-known-field-fatal": ("malformed", "/delta"),
    "nested-run-started-fatal": ("run-nested", "RUN_STARTED"),
    "open-message-at-run-finished-fatal": ("open-at-finish", "RUN_FINISHED"),
    "reasoning-discipline-verified": ("not-open", "m-reasoning-discipline-1"),
    "reasoning-message-wrong-role-fatal": ("malformed", "reasoning"),
    "run-finished-with-active-subagent-fatal": (
        "open-at-finish",
        "s-run-finished-active-subagent-1",
    ),
    "run-finished-wrong-run-id-fatal": ("run-identity", "runId"),
    "run-finished-wrong-thread-id-fatal": ("run-identity", "threadId"),
    "second-run-on-another-thread-fatal": ("run-identity", "thread"),
    "step-finished-without-start-fatal": (
        "step-not-open",
        "step-finished-without-start-never-opened",
    ),
    "subagent-attribution-mismatch-fatal": ("owner", "s-subagent-attribution-mismatch-1"),
    "subagent-finished-unstarted-fatal": ("subagent-not-open", "s-subagent-finished-unstarted-1"),
    "subagent-started-missing-name-fatal": ("malformed", "/name"),
    "unknown-enum-value-role-fatal": ("malformed", "/role"),
    "unknown-outcome-array-fatal": ("malformed", "/outcome"),
}
"""What rejects the stream, and what its sentence names."""

WARNED: Final = {
    "era-0-0-45-thinking-translated": ("retired-shape", "THINKING_START"),
    "producer-declares-newer-version-warns": ("version", "1.1"),
    "producer-declares-uninterpretable-version-warns": ("version", "draft"),
    "state-delta-unappliable-warns-and-keeps": ("patch-failed", "/absent/deeper"),
    "state-delta-unknown-op-dropped": ("patch-unknown-op", "/delta/0"),
    "unknown-event-dropped": ("unknown-event", "FUTURE_EVENT"),
    "unknown-outcome-stripped": ("unknown-property", "/outcome"),
    "unknown-part-in-message-list": ("unknown-property", "/messages/0/content/1"),
    "unknown-property-stripped": ("unknown-property", "/futureProp"),
}
"""The warning's rule, and what it names."""

KEYS: Final = {
    "outcome", "errorContains", "runError", "eventTypes", "eventTypesAbsent", "eventPaths",
    "eventAbsentPaths", "warnings", "noWarnings", "messageCount", "messages", "state",
    "request", "requestAbsentPaths", "intentional",
}  # fmt: skip

FIXTURES: Final = sorted(path.stem for path in SHARED.glob("conformance/*.json"))


def fixture(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shared_path("conformance", f"{name}.json").read_text())
    return found


def expected(found: dict[str, Any]) -> dict[str, Any]:
    overrides = found.get("expectOverrides", {}).get("typescript", {})
    return {**found["expect"], **overrides}


def byte_by_byte(source: bytes) -> list[bytes]:
    return [source[index : index + 1] for index in range(len(source))]


SPELLINGS: Final[dict[str, Callable[[list[bytes]], Any]]] = {
    "sse": as_sse,
    "jsonl": as_jsonl,
    "bytes": lambda payloads: byte_by_byte(as_sse(payloads)),
}


def consumed(found: dict[str, Any], spelling: str) -> Pipeline:
    """The fixture's stream through wire and pipeline."""
    payloads = [json.dumps(event).encode() for event in found["stream"]]
    source = SPELLINGS[spelling](payloads)
    return read(source, input=found.get("input"), record_events="full")


def test_the_corpus_is_whole() -> None:
    shared_path("conformance")
    assert len(FIXTURES) == 77
    assert set(EXCLUDED) | set(FATAL) | set(WARNED) <= set(FIXTURES)
    for name in FIXTURES:
        expect = expected(fixture(name))
        assert set(expect) <= KEYS
        if name not in EXCLUDED:
            # Whatever a fixture quotes of the reference client is mapped to a rule of ours.
            cut = name == "truncated-stream-fails-the-run"
            assert ("errorContains" in expect) == (name in FATAL or cut)
            assert bool(expect.get("warnings")) == (name in WARNED)


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", [name for name in FIXTURES if name not in EXCLUDED])
def test_fixture(name: str, spelling: str) -> None:
    found = fixture(name)
    expect = expected(found)
    pipeline = consumed(found, spelling)
    _check_verdict(name, expect, pipeline)
    _check_warnings(name, expect, pipeline)
    _check_events(expect, pipeline)
    _check_outcome(expect, pipeline)


def _check_verdict(name: str, expect: dict[str, Any], pipeline: Pipeline) -> None:
    stream = pipeline.stream
    endings = [run.ending.now for run in stream.runs]
    if expect["outcome"] == "completed":
        assert stream.violation is None
        assert all(ending is not None and ending.kind != "truncated" for ending in endings)
    elif name == "truncated-stream-fails-the-run":
        # Accepted so far, and an ending of its own: never completed.
        assert stream.violation is None
        assert [ending and ending.kind for ending in endings] == ["truncated"]
    else:
        assert "errorContains" in expect
        rule, named = FATAL[name]
        assert stream.violation is not None
        assert stream.violation.rule == rule
        said = [stream.violation.message, *stream.violation.paths]
        assert any(named in part for part in said)


def _check_warnings(name: str, expect: dict[str, Any], pipeline: Pipeline) -> None:
    warnings = pipeline.stream.warnings
    if expect.get("noWarnings"):
        assert warnings == []
    if expect.get("warnings"):
        rule, named = WARNED[name]
        found = [one for one in warnings if one.rule == rule]
        assert any(named in one.message or named == one.path for one in found)


def _check_events(expect: dict[str, Any], pipeline: Pipeline) -> None:
    types = pipeline.stream.event_types()
    events = pipeline.stream.events()
    assert [event["type"] for event in events] == types
    if "eventTypes" in expect:
        assert types == expect["eventTypes"]
    assert not set(expect.get("eventTypesAbsent", ())) & set(types)
    for path, value in expect.get("eventPaths", {}).items():
        assert at_path(events, path) == value
        assert type(at_path(events, path)) is type(value)
    for path in expect.get("eventAbsentPaths", ()):
        with pytest.raises(LookupError):
            at_path(events, path)


def at_path(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = value[int(part) if isinstance(value, list) else part]
    return value


def _check_outcome(expect: dict[str, Any], pipeline: Pipeline) -> None:
    transcript = pipeline.transcript
    messages = transcript.messages()
    if "messageCount" in expect:
        assert len(messages) == expect["messageCount"]
    if "messages" in expect:
        assert_subset(expect["messages"], messages)
    if "state" in expect:
        assert_subset(expect["state"], transcript.state_at())
    if "runError" in expect:
        failed = [
            run.ending.now.message
            for run in transcript.runs
            if run.ending.now is not None and run.ending.now.kind == "failed"
        ]
        assert expect["runError"] in failed


def assert_subset(wanted: Any, got: Any) -> None:
    """Named keys only, arrays of equal length."""
    if isinstance(wanted, dict):
        for key, value in wanted.items():
            assert_subset(value, got[key])
    elif isinstance(wanted, list):
        assert len(wanted) == len(got)
        for one, other in zip(wanted, got, strict=True):
            assert_subset(one, other)
    else:
        assert wanted == got
        assert type(wanted) is type(got)


@pytest.mark.parametrize("name", [name for name in FIXTURES if name not in EXCLUDED])
def test_request(name: str) -> None:
    """``request``: what is sent to start the run."""
    found = fixture(name)
    request = expected(found).get("request")
    sent = build_run_input(given=found.get("input"))
    if request is not None:
        assert_subset(request, sent)
    for path in expected(found).get("requestAbsentPaths", ()):
        with pytest.raises(LookupError):
            at_path(sent, path)


def test_binary_parts_that_arrive_are_upgraded() -> None:
    """The excluded era fixture's material, received in a snapshot instead of sent."""
    told = fixture("era-0-0-47-upgrades-binary-content")
    snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": told["input"]["messages"]}
    found = {"stream": [told["stream"][0], snapshot, *told["stream"][1:]]}
    pipeline = consumed(found, "sse")
    wanted = told["expect"]["request"]["messages"]
    assert_subset(wanted, pipeline.transcript.messages()[: len(wanted)])
    assert {one.rule for one in pipeline.stream.warnings} == {"retired-shape"}


def test_the_five_exclusions_are_the_only_ones() -> None:
    assert len(EXCLUDED) == 5
    assert all(EXCLUDED.values())


def test_our_kinds_are_those_of_the_official_models() -> None:
    from ag_ui.core import EventType

    from transcript_tui.protocol.events import KINDS, Event

    assert set(KINDS) == {kind.value for kind in EventType} - RETIRED
    assert len(get_args(Event)) == 31


RETIRED: Final = {
    "THINKING_START",
    "THINKING_END",
    "THINKING_TEXT_MESSAGE_START",
    "THINKING_TEXT_MESSAGE_CONTENT",
    "THINKING_TEXT_MESSAGE_END",
}
