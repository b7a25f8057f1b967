"""Sources → verdicts, without keeping what arrived.

The same order as everywhere (wire, protocol, transcript), but no tape: of a source's
payloads only those that broke a rule are held, with the place where they stand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Final

from transcript_tui.cli.sources import shown_url
from transcript_tui.cli.status import Status, worst
from transcript_tui.errors import SourceError, UsageError
from transcript_tui.session.bursts import Bursts
from transcript_tui.session.framing import Framing, input_left_out, tell
from transcript_tui.session.logs.enveloped import Unwrapper, event_of
from transcript_tui.session.sources.source import Note, Opened, Pieces, Received, Source, is_url
from transcript_tui.session.times import Times
from transcript_tui.transcript.pipeline import Pipeline, Record, StreamResult
from transcript_tui.wire.frames import (
    Cut,
    Frame,
    FrameTooLong,
    Input,
    NewStream,
    Piece,
)
from transcript_tui.wire.reader import MAX_FRAME

__all__ = ["Judge", "Judgement", "Place", "pipeline_status", "status_of"]

_ENDINGS: Final = {"failed": Status.FAILED, "truncated": Status.TRUNCATED}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a payload that broke a rule stands, and what it is."""

    line: int
    offset: int
    payload: bytes


@dataclass(slots=True)
class Judgement:
    """What one source amounts to."""

    source: str
    """As it was given; for people see ``label``."""
    pipeline: Pipeline
    places: dict[tuple[int, int], Place] = field(default_factory=dict)
    """(stream, event) → place, for each violation."""
    times: Times = field(default_factory=Times)
    asked: float | None = None
    """When the source was asked, on the same clock as ``times``; ``None``: not known."""
    first_byte: float | None = None
    """When its first bytes came, where they came live."""
    bursts: Bursts = field(default_factory=Bursts)
    """Whether somebody on the way seems to buffer."""
    notes: list[str] = field(default_factory=list)
    size: int = 0
    """Bytes received."""
    event_bytes: Counter[int] = field(default_factory=Counter)
    """Stream → bytes of its payloads, without what framed them."""
    left_out: Counter[int] = field(default_factory=Counter)
    """Stream → objects among its envelopes that hold no event; they are payloads, too."""
    error: SourceError | None = None
    """Why it could not be read, or not to its end."""

    @property
    def label(self) -> str:
        """The source for people and for logs that are kept: a URL without its secrets."""
        return shown_url(self.source) if is_url(self.source) else self.source

    @property
    def unusable(self) -> bool:
        """Nothing of it could be read as events."""
        return self.error is not None and not self.pipeline.transcript.length

    @property
    def streams(self) -> Sequence[StreamResult]:
        return () if self.unusable else self.pipeline.streams

    def time(self, number: int) -> float | None:
        """When payload ``number`` of the source came; ``None``: not known."""
        return self.times.at(number) if self.times.timing is not None else None

    def status(self, *, strict: bool = False) -> Status:
        if self.unusable:
            return Status.UNUSABLE
        return pipeline_status(self.pipeline, strict=strict)


def pipeline_status(pipeline: Pipeline, *, strict: bool = False) -> Status:
    """The worst status of a pipeline's streams."""
    return worst(status_of(stream, strict=strict) for stream in pipeline.streams)


def status_of(stream: StreamResult, *, strict: bool = False) -> Status:
    """The status of one stream (``check.md``, "Exit status")."""
    if stream.violation is not None or (strict and stream.warnings):
        return Status.REJECTED
    if any(warned.rule == "empty" for warned in stream.warnings):
        return Status.TRUNCATED
    endings = (run.ending.now for run in stream.runs)
    return worst(_ENDINGS.get(ending.kind, Status.OK) for ending in endings if ending is not None)


class Judge:
    """Feeds what a source yields into the pipeline and notes where violations stand."""

    def __init__(
        self,
        name: str,
        *,
        given: Mapping[str, Any] | None = None,
        keep_going: bool = False,
        record_events: Record = "types",
        max_frame: int = MAX_FRAME,
    ) -> None:
        """``given`` is the ``RunAgentInput`` that the run started from."""
        self._pipeline = Pipeline(
            input=None if given is None else dict(given),
            keep_going=keep_going,
            record_events=record_events,
        )
        self.judgement = Judgement(name, self._pipeline)
        self._live = False
        """The moment of arrival counts."""
        self._framing = Framing("", max_frame, self.judgement.notes.append)
        self._asked = given is not None
        """The input is known from elsewhere: one in the bytes does not replace it."""
        self._unwrapper = Unwrapper(self.judgement.notes.append)
        self._opened = 0
        self._ended = False

    def read(self, received: Iterable[Received]) -> None:
        """Everything, to the end. Interrupted, what arrived is judged as far as it goes."""
        try:
            for one in received:
                self._take(one)
        except SourceError as error:
            self.judgement.error = error
        finally:
            self._end()

    async def receive(self, source: Source) -> None:
        """The same for a source that needs an event loop."""
        self._live = source.live
        self.judgement.times = Times(trust_offsets=source.is_log)
        if source.live:
            self.judgement.asked = monotonic()
        try:
            async for one in source.receive():
                self._take(one)
        except SourceError as error:
            self.judgement.error = error
        finally:
            self._end()

    def _end(self) -> None:
        self._end_framing()
        self._end_stream()

    def _take(self, received: Received) -> None:
        match received:
            case bytes():
                self._take_bytes(received)
            case Pieces():
                self.judgement.size += received.size
                self._keep(received.pieces)
            case Opened():
                self._open(received)
            case Note():
                self.judgement.notes.append(received.text)
            case _:  # nothing is asked for twice, so nothing is lost or waited for
                pass

    def _open(self, opened: Opened) -> None:
        self._end_framing()
        if self._opened:
            self._next_stream()
        self._opened += 1
        self._framing.begin(opened)

    def _take_bytes(self, chunk: bytes) -> None:
        if not self._framing.begun:
            self._open(Opened())
        if not self.judgement.size and self._live:
            self.judgement.first_byte = monotonic()
        self.judgement.size += len(chunk)
        at = 0
        while at < len(chunk):
            part = chunk[at : at + self._framing.at_once]
            at += len(part)
            self._keep(self._framing.feed(part))

    def _end_framing(self) -> None:
        self._keep(self._framing.end())
        self.judgement.error = self.judgement.error or self._framing.error

    # Pieces --------------------------------------------------------------------------------

    def _keep(self, pieces: Sequence[Piece]) -> None:
        batch: list[Frame] = []
        for piece in pieces:
            if type(piece) is Frame:
                batch.append(piece)
                continue
            self._feed(batch)
            batch = []
            self._mark(piece)
        self._feed(batch)

    def _feed(self, batch: Sequence[Frame]) -> None:
        if batch:
            batch = self._unwrapper.unwrap(batch)
            wrapped = self._unwrapper.wrapped
            events = [event_of(one) if wrapped else one.payload for one in batch]
            self.judgement.left_out[self._pipeline.stream.index] += events.count(None)
            self._judge(batch, lambda: self._pipeline.feed_some(events))

    def _judge(self, batch: Sequence[Frame], feed: Callable[[], None]) -> None:
        stream = self._pipeline.stream
        joined = b"".join([one.payload for one in batch])
        self.judgement.event_bytes[stream.index] += len(joined)
        before = stream.violation, len(stream.after)
        feed()
        self._tell_times(batch, stamped=b'"timestamp"' in joined)
        begins = stream.length - len(batch)
        found = [] if stream.violation is before[0] else [stream.violation]
        for violation in (*found, *stream.after[before[1] :]):
            if violation is not None:
                frame = batch[violation.event - begins]
                place = Place(frame.line, frame.offset, frame.payload)
                self.judgement.places[stream.index, violation.event] = place

    def _tell_times(self, batch: Sequence[Frame], *, stamped: bool) -> None:
        judgement, times = self.judgement, self.judgement.times
        times.take(batch, monotonic() if self._live else None, stamped=stamped)
        if times.timing == "recorded":
            judgement.asked = 0.0
        if stamped and times.timing in ("recorded", "arrival"):
            self._watch_bursts(batch)

    def _watch_bursts(self, batch: Sequence[Frame]) -> None:
        """Compares arrival with the events' own stamps, where they have any."""
        times = self.judgement.times.all
        for number, frame in enumerate(batch, start=len(times) - len(batch)):
            if b'"timestamp"' in frame.payload:
                gap = times[number] - times[number - 1] if number else 0.0
                self.judgement.bursts.look(frame.payload, gap)

    def _mark(self, mark: Any) -> None:
        match mark:
            case Input():
                if not self._asked and isinstance(mark.value, dict):
                    self._give(mark.value)
            case NewStream():
                self._next_stream()
            case Cut():
                self._end_stream(mark.tail)
            case FrameTooLong():
                self._judge([mark.frame], lambda: tell(self._pipeline, mark))
                self.judgement.notes.append(mark.sentence)
            case _:
                tell(self._pipeline, mark)

    def _give(self, value: dict[str, Any]) -> None:
        """The input that a recording holds; a broken one is left out."""
        try:
            self._pipeline.give(value)
        except UsageError as error:
            self.judgement.notes.append(input_left_out(error))

    def _next_stream(self) -> None:
        self._end_stream()
        self._ended = False
        self._unwrapper.next_stream()
        self._pipeline.next_stream()

    def _end_stream(self, tail: bytes = b"") -> None:
        # What a recording holds behind a cut is counted, too.
        self._unwrapper.end()
        if not self._ended:
            self._ended = True
            self._pipeline.end(tail)
