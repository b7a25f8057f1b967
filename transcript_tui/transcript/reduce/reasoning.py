"""Reasoning: messages, the spans around them, encrypted values (events/reasoning)."""

from __future__ import annotations

from typing import assert_never

from transcript_tui.protocol.events import (
    ReasoningEncryptedValue,
    ReasoningEnd,
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningMessageStart,
    ReasoningStart,
)
from transcript_tui.protocol.findings import quoted
from transcript_tui.transcript.model import Body, Sealed, ToolCall
from transcript_tui.transcript.reduce.fold import Fold, given
from transcript_tui.transcript.reduce.streamed import close_message, extend_message, open_message

Reasoning = (
    ReasoningMessageStart
    | ReasoningMessageContent
    | ReasoningMessageEnd
    | ReasoningStart
    | ReasoningEnd
    | ReasoningEncryptedValue
)


def apply(fold: Fold, event: Reasoning) -> None:
    match event:
        case ReasoningMessageContent():
            extend_message(fold, "reasoning", event)
        case ReasoningMessageStart():
            open_message(fold, "reasoning", "reasoning", None, event)
        case ReasoningMessageEnd():
            close_message(fold, "reasoning", event)
        case ReasoningStart() | ReasoningEnd():
            pass  # A span builds nothing; verification has judged it.
        case ReasoningEncryptedValue():
            _seal(fold, event)
        case _:
            assert_never(event)


def _seal(fold: Fold, event: ReasoningEncryptedValue) -> None:
    """Store the value with the message or tool call it names; an activity cannot hold one."""
    target: Body | ToolCall | None = None
    if event.subtype == "tool-call":
        target = fold.book.call(event.entity_id)
        key = -1 if target is None else target.message.key
    else:
        message = fold.book.by_id.get(event.entity_id)
        if message is not None and message.body.role != "activity":
            target, key = message.body, message.key
    if target is None:
        fold.warn(
            "unknown-entity",
            f"An encrypted value names the {event.subtype} {quoted(event.entity_id)}, which is not "
            "held; it is dropped.",
            "/entityId",
        )
        return
    fold.seal(target, Sealed(event.encrypted_value, given(event.encrypted_value_type)))
    fold.touch(key)
