"""What can be said of a payload at a glance, without decoding what need not be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from transcript_tui.text import label
from transcript_tui.wire.jsontext import NotJson, dumps, parse

_TYPE: Final = re.compile(rb'"type"\s*:\s*"([^"\\]{1,64})"')
_WHOLE: Final = 20_000
"""Bytes up to which a payload is decoded for its row."""
_IDS: Final = (
    "messageId",
    "toolCallId",
    "runId",
    "threadId",
    "stepName",
    "subagentRunId",
    "entityId",
    "activityType",
    "name",
    "toolCallName",
    "parentMessageId",
)
_CONTENT: Final = ("delta", "content", "message", "snapshot", "patch", "value", "event", "outcome")


@dataclass(frozen=True, slots=True)
class Glance:
    """One payload in a row. All texts have passed the gate."""

    type: str
    ids: str
    content: str
    size: int


def type_of(payload: bytes) -> str:
    """The event's type by its looks; ``?`` where it has none."""
    match = _TYPE.search(payload)
    return match.group(1).decode("utf-8", "replace") if match else "?"


def glance(payload: bytes) -> Glance:
    if len(payload) > _WHOLE:
        return Glance(label(type_of(payload)), "", "", len(payload))
    try:
        event = parse(payload)
    except NotJson:
        event = None
    head = label(payload[:120].decode("utf-8", "replace"))
    if not isinstance(event, dict):
        return Glance("not an event", "", head, len(payload))
    kind = event.get("type")
    if not isinstance(kind, str):
        return Glance("?", "", head, len(payload))
    ids = " ".join(_short(event[name]) for name in _IDS if isinstance(event.get(name), str))
    content = next((_short(event[name], 160) for name in _CONTENT if name in event), "")
    return Glance(label(kind), ids, content, len(payload))


def brief(kind: str) -> str:
    """A type's name where there is little room: ``TEXT_MESSAGE_CONTENT`` → ``text content``."""
    words = kind.lower().replace("_message", "").replace("_", " ")
    return words[:18]


def family_style(kind: str) -> str:
    """The colour of a family of events."""
    if kind.startswith(("RUN_", "STEP_")):
        return "accent"
    for start, style in (
        ("TEXT_", "role-assistant"),
        ("TOOL_", "role-tool"),
        ("REASONING_", "role-reasoning"),
        ("THINKING_", "role-reasoning"),
        ("ACTIVITY_", "role-activity"),
        ("SUBAGENT_", "role-subagent"),
        ("STATE_", "role-developer"),
        ("MESSAGES_", "role-developer"),
    ):
        if kind.startswith(start):
            return style
    return "dim"


def _short(value: Any, limit: int = 24) -> str:
    try:
        text = value if isinstance(value, str) else dumps(value)
    except RecursionError:
        # What could just be read may be too deep to be written.
        return "…"
    text = label(text[: limit + 1].replace("\n", "⏎"))
    return f"{text[:limit]}…" if len(text) > limit else text
