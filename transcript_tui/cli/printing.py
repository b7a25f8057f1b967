"""A session as plain text on stdout, to its end."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from transcript_tui.cli.asides import Absence, Aside, Disk, Drops, Notes, Stalls
from transcript_tui.cli.complaints import complain, remark
from transcript_tui.cli.judging import pipeline_status
from transcript_tui.cli.plain import Printer
from transcript_tui.cli.running import run_session
from transcript_tui.cli.status import Status
from transcript_tui.cli.viewing import Look
from transcript_tui.errors import UsageError
from transcript_tui.session.session import Session
from transcript_tui.ui.places import Awaited, parse_place, seek, why_not

__all__ = ["print_session", "session_status"]

_SILENCE: Final = 1.0
"""Seconds without news after which a message that waits for another is printed."""


def print_session(open_session: Callable[[], Session], how: Look) -> int:
    """Print while it grows; the status of ``check.md``, or 128 + n. Ctrl+C, or signal n, prints
    what arrived first."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    printer = Printer(
        sys.stdout.write, buffered=how.settings.buffered, passthrough=how.settings.passthrough
    )

    def follow(session: Session) -> Coroutine[Any, Any, None]:
        start = _Start(session, how.start_at)
        return _follow(session, printer, start, paced=how.pace is not None)

    session, ended, unwritten = run_session(open_session, follow)
    if unwritten is not None:
        complain(unwritten)
    if session.error is not None:
        complain(session.error, session.label)
    else:
        _speak_of_the_end(session)
    return ended or session_status(session)


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
    notes, recording = Notes(session), _Recording(session)
    asides = Absence(session), notes, Stalls(session), Drops(session), Disk(session)
    try:
        while not _over(session, receiving, paced=paced):
            changed.clear()
            if paced:
                start.look()
                session.player.tick(session.clock.now())
            _print(session, printer, session.player.position if paced else session.tape.length)
            _say(asides, printer)
            recording.tell()
            await _news(session, changed, receiving, printer, paced=paced)
    finally:
        session.stop()
        # It may only be waiting for the disk, which it then does no longer.
        receiving.cancel()
        await asyncio.wait({receiving})
        start.look()
        _print(session, printer, session.tape.length)
        printer.finish(session.tape.transcript)
        sys.stdout.flush()
        recording.tell()
        remark(notes.rest())
    await receiving


def _say(asides: Sequence[Aside], printer: Printer) -> None:
    """What is due, behind what it is about where both go to one terminal."""
    due = [sentence for aside in asides for sentence in aside.due()]
    if due and sys.stdout.isatty() and sys.stderr.isatty():
        printer.break_off()
        sys.stdout.flush()
    remark(due)


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
