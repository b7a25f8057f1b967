"""Messages as AG-UI JSON, as a next ``RunAgentInput`` has them."""

from __future__ import annotations

from typing import Any

import msgspec

from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.model import Body, Message, Sealed, ToolCall, sealed_at

Json = dict[str, Any]


def as_message(message: Message, position: int = LATEST) -> Json:
    """``message`` as it stood at ``position``: camelCase, absent fields absent."""
    body = message.body_at(position)
    told: Json = {"id": message.id, "role": body.role}
    content = _content(body, position)
    if content is not None:
        told["content"] = content
    if body.activity_type is not None:
        told["activityType"] = body.activity_type.at(position)
    _put(told, "name", body.name)
    _put(told, "toolCallId", body.tool_call_id)
    _put(told, "error", body.error)
    calls = [_as_call(call, position) for call in body.calls_at(position)]
    if calls or body.listed:
        told["toolCalls"] = calls
    _put(told, "subagentRunId", body.owner)
    _seal(told, sealed_at(body.sealed, position))
    _put(told, "metadata", None if body.metadata is None else body.metadata.at(position))
    return told


def _content(body: Body, position: int) -> Any:
    text = body.text_at(position)
    if text is not None:
        return text.read(0, text.length_at(position))
    if body.parts is not None:
        return [msgspec.to_builtins(part) for part in body.parts]
    return None if body.activity is None else body.activity.at(position)


def _as_call(call: ToolCall, position: int) -> Json:
    text = call.arguments_at(position)
    arguments = text.read(0, text.length_at(position))
    told: Json = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name.at(position), "arguments": arguments},
    }
    _seal(told, sealed_at(call.sealed, position))
    _put(told, "metadata", None if call.metadata is None else call.metadata.at(position))
    return told


def _seal(told: Json, sealed: Sealed | None) -> None:
    if sealed is not None:
        told["encryptedValue"] = sealed.value
        _put(told, "encryptedValueType", sealed.type)


def _put(told: Json, name: str, value: Any) -> None:
    if value is not None:
        told[name] = value
