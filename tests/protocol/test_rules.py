"""Every rule id has streams that keep it and streams that break it, found by the id.

The rules that need held messages are the reducer's; their tests stand with it.
"""

from __future__ import annotations

import json
import re

import pytest

from tests.conftest import shared_path
from tests.protocol.streams import FINISHED, STARTED, Json, event, judged, run, text
from transcript_tui.protocol.rules import FATAL, RULES, WARNINGS, Rule

REDUCERS = {
    "reopen-disagrees",
    "parent-role",
    "call-renamed",
    "id-taken",
    "dropped-open",
    "patch-failed",
    "activity-missing",
    "unknown-entity",
}

M = {"messageId": "m"}
C = {"toolCallId": "c"}
S1 = {"subagentRunId": "s1"}
S2 = {"subagentRunId": "s2"}
ECHO = {"threadId": "t", "runId": "r"}
INTERRUPT = {"id": "i", "reason": "approval"}
ERROR = event("RUN_ERROR", message="boom")
OTHER_RUN = event("RUN_STARTED", threadId="t", runId="q")
CALL = event("TOOL_CALL_START", **C, toolCallName="f")
CALL_END = event("TOOL_CALL_END", **C)
START = event("TEXT_MESSAGE_START", **M)
END = event("TEXT_MESSAGE_END", **M)
THOUGHT = event("REASONING_MESSAGE_START", **M, role="reasoning")
SPAN = event("REASONING_START", **M)
CHUNK = event("TEXT_MESSAGE_CHUNK", delta="x")
STEP = event("STEP_STARTED", stepName="s")
STEP_END = event("STEP_FINISHED", stepName="s")
SUB = event("SUBAGENT_STARTED", **S1, name="n")
SUB_END = event("SUBAGENT_FINISHED", **S1)


def caller(id: str, **fields: object) -> Json:
    """An assistant message with the tool call ``c``."""
    function = {"name": "f", "arguments": ""}
    call = {"id": "c", "type": "function", "function": function}
    return {"role": "assistant", "id": id, "toolCalls": [call], **fields}


def activity(**fields: object) -> Json:
    return {"role": "activity", "id": "m", "activityType": "t", "content": {}, **fields}


def chunk(kind: str, **fields: object) -> Json:
    return event(f"{kind}_CHUNK", **fields)


def content(delta: object = "x", **fields: object) -> Json:
    return event("TEXT_MESSAGE_CONTENT", **{**M, "delta": delta, **fields})


def finished(**fields: object) -> Json:
    return {**FINISHED, **fields}


def outcome(*interrupts: Json) -> Json:
    return finished(outcome={"type": "interrupt", "interrupts": list(interrupts)})


Stream = list[Json | bytes]

KEPT: dict[str, list[Stream]] = {
    "not-json": [[*run()], [json.dumps(STARTED, indent=2).encode(), FINISHED]],
    "malformed": [
        run(START, content(""), END),
        [{**STARTED, "timestamp": 2**53 - 1}, {**FINISHED, "timestamp": 1.0}],
        run(event("CUSTOM", name="n", value=None), event("RAW", event=None)),
        run(event("STATE_SNAPSHOT", snapshot=None, metadata={"a": None})),
        run(event("STATE_DELTA", delta=[{"op": "add", "path": "", "value": None}])),
        run(event("ACTIVITY_SNAPSHOT", **M, activityType="t", content={}, replace=False)),
    ],
    "first-event": [[STARTED], [ERROR], [event("FUTURE"), STARTED]],
    "run-nested": [[*run(), *run()], [STARTED, ERROR, *run()], [ERROR, *run()]],
    "after-close": [[*run(), ERROR], [*run(), ERROR, *run()], [*run(), event("FUTURE")]],
    "run-identity": [[*run(), OTHER_RUN, finished(runId="q")]],
    "open-at-finish": [
        run(START, END, CALL, CALL_END, STEP, STEP_END, SUB, SUB_END),
        [STARTED, START, CALL, SPAN, THOUGHT, STEP, SUB, ERROR],
        [STARTED, START, ERROR, *run()],
    ],
    "step-open": [
        run(STEP, STEP_END, STEP, STEP_END),
        run(
            STEP,
            {**STEP, **S1},
            {**STEP, "stepName": "z"},
            STEP_END,
            {**STEP_END, **S1},
            {**STEP_END, "stepName": "z"},
        ),
        run({**STEP, "subagentRunId": ""}, STEP, {**STEP_END, "subagentRunId": ""}, STEP_END),
    ],
    "step-not-open": [run(STEP, STEP_END)],
    "interrupts": [
        [STARTED, outcome(INTERRUPT, {**INTERRUPT, "id": "j"})],
        [STARTED, outcome(INTERRUPT), OTHER_RUN, {**outcome(INTERRUPT), "runId": "q"}],
    ],
    "open-open": [
        run(START, END, START, END),
        run(
            START,
            THOUGHT,
            SPAN,
            event("TOOL_CALL_START", toolCallId="m", toolCallName="f"),
            END,
            event("REASONING_MESSAGE_END", **M),
            event("REASONING_END", **M),
            event("TOOL_CALL_END", toolCallId="m"),
        ),
        [STARTED, START, ERROR, OTHER_RUN, START],
        run(event("TEXT_MESSAGE_START", messageId=""), event("TEXT_MESSAGE_END", messageId="")),
    ],
    "not-open": [run(*text()), run(START, content(), END, START, content(), END)],
    "owner": [
        run({**START, **S1}, content(**S1), content(), {**END, **S1}, START, content(**S1), END),
        [STARTED, {**START, **S1}, ERROR, OTHER_RUN, {**START, **S2}, END, finished(runId="q")],
        run(
            {**CALL, **S1},
            event("TOOL_CALL_ARGS", **C, delta="{}", **S1),
            CALL_END,
            event(
                "REASONING_ENCRYPTED_VALUE",
                subtype="tool-call",
                entityId="c",
                encryptedValue="v",
                **S1,
            ),
        ),
        run({**START, **S1}, {**CALL, "parentMessageId": "m"}, {**CALL_END, **S1}, END),
        run({**START, **S1}, {**CALL, "parentMessageId": "m", **S1}, {**CALL_END, **S1}, END),
        run({**CALL, "parentMessageId": "unknown", **S1}, CALL_END),
        run(
            event("ACTIVITY_SNAPSHOT", **M, activityType="t", content={}, **S1),
            event("ACTIVITY_DELTA", **M, activityType="t", patch=[], **S1),
            event("ACTIVITY_SNAPSHOT", **M, activityType="t", content={}, **S2),
            event("ACTIVITY_DELTA", **M, activityType="t", patch=[], **S2),
            event("ACTIVITY_DELTA", messageId="z", activityType="t", patch=[], **S2),
        ),
        run(
            event("MESSAGES_SNAPSHOT", messages=[{"role": "user", "id": "m", "content": "", **S1}]),
            {**START, **S1},
            END,
        ),
        run({**CALL, **S1}, CALL_END, CALL, CALL_END),
        [
            {**STARTED, "input": {**ECHO, "messages": [activity(**S1), activity(**S2)]}},
            event("ACTIVITY_DELTA", **M, activityType="t", patch=[], **S1),
        ],
        # The first to have an id in an echoed input owns it.
        [
            {
                **STARTED,
                "input": {**ECHO, "messages": [caller("a", **S1), caller("a"), caller("b")]},
            },
            {**CALL, **S1},
            CALL_END,
            {**START, "messageId": "a", **S1},
        ],
        run(
            event(
                "REASONING_ENCRYPTED_VALUE",
                subtype="message",
                entityId="z",
                encryptedValue="v",
                **S1,
            )
        ),
    ],
    "chunk-first": [
        run(chunk("TEXT_MESSAGE", **M, delta="x"), CHUNK),
        run(chunk("TOOL_CALL", **C, toolCallName="f"), chunk("TOOL_CALL", delta="x")),
        run(chunk("REASONING_MESSAGE", **M), chunk("REASONING_MESSAGE", delta="x")),
        run(chunk("TEXT_MESSAGE", **M, delta="x"), event("RAW", event=1), CHUNK),
        run(
            chunk("TEXT_MESSAGE", **M, delta="x"),
            event("ACTIVITY_SNAPSHOT", **M, activityType="t", content={}),
            CHUNK,
        ),
        run(chunk("TEXT_MESSAGE", **M, delta="x"), SUB, CHUNK, SUB_END, CHUNK),
        run(chunk("TEXT_MESSAGE", messageId="", delta="x"), CHUNK),
        run(chunk("TEXT_MESSAGE", **M, delta="x"), {**STEP, **S1}, {**STEP_END, **S1}, CHUNK),
    ],
    "chunk-conflict": [
        run(
            chunk("TEXT_MESSAGE", **M, role="user", name="n"),
            chunk("TEXT_MESSAGE", **M, role="user", name="n", delta="x"),
        ),
        run(chunk("TEXT_MESSAGE", **M), chunk("TEXT_MESSAGE", **M, role="assistant", delta="x")),
        run(
            chunk("TOOL_CALL", **C, toolCallName="f", parentMessageId="m"),
            chunk("TOOL_CALL", toolCallName="f", parentMessageId="m", delta="x"),
        ),
        run(
            chunk("TEXT_MESSAGE", **M, role="user"),
            chunk("TEXT_MESSAGE", messageId="z", role="system"),
        ),
    ],
    "chunk-ambiguous": [
        run(
            chunk("TEXT_MESSAGE", **M, **S1),
            chunk("TEXT_MESSAGE", messageId="z", **S2),
            {**CHUNK, **S1},
            {**CHUNK, **S2},
        ),
        run(chunk("TEXT_MESSAGE", **M, **S1), chunk("TEXT_MESSAGE", messageId="p"), CHUNK),
        run(chunk("TEXT_MESSAGE", **M, **S1), CHUNK),
        run(
            chunk("TEXT_MESSAGE", **M, **S1),
            chunk("TOOL_CALL", **C, toolCallName="f"),
            CHUNK,
            chunk("TOOL_CALL", delta="x"),
        ),
        run(
            chunk("TEXT_MESSAGE", **M, **S1),
            chunk("TEXT_MESSAGE", messageId="z", **S2),
            chunk("TEXT_MESSAGE", **M, delta="x"),
        ),
    ],
    "subagent-open": [run(SUB, SUB_END)],
    "subagent-reused": [[*run(SUB, SUB_END), *run(SUB, SUB_END)]],
    "subagent-not-open": [run(SUB, event("SUBAGENT_ERROR", **S1, message="m"))],
    "subagent-parent": [
        run(
            SUB,
            event("SUBAGENT_STARTED", **S2, name="n", parentSubagentRunId="s1"),
            event("SUBAGENT_FINISHED", **S2),
            SUB_END,
        ),
        run(
            SUB,
            SUB_END,
            event("SUBAGENT_STARTED", **S2, name="n", parentSubagentRunId="s1"),
            event("SUBAGENT_FINISHED", **S2),
        ),
    ],
    "unknown-event": [run()],
    "unknown-property": [
        run(event("STATE_DELTA", delta=[{"op": "remove", "path": "/a", "value": 1, "x": 2}])),
        run(event("CUSTOM", name="n", value={"a": {"b": 1}}, metadata={"anything": {"x": 1}})),
        run(
            event(
                "REASONING_ENCRYPTED_VALUE",
                subtype="message",
                entityId="z",
                encryptedValue="v",
                encryptedValueType="k",
            )
        ),
    ],
    "patch-unknown-op": [
        run(
            event(
                "STATE_DELTA",
                delta=[
                    {"op": op, "path": "", "from": "", "value": 1}
                    for op in ("add", "remove", "replace", "move", "copy", "test")
                ],
            )
        )
    ],
    "retired-shape": [run(), run(event("RAW", event=None, metadata={"rawEvent": None}))],
    "version": [
        [{**STARTED, "protocolVersion": version}] for version in ("1.1", "1.0", "0.9", "01.1")
    ],
    "truncated": [run(), [ERROR]],
    "empty": [run(), [ERROR]],
}

BROKEN: dict[str, list[tuple[Stream, str | None]]] = {
    "not-json": [
        ([STARTED, b"{"], None),
        ([b"null"], None),
        ([b"[]"], None),
        ([b"7"], None),
        ([b'"x"'], None),
        ([b""], None),
        ([STARTED, b'{"type":"RAW","event":NaN}'], None),
        ([STARTED, b'{"type":"RAW","event":"\x01"}'], None),
        ([STARTED, b'{"type":"RAW","event":' + b"[" * 300 + b"]" * 300 + b"}"], None),
    ],
    "malformed": [
        ([{}], "/type"),
        ([{"type": 7}], "/type"),
        ([{"type": None}], "/type"),
        ([STARTED, content(7)], "/delta"),
        ([STARTED, content(None)], "/delta"),
        ([STARTED, event("TEXT_MESSAGE_CONTENT", delta="x")], "/messageId"),
        ([STARTED, {**START, "role": "robot"}], "/role"),
        ([STARTED, {**START, "role": "tool"}], "/role"),
        ([STARTED, {**THOUGHT, "role": "assistant"}], "/role"),
        ([STARTED, event("REASONING_MESSAGE_START", **M)], "/role"),
        ([{**STARTED, "timestamp": 2**53}], "/timestamp"),
        ([{**STARTED, "timestamp": 1.5}], "/timestamp"),
        ([{**STARTED, "timestamp": True}], "/timestamp"),
        ([{**STARTED, "timestamp": None}], "/timestamp"),
        ([STARTED, {**START, "metadata": None}], "/metadata"),
        ([STARTED, {**START, "subagentRunId": None}], "/subagentRunId"),
        ([STARTED, finished(outcome=[])], "/outcome"),
        ([STARTED, finished(outcome="success")], "/outcome"),
        ([STARTED, finished(outcome={})], "/outcome/type"),
        ([STARTED, finished(outcome={"type": 1})], "/outcome/type"),
        ([STARTED, finished(outcome={"type": "interrupt"})], "/outcome/interrupts"),
        ([STARTED, finished(usage=[{"inputTokens": -1}])], "/usage/0/inputTokens"),
        ([STARTED, event("STATE_DELTA", delta=[{"op": "add", "path": "/a"}])], "/delta/0/value"),
        ([STARTED, event("STATE_DELTA", delta=[{"path": "/a"}])], "/delta/0/op"),
        ([STARTED, event("STATE_DELTA", delta=[{"op": "remove", "path": "a"}])], "/delta/0/path"),
        ([STARTED, event("STATE_DELTA", delta=[{"op": "remove", "path": "/~2"}])], "/delta/0/path"),
        ([STARTED, event("STATE_DELTA", delta=[{"op": "remove", "path": "\n"}])], "/delta/0/path"),
        ([STARTED, event("STATE_DELTA", delta=[{"op": "move", "path": ""}])], "/delta/0/from"),
        ([STARTED, event("STATE_DELTA", delta={})], "/delta"),
        ([STARTED, event("ACTIVITY_DELTA", **M, activityType="t", patch=[7])], "/patch/0"),
        ([STARTED, event("ACTIVITY_SNAPSHOT", **M, activityType="t", content=[])], "/content"),
        ([STARTED, event("STATE_SNAPSHOT")], "/snapshot"),
        ([STARTED, event("CUSTOM", name="n")], "/value"),
        ([STARTED, event("TOOL_CALL_RESULT", **M, toolCallId="c", content={})], "/content"),
        (
            [STARTED, event("TOOL_CALL_RESULT", **M, toolCallId="c", content=[{"type": "text"}])],
            "/content/0/text",
        ),
        (
            [STARTED, event("MESSAGES_SNAPSHOT", messages=[{"id": "a", "content": ""}])],
            "/messages/0/role",
        ),
        (
            [
                STARTED,
                event(
                    "MESSAGES_SNAPSHOT",
                    messages=[
                        {
                            "role": "assistant",
                            "id": "a",
                            "toolCalls": [
                                {"id": "c", "function": {"name": "f", "arguments": "{}"}}
                            ],
                        }
                    ],
                ),
            ],
            "/messages/0/toolCalls/0/type",
        ),
        (
            [
                STARTED,
                event("MESSAGES_SNAPSHOT", messages=[{"role": "user", "id": "a", "content": None}]),
            ],
            "/messages/0/content",
        ),
        (
            [
                {
                    **STARTED,
                    "input": {
                        "threadId": "t",
                        "runId": "r",
                        "messages": [],
                        "tools": [{"name": "n"}],
                    },
                }
            ],
            "/input/tools/0/description",
        ),
        (
            [
                STARTED,
                event("REASONING_ENCRYPTED_VALUE", subtype=1, entityId="z", encryptedValue="v"),
            ],
            "/subtype",
        ),
        ([STARTED, event("TEXT_MESSAGE_CHUNK", **M, delta=None)], "/delta"),
    ],
    "first-event": [([START], None), ([FINISHED], None), ([CHUNK | M], None)],
    "run-nested": [([STARTED, STARTED], None)],
    "after-close": [
        ([*run(), START], None),
        ([*run(), FINISHED], None),
        ([ERROR, ERROR], None),
        ([STARTED, ERROR, FINISHED], None),
        ([ERROR, event("RAW", event=1)], None),
        ([*run(), CHUNK | M], None),
    ],
    "run-identity": [
        ([STARTED, finished(threadId="x")], "/threadId"),
        ([STARTED, finished(runId="x")], "/runId"),
        ([*run(), {**STARTED, "threadId": "x"}], "/threadId"),
    ],
    "open-at-finish": [
        (run(START), None),
        (run(CALL), None),
        (run(SPAN), None),
        (run(THOUGHT), None),
        (run(STEP), None),
        (run({**STEP, **S1}), None),
        (run(SUB), None),
        ([STARTED, START, finished(outcome={"type": "cancelled"})], None),
        ([STARTED, CALL, outcome(INTERRUPT)], None),
        (run(*(event("TEXT_MESSAGE_START", messageId=str(n)) for n in range(20))), None),
    ],
    "step-open": [
        (run(STEP, STEP), "/stepName"),
        (run({**STEP, **S1}, {**STEP, **S1}), "/stepName"),
    ],
    "step-not-open": [
        (run(STEP_END), "/stepName"),
        (run(STEP, {**STEP_END, **S1}), "/stepName"),
        (run({**STEP, **S1}, STEP_END), "/stepName"),
        (run({**STEP, "subagentRunId": ""}, STEP_END), "/stepName"),
    ],
    "interrupts": [
        ([STARTED, outcome()], "/outcome/interrupts"),
        ([STARTED, outcome(INTERRUPT, INTERRUPT)], "/outcome/interrupts/1/id"),
    ],
    "open-open": [
        (run(START, START), "/messageId"),
        (run(CALL, CALL), "/toolCallId"),
        (run(SPAN, SPAN), "/messageId"),
        (run(THOUGHT, THOUGHT), "/messageId"),
        (run(START, chunk("TEXT_MESSAGE", **M, delta="x")), "/messageId"),
        (run(CALL, chunk("TOOL_CALL", **C, toolCallName="f")), "/toolCallId"),
        (run(THOUGHT, chunk("REASONING_MESSAGE", **M, delta="x")), "/messageId"),
    ],
    "not-open": [
        (run(content()), "/messageId"),
        (run(END), "/messageId"),
        (run(START, END, content()), "/messageId"),
        (run(START, END, END), "/messageId"),
        (run(event("TOOL_CALL_ARGS", **C, delta="")), "/toolCallId"),
        (run(CALL_END), "/toolCallId"),
        (run(CALL, CALL_END, CALL_END), "/toolCallId"),
        (run(event("REASONING_END", **M)), "/messageId"),
        (run(SPAN, event("REASONING_MESSAGE_CONTENT", **M, delta="")), "/messageId"),
        (run(THOUGHT, event("REASONING_END", **M)), "/messageId"),
        (run(event("REASONING_MESSAGE_END", **M)), "/messageId"),
        (run(chunk("TEXT_MESSAGE", **M, delta="x"), content()), "/messageId"),
        (run(chunk("TEXT_MESSAGE", **M, **S1, delta="x"), END), "/messageId"),
        ([STARTED, START, ERROR, OTHER_RUN, content()], "/messageId"),
    ],
    "owner": [
        (run({**START, **S1}, content(**S2)), "/subagentRunId"),
        (run(START, content(**S1)), "/subagentRunId"),
        (run({**START, **S1}, {**END, **S2}), "/subagentRunId"),
        (run({**START, **S1}, END, {**START, **S2}), "/subagentRunId"),
        (run(START, END, {**START, **S1}), "/subagentRunId"),
        (run({**CALL, **S1}, {**CALL_END, **S2}), "/subagentRunId"),
        (run({**CALL, **S1}, event("TOOL_CALL_ARGS", **C, delta="", **S2)), "/subagentRunId"),
        (run({**CALL, **S1}, CALL_END, {**CALL, **S2}), "/subagentRunId"),
        (run({**START, **S1}, {**CALL, "parentMessageId": "m", **S2}), "/subagentRunId"),
        (run(START, {**CALL, "parentMessageId": "m", **S2}), "/subagentRunId"),
        (
            run({**CALL, **S1}, CALL_END, START, {**CALL, "parentMessageId": "m"}),
            "/parentMessageId",
        ),
        (run({**SPAN, **S1}, {**THOUGHT, **S2}), "/subagentRunId"),
        (
            run({**THOUGHT, **S1}, event("REASONING_MESSAGE_CONTENT", **M, delta="", **S2)),
            "/subagentRunId",
        ),
        (
            run(
                {**THOUGHT, **S1},
                event(
                    "REASONING_ENCRYPTED_VALUE",
                    subtype="message",
                    entityId="m",
                    encryptedValue="v",
                    **S2,
                ),
            ),
            "/subagentRunId",
        ),
        (
            run(
                {**CALL, **S1},
                CALL_END,
                event(
                    "REASONING_ENCRYPTED_VALUE",
                    subtype="tool-call",
                    entityId="c",
                    encryptedValue="v",
                    **S2,
                ),
            ),
            "/subagentRunId",
        ),
        (
            run(
                event("ACTIVITY_SNAPSHOT", **M, activityType="t", content={}, **S1),
                event("ACTIVITY_SNAPSHOT", **M, activityType="t", content={}, replace=False, **S2),
                event("ACTIVITY_DELTA", **M, activityType="t", patch=[], **S2),
            ),
            "/subagentRunId",
        ),
        (
            run(event("TOOL_CALL_RESULT", **M, toolCallId="c", content="", **S1), {**START, **S2}),
            "/subagentRunId",
        ),
        (
            run(
                event(
                    "MESSAGES_SNAPSHOT", messages=[{"role": "user", "id": "m", "content": "", **S1}]
                ),
                {**START, **S2},
            ),
            "/subagentRunId",
        ),
        (
            run(
                event(
                    "MESSAGES_SNAPSHOT",
                    messages=[{"role": "reasoning", "id": "m", "content": "", **S1}],
                ),
                {**THOUGHT, **S2},
            ),
            "/subagentRunId",
        ),
        (
            run(
                event(
                    "MESSAGES_SNAPSHOT",
                    messages=[
                        {"role": "activity", "id": "m", "activityType": "t", "content": {}, **S1}
                    ],
                ),
                event("ACTIVITY_DELTA", **M, activityType="t", patch=[], **S2),
            ),
            "/subagentRunId",
        ),
        (
            run(
                event(
                    "MESSAGES_SNAPSHOT",
                    messages=[
                        {
                            "role": "assistant",
                            "id": "m",
                            **S1,
                            "toolCalls": [
                                {
                                    "id": "c",
                                    "type": "function",
                                    "function": {"name": "f", "arguments": ""},
                                }
                            ],
                        }
                    ],
                ),
                {**CALL, **S2},
            ),
            "/subagentRunId",
        ),
        (
            [
                {
                    **STARTED,
                    "input": {
                        "threadId": "t",
                        "runId": "r",
                        "messages": [{"role": "user", "id": "m", "content": "", **S1}],
                    },
                },
                {**START, **S2},
            ],
            "/subagentRunId",
        ),
        (
            run(chunk("TEXT_MESSAGE", **M, **S1), chunk("TEXT_MESSAGE", **M, **S2, delta="x")),
            "/subagentRunId",
        ),
        (run(chunk("TEXT_MESSAGE", **M), chunk("TEXT_MESSAGE", **M, **S2)), "/subagentRunId"),
        (
            run(chunk("TOOL_CALL", **C, toolCallName="f"), chunk("TOOL_CALL", **C, **S2)),
            "/subagentRunId",
        ),
        (
            run(chunk("REASONING_MESSAGE", **M), chunk("REASONING_MESSAGE", **M, **S2)),
            "/subagentRunId",
        ),
    ],
    "chunk-first": [
        (run(CHUNK), "/messageId"),
        (run(chunk("TOOL_CALL", toolCallName="f")), "/toolCallId"),
        (run(chunk("TOOL_CALL", **C)), "/toolCallName"),
        (run(chunk("REASONING_MESSAGE", delta="x")), "/messageId"),
        (run(chunk("TEXT_MESSAGE", **M), event("CUSTOM", name="n", value=1), CHUNK), "/messageId"),
        (
            run(chunk("TEXT_MESSAGE", **M), chunk("TOOL_CALL", **C, toolCallName="f"), CHUNK),
            "/messageId",
        ),
        (run(chunk("TEXT_MESSAGE", **M, **S1), {**CHUNK, **S2}), "/messageId"),
        (
            [STARTED, chunk("TEXT_MESSAGE", **M, **S1), SUB, SUB_END, {**CHUNK, **S1}],
            "/messageId",
        ),
        (
            run(chunk("TEXT_MESSAGE", **M), event("MESSAGES_SNAPSHOT", messages=[]), CHUNK),
            "/messageId",
        ),
        (run(chunk("TEXT_MESSAGE", **M), STEP, CHUNK), "/messageId"),
        (run(chunk("TEXT_MESSAGE", **M), event("STATE_DELTA", delta=[]), CHUNK), "/messageId"),
    ],
    "chunk-conflict": [
        (run(chunk("TEXT_MESSAGE", **M), chunk("TEXT_MESSAGE", **M, role="user")), "/role"),
        (
            run(
                chunk("TEXT_MESSAGE", **M, role="user"),
                chunk("TEXT_MESSAGE", role="assistant", delta="x"),
            ),
            "/role",
        ),
        (run(chunk("TEXT_MESSAGE", **M), chunk("TEXT_MESSAGE", name="n", delta="x")), "/name"),
        (
            run(
                chunk("TOOL_CALL", **C, toolCallName="f"), chunk("TOOL_CALL", **C, toolCallName="g")
            ),
            "/toolCallName",
        ),
        (
            run(
                chunk("TOOL_CALL", **C, toolCallName="f"),
                chunk("TOOL_CALL", parentMessageId="m", delta="x"),
            ),
            "/parentMessageId",
        ),
    ],
    "chunk-ambiguous": [
        (
            run(
                chunk("TEXT_MESSAGE", **M, **S1), chunk("TEXT_MESSAGE", messageId="z", **S2), CHUNK
            ),
            None,
        ),
    ],
    "subagent-open": [(run(SUB, SUB), "/subagentRunId")],
    "subagent-reused": [(run(SUB, SUB_END, SUB), "/subagentRunId")],
    "subagent-not-open": [
        (run(SUB_END), "/subagentRunId"),
        (run(event("SUBAGENT_ERROR", **S1, message="m")), "/subagentRunId"),
        (run(SUB, SUB_END, SUB_END), "/subagentRunId"),
    ],
    "subagent-parent": [(run({**SUB, "parentSubagentRunId": "s1"}), "/parentSubagentRunId")],
    "unknown-event": [
        (run(event("RUN_CANCELLED")), None),
        ([event("FUTURE")], None),
        (run(event("THINKING")), None),
    ],
    "unknown-property": [
        ([{**STARTED, "future": 1}], "/future"),
        ([{**STARTED, "a/b~c": 1}], "/a~1b~0c"),
        ([{**STARTED, "subagentRunId": "s"}], "/subagentRunId"),
        ([{**STARTED, "toString": 1}], "/toString"),
        (run(finished(outcome={"type": "paused"}))[:2], "/outcome"),
        ([STARTED, finished(outcome={"type": "success", "interrupts": []})], "/outcome/interrupts"),
        (
            run(SUB, {**SUB_END, "outcome": {"type": "x"}}),
            "/outcome",
        ),
        (run(event("MESSAGES_SNAPSHOT", messages=[{"role": "robot", "id": "a"}])), "/messages/0"),
        (
            run(
                event(
                    "MESSAGES_SNAPSHOT",
                    messages=[{"role": "user", "id": "a", "content": [{"type": "hologram"}]}],
                )
            ),
            "/messages/0/content/0",
        ),
        (
            run(
                event(
                    "TOOL_CALL_RESULT",
                    **M,
                    toolCallId="c",
                    content=[{"type": "image", "source": {"type": "ipfs"}, "id": 7}],
                )
            ),
            "/content/0",
        ),
        (
            run(
                event(
                    "REASONING_ENCRYPTED_VALUE",
                    subtype="signature",
                    entityId="z",
                    encryptedValue="v",
                )
            ),
            "/subtype",
        ),
        (
            [{**STARTED, "input": {"threadId": "t", "runId": "r", "messages": [], "x": 1}}],
            "/input/x",
        ),
    ],
    "patch-unknown-op": [
        (run(event("STATE_DELTA", delta=[{"op": "increment", "path": 7}])), "/delta/0"),
        (
            run(
                event(
                    "ACTIVITY_DELTA",
                    **M,
                    activityType="t",
                    patch=[{"op": "test", "path": "", "value": 1}, {"op": ""}],
                )
            ),
            "/patch/1",
        ),
    ],
    "retired-shape": [
        (run(event("THINKING_START")), "/type"),
        (run({**CALL, "parentMessageId": None}), "/parentMessageId"),
        (run(chunk("TOOL_CALL", **C, toolCallName="f", parentMessageId=None)), "/parentMessageId"),
        ([STARTED, finished(outcome=None)], "/outcome"),
        ([STARTED, finished(result=None)], "/result"),
        ([STARTED, {**START, "rawEvent": None}], "/rawEvent"),
        ([STARTED, SUB, {**SUB_END, "result": None}], "/result"),
    ],
    "version": [
        ([{**STARTED, "protocolVersion": version}], "/protocolVersion")
        for version in (
            "1.2",
            "1.10",
            "2.0",
            "draft",
            "1",
            "1.1.0",
            "",
            " 1.1",
            "v1.1",
            "1.-1",
            "١.١",
            "9" * 50 + ".0",
        )
    ],
    "truncated": [([STARTED], None), ([STARTED, *text()], None), ([*run(), STARTED], None)],
    "empty": [([], None), ([event("FUTURE")], None)],
}


def numbered(table: dict[str, list[Stream]]) -> list[object]:
    return [
        pytest.param(rule, stream, id=f"{rule}-{number}")
        for rule, found in table.items()
        for number, stream in enumerate(found)
    ]


@pytest.mark.parametrize(("rule", "stream"), numbered(KEPT))
def test_kept(rule: str, stream: Stream) -> None:
    verifier, _ = judged(stream)
    assert verifier.violation is None
    assert rule not in {warned.rule for warned in verifier.warnings}


@pytest.mark.parametrize(("rule", "case"), numbered(BROKEN))
def test_broken(rule: str, case: tuple[Stream, str | None]) -> None:
    stream, path = case
    for fast in (True, False):
        verifier, _ = judged(stream, fast=fast)
        if RULES[rule].fatal:
            violation = verifier.violation
            assert violation is not None
            assert (violation.rule, violation.path) == (rule, path)
            assert violation.spec == RULES[rule].page
            assert violation.message.endswith(".")
            assert violation.expected
        else:
            found = [warned for warned in verifier.warnings if warned.rule == rule]
            assert found
            assert found[0].path == path
            assert verifier.violation is None or verifier.violation.rule == "open-at-finish"


FRAMING = {"framing-crlf", "framing-end", "framing-bom"}


def test_every_rule_has_streams_that_keep_it_and_streams_that_break_it() -> None:
    here = set(RULES) - REDUCERS - FRAMING
    assert set(KEPT) == here
    assert set(BROKEN) == here


def test_the_table_is_the_one_of_the_digest() -> None:
    table = shared_path("protocol.md").read_text("utf-8").split("## Rule ids")[1]
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)`", table)) - {"fields-snake-case"}
    # In the cell with dotted names only rule ids are in backticks; pages are plain text.
    assert {name for name in named if name not in ("fatal", "warning")} == set(RULES)
    assert [rule.fatal for rule in FATAL] == [True] * len(FATAL)
    assert not any(rule.fatal for rule in WARNINGS)


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_every_rule_says_where_it_is_written_and_what_to_do(rule: Rule) -> None:
    assert rule.page.startswith(("basic/", "events/"))
    assert rule.title
    assert rule.remedy.endswith(".")
