"""Conversations that have every kind of item in every state, for pictures."""

from __future__ import annotations

import json

from tests.ui.transcript.harness import (
    Event,
    MadeSession,
    call,
    closed,
    finished,
    message,
    opened,
    result,
    said,
    started,
    thought,
)

MARKDOWN = """# Zürich

The *weather* is **calm**, see [the source](https://example.org) and `wind.speed`.

1. first
2. second
   - nested

| day | °C |
| --- | --: |
| Mon | 7 |
| Tue | 12 |

```python
def warm(t: float) -> bool:
    return t > 20  # °C
```

> quoted
"""


def speakers() -> MadeSession:
    """Everybody who speaks; open, reopened, empty, folded."""
    return MadeSession(
        [
            started(),
            *message("u", "What is the weather, and should I take a coat?", "user", name="ada"),
            *message("s", "You are a weather agent.", "system"),
            *message("d", "Prefer metric units.", "developer"),
            *thought("t", "The user asks for the weather. I look it up before I answer."),
            *message("a", MARKDOWN, name="meteo"),
            opened("e"),
            closed("e"),
            *message("r", "It is calm. "),
            opened("r"),
            said("r", "It was opened again."),
            closed("r"),
            opened("r"),
            opened("o"),
            said("o", "This one is still being wri"),
            *thought("t2", "And this is thought just n", end=False),
        ]
    )


def tools() -> MadeSession:
    """Calls in all their states, results of all kinds."""
    rows = [{"day": day, "temp": day + 3, "wind": "calm"} for day in range(8)]
    return MadeSession(
        [
            started(),
            *message("a", "Let me look."),
            *call("c1", "get_weather", '{"city": "Zürich", "days": 3}', "a"),
            result("c1", json.dumps(rows)),
            *call("c2", "describe", '{"what": "clouds"}', "a"),
            result("c2", "## Clouds\n\n- high\n- *thin*"),
            *call("c3", "shell", "ls -l", "a"),
            result("c3", "total 0"),
            *call("c4", "waiting", "{}", "a"),
            {"type": "TOOL_CALL_START", "toolCallId": "c5", "toolCallName": "write_report"},
            {"type": "TOOL_CALL_ARGS", "toolCallId": "c5", "delta": '{"title": "Clouds", "bo'},
            result(
                "c9",
                [
                    {"type": "text", "text": "nobody called for this"},
                    {
                        "type": "image",
                        "source": {
                            "type": "url",
                            "value": "https://example.org/a.png",
                            "mimeType": "image/png",
                        },
                    },
                    {
                        "type": "document",
                        "source": {"type": "data", "value": "QUJD", "mimeType": "application/pdf"},
                    },
                ],
            ),
        ]
    )


def structure() -> MadeSession:
    """Subagents, steps, activities, passthrough."""
    return MadeSession(
        [
            started(),
            {"type": "STEP_STARTED", "stepName": "plan"},
            {
                "type": "ACTIVITY_SNAPSHOT",
                "messageId": "p",
                "activityType": "PLAN",
                "content": {"steps": [{"title": "look", "done": True}, {"title": "answer"}]},
            },
            {"type": "STEP_FINISHED", "stepName": "plan"},
            {
                "type": "SUBAGENT_STARTED",
                "subagentRunId": "s1",
                "name": "researcher",
                "description": "Looks for climate records",
            },
            *message("m1", "I look at the records of the last years.", subagentRunId="s1"),
            {
                "type": "SUBAGENT_STARTED",
                "subagentRunId": "s2",
                "name": "critic",
                "parentSubagentRunId": "s1",
            },
            *message("m2", "These records look odd.", subagentRunId="s2"),
            {"type": "SUBAGENT_FINISHED", "subagentRunId": "s2"},
            {
                "type": "SUBAGENT_ERROR",
                "subagentRunId": "s1",
                "message": "records unavailable",
                "code": "E42",
            },
            {"type": "SUBAGENT_STARTED", "subagentRunId": "s3", "name": "writer"},
            {"type": "STEP_STARTED", "stepName": "write", "subagentRunId": "s3"},
            {"type": "CUSTOM", "name": "progress", "value": {"done": 0.5}},
            {"type": "RAW", "event": {"kind": "ping"}, "source": "gateway"},
        ]
    )


def endings() -> MadeSession:
    """Five of the six endings; the sixth is in :func:`truncated`."""
    asks = {
        "id": "i",
        "reason": "confirm",
        "message": "Shall I book the flight?",
        "toolCallId": "c",
    }
    usage: list[Event] = [{"inputTokens": 1200, "outputTokens": 56}]
    return MadeSession(
        [
            started("r1"),
            *call("c", "book_flight", '{"to": "ZRH"}'),
            finished("r1", outcome={"type": "interrupt", "interrupts": [asks]}, usage=usage),
            started("r2"),
            *message("a", "Done."),
            finished("r2", usage=usage, result={"ok": True}),
            started("r3"),
            finished("r3", outcome={"type": "cancelled"}),
            started("r4"),
            {"type": "CUSTOM", "name": "last words", "value": "overloaded"},
            {"type": "RUN_ERROR", "message": "The model is overloaded", "code": "529"},
            started("r5"),
            opened("b"),
            said("b", "I was saying"),
            said("nobody", "x"),
            *message("after", "This came after the violation."),
        ],
        keep_going=True,
    )


def truncated() -> MadeSession:
    session = MadeSession([started(), opened("a"), said("a", "The stream breaks off he")])
    session.tape.end(b'data: {"type":"TEXT_MESSAGE_CON')
    return session


GALLERIES = {
    "speakers": speakers,
    "tools": tools,
    "structure": structure,
    "endings": endings,
    "truncated": truncated,
}
