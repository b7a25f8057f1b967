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


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which payloads are listed; empty fields ask for nothing."""

    types: tuple[str, ...] = ()
    """Parts of type names, upper case."""
    ids: tuple[bytes, ...] = ()
    verdicts: tuple[str, ...] = ()
    """Words that say a verdict, or their beginnings."""
    words: tuple[bytes, ...] = ()

    @classmethod
    def parse(cls, written: str) -> EventFilter:
        """Read ``type:TEXT id:m1 verdict:dropped some words``; total."""
        types, ids, verdicts, words = [], [], [], []
        for word in written.split():
            prefix, colon, value = word.partition(":")
            match (prefix.lower() if colon and value else "", value):
                case ("type", _):
                    types.append(value.upper())
                case ("id", _):
                    ids.append(value.encode())
                case ("verdict", _):
                    verdicts.append(value.lower())
                case _:
                    words.append(word.encode())
        return cls(tuple(types), tuple(ids), tuple(verdicts), tuple(words))

    def __bool__(self) -> bool:
        return bool(self.types or self.ids or self.verdicts or self.words)

    def matches(self, payload: bytes, verdict: str) -> bool:
        if self.verdicts and not any(verdict.startswith(wanted) for wanted in self.verdicts):
            return False
        if self.types:
            kind = type_of(payload).upper()
            if not any(wanted in kind for wanted in self.types):
                return False
        if any(wanted not in payload for wanted in self.ids):
            return False
        return all(_has(payload, word) for word in self.words)


def _has(payload: bytes, word: bytes) -> bool:
    """Smart case: a word in small letters is found in any."""
    return word in payload or (word.islower() and word in payload.lower())
