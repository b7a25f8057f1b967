"""Deltas in a row: a shortcut of the fast route, and only that.

What is taken here is what ``Verifier.step`` would deliver: nothing comes between the deltas
of a row, and the check of a continuation changes nothing, so only decoding is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Final

from msgspec import UNSET, DecodeError

from transcript_tui.protocol.events import TextMessageContent, ToolCallArgs

__all__ = ["take_row"]

_MESSAGE_ID: Final = attrgetter("message_id")
_TOOL_CALL_ID: Final = attrgetter("tool_call_id")


def take_row(
    payloads: Iterator[bytes],
    delta: TextMessageContent | ToolCallArgs,
    into: list[str],
    decode: Callable[[bytes], Any],
    longest: int,
) -> bytes | None:
    """Append to ``into`` the deltas that go on with ``delta``, up to the first payload that is
    anything else or has more than ``longest`` bytes, and give that back."""
    kind, owner, append = type(delta), delta.subagent_run_id, into.append
    id_of = _MESSAGE_ID if isinstance(delta, TextMessageContent) else _TOOL_CALL_ID
    id = id_of(delta)
    for payload in payloads:
        if len(payload) > longest:
            return payload
        try:
            event = decode(payload)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return payload
        if (
            type(event) is not kind
            or id_of(event) != id
            or event.subagent_run_id != owner
            or event.metadata is not UNSET
        ):
            return payload
        append(event.delta)
    return None
