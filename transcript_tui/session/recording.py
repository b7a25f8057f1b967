"""A recording of a tape: a cursor over it, and the file that it has written so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import isnan
from typing import Final

from transcript_tui.session.recorder import Recorder
from transcript_tui.session.sources.source import Source
from transcript_tui.session.tape import Tape
from transcript_tui.wire.frames import Cut, FrameTooLong, FramingCr, Input, Mark, NewStream

__all__ = ["AT_ONCE", "Recording", "Step"]

AT_ONCE: Final = 2_000
"""Payloads written in one go: half a millisecond to gather, and no more steps a second than two
threads can agree on."""
AS_MUCH: Final = 1 << 20
"""Bytes written in one go, where a payload alone is not more."""

Step = Callable[[], None]
"""Writes something. Never raises: trouble shows in the recorder's state."""


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

    @property
    def left(self) -> int:
        """Payloads that have arrived and are not written."""
        return self._tape.length - self.recorder.frames

    def next(self) -> Step | None:
        """What is to be written next; ``None``: all that arrived is, or nothing more can be.

        It is taken off the tape already. Any thread may do it, once, and before the next is asked
        for.
        """
        if self.recorder.state == "ready":
            return self._head()
        while self.recorder.state == "recording":
            number = self._cursor.number
            item = self._cursor.next(self._tape.fitting(number, AT_ONCE, AS_MUCH))
            if item is None:
                break
            step = self._frames(item) if isinstance(item, range) else self._mark(item)
            if step is not None:
                return step
        return None

    def write_all(self) -> None:
        """All that is on the tape now."""
        while (step := self.next()) is not None:
            step()

    def _head(self) -> Step:
        """The head; which of these a log's own first line says is known once that was read."""
        of = self._tape.recording
        return partial(
            self.recorder.start,
            started=self._tape.started if self._tape.started is not None else self._wall,
            url=self._source.url or (of.url if of else None),
            method=self._source.method or (of.method if of else None),
        )

    def _frames(self, numbers: range) -> Step:
        payloads = self._payloads(numbers.start, numbers.stop)
        return partial(self._write, payloads, self._tape.times(numbers.start, numbers.stop))

    def _write(self, payloads: Sequence[bytes | None], times: Sequence[float]) -> None:
        known = (None if isnan(time) else time for time in times)
        timed = zip(payloads, known, strict=True)
        self.recorder.frames_of([(held, at) for held, at in timed if held is not None])

    def _mark(self, mark: Mark) -> Step | None:
        recorder = self.recorder
        match mark:
            case NewStream():
                return partial(recorder.stream, mark.number, self._moment(mark.at))
            case FramingCr():
                return recorder.framing_crlf
            case Cut():
                return partial(recorder.cut, mark.tail, self._moment(mark.at))
            case FrameTooLong():
                return partial(recorder.too_long, mark.limit)
            case Input():
                return partial(recorder.input, mark.value)
            case _:
                # A byte-order mark and a missing last line end are not in a recording's framing.
                return None

    def _moment(self, at: float | None) -> float:
        """When a mark came, where nothing says so: with the payload before it."""
        return at if at is not None else self._tape.time(self._cursor.number - 1) or 0.0
