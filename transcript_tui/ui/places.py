"""Where ``:`` goes: an event number, a time, a message id. Nothing here knows Textual."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from transcript_tui.ui.amounts import seconds

if TYPE_CHECKING:
    from transcript_tui.session.session import Session
    from transcript_tui.transcript.model import Message

_TIME: Final = re.compile(r"(?:(?:(\d{1,9}):)?(\d{1,9}):)?(\d{1,15}(?:\.\d+)?)s?")


@dataclass(frozen=True, slots=True)
class EventNumber:
    """A payload's number, from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class Moment:
    """Seconds since the start."""

    seconds: float


@dataclass(frozen=True, slots=True)
class MessageId:
    id: str


Place = EventNumber | Moment | MessageId


def parse_place(written: str) -> Place | None:
    """``1200`` an event, ``12.5s`` or ``1:20`` a time, ``message:ID`` or any other word an id."""
    text = written.strip()
    if not text:
        return None
    plain = text.replace(",", "").removeprefix("#")
    if plain.isascii() and plain.isdigit():
        return EventNumber(int(plain[:18]))
    if text.startswith("message:"):
        return MessageId(text.removeprefix("message:").strip())
    match = _TIME.fullmatch(text)
    if match and (":" in text or text.endswith("s") or "." in text):
        hours, minutes, rest = match.groups()
        return Moment(int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest))
    return MessageId(text)


def why_not(session: Session, place: Place) -> str:
    """Why nobody can go to ``place`` in what has arrived; nothing where it is there."""
    total = session.player.total
    match place:
        case EventNumber(number) if number >= session.tape.length:
            return f"the last event is {session.tape.length - 1:,}"
        case Moment() if not session.player.paced and not total:
            return "this log has no times"
        case Moment(at) if session.tape.complete and total is not None and at > total:
            return f"the end is at {seconds(total)}"
        case MessageId(wanted) if find_message(session, wanted) is None:
            return "no message has this id"
        case _:
            return ""


class Awaited:
    """A place to begin at, while it may yet arrive; what came is looked through once."""

    def __init__(self, place: Place | None) -> None:
        """``None``: nobody named one."""
        self._place = place
        self._looked = 0
        """Entries of which the ids are known."""
        self._begins = 0
        """How many messages have ids that begin with the wanted one."""

    def due(self, session: Session) -> Place | None:
        """The place, once: when it is there, or surely will not be."""
        if self._place is None or not session.tape.length or self.may_yet_come(session):
            return None
        place, self._place = self._place, None
        return place

    def may_yet_come(self, session: Session) -> bool:
        """Whether the place is not there, and the source is not at its end."""
        if session.tape.complete:
            return False
        match self._place:
            case None:
                return False
            case Moment(seconds):
                return (session.player.total or 0.0) < seconds
            case MessageId(wanted):
                return not self._came(session, wanted)
            case place:
                return why_not(session, place) != ""

    def _came(self, session: Session, wanted: str) -> bool:
        """Whether :func:`find_message` finds it."""
        from transcript_tui.transcript.model import Message

        entries = session.tape.transcript.entries
        if len(entries) < self._looked:
            # They were folded anew.
            self._looked = self._begins = 0
        exact = False
        for entry in entries[self._looked :]:
            if isinstance(entry, Message) and entry.id.startswith(wanted):
                self._begins += 1
                exact = exact or entry.id == wanted
        self._looked = len(entries)
        return exact or self._begins == 1


def seek(session: Session, place: Place) -> None:
    """Move the player to a place that is there: just after the event, the moment, or the event
    that began the message."""
    match place:
        case EventNumber(number):
            session.player.seek(number + 1)
        case Moment(seconds):
            session.player.seek_time(seconds)
        case MessageId(wanted):
            message = find_message(session, wanted)
            if message is not None:
                session.player.seek(message.born + 1)


def find_message(session: Session, wanted: str) -> Message | None:
    """The first message with this id; else the only one whose id begins so."""
    from transcript_tui.transcript.model import Message

    begins: list[Message] = []
    for entry in session.tape.transcript.entries:
        if isinstance(entry, Message):
            if entry.id == wanted:
                return entry
            if entry.id.startswith(wanted):
                begins.append(entry)
    return begins[0] if len(begins) == 1 else None
