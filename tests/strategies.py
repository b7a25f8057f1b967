"""Generated streams: all event families, owners, several runs, ids that collide on purpose.

``streams()`` draws streams that keep the rules of sequence; ``broken_streams()`` draws
some that break one somewhere. Events are dicts as on the wire; ``payloads`` spells them.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from transcript_tui.wire import jsontext

Event = dict[str, Any]

IDS = ("a", "b", "c")
"""Few, so that ids are used again, across kinds too."""
OWNERS = (None, None, "s1", "s2")
DELTAS = (
    "", "word ", "né", "\ud83d", "\ude00", "🌦️", "\n# no heading", "</details>", "x" * 40,
    "\x1b[31m",
)  # fmt: skip
NAMES = (None, None, "North", "South")
BIG: Any = 10**4999
"""Legal JSON, and more digits than Python prints or reads unasked."""
DEEP: Any = [[[[[[[[[[[[BIG]]]]]]]]]]]]
METADATA = (None, None, None, {"k": 1}, {"k": 2, "other": {"deep": [1]}}, {"z": None}, {"k": BIG})
ROLES = ("user", "assistant", "system", "developer")
PATCHES: tuple[list[Event], ...] = (
    [{"op": "add", "path": "/list/-", "value": 1}],
    [{"op": "add", "path": "/x", "value": {"y": [1, 2]}}],
    [{"op": "replace", "path": "/x/y", "value": [3]}, {"op": "remove", "path": "/list/0"}],
    [{"op": "add", "path": "/list", "value": []}],
    [{"op": "move", "from": "/x", "path": "/moved"}, {"op": "test", "path": "/list", "value": 9}],
    [{"op": "copy", "from": "/list", "path": "/x"}],
    [{"op": "replace", "path": "", "value": {"list": [0], "x": {"y": []}}}],
    [{"op": "add", "path": "/x", "value": DEEP}, {"op": "add", "path": "/big", "value": -BIG}],
    [{"op": "future", "path": "/x"}],
)


def payloads(events: list[Event]) -> list[bytes]:
    return [jsontext.dumps(event, ascii=True).encode() for event in events]


class Writer:
    """Writes one stream at random, keeping account of what is open."""

    def __init__(self, seed: int, runs: int, length: int) -> None:
        self.random = random.Random(seed)
        self.events: list[Event] = []
        self.owner_of: dict[tuple[str, str], str | None] = {}
        self.open: dict[tuple[str, str], None] = {}
        for number in range(runs):
            self._run(number, self.random.randint(0, length))

    def pick(self, choices: Any) -> Any:
        return self.random.choice(choices)

    def toss(self) -> bool:
        return self.random.random() < 0.5

    def put(self, type: str, **fields: Any) -> None:
        metadata = self.pick(METADATA)
        told = {name: value for name, value in fields.items() if value is not None}
        if metadata is not None:
            told["metadata"] = metadata
        self.events.append({"type": type, **told})

    def _run(self, number: int, length: int) -> None:
        self.owner_of.clear()
        told = self._messages() if self.random.random() < 0.3 else None
        input_ = None
        if told is not None:
            input_ = {"threadId": "t", "runId": f"r{number}", "messages": told}
            self._restated(told, authoritative=False)
        self.put("RUN_STARTED", threadId="t", runId=f"r{number}", input=input_)
        for _ in range(length):
            self.pick(ACTIONS)(self)
        ending = self.pick(("finish", "finish", "interrupt", "cancel", "error", "late"))
        if ending != "error":
            self._close_all()
        self.open.clear()
        if ending == "error":
            self.put("RUN_ERROR", message="it broke", code="E1")
            return
        outcome = {
            "interrupt": {"type": "interrupt", "interrupts": [{"id": "i", "reason": "ask"}]},
            "cancel": {"type": "cancelled"},
        }.get(ending)
        usage = self.pick((None, [{"inputTokens": 3, "model": "m"}]))
        self.put("RUN_FINISHED", threadId="t", runId=f"r{number}", outcome=outcome, usage=usage)
        if ending == "late":
            self.put("RUN_ERROR", message="late")

    def _close_all(self) -> None:
        for kind, id in list(self.open):
            self._end(kind, id)

    def _owner(self, kind: str, id: str) -> str | None:
        """The owner an item has in this run; drawn where it has none yet."""
        if (kind, id) not in self.owner_of:
            self.owner_of[kind, id] = self.pick(OWNERS)
        return self.owner_of[kind, id]

    def _end(self, kind: str, id: str) -> None:
        del self.open[kind, id]
        owner = self.owner_of.get((kind, id))
        match kind:
            case "text":
                self.put("TEXT_MESSAGE_END", messageId=id)
            case "thought":
                self.put("REASONING_MESSAGE_END", messageId=id)
            case "span":
                self.put("REASONING_END", messageId=id)
            case "call":
                self.put("TOOL_CALL_END", toolCallId=id)
            case "step":
                self.put("STEP_FINISHED", stepName=id, subagentRunId=owner)
            case "subagent":
                self.put("SUBAGENT_FINISHED", subagentRunId=id)

    # One action each; what may not come now is left out.

    def text(self) -> None:
        id = self.pick(IDS)
        if ("text", id) in self.open:
            self.put("TEXT_MESSAGE_CONTENT", messageId=id, delta=self.pick(DELTAS))
            return
        owner = self._owner("text", id)
        self.open["text", id] = None
        role, name = self.pick((None, *ROLES)), self.pick(NAMES)
        self.put("TEXT_MESSAGE_START", messageId=id, role=role, name=name, subagentRunId=owner)

    def thought(self) -> None:
        id = self.pick(IDS)
        if ("thought", id) in self.open:
            self.put("REASONING_MESSAGE_CONTENT", messageId=id, delta=self.pick(DELTAS))
            return
        self.open["thought", id] = None
        owner = self._owner("thoughts", id)
        self.put("REASONING_MESSAGE_START", messageId=id, role="reasoning", subagentRunId=owner)

    def span(self) -> None:
        id = self.pick(IDS)
        if ("span", id) not in self.open:
            self.open["span", id] = None
            self.put("REASONING_START", messageId=id, subagentRunId=self._owner("thoughts", id))

    def call(self) -> None:
        id = self.pick(("a", "c1", "c2"))
        if ("call", id) in self.open:
            self.put("TOOL_CALL_ARGS", toolCallId=id, delta=self.pick(DELTAS))
            return
        parent = self.pick((None, *IDS))
        if parent is not None and ("text", parent) in self.owner_of:
            owner = self.owner_of["text", parent]
        else:
            owner = self.pick(OWNERS)
        if self.owner_of.setdefault(("call", id), owner) != owner:
            return
        self.open["call", id] = None
        self.put(
            "TOOL_CALL_START",
            toolCallId=id,
            toolCallName=self.pick(("find", "write")),
            parentMessageId=parent,
            subagentRunId=owner,
        )

    def result(self) -> None:
        part = {"type": "image", "source": {"type": "url", "value": "https://x/y.png"}}
        content = self.pick(("done", "", [{"type": "text", "text": "seen"}, part]))
        message_id = self.pick(("t1", "t2", "b"))
        owner = self.pick(OWNERS)
        self.owner_of["text", message_id] = owner
        self.put(
            "TOOL_CALL_RESULT",
            messageId=message_id,
            toolCallId=self.pick(("a", "c1", "c2", "nobody")),
            content=content,
            subagentRunId=owner,
        )

    def close(self) -> None:
        if self.open:
            self._end(*self.pick(sorted(self.open)))

    def state(self) -> None:
        if self.toss():
            snapshot = self.pick(({"list": [], "x": {}}, {"list": [1, [2]]}, None, 7, BIG))
            self.events.append({"type": "STATE_SNAPSHOT", "snapshot": snapshot})
        else:
            self.put("STATE_DELTA", delta=self.pick(PATCHES))

    def activity(self) -> None:
        id, kind = self.pick((*IDS, "act")), self.pick(("search", "plan"))
        owner = self.pick(OWNERS)
        if self.toss():
            replace = self.pick((None, True, False))
            if replace is not False or ("activity", id) not in self.owner_of:
                self.owner_of["activity", id] = owner
            self.put(
                "ACTIVITY_SNAPSHOT",
                messageId=id,
                activityType=kind,
                content=self.pick(({"list": [1]}, {}, {"list": [BIG]})),
                replace=replace,
                subagentRunId=owner,
            )
        else:
            self.put("ACTIVITY_DELTA", messageId=id, activityType=kind, patch=self.pick(PATCHES))

    def snapshot(self) -> None:
        messages = self._messages()
        self._restated(messages, authoritative=True)
        self.put("MESSAGES_SNAPSHOT", messages=messages)

    def _restated(self, messages: list[Event], *, authoritative: bool) -> None:
        """Owners of restated history are on record."""
        for message in messages:
            owner = message.get("subagentRunId")
            kind = {"reasoning": "thoughts", "activity": "activity"}.get(message["role"], "text")
            items = [(kind, message["id"])]
            items += [("call", call["id"]) for call in message.get("toolCalls", ())]
            for item in items:
                if authoritative or item not in self.owner_of:
                    self.owner_of[item] = owner

    def _messages(self) -> list[Event]:
        shapes = self.random.choices(_MESSAGES, k=self.random.randint(0, 4))
        return [{**shape, "id": self.pick((*IDS, "t1", "new"))} for shape in shapes]

    def sealed(self) -> None:
        self.put(
            "REASONING_ENCRYPTED_VALUE",
            subtype=self.pick(("message", "tool-call")),
            entityId=self.pick((*IDS, "c1")),
            encryptedValue="c2VjcmV0",
            encryptedValueType=self.pick((None, "kind")),
        )

    def step(self) -> None:
        name = self.pick(("plan", "act"))
        if ("step", name) not in self.open:
            self.open["step", name] = None
            self.owner_of["step", name] = owner = self.pick(OWNERS)
            self.put("STEP_STARTED", stepName=name, subagentRunId=owner)

    def subagent(self) -> None:
        id = self.pick(("s1", "s2"))
        if ("subagent", id) not in self.owner_of:
            self.owner_of["subagent", id] = None
            self.open["subagent", id] = None
            self.put("SUBAGENT_STARTED", subagentRunId=id, name="researcher")

    def passthrough(self) -> None:
        if self.toss():
            self.put("CUSTOM", name="note", value=self.pick(({"any": None}, BIG)))
        else:
            self.put("RAW", event=self.pick(([1], DEEP)), source=self.pick((None, "sdk")))

    def unknown(self) -> None:
        self.put(self.pick(("FUTURE_EVENT", "OTHER")), anything=1)


ACTIONS = (
    Writer.text, Writer.text, Writer.text, Writer.text, Writer.close, Writer.close,
    Writer.thought, Writer.thought, Writer.span, Writer.call, Writer.call, Writer.result,
    Writer.state, Writer.activity, Writer.snapshot, Writer.sealed, Writer.step,
    Writer.subagent, Writer.passthrough, Writer.unknown,
)  # fmt: skip

_CALL = {"id": "c1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
_MESSAGES: tuple[Event, ...] = (
    {"role": "user", "content": "Question?"},
    {"role": "user", "content": [{"type": "text", "text": "See"}], "name": "North"},
    {"role": "assistant", "content": "word word "},
    {"role": "assistant", "content": "word ", "metadata": {"k": 1}},
    {"role": "assistant", "toolCalls": [_CALL]},
    {"role": "assistant", "toolCalls": [{**_CALL, "id": "a", "metadata": {"k": 1}}, _CALL]},
    {"role": "assistant", "toolCalls": [], "content": "", "subagentRunId": "s1"},
    {"role": "tool", "toolCallId": "c1", "content": "done", "error": "no"},
    {"role": "tool", "toolCallId": "a", "content": "done"},
    {"role": "reasoning", "content": "word ", "encryptedValue": "c2VjcmV0"},
    {"role": "activity", "activityType": "search", "content": {"list": [1]}},
    {"role": "system", "content": ""},
)


@st.composite
def streams(draw: Any, *, runs: int = 3, length: int = 25) -> list[Event]:
    """Events of a stream that breaks no rule of sequence; it may end in mid-run."""
    # Drawn from a seed: 1,000 small draws a stream take longer than what is tested.
    seed, length = draw(st.integers(0, 2**32 - 1)), draw(st.integers(0, length))
    events = Writer(seed, draw(st.integers(1, runs)), length).events
    if draw(st.integers(0, 4)) == 0:
        return events[: draw(st.integers(0, len(events)))]
    return events


_BREAKS: tuple[bytes, ...] = (
    b"[DONE]",
    b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"nowhere","delta":"x"}',
    b'{"type":"TEXT_MESSAGE_CONTENT","messageId":7}',
    b'{"type":"RUN_STARTED","threadId":"t","runId":"again"}',
    b'{"type":"RUN_FINISHED","threadId":"t","runId":"another"}',
    b'{"type":"STEP_FINISHED","stepName":"never"}',
    b'{"type":"SUBAGENT_ERROR","subagentRunId":"never","message":"m"}',
    b"\xff\xfe",
    b'{"type":"THINKING_START","title":1%s}' % (b"0" * 4999),
    b'{"type":"STATE_DELTA","delta":1%s}' % (b"0" * 4999),
)


@st.composite
def broken_streams(draw: Any, *, length: int = 20) -> list[bytes]:
    """Payloads of a stream that breaks a rule in one or more places."""
    found = payloads(draw(streams(length=length)))
    for _ in range(draw(st.integers(1, 3))):
        found.insert(draw(st.integers(0, len(found))), draw(st.sampled_from(_BREAKS)))
    return found


@st.composite
def spellings(draw: Any) -> tuple[list[Event], list[Event]]:
    """The same items in two spellings: chunks, and the triads they stand for."""
    chunks: list[Event] = []
    triads: list[Event] = []
    start = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    for number in range(draw(st.integers(0, 5))):
        kind = draw(st.sampled_from(("text", "call", "thought")))
        owner = draw(st.sampled_from(OWNERS))
        tag = {} if owner is None else {"subagentRunId": owner}
        deltas = draw(st.lists(st.sampled_from(DELTAS), max_size=4))
        opener, id, name = _SPELLINGS[kind]
        ids = {id: f"{kind}{number}"}
        chunks.append({"type": f"{name}_CHUNK", **ids, **opener, **tag})
        role = {"role": "reasoning"} if kind == "thought" else {}
        triads.append({"type": f"{name}_START", **ids, **opener, **role, **tag})
        part = "ARGS" if kind == "call" else "CONTENT"
        for delta in deltas:
            chunks.append({"type": f"{name}_CHUNK", "delta": delta, **ids, **tag})
            triads.append({"type": f"{name}_{part}", "delta": delta, **ids, **tag})
        triads.append({"type": f"{name}_END", **ids, **tag})
    end = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
    return [start, *chunks, end], [start, *triads, end]


_SPELLINGS: dict[str, tuple[Event, str, str]] = {
    "text": ({"role": "user", "name": "North"}, "messageId", "TEXT_MESSAGE"),
    "call": ({"toolCallName": "find"}, "toolCallId", "TOOL_CALL"),
    "thought": ({}, "messageId", "REASONING_MESSAGE"),
}
