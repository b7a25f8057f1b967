"""The invented rhythm of a log that has no times: as fast as it reads comfortably."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

__all__ = ["pace", "paces", "timestamp"]

CHARACTERS_PER_SECOND: Final = 160.0
"""About four times as fast as people read, so that skimming keeps up."""
LONGEST: Final = 1.0
"""Seconds that one event may take, whatever its length."""

_PAUSES: Final = {
    "RUN_STARTED": 0.3,
    "TEXT_MESSAGE_START": 0.35,
    "REASONING_MESSAGE_START": 0.3,
    "REASONING_START": 0.1,
    "TOOL_CALL_START": 0.3,
    "TOOL_CALL_RESULT": 0.8,
    "STEP_STARTED": 0.15,
    "ACTIVITY_SNAPSHOT": 0.5,
    "ACTIVITY_DELTA": 0.2,
    "SUBAGENT_STARTED": 0.3,
    "MESSAGES_SNAPSHOT": 0.3,
    "RUN_FINISHED": 0.2,
    "RUN_ERROR": 0.3,
}
"""Seconds before an event of this type."""
_OTHER: Final = 0.02
_AROUND: Final = 80
"""Bytes around a delta: type, id and punctuation."""
_OF_DELTA: Final = tuple(
    min(LONGEST, max(_OTHER, (size - _AROUND) / CHARACTERS_PER_SECOND))
    for size in range(_AROUND + round(LONGEST * CHARACTERS_PER_SECOND) + 1)
)
"""Seconds before a delta of so many bytes. They stand for its characters: decoding would cost
five times as much, and the rhythm is invented anyway."""
_LONGEST_SIZE: Final = len(_OF_DELTA) - 1


class _Kind(msgspec.Struct):
    type: object = None


class _Stamp(msgspec.Struct):
    timestamp: object = None


_kind = msgspec.json.Decoder(_Kind).decode
_stamp = msgspec.json.Decoder(_Stamp).decode


def pace(payload: bytes) -> float:
    """Seconds to wait before ``payload``; any bytes will do."""
    if b'"delta"' in payload:
        return _OF_DELTA[min(len(payload), _LONGEST_SIZE)]
    try:
        kind = _kind(payload).type
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _OTHER
    return _PAUSES.get(kind, _OTHER) if isinstance(kind, str) else _OTHER


def paces(payloads: Iterable[bytes]) -> list[float]:
    """:func:`pace` of each. Nearly all are short deltas, and there may be a million of them:
    ``rfind``, which finds them near the end, takes a third of the time of ``in``."""
    return [
        _OF_DELTA[size]
        if (size := len(payload)) < _LONGEST_SIZE and payload.rfind(b'"delta"') >= 0
        else pace(payload)
        for payload in payloads
    ]


def timestamp(payload: bytes) -> int | None:
    """The event's own ``timestamp`` (milliseconds since the epoch, by convention)."""
    if b'"timestamp"' not in payload:
        return None
    try:
        value = _stamp(payload).timestamp
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return value if type(value) is int and abs(value) < 2**53 else None
