"""What a session hands its recorder: first all that arrived so far, then what arrives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Final

from transcript_tui.session.recorder import Recorder
from transcript_tui.session.sources.source import Source
from transcript_tui.session.tape import Tape
from transcript_tui.wire.frames import (
    Cut,
    Frame,
    FrameTooLong,
    FramingCr,
    Input,
    Mark,
    NewStream,
    Piece,
)

__all__ = ["Backlog", "begin_recording", "record_pieces"]

_AT_ONCE: Final = 500
"""Items written in one go: a millisecond or two."""


def begin_recording(
    recorder: Recorder, tape: Tape, source: Source, given: Mapping[str, Any] | None, wall: float
) -> None:
    """The head.

    ``given`` is what the session was started with; ``wall`` is now, in seconds since the
    epoch, for a source that does not know when it began.
    """
    of = tape.recording
    recorder.start(
        started=tape.started if tape.started is not None else wall,
        url=source.url or (of.url if of else None),
        method=source.method or (of.method if of else None),
        run_input=tape.streams[0].input or given,
    )


class Backlog:
    """What is on the tape before a recording of it keeps up: written a bit at a time, as there
    may be a million events."""

    def __init__(self, recorder: Recorder, tape: Tape, *, unwrapped: bool = False) -> None:
        """``unwrapped`` writes the events that arrived in envelopes without those."""
        self._recorder = recorder
        self._payload = tape.payload if unwrapped else tape.arrived
        self._tape = tape
        self._walk = tape.walk()
        self._last = -1
        """The payload that was walked over last."""

    @property
    def part(self) -> float:
        """How much of it is written, 0 to 1."""
        return self._recorder.frames / max(1, self._tape.length)

    def write(self) -> bool:
        """Write on, some of it; whether there is more."""
        written = 0
        held: list[tuple[bytes, float | None]] = []
        for item in islice(self._walk, _AT_ONCE):
            written += 1
            if isinstance(item, int):
                self._last = item
                held.append((self._payload(item), self._tape.time(item)))
            else:
                self._recorder.frames_of(held)
                held = []
                _record_mark(self._recorder, item, self._tape.time(self._last) or 0.0)
        self._recorder.frames_of(held)
        return written == _AT_ONCE and self._recorder.state == "recording"

    def write_all(self) -> None:
        while self.write():
            pass


def record_pieces(recorder: Recorder, pieces: Sequence[Piece], tape: Tape, now: float) -> None:
    """The last of the tape, which ``pieces`` have just been put on; ``now`` in its seconds."""
    number = tape.length - sum(isinstance(piece, Frame | FrameTooLong) for piece in pieces)
    held: list[tuple[bytes, float | None]] = []
    for piece in pieces:
        if isinstance(piece, Frame | FrameTooLong):
            payload = piece.payload if isinstance(piece, Frame) else piece.head
            held.append((payload, tape.time(number)))
            number += 1
        else:
            recorder.frames_of(held)
            held = []
            _record_mark(recorder, piece, now)
    recorder.frames_of(held)


def _record_mark(recorder: Recorder, mark: Mark, now: float) -> None:
    """``now``: when it came, where it does not say that itself."""
    match mark:
        case NewStream():
            recorder.stream(mark.number, mark.at if mark.at is not None else now)
        case FramingCr():
            recorder.framing_crlf()
        case Cut():
            recorder.cut(mark.tail, mark.at if mark.at is not None else now)
        case Input():
            recorder.input(mark.value)
        case _:
            # A byte-order mark and a missing last line end are not in a recording's framing.
            pass
