"""Text messages (events/text-messages)."""

from __future__ import annotations

from typing import assert_never

from msgspec import UNSET

from transcript_tui.protocol.events import TextMessageContent, TextMessageEnd, TextMessageStart
from transcript_tui.transcript.reduce.fold import Fold, given
from transcript_tui.transcript.reduce.streamed import close_message, extend_message, open_message


def apply(fold: Fold, event: TextMessageStart | TextMessageContent | TextMessageEnd) -> None:
    match event:
        case TextMessageContent():
            extend_message(fold, "text", event)
        case TextMessageStart():
            role = "assistant" if event.role is UNSET else event.role
            open_message(fold, "text", role, given(event.name), event)
        case TextMessageEnd():
            close_message(fold, "text", event)
        case _:
            assert_never(event)
