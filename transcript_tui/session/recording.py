"""A recording of a tape: a cursor over it, and the file that it has written so far."""

from __future__ import annotations

from math import isnan
from typing import Final

from transcript_tui.session.recorder import Recorder
from transcript_tui.session.sources.source import Source
from transcript_tui.session.tape import Tape
from transcript_tui.wire.frames import Cut, FrameTooLong, FramingCr, Input, Mark, NewStream

__all__ = ["AT_ONCE", "Recording"]

AT_ONCE: Final = 500
"""Payloads written in one go: a millisecond or two."""


class Recording:
    """What is on a tape is written, from its beginning on; what comes later, when it is asked for
    again. So it is the same, whenever it was begun."""

    def __init__(
        self,
        recorder: Recorder,
        tape: Tape,
        source: Source,
        wall: float,
        *,
        unwrapped: bool = False,
    ) -> None:
        """``wall`` is now, in seconds since the epoch, for a source that does not know when it
        began; ``unwrapped`` writes the events that arrived in envelopes without those."""
        self.recorder = recorder
        self._tape = tape
        self._source = source
        self._wall = wall
        self._payloads = tape.events if unwrapped else tape.arrived_between
        self._cursor = tape.cursor()

    @property
    def part(self) -> float:
        """How much of the tape is written, 0 to 1."""
        return self._cursor.number / max(1, self._tape.length)

    def write(self) -> bool:
        """Write on, some of it; whether there is more."""
        if self.recorder.state == "ready":
            self._begin()
        left = AT_ONCE
        while left > 0 and self.recorder.state == "recording":
            item = self._cursor.next(left)
            if item is None:
                return False
            if isinstance(item, range):
                self._write_payloads(item)
                left -= len(item)
            else:
                self._write_mark(item)
                left -= 1
        return self.recorder.state == "recording"

    def write_all(self) -> None:
        """All that is on the tape now."""
        while self.write():
            pass

    def _begin(self) -> None:
        """The head; which of these a log's own first line says is known once that was read."""
        of = self._tape.recording
        self.recorder.start(
            started=self._tape.started if self._tape.started is not None else self._wall,
            url=self._source.url or (of.url if of else None),
            method=self._source.method or (of.method if of else None),
        )

    def _write_payloads(self, numbers: range) -> None:
        payloads = self._payloads(numbers.start, numbers.stop)
        times = self._tape.times(numbers.start, numbers.stop)
        known = (None if isnan(time) else time for time in times)
        timed = zip(payloads, known, strict=True)
        self.recorder.frames_of([(held, at) for held, at in timed if held is not None])

    def _write_mark(self, mark: Mark) -> None:
        match mark:
            case NewStream():
                self.recorder.stream(mark.number, self._moment(mark.at))
            case FramingCr():
                self.recorder.framing_crlf()
            case Cut():
                self.recorder.cut(mark.tail, self._moment(mark.at))
            case FrameTooLong():
                self.recorder.too_long(mark.limit)
            case Input():
                self.recorder.input(mark.value)
            case _:
                # A byte-order mark and a missing last line end are not in a recording's framing.
                pass

    def _moment(self, at: float | None) -> float:
        """When a mark came, where nothing says so: with the payload before it."""
        return at if at is not None else self._tape.time(self._cursor.number - 1) or 0.0
