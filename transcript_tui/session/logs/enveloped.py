"""Events in an envelope, a payload each: ``{"t": 1.5, "event": {…}}``.

``t``, ``ts``, ``offset`` or ``at`` says when. Lines of a file, payloads of a live feed and those
of its recording, which are what arrived, are unwrapped alike, and it is said that they were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from transcript_tui.session.logs.foreign import seconds_of
from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Frame

__all__ = ["Unwrapper", "event_in"]


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
    """One source's payloads; whether a stream's are wrapped is decided at its first object."""

    NOTE: Final = "The events stand in envelopes here; they were taken out."

    def __init__(self, note: Callable[[str], None]) -> None:
        """``note`` is told, once, that there were envelopes."""
        self._note = note
        self._noted = False
        self._wrapped: bool | None = None
        self._zero: float | None = None

    @property
    def wrapped(self) -> bool:
        """The current stream's events stand in envelopes."""
        return bool(self._wrapped)

    def next_stream(self) -> None:
        """What follows came over another connection."""
        self._wrapped = None

    def unwrap(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        """``frames``, one for one, with the events out of their envelopes."""
        if self._wrapped is None:
            self._decide(frames)
        return [self._unwrap(frame) for frame in frames] if self._wrapped else frames

    def _decide(self, frames: Sequence[Frame]) -> None:
        first = next((frame for frame in frames if jsontext.is_object(frame.payload)), None)
        if first is None:
            return
        self._wrapped = _open(first.payload) is not None
        if self._wrapped and not self._noted:
            self._noted = True
            self._note(self.NOTE)

    def _unwrap(self, frame: Frame) -> Frame:
        envelope = _open(frame.payload)
        if envelope is None:
            # A line of its own kind among the others: judged as it is.
            return frame
        return Frame(bytes(envelope.event), frame.line, frame.offset, self._at(frame, envelope))

    def _at(self, frame: Frame, envelope: _Envelope) -> float | None:
        """A recording's own offset says when the envelope arrived here, which is what a replay
        repeats; the envelope's time is what some other machine's clock said of the event."""
        when = seconds_of(envelope.when())
        if frame.at is not None or when is None:
            return frame.at
        if when <= _MOMENT:
            return max(0.0, when)
        if self._zero is None:
            self._zero = when
        return max(0.0, when - self._zero)


_MOMENT: Final = 1e8
"""Seconds; more than three years is no offset into a log."""


def event_in(payload: bytes) -> bytes:
    """The event in an envelope; what is none stays as it is."""
    envelope = _open(payload)
    return payload if envelope is None else bytes(envelope.event)


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
