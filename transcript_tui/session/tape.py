"""The tape: every payload of a source in order, with its place and time, folded as it arrives.

Payloads are numbered over the whole source, whatever its streams; *position n* is the
transcript after the first n of them. Columns, not objects: a payload costs its own bytes and
some forty more.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final, cast

from msgspec.structs import replace

from transcript_tui.errors import UsageError
from transcript_tui.session.clock import moment
from transcript_tui.session.framing import input_left_out, tell
from transcript_tui.session.logs.enveloped import Unwrapper, event_in, event_of
from transcript_tui.session.payloads import Payloads
from transcript_tui.session.times import Times, Timing
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.wire.frames import (
    Bom,
    Cut,
    Frame,
    FrameTooLong,
    FramingCr,
    FramingEnd,
    Input,
    Mark,
    NewStream,
    NotEvents,
    Piece,
    Recording,
)

__all__ = ["Cursor", "Tape", "TapeStream", "Timing"]

_RECORDED: Final = "The connection ended."
"""Why, a recording does not tell. What is no GET asked for a turn, and ended with it."""


@dataclass(slots=True)
class TapeStream:
    """One connection on the tape."""

    number: int
    first: int
    """Its first payload's number."""
    at: float | None
    """Seconds since time 0 when it began."""
    reason: str = ""
    """Why the connection before it was lost, if it was."""
    input: Mapping[str, Any] | None = None
    """The ``RunAgentInput`` that it was started with, where that is known."""
    tail: bytes = b""
    """Bytes of a frame that never ended."""
    ended: bool = False
    wrapped: bool = False
    """Its payloads arrived as envelopes with an event in each."""


class Tape:
    """What arrived, and what it amounts to."""

    def __init__(
        self,
        pipeline: Callable[[], Pipeline] = Pipeline,
        *,
        trust_offsets: bool = True,
        remarks: list[str] | None = None,
    ) -> None:
        """``pipeline`` makes a fresh one; ``remarks`` may be shared with somebody.

        ``trust_offsets`` says whether offsets in the bytes outrank the moment of arrival: true
        for a log, wherever it comes from; false for an endpoint, which may serve a recording.
        """
        self._trust_offsets = trust_offsets
        self._payloads = Payloads()
        self._times = Times(trust_offsets=trust_offsets)
        self._lines = array("Q")
        self._offsets = array("Q")
        self._marks: list[tuple[int, Mark]] = []
        self.remarks: list[str] = [] if remarks is None else remarks
        """What could not be made use of, or was read leniently; a sentence each."""
        self._unwrapper = Unwrapper(self.remarks.append)
        self.pipeline = pipeline()
        self.streams = [TapeStream(0, 0, 0.0)]
        self.started: float | None = None
        """Seconds since the epoch at time 0, where known."""
        self.complete = False
        """Nothing more will come."""
        self.generation = 0
        """Changes when everything was folded anew: whoever holds entries reads them again."""
        self.recording: Recording | None = None
        """What a recording says of the source that it was made from."""

    @property
    def length(self) -> int:
        return len(self._times.all)

    @property
    def transcript(self) -> Transcript:
        return self.pipeline.transcript

    @property
    def timing(self) -> Timing | None:
        """Where the times come from; ``None``: there are none, or all are the same stamp."""
        return self._times.timing

    @property
    def duration(self) -> float:
        """Seconds from time 0 to the last payload."""
        return self._times.last

    def arrived(self, number: int) -> bytes:
        """Payload ``number`` as it arrived; the one that is kept."""
        return self._payloads[number]

    def arrived_between(self, start: int, end: int) -> list[bytes]:
        """The same of payloads ``start`` to ``end``; faster than one by one."""
        return self._payloads.between(start, end)

    def fitting(self, number: int, most: int, size: int) -> int:
        """How many payloads from ``number`` on are ``size`` bytes together, at most so many; one
        in any case."""
        return self._payloads.fitting(number, most, size)

    def payload(self, number: int) -> bytes:
        """Payload ``number``; where it arrived in an envelope, the event in that."""
        event = self.event(number)
        return self._payloads[number] if event is None else event

    def event(self, number: int) -> bytes | None:
        """The same; ``None`` where it is none of the stream's: an object among envelopes with no
        event inside."""
        arrived = self._payloads[number]
        return event_in(arrived) if self._stream_of(number).wrapped else arrived

    def payloads(self, start: int, end: int) -> list[bytes]:
        """Payloads ``start`` to ``end``; faster than one by one."""
        arrived, events = self._payloads.between(start, end), self.events(start, end)
        return [one if event is None else event for one, event in zip(arrived, events, strict=True)]

    def events(self, start: int, end: int) -> list[bytes | None]:
        """The events of payloads ``start`` to ``end``; faster than one by one."""
        found: list[bytes | None] = [*self._payloads.between(start, end)]
        for number in range(self._stream_of(start).number, len(self.streams)):
            stream = self.streams[number]
            first, after = self._span(stream)
            if first >= end:
                break
            if stream.wrapped:
                span = slice(max(first - start, 0), max(after - start, 0))
                found[span] = [event_in(arrived) for arrived in found[span] if arrived is not None]
        return found

    def _stream_of(self, number: int) -> TapeStream:
        """The stream of payload ``number``."""
        after = bisect_right(self.streams, number, key=lambda stream: stream.first)
        return self.streams[after - 1]

    def _span(self, stream: TapeStream) -> tuple[int, int]:
        """The stream's first payload, and the one after its last."""
        last = stream is self.streams[-1]
        return stream.first, self.length if last else self.streams[stream.number + 1].first

    def time(self, number: int) -> float | None:
        """Seconds since time 0 when payload ``number`` arrived; ``None``: not known, as for what
        was there beforehand (-1)."""
        return self._times.at(number)

    def times(self, start: int, end: int) -> Sequence[float]:
        """The times of payloads ``start`` to ``end``; NaN where not known."""
        return self._times.all[start:end]

    def line(self, number: int) -> int:
        """The line (from 1) where the payload's frame begins."""
        return self._lines[number]

    def offset(self, number: int) -> int:
        """The byte (from 0, of the decompressed source) where the payload's frame begins."""
        return self._offsets[number]

    def position_at(self, seconds: float) -> int:
        """The position where everything that had arrived at ``seconds`` is in."""
        # Times never decrease; unknown ones stand only at the start, and compare as before all.
        return bisect_right(self._times.all, seconds)

    def cursor(self) -> Cursor:
        """A place that moves over everything in order; now before all of it."""
        return Cursor(self, self._marks)

    def walk(self) -> Iterator[int | Mark]:
        """Everything in order: payload numbers, and marks between them; also what arrives while
        somebody walks."""
        cursor = self.cursor()
        while (item := cursor.next(self.length)) is not None:
            if isinstance(item, range):
                yield from item
            else:
                yield item

    # Growing -------------------------------------------------------------------------------

    def begin(self, run_input: Mapping[str, Any]) -> None:
        """Say what the current stream was started with, before its first payload.

        Raises :class:`UsageError` where that is malformed.
        """
        self.pipeline.give(dict(run_input))
        self.streams[-1].input = run_input
        self._marks.append((self.length, Input(run_input)))

    def take(self, pieces: Sequence[Piece], arrival: float | None = None) -> None:
        """Append and fold; ``arrival`` is seconds since time 0 for a source that is live."""
        if {*map(type, pieces)} == {Frame}:
            self._take_frames(cast(Sequence[Frame], pieces), arrival)
            return
        for alike, group in groupby(pieces, lambda piece: isinstance(piece, Frame)):
            if alike:
                self._take_frames(cast(list[Frame], list(group)), arrival)
            else:
                for mark in group:
                    self._mark(cast(Mark, mark), arrival)

    def end(self, tail: bytes = b"") -> None:
        """The current stream's bytes ended; without a word where they had ended before."""
        stream = self.streams[-1]
        if not stream.ended:
            stream.ended = True
            stream.tail = stream.tail or tail
            self._unwrapper.end()
            self.pipeline.end(stream.tail)

    def next_stream(self, at: float | None, reason: str = "") -> None:
        """Another connection begins; ``reason`` says why the one before it was lost."""
        self.end()
        stream = TapeStream(len(self.streams), self.length, at, reason=reason)
        self._marks.append((self.length, NewStream(stream.number, at)))
        self.streams.append(stream)
        self._unwrapper.next_stream()
        self.pipeline.next_stream(self._gap(stream))

    def _gap(self, stream: TapeStream) -> str:
        """What is told of the gap before ``stream``; nothing where there is none to be told of."""
        if not stream.reason or stream.at is None:
            return stream.reason
        since = self.time(stream.first - 1) or 0.0
        return f"{stream.reason} What follows began {max(0.0, stream.at - since):.1f} s later."

    def _take_frames(self, frames: Sequence[Frame], arrival: float | None) -> None:
        if frames:
            self.pipeline.feed_some(self._append(frames, arrival))

    def _append(self, frames: Sequence[Frame], arrival: float | None) -> Sequence[bytes | None]:
        """Column by column: one by one would cost half as much again as folding does.

        Kept is what arrived; what is folded may be taken out of it.
        """
        arrived = [frame.payload for frame in frames]
        joined = self._payloads.extend(arrived)
        opened = self._unwrapper.unwrap(frames)
        self.streams[-1].wrapped = self._unwrapper.wrapped
        self._tell_times(opened, joined, arrival)
        self._lines.fromlist([frame.line for frame in frames])
        self._offsets.fromlist([frame.offset for frame in frames])
        return arrived if opened is frames else [event_of(frame) for frame in opened]

    def _tell_times(self, frames: Sequence[Frame], joined: bytes, arrival: float | None) -> None:
        before = self._times.first_stamp
        self._times.take(frames, arrival, stamped=b'"timestamp"' in joined)
        if before is None and self._times.first_stamp is not None:
            self._start_at(self._times.first_stamp)

    def _start_at(self, stamp: int) -> None:
        """The first stamp is when time 0 was, if it is a time at all: only the distances of the
        others to it are needed."""
        if self.started is not None:
            return
        if moment(stamp / 1000) is not None:
            self.started = stamp / 1000
            return
        micro = moment(stamp / 1_000_000)
        self.remarks.append(
            f"The first timestamp, {stamp}, is no date: AG-UI counts milliseconds since 1970"
            f"{f' (in microseconds it would be {micro:%Y-%m-%d})' if micro else ''}. "
            "Times count from it."
        )

    # Marks ---------------------------------------------------------------------------------

    def _mark(self, mark: Mark, arrival: float | None) -> None:
        match mark:
            case Recording():
                self.recording = mark
                self.started = _epoch(mark.started) if self._trust_offsets else self.started
                return
            case Input():
                self._begin_recorded(mark.value)
                return
            case NewStream():
                of = self.recording
                reason = _RECORDED if of is not None and of.method == "GET" else ""
                self.next_stream(self._times.of_mark(mark.at, arrival), reason)
                return
            case FramingCr() | Bom() | FramingEnd():
                tell(self.pipeline, mark)
            case Cut():
                self.end(mark.tail)
                mark = replace(mark, at=self._times.of_mark(mark.at, arrival))
            case FrameTooLong():
                self._too_long(mark, arrival)
                return
            case NotEvents():
                return
        self._marks.append((self.length, mark))

    def _begin_recorded(self, run_input: object) -> None:
        """An input found in a log; whoever opened the log may have given another."""
        if self.streams[-1].input is not None or not isinstance(run_input, dict):
            return
        try:
            self.begin(run_input)
        except UsageError as error:
            self.remarks.append(input_left_out(error))

    def _too_long(self, mark: FrameTooLong, arrival: float | None) -> None:
        """It counts as a payload, of which only the head is kept; its mark stands before it."""
        self.remarks.append(mark.sentence)
        self._marks.append((self.length, mark))
        self._append([mark.frame], arrival)
        tell(self.pipeline, mark)

    # Folding anew --------------------------------------------------------------------------

    def refold(self, pipeline: Callable[[], Pipeline]) -> Iterator[int]:
        """Fold everything into a fresh pipeline; yields the payloads done, now and then.

        Until the iteration ends, ``transcript`` is the old one; what arrives meanwhile is in
        both.
        """
        fresh = pipeline()
        cursor = self.cursor()
        while (item := cursor.next(512)) is not None:
            if isinstance(item, range):
                fresh.feed_some(self.events(item.start, item.stop))
                yield cursor.number
                continue
            self._refold_mark(fresh, item)
            if isinstance(item, FrameTooLong):
                # Of which there is only a head, that nobody judges.
                cursor.next(1)
        if self.streams[-1].ended:
            fresh.end(self.streams[-1].tail)
        self.pipeline = fresh
        self.generation += 1

    def _refold_mark(self, fresh: Pipeline, mark: Mark) -> None:
        match mark:
            case NewStream():
                # What it was cut with is its tail.
                fresh.end(self.streams[mark.number - 1].tail)
                fresh.next_stream(self._gap(self.streams[mark.number]))
            case Input():
                fresh.give(dict(mark.value))
            case _:
                tell(fresh, mark)


class Cursor:
    """A place on a tape. At its end it stays usable: what arrives then comes next."""

    __slots__ = ("_mark", "_marks", "_tape", "number")

    def __init__(self, tape: Tape, marks: Sequence[tuple[int, Mark]]) -> None:
        """``marks`` are the tape's, each with the number of the payload that it stands before."""
        self.number = 0
        """The payload that comes next."""
        self._mark = 0
        self._marks = marks
        self._tape = tape

    def next(self, most: int) -> range | Mark | None:
        """The numbers of payloads with no mark between them, at most so many, or one mark;
        ``None``: nothing more has arrived."""
        if self._mark < len(self._marks):
            until, mark = self._marks[self._mark]
            if until <= self.number:
                self._mark += 1
                return mark
        else:
            until = self._tape.length
        start, self.number = self.number, min(until, self.number + most)
        return range(start, self.number) if start < self.number else None


def _epoch(iso: str | None) -> float | None:
    if iso is None:
        return None
    try:
        return datetime.fromisoformat(iso).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
