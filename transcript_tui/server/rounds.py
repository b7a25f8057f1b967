"""A log sent again: the same events about other messages, calls and runs."""

from __future__ import annotations

from typing import Any, Final

from transcript_tui.wire import jsontext

__all__ = ["in_round"]

_IDS: Final = frozenset(
    {
        "entityId", "messageId", "parentMessageId", "parentRunId", "parentSubagentRunId",
        "parentToolCallId", "runId", "subagentRunId", "toolCallId",
    }
)  # fmt: skip
_LISTS: Final = frozenset({"interruptIds", "pendingToolCallIds"})
_INNER: Final = frozenset({"input", "interrupts", "messages", "outcome", "toolCalls"})
"""Where things with an ``id`` of their own stand; all else in an event is open data."""


def in_round(payload: bytes, number: int) -> bytes:
    """``payload`` as round ``number`` (0: the first) of a loop sends it.

    With the ids of the round before, what comes would go on with the messages that are held: they
    would grow round by round. The thread stays the same; what is no JSON object stays as it is.
    """
    if number == 0 or not jsontext.is_object(payload):
        return payload
    try:
        event = jsontext.parse(payload)
    except jsontext.NotJson:
        return payload
    return jsontext.dumps(_renamed(event, f"~{number + 1}", _IDS)).encode("utf-8", "replace")


def _renamed(value: Any, mark: str, ids: frozenset[str]) -> Any:
    if isinstance(value, list):
        return [_renamed(one, mark, ids) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: _field(name, one, mark, ids) for name, one in value.items()}


def _field(name: str, value: Any, mark: str, ids: frozenset[str]) -> Any:
    if name in ids and isinstance(value, str):
        return value + mark
    if name in _LISTS and isinstance(value, list):
        return [one + mark if isinstance(one, str) else one for one in value]
    return _renamed(value, mark, _IDS | {"id"}) if name in _INNER else value
