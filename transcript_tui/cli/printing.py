"""A session as plain text on stdout, to its end."""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from transcript_tui.cli.complaints import complain, remark
from transcript_tui.cli.judging import pipeline_status
from transcript_tui.cli.plain import Printer
from transcript_tui.cli.retries import Drops
from transcript_tui.cli.status import Status
from transcript_tui.cli.viewing import Look
from transcript_tui.errors import UsageError
from transcript_tui.session.session import Session
from transcript_tui.ui.places import Awaited, parse_place, seek, why_not

__all__ = ["print_session", "session_status"]

_SILENCE: Final = 1.0
"""Seconds without news after which a message that waits for another is printed."""
_STALL: Final = 30.0
"""Seconds without an event after which somebody who looks on is told so."""


def print_session(session: Session, how: Look) -> Status:
    """Print while it grows; the status of ``check.md``. Ctrl+C prints what arrived first."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    printer = Printer(
        sys.stdout.write, buffered=how.settings.buffered, passthrough=how.settings.passthrough
    )
    stopped = False
    try:
        asyncio.run(
            _follow(session, printer, _Start(session, how.start_at), paced=how.pace is not None)
        )
    except KeyboardInterrupt:
        stopped = True
    if session.error is not None:
        complain(session.error, session.label)
    else:
        _speak_of_the_end(session)
    return Status.INTERRUPTED if stopped else session_status(session)


def session_status(session: Session) -> Status:
    """What the session amounts to, as ``check`` would say it."""
    if session.error is not None and not session.tape.length:
        return Status.UNUSABLE
    return pipeline_status(session.tape.pipeline)


def _speak_of_the_end(session: Session) -> None:
    """Bytes that ended without an event, or within one: no line on stdout tells that."""
    nothing = session.nothing_came()
    if nothing is not None:
        complain(nothing, session.label)
    warnings = (one for stream in session.tape.pipeline.streams for one in stream.warnings)
    remark(one.message for one in warnings if one.rule == "truncated")


class _Start:
    """``--start-at``: a rhythm begins there, what lies before is printed at once; a place that
    does not exist is told."""

    def __init__(self, session: Session, written: str) -> None:
        self._session = session
        self._written = written
        self._awaited = Awaited(parse_place(written))

    def look(self) -> None:
        session = self._session
        place = self._awaited.due(session)
        if place is None:
            return
        complaint = why_not(session, place)
        if complaint:
            remark([f"--start-at {self._written}: {complaint}; it begins at the beginning."])
        else:
            seek(session, place)


async def _follow(session: Session, printer: Printer, start: _Start, *, paced: bool) -> None:
    changed = asyncio.Event()
    session.subscribe(changed.set)
    receiving = asyncio.create_task(session.run())
    notes, recording = _Notes(session), _Recording(session)
    tellers = _Absence(session), notes, _Stalls(session), Drops(session), recording
    try:
        while not _over(session, receiving, paced=paced):
            changed.clear()
            if paced:
                start.look()
                session.player.tick(session.clock.now())
            _print(session, printer, session.player.position if paced else session.tape.length)
            # Behind what it is about, where both go to one terminal.
            for teller in tellers:
                teller.tell()
            await _news(session, changed, receiving, printer, paced=paced)
    finally:
        session.stop()
        await asyncio.wait({receiving})
        start.look()
        _print(session, printer, session.tape.length)
        printer.finish(session.tape.transcript)
        sys.stdout.flush()
        recording.tell()
        notes.tell_all()
    await receiving


class _Recording:
    """Says on stderr, once and at once, that nothing more is recorded; printing goes on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = False

    def tell(self) -> None:
        recorder = self._session.recorder
        error = recorder.error if recorder is not None else None
        if error is not None and not self._told:
            self._told = True
            complain(UsageError(f"{error} Nothing more is recorded.", error.hint))


class _Absence:
    """Says on stderr that a followed file is not there yet, and when it is."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = False

    def tell(self) -> None:
        session = self._session
        absent = session.connection == "absent" and not session.opened
        if absent and not self._told:
            self._told = True
            remark([f"{session.absence} Ctrl+C ends the waiting."])
        elif self._told and session.opened:
            self._told = False
            remark([f"{session.label} has appeared."])


class _Notes:
    """Says on stderr what the session notes: of what goes on, at once; else at the end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = 0

    def tell(self) -> None:
        if self._session.source.live:
            self.tell_all()

    def tell_all(self) -> None:
        new = self._session.notes[self._told :]
        self._told += len(new)
        remark(new)


class _Stalls:
    """Says on stderr, once each time, that the next event is long in coming."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = -1

    def tell(self) -> None:
        session = self._session
        runs = session.tape.transcript.runs
        running = not runs or runs[-1].ending.now is None
        if running and session.silence >= _STALL and self._told != session.tape.length:
            self._told = session.tape.length
            remark(
                [
                    f"{session.label} has sent no event for {_STALL:.0f} s, and may yet. "
                    "Ctrl+C ends the waiting; what came is kept."
                ]
            )


def _over(session: Session, receiving: asyncio.Task[None], *, paced: bool) -> bool:
    return receiving.done() and (not paced or session.player.at_end)


def _print(session: Session, printer: Printer, position: int) -> None:
    printer.advance(session.tape.transcript, position)
    sys.stdout.flush()


async def _news(
    session: Session,
    changed: asyncio.Event,
    receiving: asyncio.Task[None],
    printer: Printer,
    *,
    paced: bool,
) -> None:
    """Wait until there may be more to print."""
    due = session.player.due(session.clock.now()) if paced else None
    patience = _SILENCE if due is None else min(due, _SILENCE)
    news = asyncio.create_task(changed.wait())
    enough = asyncio.create_task(session.clock.sleep(patience))
    pending = {news, enough} if receiving.done() else {news, enough, receiving}
    await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
    news.cancel()
    enough.cancel()
    if not changed.is_set() and due is None:
        printer.settle(session.tape.transcript)
