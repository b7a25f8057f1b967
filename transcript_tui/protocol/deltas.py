"""Deltas in a row: a shortcut of the fast route, and only that.

What is taken here is what ``Verifier.step`` would deliver: nothing comes between the deltas
of a row, and the check of a continuation changes nothing, so only decoding is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from msgspec import UNSET, DecodeError

from transcript_tui.protocol.events import (
    Chunk,
    ReasoningMessageContent,
    TextMessageContent,
    ToolCallArgs,
)

__all__ = ["Alike", "Growing", "take_row"]

Growing = TextMessageContent | ReasoningMessageContent | ToolCallArgs
"""Events that add a delta to an item."""


@dataclass(frozen=True, slots=True)
class Alike:
    """What the payloads of a row say besides their deltas (and what nothing depends on)."""

    kind: type[Growing | Chunk]
    names: tuple[str, ...]
    """Attributes of the events."""
    values: tuple[tuple[Any, ...], ...]
    """The combinations of their values that go on with the row."""


def take_row(
    payloads: Iterator[bytes],
    alike: Alike,
    into: list[str],
    decode: Callable[[bytes], Any],
    longest: int,
) -> bytes | None:
    """Append to ``into`` the deltas of the payloads that are ``alike``, up to the first that is
    anything else or has more than ``longest`` bytes, and give that back."""
    kind, said, values, append = alike.kind, attrgetter(*alike.names), alike.values, into.append
    for payload in payloads:
        if len(payload) > longest:
            return payload
        try:
            event = decode(payload)
        except (DecodeError, UnicodeDecodeError, RecursionError):
            return payload
        if type(event) is not kind or said(event) not in values:
            return payload
        delta = event.delta
        if delta is UNSET:
            return payload
        append(delta)
    return None
