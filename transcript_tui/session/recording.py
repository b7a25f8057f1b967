"""What a session hands its recorder: first all that arrived so far, then what arrives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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

__all__ = ["record_pieces", "record_tape"]


def record_tape(
    recorder: Recorder,
    tape: Tape,
    source: Source,
    given: Mapping[str, Any] | None,
    wall: float,
    *,
    unwrapped: bool = False,
) -> None:
    """The head, and the whole tape.

    ``given`` is what the session was started with; ``wall`` is now, in seconds since the
    epoch, for a source that does not know when it began; ``unwrapped`` writes the events that
    arrived in envelopes without those.
    """
    payload = tape.payload if unwrapped else tape.arrived
    of = tape.recording
    recorder.start(
        started=tape.started if tape.started is not None else wall,
        url=source.url or (of.url if of else None),
        method=source.method or (of.method if of else None),
        run_input=tape.streams[0].input or given,
    )
    for item in tape.walk():
        if isinstance(item, int):
            recorder.frame(payload(item), tape.time(item))
        else:
            _record_mark(recorder, item, tape.duration)


def record_pieces(recorder: Recorder, pieces: Sequence[Piece], tape: Tape, now: float) -> None:
    """The last of the tape, which ``pieces`` have just been put on; ``now`` in its seconds."""
    number = tape.length - sum(isinstance(piece, Frame | FrameTooLong) for piece in pieces)
    for piece in pieces:
        if isinstance(piece, Frame | FrameTooLong):
            payload = piece.payload if isinstance(piece, Frame) else piece.head
            recorder.frame(payload, tape.time(number))
            number += 1
        else:
            _record_mark(recorder, piece, now)


def _record_mark(recorder: Recorder, mark: Mark, now: float) -> None:
    match mark:
        case NewStream():
            recorder.stream(mark.number, mark.at)
        case FramingCr():
            recorder.framing_crlf()
        case Cut():
            recorder.cut(mark.tail, mark.at if mark.at is not None else now)
        case Input():
            recorder.input(mark.value)
        case _:
            # A byte-order mark and a missing last line end are not in a recording's framing.
            pass
