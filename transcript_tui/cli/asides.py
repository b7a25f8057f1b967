"""What is said on stderr of a session while it goes on: each has the sentences that are due now,
and says none of them twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from transcript_tui.ui.amounts import count, ordinal, wait

if TYPE_CHECKING:
    from transcript_tui.session.session import Drop, Session

__all__ = ["Absence", "Aside", "Disk", "Drops", "Notes", "Stalls", "disk_stands", "next_try"]

_STALL: Final = 30.0
"""Seconds without an event after which somebody who looks on is told so."""
_STANDS: Final = 5.0
"""Seconds for which the disk has taken nothing of a recording, after which the same."""
_DROPS: Final[Mapping[Drop, str]] = {
    "ended": "The connection ended.",
    "lost": "Connection lost.",
    "refused": "Refused.",
    "unreachable": "No connection.",
}


class Aside(Protocol):
    """Something to be said, now and then."""

    def due(self) -> Sequence[str]: ...


class Absence:
    """A followed file is not there yet; it is."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = False

    def due(self) -> Sequence[str]:
        session = self._session
        absent = session.connection == "absent" and not session.opened
        if absent and not self._told:
            self._told = True
            return [f"{session.absence} Ctrl+C ends the waiting."]
        if self._told and session.opened:
            self._told = False
            return [f"{session.label} has appeared."]
        return []


class Notes:
    """What the session notes: of what goes on, at once; else at the end."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = 0

    def due(self) -> Sequence[str]:
        return self.rest() if self._session.source.live else []

    def rest(self) -> Sequence[str]:
        """At the end."""
        new = self._session.notes[self._told :]
        self._told += len(new)
        return new


class Stalls:
    """The next event is long in coming."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = -1

    def due(self) -> Sequence[str]:
        session = self._session
        runs = session.tape.transcript.runs
        running = not runs or runs[-1].ending.now is None
        if not running or session.silence < _STALL or self._told == session.tape.length:
            return []
        self._told = session.tape.length
        sent = "brought" if session.source.is_log else "sent"
        return [
            f"{session.label} has {sent} no event for {_STALL:.0f} s, and may yet. "
            "Ctrl+C ends the waiting; what came is kept."
        ]


class Disk:
    """What is recorded waits for its disk, or whoever reads it; to the end, if need be."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = False

    def due(self) -> Sequence[str]:
        before, said = self._told, disk_stands(self._session)
        self._told = bool(said)
        return [said] if said and not before else []


class Drops:
    """The connection is gone, and why; it will be asked for again (``--reconnect``)."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: float | None = None

    def due(self) -> Sequence[str]:
        session, at = self._session, self._session.again_at
        if at is None or at == self._told:
            return []
        self._told = at
        return [f"{session.error or _DROPS['ended']} {_trying(session, at)}"]


def next_try(session: Session) -> str:
    """A short line that is written anew as time passes; empty where nothing is tried again."""
    at = session.again_at
    return "" if at is None else f"{_DROPS[session.drop]} {_trying(session, at)}"


def _trying(session: Session, at: float) -> str:
    """``Trying again in 4 s (2nd try).``"""
    left = at - session.clock.now()
    nth = f" ({ordinal(session.tries)} try)" if session.tries > 1 else ""
    return f"Trying again in {wait(left)}{nth}." if left > 0 else f"Trying again{nth}…"


def disk_stands(session: Session) -> str:
    """A sentence while the disk takes nothing of the recording; else empty."""
    if session.recorder is None or session.disk_stands < _STANDS:
        return ""
    waits = f"{count(session.unrecorded, 'event')} to be written"
    return f"The disk takes nothing; {waits} to {session.recorder.path}. Ctrl+C ends the waiting."
