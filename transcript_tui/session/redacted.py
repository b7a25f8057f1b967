"""A tape without words: the same events in order, places, times and marks, redacted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec.structs import replace

from transcript_tui.errors import UsageError
from transcript_tui.export.redact import Redactor, Removed
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire.frames import Cut, Frame, FrameTooLong, Input, NewStream

__all__ = ["redacted_tape"]


def redacted_tape(tape: Tape, pipeline: Callable[[], Pipeline] = Pipeline) -> tuple[Tape, Removed]:
    """``tape`` redacted and folded anew, and what was removed. ``tape`` must be complete."""
    redactor = Redactor()
    fresh = Tape(pipeline)
    fresh.started = tape.started
    if tape.recording is not None:
        # An address may say whose agent it was.
        fresh.recording = replace(tape.recording, url=None)
    walk = tape.walk()
    for item in walk:
        match item:
            case int():
                if (event := tape.event(item)) is not None:
                    place = tape.line(item), tape.offset(item), tape.time(item)
                    fresh.take([Frame(redactor.payload(event), *place)])
            case NewStream():
                stream = tape.streams[item.number]
                fresh.end(redactor.tail(tape.streams[item.number - 1].tail))
                fresh.next_stream(item.at, stream.reason)
            case Input():
                _begin(fresh, redactor, item.value)
            case FrameTooLong():
                # Its head is the payload that comes next, which is no payload of its own.
                at = tape.time(cast(int, next(walk)))
                fresh.take([replace(item, head=redactor.payload(item.head), at=at)])
            case Cut():
                fresh.take([replace(item, tail=redactor.tail(item.tail))])
            case _:
                fresh.take([item])
    fresh.end(redactor.tail(tape.streams[-1].tail))
    fresh.complete = True
    return fresh, redactor.removed


def _begin(fresh: Tape, redactor: Redactor, run_input: Any) -> None:
    if isinstance(run_input, dict):
        try:
            fresh.begin(redactor.given(run_input))
        except UsageError:
            # It was left out of the tape too, and said so.
            return
