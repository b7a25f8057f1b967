"""A session: one source, its tape, the player over it, and what can be said about both.

Receiving never stops for whoever looks: the tape grows and is folded in slices of a few
milliseconds between which the event loop serves everything else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Final, Literal

from transcript_tui import collector
from transcript_tui.errors import AnswerRefused, SourceError, UsageError
from transcript_tui.session.clock import Clock, RealClock
from transcript_tui.session.framing import Framing
from transcript_tui.session.playback import IDLE_CAP, Player
from transcript_tui.session.recorder import Recorder
from transcript_tui.session.recording import Recording
from transcript_tui.session.schedule import PlaybackTiming
from transcript_tui.session.scribe import PATIENCE, Scribe
from transcript_tui.session.sources.source import (
    Absent,
    Back,
    Lost,
    Note,
    Opened,
    Pieces,
    Received,
    Source,
    Waiting,
)
from transcript_tui.session.tape import Tape
from transcript_tui.session.turns import Turns
from transcript_tui.transcript.pipeline import Pipeline, Record, read_input
from transcript_tui.wire.frames import Piece
from transcript_tui.wire.reader import MAX_FRAME

__all__ = ["Connection", "Drop", "Kind", "Session"]

Kind = Literal["watch", "replay", "demo"]
Connection = Literal[
    "idle", "connecting", "absent", "open", "waiting", "ended", "failed", "stopped"
]
"""``absent``: what is to be read is not there, and looked for; ``waiting``: lost, and about to try
again."""
Drop = Literal["ended", "lost", "refused", "unreachable"]
"""Why a source is asked again: its connection ended in order, or broke off; and since then it
answered with an error, or not at all."""

_BATCH: Final = 500
"""Pieces between two looks at the time; the pipeline takes many faster than few."""


class Session:
    """Everything about one source; :meth:`run` receives, whoever draws reads."""

    connection: Connection = "idle"
    error: SourceError | None = None
    opened = False
    """Something answered, or could be read: an error after that is no ``cannot be reached``."""
    absence = ""
    """A sentence, while what is to be read is not there and looked for."""
    bytes_received = 0
    total_bytes: int | None = None
    """Bytes that will come, where that is known (a file's size)."""
    first_byte: float | None = None
    """Seconds from the start to the first bytes of a live source."""
    _scribe: Scribe | None = None
    """Who writes the recording."""

    def __init__(
        self,
        source: Source,
        *,
        kind: Kind = "watch",
        clock: Clock | None = None,
        keep_going: bool = False,
        record_events: Record = "none",
        given: Mapping[str, Any] | None = None,
        max_frame: int = MAX_FRAME,
        timing: PlaybackTiming = "auto",
        idle_cap: float = IDLE_CAP,
        speed: float = 1.0,
        loop: bool = False,
        playing: bool = True,
    ) -> None:
        """``given`` is the ``RunAgentInput`` held beforehand; default: what the source sends.

        Raises :class:`UsageError` where that is malformed.
        """
        self.source = source
        self.kind = kind
        self.clock: Clock = clock or RealClock()
        self.notes: list[str] = []
        """What was left out, redirected or read leniently; a sentence each."""
        self._keep_going = keep_going
        self._record_events = record_events
        self._given = given if given is not None else source.run_input
        if self._given is not None:
            self.notes += read_input(self._given).left_out
        self._framing = Framing(source.label, max_frame, self.notes.append)
        self._spared = collector.Arrived()
        self._turns = Turns()
        self._streams = 0
        self._ended_by: str | None = None
        """Why the connection before was lost, once it is asked for again: empty where it had ended
        without an error."""
        self._again_at: float | None = None
        self._hurry: Callable[[], None] = lambda: None
        """Ends the wait for the next try."""
        self.tries = 0
        """How often the source has been asked again by itself since it last answered, with the
        time that is waited for."""
        self._zero = self._heard = self.clock.now()
        self._listeners: list[Callable[[], None]] = []
        self._receiving: asyncio.Task[None] | None = None
        self.tape = Tape(self._pipeline, trust_offsets=source.is_log, remarks=self.notes)
        self.player = Player(
            self.tape,
            timing=timing,
            idle_cap=idle_cap,
            speed=speed,
            loop=loop,
            live=source.live,
            playing=playing,
        )

    @property
    def label(self) -> str:
        return self.source.label

    @property
    def keep_going(self) -> bool:
        """What comes after a violation is judged, too; see :meth:`read_on`."""
        return self._keep_going

    @property
    def receiving(self) -> bool:
        """More may come."""
        return self.connection in ("idle", "connecting", "absent", "open", "waiting")

    @property
    def waits(self) -> bool:
        """For a live source's next event, or its answer."""
        return self.source.live and self.connection in ("connecting", "open")

    @property
    def silence(self) -> float:
        """Seconds since the last event, or since asking; 0 where nothing is waited for."""
        return self.clock.now() - self._heard if self.waits else 0.0

    @property
    def again_at(self) -> float | None:
        """When, on ``clock``, the source is asked again by itself; past while it is asked and has
        not answered. ``None``: it is not."""
        return self._again_at if self.connection == "waiting" else None

    def nothing_came(self) -> SourceError | None:
        """A sentence for a source that could be read, and ended without an event."""
        if self.connection != "ended" or self.error is not None or self.tape.length:
            return None
        if self.source.is_log:
            hint = "Check that it was saved whole, and that something was said before it ended."
            return SourceError(f"{self.label} holds no event.", hint)
        hint = "Look at the agent's own log."
        if self.source.method == "GET":
            hint = "Say something to the agent with --message TEXT, or look at its own log."
        return SourceError(f"{self.label} ended its answer without an event.", hint)

    # Listeners -----------------------------------------------------------------------------

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Call ``changed`` after anything did; returns what ends that. Callers coalesce."""
        self._listeners.append(changed)

        def unsubscribe() -> None:
            if changed in self._listeners:
                self._listeners.remove(changed)

        return unsubscribe

    def _changed(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    # Receiving -----------------------------------------------------------------------------

    async def run(self) -> None:
        """Receive to the end, and record it. Never raises :class:`SourceError`: see ``error``."""
        self._start_clock()
        await self._ask()

    def _start_clock(self) -> None:
        """Time 0 is when the source is asked, the last time until it answers."""
        self._zero = self.clock.now()
        if self.source.live:
            self.tape.started = self.clock.wall()

    @property
    def can_ask_again(self) -> bool:
        """An endpoint that brings no more, or not yet, and where no run would be started a second
        time."""
        if self.again_at is not None:
            return self.again_at > self.clock.now()
        if self.source.is_log or self.connection not in ("ended", "failed"):
            return False
        return not self.opened or self.source.method == "GET"

    async def ask_again(self) -> None:
        """Ask the endpoint anew and receive to the end; its answer is a stream of its own."""
        if not self.can_ask_again:
            return
        if self.connection == "waiting":
            self._again_at = self.clock.now()
            self._hurry()
            self._changed()
            return
        if not self.opened:
            self._start_clock()
        self._keep_what_ended_it()
        self.error = None
        self.tape.complete = False
        self.player.go_live()
        if self._scribe is not None:
            self._scribe.go_on()
        await self._ask()

    async def _ask(self) -> None:
        self._heard = self.clock.now()
        self.connection = "connecting"
        self._changed()
        self._receiving = asyncio.create_task(self._receive())
        try:
            await asyncio.wait({self._receiving})
        finally:
            # Also where this task itself was cancelled: what arrived is kept and closed.
            if not self._receiving.done():
                self._receiving.cancel()
                await asyncio.wait({self._receiving})
            self._finish()
        if not self._receiving.cancelled() and (error := self._receiving.exception()):
            raise error
        await self._look_ahead()
        await self.recorded()

    def stop(self) -> None:
        """Receive no more; what arrived stays."""
        if self._receiving is not None:
            self._receiving.cancel()
        elif self.connection == "idle":
            self._finish()
        if not self.receiving:
            self._end_recording()

    async def _receive(self) -> None:
        try:
            async with aclosing(self.source.receive()) as receiving:
                async for received in receiving:
                    await self._take(received)
            await self._end_framing()
            self.connection = "failed" if self.error else "ended"
        except SourceError as error:
            self.error = error
            self.connection = "failed"
            await self._end_framing()

    def _finish(self) -> None:
        if self.connection not in ("ended", "failed"):
            self.connection = "stopped"
        # Without a turn of the event loop: the task may be being cancelled.
        self._keep(self._last_pieces())
        if self.opened:
            self.tape.end()
        self.tape.complete = True
        self._end_recording()
        self._changed()

    async def _look_ahead(self) -> None:
        """All is there and shown: now the player may look at what it did not need for that."""
        self._turns.begin()
        while self.player.look_ahead():
            await self._turns.rest()
        self._changed()

    async def _take(self, received: Received) -> None:
        self._turns.begin()
        match received:
            case bytes():
                await self._take_bytes(received)
            case Pieces():
                self._arrived(received.size)
                await self._fold(received.pieces)
            case Opened():
                await self._open(received)
            case Lost():
                self.error = received.error
                await self._hang_up()
            case Waiting():
                await self._hang_up()
                self._again_at = self.clock.now() + received.seconds
                self._hurry = received.hurry
                self.tries += 1
            case Absent():
                self.connection, self.absence = "absent", received.sentence
            case Back():
                self.connection, self.absence = "open", ""
            case Note():
                self.notes.append(received.text)
        self._changed()

    async def _hang_up(self) -> None:
        """Nothing more comes over this connection, and the source will try again."""
        await self._end_framing()
        self._keep_what_ended_it()
        self.connection = "waiting"
        self.tape.end()

    @property
    def drop(self) -> Drop:
        """Why it is asked again, where it is."""
        if self.tries > 1:
            return "refused" if isinstance(self.error, AnswerRefused) else "unreachable"
        return "lost" if self._ended_by else "ended"

    def _keep_what_ended_it(self) -> None:
        # What goes wrong on later tries is not what made the gap.
        if self._ended_by is None:
            self._ended_by = str(self.error or "")

    async def _open(self, opened: Opened) -> None:
        await self._end_framing()
        self._framing.begin(opened)
        if not self.opened and self.absence:
            # How long the file was not there is no part of what is in it.
            self._start_clock()
        self.connection, self.absence, self.tries = "open", "", 0
        self._heard = self.clock.now()
        self.opened = True
        self.total_bytes = opened.total
        ended = "The file began anew." if self.source.is_log else "The connection ended."
        reason = self._ended_by or ended
        self.error = self._ended_by = None
        if self._streams:
            # A log that is followed may have times of its own.
            at = max(self._seconds(), self.tape.duration)
            self.tape.next_stream(at, reason)
        elif self._given is not None:
            self.tape.begin(self._given)
        self._streams += 1
        if not self.source.is_log:
            # Of a log, its own first line may say when it began.
            self._keep_up()

    def _arrived(self, size: int) -> None:
        if self.first_byte is None and self.source.live:
            self.first_byte = self._seconds()
        self.bytes_received += size

    async def _take_bytes(self, chunk: bytes) -> None:
        if not self._framing.begun:
            await self._open(Opened())
        self._arrived(len(chunk))
        at = 0
        try:
            while at < len(chunk):
                if at:
                    await self._give_way()
                part = chunk[at : at + self._framing.at_once]
                at += len(part)
                await self._fold(self._framing.feed(part))
        except asyncio.CancelledError:
            # What arrived is kept, also when nobody wants more of it.
            self._keep(self._framing.feed(chunk[at:]))
            raise

    async def _end_framing(self) -> None:
        await self._fold(self._last_pieces())

    def _last_pieces(self) -> list[Piece]:
        pieces = self._framing.end()
        if self._framing.error is not None:
            self.error = self.error or self._framing.error
            self.connection = "failed"
        return pieces

    # Folding -------------------------------------------------------------------------------

    async def _fold(self, pieces: Sequence[Piece]) -> None:
        """Take ``pieces`` in slices, so that nothing else waits for long."""
        self._keep(pieces[:_BATCH])
        for start in range(_BATCH, len(pieces), _BATCH):
            try:
                await self._give_way()
            except asyncio.CancelledError:
                self._keep(pieces[start:])
                raise
            self._keep(pieces[start : start + _BATCH])

    async def _give_way(self) -> None:
        """Let everything else have its turn where a slice is over."""
        if self._turns.over:
            self._changed()
            await self._turns.give()

    def _keep(self, pieces: Sequence[Piece]) -> None:
        if not pieces:
            return
        arrival = self._seconds() if self.source.live else None
        before = self.tape.length
        self.tape.take(pieces, arrival)
        if self.tape.length > before:
            self._heard = self.clock.now()
        if self.source.live:
            self.player.look_ahead()
        self._spared.grown(self.tape.length)
        self._keep_up()

    def _seconds(self) -> float:
        return self.clock.now() - self._zero

    def _pipeline(self) -> Pipeline:
        return Pipeline(keep_going=self._keep_going, record_events=self._record_events)

    async def read_on(self, keep_going: bool) -> None:
        """Fold everything anew, judging on past violations or not (``--keep-going``)."""
        self._keep_going = keep_going
        for _ in self.tape.refold(self._pipeline):
            await self._give_way()
        self._changed()

    # Recording -----------------------------------------------------------------------------

    @property
    def recorder(self) -> Recorder | None:
        return self._scribe.recorder if self._scribe is not None else None

    def record(self, path: Path, *, force: bool = False) -> Recorder:
        """Record to ``path``, from the first frame on; trouble shows in the recorder's state.

        Where nothing can be written there, everything stays as it was. It is written beside
        everything else: see :meth:`recorded`.
        """
        recorder = Recorder(path, force=force)
        recorder.reserve()
        if recorder.state == "failed":
            return recorder
        self._end_recording()
        recording = Recording(recorder, self.tape, self.source, self.clock.wall())
        self._scribe = Scribe(recording, self.clock.now, self._changed)
        if self.opened:
            self._scribe.keep_up()
        if not self.receiving:
            self._scribe.end()
        self._changed()
        return recorder

    @property
    def recorded_part(self) -> float | None:
        """How much is written of a recording that was begun late; ``None``: it has caught up."""
        return self._scribe.part if self._scribe is not None else None

    @property
    def disk_stands(self) -> float:
        """Seconds for which the disk has not taken what it was given of the recording."""
        return self._scribe.stands if self._scribe is not None else 0.0

    @property
    def unrecorded(self) -> int:
        """Events that the recording lacks so far."""
        return self._scribe.left if self._scribe is not None else 0

    async def recorded(self) -> None:
        """Wait until all that has arrived is recorded."""
        if self._scribe is not None:
            await self._scribe.done()

    def leave(self, tell: Callable[[str], None], patience: float = PATIENCE) -> UsageError | None:
        """When all is over, and no event loop runs: see :meth:`Scribe.leave`."""
        self.stop()
        return self._scribe.leave(tell, patience) if self._scribe is not None else None

    def _keep_up(self) -> None:
        """What has just come is to be written."""
        if self._scribe is not None:
            self._scribe.keep_up()

    def _end_recording(self) -> None:
        """Nothing more will be recorded; what has arrived is written first."""
        # Not before something answered, as that may never be.
        if self._scribe is not None:
            if self.opened:
                self._scribe.keep_up()
            self._scribe.end()
