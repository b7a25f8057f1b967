"""Every warning id of the reducer has streams that keep it quiet and streams that bring it."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from tests.protocol.test_rules import REDUCERS
from tests.transcript.folding import Event, call, event, result, run, text, thought


def snapshot(*messages: Event) -> Event:
    return event("MESSAGES_SNAPSHOT", messages=list(messages))


def activity(**fields: Any) -> Event:
    return event("ACTIVITY_SNAPSHOT", messageId="a", activityType="t", content={"x": 1}, **fields)


def amended(path: str = "/x", id: str = "a") -> Event:
    patch = [{"op": "replace", "path": path, "value": 2}]
    return event("ACTIVITY_DELTA", messageId=id, activityType="t", patch=patch)


def sealed(id: str, subtype: str = "message") -> Event:
    return event("REASONING_ENCRYPTED_VALUE", subtype=subtype, entityId=id, encryptedValue="v")


def patched(*operations: Event) -> Event:
    return event("STATE_DELTA", delta=list(operations))


USER: Event = {"id": "m", "role": "user", "content": "x"}
OPEN = event("TEXT_MESSAGE_START", messageId="m")
MORE = event("TEXT_MESSAGE_CONTENT", messageId="m", delta="x")
END = event("TEXT_MESSAGE_END", messageId="m")

QUIET: dict[str, list[list[Event]]] = {
    "reopen-disagrees": [
        [*text("m", "a", role="user", name="North"), *text("m", "b", role="user", name="North")],
        [*call("c", parentMessageId="m"), *call("c", parentMessageId="m")],
    ],
    "parent-role": [
        [*text("m", "a"), *call("c", parentMessageId="m")],
        [*call("c", parentMessageId="unheld")],
    ],
    "call-renamed": [[*call("c", "1"), *call("c", "2")]],
    "id-taken": [
        [*text("m", "a"), *thought("r", "b"), *call("c"), result("c", "t"), activity()],
        [*text("m", "a"), snapshot(USER)],
    ],
    "dropped-open": [
        [OPEN, snapshot({"id": "m", "role": "assistant", "content": ""}), MORE, END],
        [*text("m", "a"), snapshot()],
    ],
    "patch-failed": [
        [
            patched(
                {"op": "add", "path": "/a~1b", "value": 1},
                {"op": "test", "path": "", "value": {"a/b": 1}},
            )
        ],
        [activity(), amended()],
    ],
    "activity-missing": [[activity(), amended()]],
    "unknown-entity": [[*thought("r", "a"), sealed("r")], [*call("c"), sealed("c", "tool-call")]],
}

WARNED: dict[str, list[list[Event]]] = {
    "reopen-disagrees": [
        [*text("m", "a", name="North"), *text("m", "b", name="South")],
        [*text("m", "a"), *text("m", "b", role="user")],
        [*call("c", parentMessageId="m"), *call("c", parentMessageId="n")],
    ],
    "parent-role": [[*text("m", "a", role="user"), *call("c", parentMessageId="m")]],
    "call-renamed": [[*call("c", "1"), *call("c", "2", name="write")]],
    "id-taken": [
        [activity(), *text("a", "x")],
        [*thought("m", "a"), *text("m", "b")],
        [*text("m", "a"), *thought("m", "b")],
        [*text("a", "x"), activity()],
        [*call("c"), result("c", "t"), result("c", "t")],
        [snapshot(USER, USER)],
    ],
    "dropped-open": [[OPEN, snapshot(), MORE, END], [OPEN, snapshot(), END]],
    "patch-failed": [
        [patched({"op": "remove", "path": "/none"})],
        [patched({"op": "test", "path": "", "value": 1})],
        [activity(), amended("/none")],
    ],
    "activity-missing": [[amended()], [*text("a", "x"), amended()], [activity(), amended(id="b")]],
    "unknown-entity": [[sealed("none")], [sealed("none", "tool-call")], [activity(), sealed("a")]],
}


def numbered(table: dict[str, list[list[Event]]]) -> list[Any]:
    return [
        pytest.param(rule, events, id=f"{rule}-{number}")
        for rule, found in table.items()
        for number, events in enumerate(found)
    ]


def said(events: list[Event]) -> set[str]:
    return {warned.rule for warned in run(*events).stream.warnings}


@pytest.mark.parametrize(("rule", "events"), numbered(QUIET))
def test_kept(rule: str, events: list[Event]) -> None:
    assert rule not in said(events)


@pytest.mark.parametrize(("rule", "events"), numbered(WARNED))
def test_broken(rule: str, events: list[Event]) -> None:
    assert rule in said(events)


@pytest.mark.parametrize(("rule", "events"), numbered(WARNED))
def test_a_warning_stays_a_sentence_whatever_ids_are_long(rule: str, events: list[Event]) -> None:
    written = re.sub(
        r'("(?:[a-z]|write|read|North|South|/?none)(?="))',
        lambda found: found[1] + "x" * 10_000,
        json.dumps(events),
    )
    warnings = run(*json.loads(written)).stream.warnings
    assert rule in {warned.rule for warned in warnings}
    assert max(len(warned.message) for warned in warnings) < 1000


def test_every_warning_of_the_reducer_is_here() -> None:
    assert set(QUIET) == set(WARNED) == REDUCERS
