"""Conversations that have every kind of item in every state, for pictures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

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


PICTURE: Event = {
    "type": "image",
    "source": {"type": "url", "value": "https://example.org/a.png", "mimeType": "image/png"},
}
SOUND: Event = {
    "type": "audio",
    "source": {"type": "data", "value": "QUJD" * 5_000, "mimeType": "audio/mpeg"},
}
FILM: Event = {"type": "video", "source": {"type": "file", "value": "file-8812"}}
PAPER: Event = {
    "type": "document",
    "source": {"type": "data", "value": "QUJD", "mimeType": "application/pdf"},
}


def said_all(*parts: Event | str) -> list[Event]:
    """Content parts; words are text parts."""
    return [{"type": "text", "text": part} if isinstance(part, str) else part for part in parts]


def hidden(entity: str, subtype: str = "message") -> Event:
    return {
        "type": "REASONING_ENCRYPTED_VALUE",
        "subtype": subtype,
        "entityId": entity,
        "encryptedValue": "c2VjcmV0",
    }


def speakers() -> MadeSession:
    """Everybody who speaks; open, reopened, empty, with content parts and encrypted values."""
    asked: Event = {"id": "u0", "role": "user"}
    asked["content"] = said_all("What is *this*?", PICTURE, SOUND, FILM, PAPER)
    return MadeSession(
        [
            started(),
            {"type": "MESSAGES_SNAPSHOT", "messages": [asked]},
            *message("u", "What is the weather, and should I take a coat?", "user", name="ada"),
            *message("s", "You are a weather agent.", "system"),
            *message("d", "Prefer metric units.", "developer"),
            *thought("t", "The user asks for the weather. I look it up before I answer."),
            *thought("t-open", "This thought was opened to be read, and it is long enough."),
            *thought("t-hidden", ""),
            hidden("t-hidden"),
            *message("a", MARKDOWN, name="meteo"),
            *message("a-folded", "This message is folded to its first line, as long as that is."),
            opened("e"),
            closed("e"),
            *message("r", "It is calm. "),
            opened("r"),
            said("r", "It was opened again."),
            closed("r"),
            opened("r"),
            hidden("r"),
            opened("o"),
            said("o", "This one is still being wri"),
            *thought("t2", "And this is thought just n", end=False),
        ]
    )


def tools() -> MadeSession:
    """Calls in all their states, results of all kinds."""
    rows = [{"day": day, "temp": day + 3, "wind": "calm", "sky": "x" * 30} for day in range(16)]
    asked: Event = {"id": "h", "role": "assistant", "toolCalls": []}
    asked["toolCalls"] = [
        {"id": "c0", "type": "function", "function": {"name": "fly", "arguments": '{"to": "ZRH"}'}}
    ]
    failed: Event = {"id": "h0", "role": "tool", "toolCallId": "c0", "content": "no seat"}
    failed["error"] = "sold out"
    return MadeSession(
        [
            started(),
            {"type": "MESSAGES_SNAPSHOT", "messages": [asked, failed]},
            *message("a", "Let me look."),
            *call("c1", "get_weather", '{"city": "Zürich", "days": 3}', "a"),
            result("c1", json.dumps(rows)),
            *call("c2", "describe", '{"what": "clouds"}', "a"),
            result("c2", "## Clouds\n\n- high\n- *thin*"),
            hidden("c2", "tool-call"),
            *call("c3", "shell", "ls -l", "a"),
            result("c3", "\n".join(f"file {number}" for number in range(20))),
            *call("c4", "silent", "{}", "a"),
            result("c4", ""),
            *call("c5", "waiting", "{}", "a"),
            *call("f1", "get_weather", '{"city": "Bern", "days": 3}', "b"),
            result("f1", '{"temp": 12, "wind": "calm", "sky": "clear all day and all night long"}'),
            *call("f2", "waiting", '{"for": "an answer"}', "b"),
            *growing("c6", "write_report", '{"title": "Clouds", "bo'),
            *growing("c7", "shell", "rm -r"),
            result("c9", said_all("nobody called for this", PICTURE, PAPER)),
        ]
    )


def growing(call_id: str, name: str, arguments: str) -> list[Event]:
    """A call whose arguments have not all come."""
    return call(call_id, name, arguments)[:2]


def structure() -> MadeSession:
    """Subagents, steps, activities, passthrough."""
    plan = {"steps": [{"title": "look", "done": True}, {"title": "answer"}]}
    done = [{"op": "add", "path": "/steps/1/done", "value": True}]
    return MadeSession(
        [
            started(),
            {"type": "STEP_STARTED", "stepName": "plan"},
            activity("p", plan),
            {"type": "ACTIVITY_DELTA", "messageId": "p", "activityType": "PLAN", "patch": done},
            {"type": "STEP_FINISHED", "stepName": "plan"},
            activity("p-none", {}),
            activity("p-long", {f"step {number}": f"word {number}" for number in range(20)}),
            activity("p-folded", plan),
            subagent("s1", "researcher", description="Looks for climate records"),
            *message("m1", "I look at the records of the last years.", subagentRunId="s1"),
            subagent("s2", "critic", parentSubagentRunId="s1"),
            *message("m2", "These records look odd.", subagentRunId="s2"),
            {"type": "SUBAGENT_FINISHED", "subagentRunId": "s2"},
            {
                "type": "SUBAGENT_ERROR",
                "subagentRunId": "s1",
                "message": "records unavailable",
                "code": "E42",
            },
            subagent("s3", "writer"),
            subagent("s4", "painter"),
            opened("m3", subagentRunId="s3"),
            opened("m4", subagentRunId="s4"),
            said("m3", "Side by side ", subagentRunId="s3"),
            said("m4", "A picture of ", subagentRunId="s4"),
            said("m3", "we write.", subagentRunId="s3"),
            {"type": "STEP_STARTED", "stepName": "write", "subagentRunId": "s3"},
            subagent("s5", "asker"),
            {
                "type": "SUBAGENT_FINISHED",
                "subagentRunId": "s5",
                "outcome": {"type": "suspended", "interruptIds": ["i"]},
            },
            *message("m5", "Nobody announced me.", subagentRunId="stranger"),
            {"type": "CUSTOM", "name": "progress", "value": {"done": 0.5}},
            {"type": "CUSTOM", "name": "opened", "value": {"done": [1, 2], "words": "x" * 60}},
            {"type": "RAW", "event": {"kind": "ping"}, "source": "gateway"},
        ]
    )


def activity(message_id: str, content: Event) -> Event:
    return {
        "type": "ACTIVITY_SNAPSHOT",
        "messageId": message_id,
        "activityType": "PLAN",
        "content": content,
    }


def subagent(run: str, name: str, **more: str) -> Event:
    return {"type": "SUBAGENT_STARTED", "subagentRunId": run, "name": name, **more}


def endings() -> MadeSession:
    """Five of the six endings; the sixth is in :func:`truncated`."""
    asks = {
        "id": "i",
        "reason": "confirm",
        "message": "Shall I book the flight?",
        "toolCallId": "c",
        "expiresAt": "2026-12-01T12:00:00Z",
        "responseSchema": {"type": "object", "properties": {"yes": {"type": "boolean"}}},
    }
    usage: list[Event] = [{"inputTokens": 1200, "outputTokens": 56}]
    return MadeSession(
        [
            started("r1"),
            *call("c", "book_flight", '{"to": "ZRH"}'),
            finished("r1", outcome={"type": "interrupt", "interrupts": [asks]}, usage=usage),
            started("r2", parentRunId="r1"),
            {"type": "STEP_STARTED", "stepName": "pack"},
            *message("a", "Done."),
            {"type": "STEP_FINISHED", "stepName": "pack"},
            finished("r2", usage=usage, result={"ok": True}),
            started("r3"),
            finished("r3", outcome={"type": "cancelled"}),
            started("r4"),
            {"type": "CUSTOM", "name": "last words", "value": "overloaded"},
            {"type": "STEP_STARTED", "stepName": "think"},
            subagent("s", "helper"),
            *growing("c2", "look_up", '{"what'),
            *call("c3", "ask", "{}"),
            {"type": "RUN_ERROR", "message": "The model is overloaded", "code": "529"},
            started("r4b"),
            *call("c4", "choose_seat", "{}"),
            finished("r4b", result={"rows": list(range(40))}),
            started("r5"),
            opened("b"),
            said("b", "I was saying"),
            said("nobody", "x"),
            *message("after", "This came after the violation."),
        ],
        keep_going=True,
    )


def breaks() -> MadeSession:
    """A connection that is lost and begins again, and the end of the bytes in mid-run."""
    session = MadeSession([started(), opened("a"), said("a", "The stream breaks off he")])
    session.tape.pipeline.next_stream("The connection was lost.")
    session.tape.add(started("r2"), *message("b", "Again."), opened("c"), said("c", "and ag"))
    session.tape.end(b'data: {"type":"TEXT_MESSAGE_CON')
    return session


@dataclass(frozen=True)
class Gallery:
    """A conversation, and what the reader folded and opened in it."""

    make: Callable[[], MadeSession]
    height: int
    """Lines in which all of it has room at 60 cells."""
    folded: tuple[str, ...] = ()
    """Ids of messages."""
    opened: tuple[str, ...] = ()
    """Ids of messages, names of CUSTOM, ids of runs (their ends)."""


GALLERIES = {
    "speakers": Gallery(speakers, 62, ("a-folded",), ("t-open",)),
    "tools": Gallery(tools, 84, ("b",)),
    "structure": Gallery(structure, 80, ("p-folded",), ("opened",)),
    "endings": Gallery(endings, 82, (), ("r1",)),
    "breaks": Gallery(breaks, 24),
}
