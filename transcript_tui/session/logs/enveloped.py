"""Events in an envelope, a payload each: ``{"t": 1.5, "event": {…}}``.

``t``, ``ts``, ``offset`` or ``at`` says when. Lines of a file, payloads of a live feed and those
of its recording, which are what arrived, are unwrapped alike, and it is said that they were.

Whoever wraps events also writes lines of its own between them: ``{"t": 1.7, "note": "…"}``. Such
an object, with no event in it and no ``type`` that would make it one, is nothing that the agent
said: it is left out, and counted, and no rule of the protocol is applied to it. So it is with a
live feed too, or its recording would be another conversation than the feed was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import msgspec

from transcript_tui.session.logs.foreign import seconds_of
from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Frame

__all__ = ["NoEvent", "Unwrapper", "event_in", "event_of"]


class NoEvent(Frame, frozen=True, gc=False):
    """A payload among envelopes that holds no event; it has a number, a place and a time."""


def event_of(frame: Frame) -> bytes | None:
    """The event of an unwrapped frame; ``None`` where it holds none."""
    return None if type(frame) is NoEvent else frame.payload


class _Envelope(msgspec.Struct):
    """What may be one: an object that is no event itself."""

    event: msgspec.Raw = msgspec.Raw(b"")
    type: Any = None
    t: Any = None
    ts: Any = None
    offset: Any = None
    at: Any = None

    def when(self) -> Any:
        named = (self.t, self.ts, self.offset, self.at)
        return next((value for value in named if value is not None), None)

    def inside(self) -> bytes | None:
        """The event in it, which is an object."""
        held = bytes(self.event)
        return held if held.lstrip()[:1] == b"{" else None


_decode: Final = msgspec.json.Decoder(_Envelope).decode


class Unwrapper:
    """One source's payloads; whether a stream's are wrapped is decided at its first object: an
    envelope, or what could be one's neighbour because it says when and is no event."""

    NOTE: Final = "The events stand in envelopes here; they were taken out."

    def __init__(self, note: Callable[[str], None]) -> None:
        """``note`` is told, once, that there were envelopes."""
        self._note = note
        self._noted = False
        self._wrapped: bool | None = None
        self._left_out = 0
        self._zero: float | None = None

    @property
    def wrapped(self) -> bool:
        """The current stream's events stand in envelopes."""
        return bool(self._wrapped)

    def end(self) -> None:
        """The stream's bytes ended: say how many objects were left out of it."""
        count, self._left_out = self._left_out, 0
        if count:
            said = "s hold no event; they were" if count > 1 else " holds no event; it was"
            self._note(f"{count:,} object{said} left out.")

    def next_stream(self) -> None:
        """What follows came over another connection."""
        self.end()
        self._wrapped = None

    def unwrap(self, frames: Sequence[Frame]) -> Sequence[Frame]:
        """``frames``, one for one, with the events out of their envelopes; those that hold none
        are :class:`NoEvent`."""
        if self._wrapped is None:
            self._decide(frames)
        return [self._unwrap(frame) for frame in frames] if self._wrapped else frames

    def _decide(self, frames: Sequence[Frame]) -> None:
        first = next((frame for frame in frames if jsontext.is_object(frame.payload)), None)
        if first is None:
            return
        envelope = _open(first.payload)
        self._wrapped = envelope is not None and (
            envelope.inside() is not None or envelope.when() is not None
        )
        if self._wrapped and not self._noted:
            self._noted = True
            self._note(self.NOTE)

    def _unwrap(self, frame: Frame) -> Frame:
        envelope = _open(frame.payload)
        if envelope is None:
            # An event that stands for itself, or no JSON: judged as it is.
            return frame
        event, at = envelope.inside(), self._at(frame, envelope)
        if event is None:
            self._left_out += 1
            return NoEvent(frame.payload, frame.line, frame.offset, at)
        return Frame(event, frame.line, frame.offset, at)

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


def event_in(payload: bytes) -> bytes | None:
    """The event in an envelope, ``None`` where it holds none; what is no envelope stays as it
    is."""
    envelope = _open(payload)
    return payload if envelope is None else envelope.inside()


def _open(payload: bytes) -> _Envelope | None:
    envelope: _Envelope | None
    try:
        envelope = _decode(payload)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        envelope = _decode_carefully(payload)
    return envelope if envelope is not None and envelope.type is None else None


def _decode_carefully(payload: bytes) -> _Envelope | None:
    """What msgspec refuses and JSON allows: half of a surrogate pair, for one."""
    try:
        value = jsontext.parse(payload)
    except jsontext.NotJson:
        return None
    if not isinstance(value, dict):
        return None
    event = msgspec.Raw(jsontext.dumps(value.get("event")).encode())
    known = {name: value.get(name) for name in ("type", "t", "ts", "offset", "at")}
    return _Envelope(event, **known)
