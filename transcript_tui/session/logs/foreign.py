"""What a reader of another program's log is, and what all of them share."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from transcript_tui.errors import FileUnreadable
from transcript_tui.session.sources.source import Note, Opened, Pieces, Received
from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Frame, FrameTooLong, Input, NewStream, Piece, Recording
from transcript_tui.wire.reader import MAX_FRAME
from transcript_tui.wire.sse import HEAD

__all__ = ["Exchange", "Foreign", "Log", "objects", "seconds_of", "strangers", "text_of", "texts"]


@dataclass(frozen=True, slots=True)
class Foreign:
    """One program's log format."""

    name: str
    """For people: ``browser HAR file``."""
    signature: re.Pattern[bytes]
    """Matches the head of such a file and of no other."""
    arrays: frozenset[str]
    """Members whose arrays are salvaged item by item where the file breaks off."""
    interpret: Callable[[Mapping[str, Any], int], Log]
    """Of the document, with a limit of so many bytes a frame."""
    bodies: frozenset[str] = frozenset()
    """Members whose strings hold many events: one in which the file breaks off is salvaged, too."""

    def read(self, content: bytes, max_frame: int = MAX_FRAME) -> list[Received]:
        """Everything that is whole in ``content``, and what was left out in words.

        Raises :class:`FileUnreadable` where nothing can be salvaged.
        """
        document, whole = _document(content, self)
        log = self.interpret(document, max_frame)
        if not whole:
            log.left_out.insert(0, "the file breaks off: what is whole before that is shown")
        said = "; ".join(log.left_out)
        a = "an" if self.name[0] in "aeiou" else "a"
        notes: list[Received] = [Note(f"Read as {a} {self.name}{f'; {said}' if said else ''}.")]
        return [Opened("sse"), *notes, Pieces(log.pieces(), len(content))]


@dataclass(slots=True)
class Exchange:
    """One connection in a log: what was sent, and what came."""

    frames: list[Piece]
    run_input: Mapping[str, Any] | None = None
    at: float | None = None
    """Seconds since the log began."""


@dataclass(slots=True)
class Log:
    exchanges: list[Exchange] = field(default_factory=list)
    started: str | None = None
    """ISO 8601."""
    url: str | None = None
    left_out: list[str] = field(default_factory=list)
    """What is not shown, a phrase each."""

    def leave_out(self, count: int, one: str, after: str = "left out") -> None:
        """Note that ``count`` things are not shown, if any: what ``one`` of them is called (an
        ``s`` is put to it where there are more), and what is to be said ``after`` that."""
        if count:
            self.left_out.append(f"{count} {one}{'s'[: count != 1]} {after}")

    def pieces(self) -> list[Piece]:
        out: list[Piece] = []
        if self.started or self.url:
            out.append(Recording(self.started, self.url, None))
        for number, exchange in enumerate(self.exchanges):
            if number:
                out.append(NewStream(number, exchange.at))
            if exchange.run_input is not None:
                out.append(Input(dict(exchange.run_input)))
            out += exchange.frames
        return out


def frames(events: Iterable[tuple[Any, float | None]], max_frame: int) -> list[Piece]:
    """Events of a JSON document as frames: numbered instead of placed, for they have no line."""
    return [
        framed(jsontext.dumps(event).encode("utf-8", "replace"), number, at, max_frame)
        for number, (event, at) in enumerate(events, start=1)
    ]


def framed(payload: bytes, number: int, at: float | None, max_frame: int) -> Piece:
    """One that stood for itself in a document."""
    if len(payload) > max_frame:
        return FrameTooLong(payload[: min(HEAD, max_frame)], number, 0, max_frame, at)
    return Frame(payload, number, 0, at)


# Reading other people's JSON ---------------------------------------------------------------


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects in a list; nothing where it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def strangers(value: Any) -> int:
    """How many items of a list are no objects: `objects` passes them over."""
    return len(value) - len(objects(value)) if isinstance(value, list) else 0


def text_of(value: Any, *path: str) -> str:
    """The text at ``path``; empty where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


def texts(value: Any) -> str:
    """The text of a message's content: a string, or the text parts of a list."""
    if isinstance(value, str):
        return value
    return "\n".join(text_of(part, "text") for part in objects(value))


def number_of(value: Any) -> float | None:
    """A finite number; JSON also has ones that are too large for any moment or offset."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def seconds_of(value: Any) -> float | None:
    """A moment or an offset in seconds: ISO 8601, milliseconds or seconds since the epoch.

    A number too small for a moment is an offset, in seconds.
    """
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value).timestamp()
        except (ValueError, OverflowError):
            return None
    number = number_of(value)
    return number / 1000 if number is not None and number > _MILLISECONDS else number


_MILLISECONDS: Final = 1e11
"""More than that is milliseconds since the epoch (as seconds: the year 5138)."""


# Salvage -----------------------------------------------------------------------------------


def _document(content: bytes, foreign: Foreign) -> tuple[Mapping[str, Any], bool]:
    """The document, and whether it was whole."""
    name = foreign.name
    content = content.removeprefix(b"\xef\xbb\xbf")
    try:
        value, whole = jsontext.parse(content), True
    except jsontext.NotJson as error:
        mended = mend(content.decode("utf-8", "replace"), foreign.arrays, foreign.bodies)
        if mended is None:
            raise FileUnreadable(f"This looks like a {name}, but is damaged: {error}.") from None
        try:
            value, whole = jsontext.parse(mended.encode("utf-8", "replace")), False
        except jsontext.NotJson:
            raise FileUnreadable(f"This looks like a {name}, but is damaged: {error}.") from None
    if not isinstance(value, dict):
        raise FileUnreadable(f"This looks like a {name}, but is no JSON object.")
    return value, whole


_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*(?:(")|\\?\Z)|[{}\[\],:]', re.DOTALL)
"""Brackets, signs and strings; also, without the group, the string in whose middle the text
breaks off."""
_HALF_CHARACTER: Final = re.compile(
    r"(?<!\\)((?:\\\\)*)(?:\\u[dD][89abAB][0-9a-fA-F]{2})?(?:\\(?:u[0-9a-fA-F]{0,3})?)?\Z"
)
"""At the end of a string that breaks off: an escape that is not whole, the first half of a pair."""


def mend(text: str, arrays: frozenset[str], bodies: frozenset[str] = frozenset()) -> str | None:
    """A document that breaks off, closed after the last whole item of one of ``arrays``; or where
    it does, if that is in the string of one of ``bodies``.

    ``None`` where no such array had begun.
    """
    stack: list[str] = []
    """What closes each open bracket."""
    salvage: dict[int, tuple[int, str]] = {}
    """Depth of an open bracket → where the text can be cut with all of an array that counts in
    it, or all of its whole items, and what closes it there."""
    name = held = before = ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign[0] == '"':
            if token[1] is None and before == ":" and name in bodies and salvage:
                begun = _HALF_CHARACTER.sub(r"\1", sign)
                return text[: token.start()] + begun + '"' + "".join(reversed(stack))
            held = sign[1:-1]
        elif sign == ":":
            name = held
        elif sign in "{[":
            stack.append("}" if sign == "{" else "]")
            if sign == "[" and name in arrays:
                salvage[len(stack)] = (token.end(), "".join(reversed(stack)))
            name = ""
        elif sign in "}]":
            if not stack:
                return None
            counted = salvage.pop(len(stack), None)
            stack.pop()
            if counted or len(stack) in salvage:
                salvage[len(stack)] = (token.end(), "".join(reversed(stack)))
        before = sign
    if not salvage:
        return None
    end, closing = salvage[max(salvage)]
    return text[:end] + closing
