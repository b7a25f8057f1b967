"""On stderr: that a connection is gone, and when it is asked for again (``--reconnect``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from transcript_tui.cli.complaints import remark
from transcript_tui.ui.amounts import ordinal, wait

if TYPE_CHECKING:
    from transcript_tui.session.session import Drop, Session

__all__ = ["Drops", "next_try"]

_DROPS: Final[Mapping[Drop, str]] = {
    "ended": "The connection ended.",
    "lost": "Connection lost.",
    "refused": "Refused.",
    "unreachable": "No connection.",
}


class Drops:
    """Says each time why, in a line of its own."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told: float | None = None

    def tell(self) -> None:
        session, at = self._session, self._session.again_at
        if at is not None and at != self._told:
            self._told = at
            remark([f"{session.error or _DROPS['ended']} {_trying(session, at)}"])


def next_try(session: Session) -> str:
    """A short line that is written anew as time passes; empty where nothing is tried again."""
    at = session.again_at
    return "" if at is None else f"{_DROPS[session.drop]} {_trying(session, at)}"


def _trying(session: Session, at: float) -> str:
    """``Trying again in 4 s (2nd try).``"""
    left = at - session.clock.now()
    nth = f" ({ordinal(session.tries)} try)" if session.tries > 1 else ""
    return f"Trying again in {wait(left)}{nth}." if left > 0 else f"Trying again{nth}…"
