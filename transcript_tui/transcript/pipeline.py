"""Payloads to transcript: the one path for live, replay, load, check and export."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final, Literal, cast, get_args

import msgspec
from msgspec import UNSET

from transcript_tui import collector
from transcript_tui.protocol.events import Expanded
from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.protocol.stream import Verdict, Verifier
from transcript_tui.transcript.given import Given, read_input
from transcript_tui.transcript.model import MANY, NOTHING, Cut, Run
from transcript_tui.transcript.reduce import Deltas, Fold, fold_payload
from transcript_tui.transcript.reduce.endings import cut, reject
from transcript_tui.transcript.reduce.lifecycle import take_input
from transcript_tui.transcript.transcript import Transcript

__all__ = ["VERDICTS", "Given", "Pipeline", "StreamResult", "Transcript", "read_input"]

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
"""What the codes in ``Pipeline.verdicts`` stand for."""

_CODES: Final = {verdict: code for code, verdict in enumerate(VERDICTS)}
_WARNED: Final = _CODES["warned"]
"""Delivered, as all codes up to it."""

_TYPES: Final = tuple(str(kind.__struct_config__.tag) for kind in get_args(Expanded))
_TYPE_CODES: Final = {kind: code for code, kind in enumerate(get_args(Expanded))}

_HUGE: Final = 2**20
"""Bytes of a payload from which on the garbage collector waits until it is folded."""

Record = Literal["none", "types", "full"]


@dataclass(eq=False)
class StreamResult:
    """What one stream of the source came to; it grows while the stream is read."""

    index: int
    first: int
    """Number of its first payload in the source."""
    verifier: Verifier
    run_start: int
    """Index of its first run in ``Transcript.runs``."""
    transcript: Transcript
    length: int = 0
    """Its payloads so far."""
    ended: bool = False
    tail: bytes = b""
    """Bytes of a frame that never ended."""
    run_end: int | None = None
    noticed: list[Warned] = field(default_factory=list)
    """Warnings of the reducer."""
    kinds: bytearray = field(default_factory=bytearray)
    delivered: list[Expanded] = field(default_factory=list)
    """The events themselves, where they are recorded in full."""

    @property
    def verdict(self) -> Literal["accepted", "rejected"]:
        return "accepted" if self.violation is None else "rejected"

    @property
    def violation(self) -> Violation | None:
        return self.verifier.violation

    def violations_at(self, position: int) -> int:
        """How many there are by ``position`` of the source, those read past included.

        There may be one for each event, and this is asked in each frame.
        """
        here = position - self.first
        if self.violation is None or self.violation.event >= here:
            return 0
        return 1 + bisect_left(self.after, here, key=lambda one: one.event)

    @property
    def after(self) -> list[Violation]:
        """Further violations, where reading went on."""
        return self.verifier.after

    @property
    def warnings(self) -> list[Warned]:
        """In order of events; those about no event at all come last."""
        warnings = [*self.verifier.warnings, *self.noticed]
        return sorted(warnings, key=lambda one: (one.event is None, one.event or 0))

    @property
    def runs(self) -> list[Run]:
        return self.transcript.runs[self.run_start : self.run_end]

    @property
    def position(self) -> int:
        """The position at which all of it is folded."""
        return self.first + self.length

    def event_types(self) -> list[str]:
        """Types delivered, in order (where recorded)."""
        return [_TYPES[code] for code in self.kinds]

    def events(self) -> list[dict[str, Any]]:
        """The events delivered, whole, as on the wire (where recorded in full)."""
        return [msgspec.to_builtins(event) for event in self.delivered]


class Pipeline:
    """Counts, verifies and applies payloads; never raises on any of them.

    ``input`` is what the run starts from (decoded JSON, or read already); it raises
    :class:`UsageError` where that is malformed.
    """

    def __init__(
        self,
        *,
        input: Given | dict[str, Any] | None = None,
        keep_going: bool = False,
        record_events: Record = "none",
    ) -> None:
        self.keep_going = keep_going
        self.record_events = record_events
        self.transcript = Transcript()
        self.verdicts = bytearray()
        """One code a payload, see ``VERDICTS``."""
        self.streams: list[StreamResult] = []
        self._fold = Fold(self.transcript)
        self._begin()
        if input is not None:
            self.give(input)

    @property
    def stream(self) -> StreamResult:
        """The one being read."""
        return self.streams[-1]

    def give(self, input: Given | dict[str, Any]) -> None:
        """What the stream's run starts from: messages that are not held yet, and the state."""
        given = input if isinstance(input, Given) else read_input(input)
        fold = self._fold
        fold.stamp = len(self.verdicts) - 1
        if given.thread_id is not None and len(self.streams) > 1:
            fold.enter_thread(given.thread_id)
        take_input(fold, given.messages)
        if given.state is not UNSET:
            self.transcript.state.set(given.state, fold.stamp)
        self._amend()

    def feed(self, payload: bytes) -> None:
        """One payload as it arrived."""
        self.feed_all((payload,))

    def oversized(self, limit: int) -> None:
        """One payload of more than ``limit`` bytes, which was not read."""
        self.stream.verifier.oversized(limit)
        self._count()

    def left_out(self) -> None:
        """One payload that is none of the stream's: it has a number, and that is all."""
        self.stream.verifier.left_out()
        self._count()

    def _count(self) -> None:
        """A payload that delivers nothing, whatever the verifier made of it."""
        stream, fold = self.stream, self._fold
        fold.stamp, fold.event = len(self.verdicts) - 1, stream.length - 1
        self._apply((), stream.verifier.verdict)
        stream.length = fold.event + 1

    def feed_some(self, payloads: Sequence[bytes | None]) -> None:
        """Many payloads, ``None`` for each that is left out."""
        if None not in payloads:
            self.feed_all(cast(Sequence[bytes], payloads))
            return
        for missing, group in groupby(payloads, lambda payload: payload is None):
            if missing:
                for _ in group:
                    self.left_out()
            else:
                self.feed_all(cast(Iterable[bytes], group))

    def feed_all(  # noqa: PLR0915 - one loop without a call for each of a million payloads
        self, payloads: Iterable[bytes]
    ) -> None:
        """Many payloads."""
        stream, fold, verifier = self.stream, self._fold, self.stream.verifier
        recording, whole = self.record_events != "none", self.record_events == "full"
        deltas = Deltas(fold, self.verdicts)
        fold.stamp, fold.event = len(self.verdicts) - 1, stream.length - 1
        source = iter(payloads)
        payload = next(source, None)
        while payload is not None:
            if len(payload) > _HUGE and collector.looking():
                deltas.apply()
                stream.length = fold.event + 1
                self._feed_undisturbed(payload)
                payload = next(source, None)
                continue
            events = verifier.step(payload)
            if recording:
                self._record(events)
            code = _CODES[verifier.verdict]
            # A warning that was said before is only counted: nothing is to be noted here.
            plain = code <= _WARNED and len(verifier.warnings) == self._seen_warnings
            delta = deltas.take(events[0] if plain and len(events) == 1 else None, code)
            if delta is None:
                self._apply(events, verifier.verdict)
            if delta is None or whole or code or len(deltas.pieces) == 1:
                payload = next(source, None)
            else:
                before = len(deltas.pieces)
                payload = verifier.row(source, delta, deltas.pieces)
                if recording:
                    kind = _TYPE_CODES[type(delta)]
                    stream.kinds.extend(bytes((kind,)) * (len(deltas.pieces) - before))
        deltas.apply()
        stream.length = fold.event + 1

    def _feed_undisturbed(self, payload: bytes) -> None:
        with collector.undisturbed():
            self.feed(payload)

    def _apply(self, events: tuple[Expanded, ...], verdict: Verdict) -> None:
        """Fold one payload, whatever it delivered."""
        fold = self._fold
        fold.stamp += 1
        fold.event += 1
        if verdict == "rejected":
            self._reject(events)
        else:
            fold_payload(fold, events)
        if verdict != "delivered" or fold.warned:
            verdict = self._notice(verdict)
        self.verdicts.append(_CODES[verdict])

    def framing(self, rule: str) -> None:
        """The wire read something against the letter (``framing-crlf``, ``framing-bom`` …)."""
        self.stream.verifier.framing(rule)
        self._fold.stamp = len(self.verdicts) - 1
        self._note_verifier()
        self.transcript.revision += 1

    def end(self, tail: bytes = b"") -> None:
        """The stream's bytes have ended, perhaps inside a frame; a second call does nothing."""
        stream, fold = self.stream, self._fold
        if stream.ended:
            return
        stream.ended, stream.tail = True, tail
        fold.stamp, fold.event = len(self.verdicts) - 1, stream.length - 1
        fold_end = stream.verifier.end(tail)
        assert not fold_end, "an ending delivers nothing"
        self._note_verifier()
        if stream.violation is None or self.keep_going:
            cut(fold, tail)
        if stream.violation is not None:
            first = stream.first + stream.violation.event
            self.transcript.rejected[-1] = (first, stream.position - 1)
        stream.run_end = len(self.transcript.runs)
        self._amend()

    def next_stream(self, message: str = "") -> None:
        """Another connection: verified from scratch; messages and state carry over only within
        the same thread. ``message`` says why the connection before it was lost, if it was."""
        self.end()
        self._begin()
        fold = self._fold
        if message:
            fold.stamp = len(self.verdicts) - 1
            fold.add(Cut(fold.next_key(), fold.stamp, "gap", message=message))
            self._amend()

    def _begin(self) -> None:
        verifier = Verifier(keep_going=self.keep_going)
        first, runs = len(self.verdicts), len(self.transcript.runs)
        stream = StreamResult(len(self.streams), first, verifier, runs, self.transcript)
        self.streams.append(stream)
        self._seen_warnings = 0
        self._fold.begin_stream(stream.noticed)

    def _reject(self, events: tuple[Expanded, ...]) -> None:
        stream, fold = self.stream, self._fold
        further = bool(stream.after)
        violation = stream.after[-1] if further else stream.violation
        assert violation is not None
        fold_payload(fold, events, commit=False)
        reject(fold, violation, further=further, stop=not self.keep_going)
        fold.commit()
        if not further:
            self.transcript.rejected.append((fold.stamp, 2**31 - 2))

    def _notice(self, verdict: Verdict) -> Verdict:
        self._note_verifier()
        if self._fold.warned:
            self._fold.warned = False
            return "warned" if verdict == "delivered" else verdict
        return verdict

    def _note_verifier(self) -> None:
        """Stamp what the stages before the reducer warned about."""
        warnings = self.stream.verifier.warnings
        for warned in warnings[self._seen_warnings :]:
            self.transcript.noted.append((self._fold.stamp, warned))
        self._seen_warnings = len(warnings)

    def _record(self, events: tuple[Expanded, ...]) -> None:
        stream = self.stream
        for event in events:
            stream.kinds.append(_TYPE_CODES[type(event)])
        if self.record_events == "full":
            stream.delivered.extend(events)

    def _amend(self) -> None:
        """Something changed that no further payload brought."""
        fold, transcript = self._fold, self.transcript
        if fold.touched != NOTHING and transcript.touched:
            transcript.touched[-1] = MANY
            transcript.groups.pop(len(transcript.touched) - 1, None)
        fold.discard_touched()
        transcript.revision += 1
