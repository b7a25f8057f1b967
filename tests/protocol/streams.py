"""Streams for tests: written by hand, and generated.

``run(*events)`` is a whole run around ``events``. ``valid_streams`` draws streams that
follow every rule, of all families, with owners and several runs; ``streams`` bends them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from transcript_tui.protocol.events import Expanded
from transcript_tui.protocol.stream import Verifier

Json = dict[str, Any]

STARTED: Json = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
FINISHED: Json = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}


def event(kind: str, **fields: Any) -> Json:
    return {"type": kind, **fields}


def run(*events: Json) -> list[Json]:
    return [STARTED, *events, FINISHED]


def encoded(events: Iterable[Json]) -> list[bytes]:
    return [json.dumps(each, separators=(",", ":")).encode() for each in events]


def judged(
    events: Iterable[Json | bytes], *, end: bool = True, **options: bool
) -> tuple[Verifier, list[Expanded]]:
    """A verifier after ``events`` (and their end), and what it delivered."""
    verifier = Verifier(**options)
    delivered: list[Expanded] = []
    for each in events:
        payload = each if isinstance(each, bytes) else json.dumps(each).encode()
        delivered += verifier.step(payload)
    if end:
        delivered += verifier.end()
    return verifier, delivered


def kinds(events: Iterable[Expanded]) -> list[str]:
    return [str(each.__struct_config__.tag) for each in events]


def text(id: str = "m", **fields: Any) -> tuple[Json, Json, Json]:
    """A whole text message."""
    return (
        event("TEXT_MESSAGE_START", messageId=id, **fields),
        event("TEXT_MESSAGE_CONTENT", messageId=id, delta="x"),
        event("TEXT_MESSAGE_END", messageId=id),
    )


# Generated streams

IDS = st.sampled_from(["a", "b", "c", ""])
OWNERS = st.sampled_from([None, None, "s1", "s2"])
TEXTS = st.sampled_from(["", "x", "é", "\ud83d", "\ude00", "</data>\n\n", "line\nline"])
# Pools rather than recursive strategies: drawing is most of what a law costs.
VALUES_OF_ANY_KIND: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    2**70,
    1.5,
    "",
    "x",
    "\ud83d",
    [],
    {},
    [None, [1, {"a": {}}]],
    {"type": "text", "op": "zap", "role": "robot"},
    {"a": None, "": [0]},
]
JSON = st.sampled_from(VALUES_OF_ANY_KIND)
NOT_NULL = st.sampled_from(VALUES_OF_ANY_KIND[1:])
OBJECTS = st.sampled_from([value for value in VALUES_OF_ANY_KIND if isinstance(value, dict)])
POINTERS = ["", "/a", "/a/0", "/a/-", "/~0~1"]
PARTS: list[Json] = [
    {"type": "text", "text": "x"},
    {"type": "text", "text": "\ud83d", "id": "p", "metadata": [1]},
    *(
        {"type": kind, "source": source}
        for kind in ("image", "audio", "video", "document")
        for source in (
            {"type": "url", "value": "u"},
            {"type": "file", "value": "f", "provider": "p", "mimeType": "image/png"},
            {"type": "data", "value": "QQ==", "mimeType": "image/png"},
        )
    ),
]
CONTENTS = st.sampled_from(["", "x", "\ude00", [], PARTS[:1], PARTS[1:4], PARTS[3:]])
OPERATIONS: list[Json] = [
    *({"op": "add", "path": path, "value": value} for path in POINTERS for value in (None, {}, 1)),
    *({"op": "replace", "path": path, "value": [1], "extra": 1} for path in POINTERS),
    *({"op": "remove", "path": path} for path in POINTERS),
    *({"op": op, "path": "/a", "from": path} for op in ("move", "copy") for path in POINTERS),
    {"op": "test", "path": "/a", "value": 1},
]
PATCHES = st.lists(st.sampled_from(OPERATIONS), max_size=3)
FUNCTION = {"name": "f", "arguments": "{"}
MESSAGES: st.SearchStrategy[Json] = st.sampled_from(
    [
        {"role": "developer", "id": "a", "content": "x"},
        {"role": "system", "id": "b", "content": "", "name": "n"},
        {"role": "user", "id": "a", "content": PARTS[:3], "metadata": {"k": None}},
        {"role": "user", "id": "u", "content": "x", "name": "n"},
        {"role": "assistant", "id": "a"},
        {"role": "assistant", "id": "b", "content": "x", "subagentRunId": "s1"},
        {
            "role": "assistant",
            "id": "c",
            "toolCalls": [{"id": "a", "type": "function", "function": FUNCTION}],
        },
        {
            "role": "assistant",
            "id": "",
            "subagentRunId": "s2",
            "toolCalls": [
                {"id": "b", "type": "function", "function": FUNCTION, "metadata": {}},
                {"id": "c", "type": "function", "function": FUNCTION, "encryptedValue": "v"},
            ],
        },
        {"role": "tool", "id": "t", "toolCallId": "a", "content": "x", "error": "e"},
        {"role": "tool", "id": "a", "toolCallId": "b", "content": PARTS},
        {"role": "activity", "id": "act-1", "activityType": "t", "content": {"a": [1]}},
        {"role": "reasoning", "id": "a", "content": "x", "encryptedValue": "v"},
        {"role": "reasoning", "id": "b", "content": "", "subagentRunId": "s1"},
    ]
)
EXTRAS: st.SearchStrategy[Json] = st.sampled_from(
    [
        {},
        {},
        {},
        {"timestamp": 1},
        {"timestamp": -(2**53) + 1},
        {"rawEvent": {"a": None}},
        {"rawEvent": False, "metadata": {}},
        {"metadata": {"a": None, "b": [1]}, "timestamp": 2**53 - 1},
    ]
)


@dataclass
class Producer:
    """What a well-behaved producer remembers while it draws its next event."""

    draw: Any
    events: list[Json] = field(default_factory=list)
    open: dict[tuple[str, str], str | None] = field(default_factory=dict)
    owners: dict[tuple[str, str], str | None] = field(default_factory=dict)
    steps: set[tuple[str | None, str]] = field(default_factory=set)
    subagents: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)

    def send(self, kind: str, owner: str | None = None, **fields: Any) -> None:
        tag = {} if owner is None else {"subagentRunId": owner}
        self.events.append({"type": kind, **fields, **tag, **self.draw(EXTRAS)})

    def start(self, family: str, fields: Json) -> None:
        prefix, _, name = FAMILIES[family]
        id = self.draw(IDS)
        # A span and the reasoning message in it share their owner.
        bucket = "reasoning" if family == "span" else family
        owner = self.owners.setdefault((bucket, id), self.draw(OWNERS))
        if (family, id) not in self.open:
            self.open[family, id] = owner
            self.send(f"{prefix}_START", owner, **{name: id}, **fields)

    def go_on(self, prefix: str, content: str, name: str, key: tuple[str, str]) -> None:
        tag = self.draw(st.sampled_from([None, self.open[key]]))
        if content and self.draw(st.booleans()):
            self.send(f"{prefix}_{content}", tag, **{name: key[1]}, delta=self.draw(TEXTS))
        else:
            del self.open[key]
            self.send(f"{prefix}_END", tag, **{name: key[1]})


FAMILIES = {
    "text": ("TEXT_MESSAGE", "CONTENT", "messageId"),
    "call": ("TOOL_CALL", "ARGS", "toolCallId"),
    "reasoning": ("REASONING_MESSAGE", "CONTENT", "messageId"),
    "span": ("REASONING", "", "messageId"),
}


def step(producer: Producer) -> None:
    """One more event of a run."""
    draw, send = producer.draw, producer.send
    choice = draw(st.integers(0, 15))
    if choice <= 3:
        family = list(FAMILIES)[choice]
        fields: Json = {}
        if family == "text":
            fields = draw(
                st.fixed_dictionaries(
                    {}, optional={"role": st.sampled_from(["assistant", "user"]), "name": IDS}
                )
            )
        elif family == "call":
            fields = {"toolCallName": draw(IDS)}
        elif family == "reasoning":
            fields = {"role": "reasoning"}
        producer.start(family, fields)
    elif choice <= 8 and producer.open:
        key = draw(st.sampled_from(sorted(producer.open)))
        producer.go_on(*FAMILIES[key[0]], key)
    elif choice == 9:
        key2 = (draw(OWNERS), draw(IDS))
        if key2 in producer.steps:
            producer.steps.discard(key2)
            send("STEP_FINISHED", key2[0], stepName=key2[1])
        else:
            producer.steps.add(key2)
            send("STEP_STARTED", key2[0], stepName=key2[1])
    elif choice == 10:
        subagent = draw(st.sampled_from(["s1", "s2", "s3"]))
        if subagent in producer.subagents:
            producer.subagents.discard(subagent)
            producer.ended.add(subagent)
            kind = draw(st.sampled_from(["SUBAGENT_FINISHED", "SUBAGENT_ERROR"]))
            send(kind, subagent, **({"message": "m"} if kind == "SUBAGENT_ERROR" else {}))
        elif subagent not in producer.ended:
            producer.subagents.add(subagent)
            send("SUBAGENT_STARTED", subagent, name="n")
    elif choice == 11:
        send("STATE_SNAPSHOT", draw(OWNERS), snapshot=draw(JSON))
        send("STATE_DELTA", draw(OWNERS), delta=draw(PATCHES))
    elif choice == 12:
        send("RAW", draw(OWNERS), event=draw(JSON))
        send("CUSTOM", draw(OWNERS), name=draw(IDS), value=draw(JSON))
    elif choice == 13:
        activity = draw(st.sampled_from(["act-1", "act-2"]))
        send("ACTIVITY_SNAPSHOT", messageId=activity, activityType="t", content=draw(OBJECTS))
        patch = draw(PATCHES)
        send("ACTIVITY_DELTA", messageId=activity, activityType="t", patch=patch)
    elif choice == 14:
        result = draw(CONTENTS)
        send(
            "TOOL_CALL_RESULT",
            messageId=draw(st.sampled_from(["res-1", "res-2"])),
            toolCallId="c",
            content=result,
        )
        send("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="z", encryptedValue="v")
    else:
        chunks(producer)


def chunks(producer: Producer) -> None:
    """An item in chunks; ids of its own, so that it meets nothing that is open."""
    draw = producer.draw
    kind, name, first = draw(
        st.sampled_from(
            [
                ("TEXT_MESSAGE_CHUNK", "messageId", {"role": "user"}),
                ("TEXT_MESSAGE_CHUNK", "messageId", {}),
                ("TOOL_CALL_CHUNK", "toolCallId", {"toolCallName": "f"}),
                ("REASONING_MESSAGE_CHUNK", "messageId", {}),
            ]
        )
    )
    id = f"chunked-{len(producer.events)}"
    owner = draw(OWNERS)
    producer.send(kind, owner, **{name: id}, **first, delta=draw(TEXTS))
    for _ in range(draw(st.integers(0, 3))):
        fields = draw(st.fixed_dictionaries({}, optional={name: st.just(id), "delta": TEXTS}))
        producer.send(kind, owner, **fields, **(first if draw(st.booleans()) else {}))


@st.composite
def valid_streams(draw: st.DrawFn) -> list[Json]:
    """One or several runs that break no rule; the last may be cut off."""
    producer = Producer(draw)
    for number in range(draw(st.integers(1, 3))):
        send_run(producer, number)
    return producer.events


def send_run(producer: Producer, number: int) -> None:
    draw, send = producer.draw, producer.send
    echo = {
        "input": {"threadId": "t", "runId": "r", "messages": draw(st.lists(MESSAGES, max_size=2))}
    }
    seeded = draw(st.booleans())
    send("RUN_STARTED", threadId="t", runId=f"r{number}", **(echo if seeded and not number else {}))
    if seeded and not number:
        # Owners are on record now; keep clear of those ids.
        for message in echo["input"]["messages"]:
            owner = message.get("subagentRunId")
            family = "reasoning" if message["role"] == "reasoning" else "text"
            producer.owners.setdefault((family, message["id"]), owner)
            for call in message.get("toolCalls", ()):
                producer.owners.setdefault(("call", call["id"]), owner)
    for _ in range(draw(st.integers(0, 12))):
        step(producer)
    if draw(st.integers(0, 4)) == 0:
        send("RUN_ERROR", message="m")
    else:
        for key in list(producer.open):
            prefix, _, name = FAMILIES[key[0]]
            del producer.open[key]
            send(f"{prefix}_END", **{name: key[1]})
        for owner, step_name in sorted(producer.steps, key=str):
            send("STEP_FINISHED", owner, stepName=step_name)
        for subagent in sorted(producer.subagents):
            send("SUBAGENT_FINISHED", subagent)
        send("RUN_FINISHED", threadId="t", runId=f"r{number}")
    for memory in (
        producer.open,
        producer.owners,
        producer.steps,
        producer.subagents,
        producer.ended,
    ):
        memory.clear()


VALUES = st.sampled_from(
    [
        "\ud83d",
        None,
        0,
        1.0,
        1.5,
        True,
        "x",
        "\ud83d",
        "assistant",
        "s1",
        [],
        {},
        [None],
        {"type": "x"},
    ]
)
NAMES = st.sampled_from(
    [
        "messageId",
        "delta",
        "role",
        "name",
        "timestamp",
        "subagentRunId",
        "type",
        "future",
        "rawEvent",
        "metadata",
        "outcome",
        "result",
        "threadId",
        "messages",
        "content",
        "input",
        "parentMessageId",
        "usage",
        "\ud83d",
    ]
)
KINDS = st.sampled_from(
    [
        "FUTURE",
        "RUN_STARTED",
        "RUN_FINISHED",
        "RUN_ERROR",
        "TEXT_MESSAGE_CHUNK",
        "TOOL_CALL_CHUNK",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "THINKING_START",
        "THINKING_TEXT_MESSAGE_START",
        "THINKING_TEXT_MESSAGE_CONTENT",
        "THINKING_TEXT_MESSAGE_END",
        "MESSAGES_SNAPSHOT",
    ]
)


@st.composite
def bent(draw: st.DrawFn, stream: list[Json]) -> list[Json]:
    """``stream`` with a few things wrong, or strange, in it."""
    events = list(stream)
    for _ in range(draw(st.integers(0, 3))):
        if not events:
            break
        index = draw(st.integers(0, len(events) - 1))
        how = draw(st.integers(0, 6))
        if how == 0:
            del events[index]
        elif how == 1:
            events.insert(index, events[draw(st.integers(0, len(events) - 1))])
        elif how == 2:
            events[index] = {**events[index], draw(NAMES): draw(VALUES)}
        elif how == 3:
            events[index] = {**events[index], "type": draw(KINDS)}
        elif how == 4:
            name = draw(NAMES)
            events[index] = {key: value for key, value in events[index].items() if key != name}
        elif how == 5:
            messages = draw(st.lists(MESSAGES, max_size=3))
            events.insert(index, event("MESSAGES_SNAPSHOT", messages=messages))
        else:
            events[index] = draw(deeply_bent(events[index]))
    return events


@st.composite
def deeply_bent(draw: st.DrawFn, value: Any) -> Any:
    """``value`` with one thing replaced, added or removed somewhere inside it."""
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: draw(deeply_bent(value[key]))}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        index = draw(st.integers(0, len(value) - 1))
        return [*value[:index], draw(deeply_bent(value[index])), *value[index + 1 :]]
    if isinstance(value, dict):
        return {**value, draw(NAMES): draw(VALUES)}
    if isinstance(value, list):
        return [*value, draw(VALUES)]
    return draw(VALUES)


streams = valid_streams().flatmap(bent)
"""Streams of which some follow the rules and some break them."""
