"""Where ``:`` goes: an event number, a time, a message id. Nothing here knows Textual."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TIME: Final = re.compile(r"(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)s?")


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
        hours, minutes, seconds = match.groups()
        return Moment(int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(seconds))
    return MessageId(text)
