"""Events in an envelope, a payload each: ``{"t": 1.5, "event": {…}}``.

``t``, ``ts``, ``offset`` or ``at`` says when. Lines of a file and payloads of a live feed are
unwrapped alike, and it is said that they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from transcript_tui.session.logs.foreign import seconds_of
from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Frame, Piece

__all__ = ["Unwrapper"]


class _Envelope(msgspec.Struct):
    event: msgspec.Raw
    type: Any = None
    t: Any = None
    ts: Any = None
    offset: Any = None
    at: Any = None

    def when(self) -> Any:
        named = (self.t, self.ts, self.offset, self.at)
        return next((value for value in named if value is not None), None)


_decode: Final = msgspec.json.Decoder(_Envelope).decode


class Unwrapper:
    """One stream's payloads; whether they are wrapped is decided at the first."""

    NOTE: Final = "The events stand in envelopes here; they were taken out."

    def __init__(self) -> None:
        self.wrapped: bool | None = None
        self._zero: float | None = None

    def unwrap(self, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """``pieces`` with the events taken out of their envelopes."""
        if self.wrapped is None:
            first = next((piece for piece in pieces if isinstance(piece, Frame)), None)
            if first is not None:
                self.wrapped = _open(first.payload) is not None
        if not self.wrapped:
            return pieces
        return [self._unwrap(piece) if isinstance(piece, Frame) else piece for piece in pieces]

    def _unwrap(self, frame: Frame) -> Frame:
        envelope = _open(frame.payload)
        if envelope is None:
            # A line of its own kind among the others: judged as it is.
            return frame
        return Frame(bytes(envelope.event), frame.line, frame.offset, self._at(frame, envelope))

    def _at(self, frame: Frame, envelope: _Envelope) -> float | None:
        when = seconds_of(envelope.when())
        if frame.at is not None or when is None:
            return frame.at
        if self._zero is None:
            # A moment: the first one is time 0. An offset counts from 0 already.
            self._zero = when if when > _MOMENT else 0.0
        return max(0.0, when - self._zero)


_MOMENT: Final = 1e8
"""Seconds; more than three years is no offset into a log."""


def _open(payload: bytes) -> _Envelope | None:
    if b'"event"' not in payload:
        return None
    envelope: _Envelope | None
    try:
        envelope = _decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        envelope = _decode_carefully(payload)
    if envelope is None:
        return None
    inside = bytes(envelope.event).lstrip()
    return envelope if inside[:1] == b"{" and envelope.type is None else None


def _decode_carefully(payload: bytes) -> _Envelope | None:
    """What msgspec refuses and JSON allows: half of a surrogate pair, for one."""
    try:
        value = jsontext.parse(payload)
    except jsontext.NotJson:
        return None
    if not isinstance(value, dict) or "event" not in value:
        return None
    event = msgspec.Raw(jsontext.dumps(value["event"]).encode())
    known = {name: value.get(name) for name in ("type", "t", "ts", "offset", "at")}
    return _Envelope(event, **known)
