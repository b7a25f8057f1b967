"""The comment lines that make an SSE stream a recording (``check.md``, "A recording").

Each function writes one line without its line end; :func:`read_comment` reads them back.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, Final, NamedTuple

from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Recording

__all__ = [
    "CutComment",
    "Offset",
    "cut_line",
    "framing_line",
    "header_line",
    "input_line",
    "offset_line",
    "read_comment",
    "read_header",
    "stream_line",
    "too_long_line",
]

VERSION: Final = 1
FRAMING_CRLF: Final = "framing crlf"


def header_line(started: str | None, url: str | None, method: str | None) -> str:
    """``started`` is ISO 8601; ``url`` must already be free of secrets."""
    facts = {"started": started, "url": url, "method": method}
    return f": transcript-tui recording {VERSION} " + jsontext.dumps(
        {name: fact for name, fact in facts.items() if fact is not None}, compact=True
    )


def input_line(run_input: Any) -> str:
    return ": input " + jsontext.dumps(run_input, compact=True)


def offset_line(seconds: float) -> str:
    return f": +{seconds:.3f}"


def stream_line(number: int, seconds: float) -> str:
    return f": stream {number} +{seconds:.3f}"


def cut_line(seconds: float, tail: bytes) -> str:
    return f": cut +{seconds:.3f} {base64.b64encode(tail).decode()}"


def framing_line() -> str:
    return f": {FRAMING_CRLF}"


def too_long_line(limit: int) -> str:
    """Of the frame that follows only the head was kept, for it had more than ``limit`` bytes."""
    return f": too-long {limit}"


class Offset(float):
    """``: +0.412``: when the frame that follows arrived, in seconds."""


class StreamComment(NamedTuple):
    """``: stream 1 +12.3``."""

    number: int
    at: float


class CutComment(NamedTuple):
    """``: cut +13.02 eyJ0``: the bytes of a frame that never ended, and when."""

    tail: bytes
    at: float


class TooLongComment(NamedTuple):
    """``: too-long 1000``: of the frame that follows, only the head was kept."""

    limit: int


class InputComment(NamedTuple):
    """``: input {…}``: the run's input as sent."""

    value: Any


_HEADER: Final = re.compile(rb": ?transcript-tui recording (\d+)(?: (\{.*\}))?\s*$", re.DOTALL)
# So many digits and no more: beyond them, the times of a hostile file would be infinite, and
# Python refuses to read its numbers.
_OFFSET: Final = re.compile(rb"\+(\d{1,15}(?:\.\d*)?|\.\d+)$")
_STREAM: Final = re.compile(rb"stream (\d{1,15})(?: \+(\d{1,15}(?:\.\d+)?))?$")
_TOO_LONG: Final = re.compile(rb"too-long (\d{1,15})$")
_CUT: Final = re.compile(rb"cut \+(\d{1,15}(?:\.\d+)?) ?([A-Za-z0-9+/=]*)$")


def read_header(line: bytes) -> Recording | None:
    """The first line of a recording; ``None`` if ``line`` is not one."""
    found = _HEADER.match(line)
    if found is None:
        return None
    facts = _object(found.group(2) or b"{}")
    return Recording(_text(facts, "started"), _text(facts, "url"), _text(facts, "method"))


def read_comment(
    line: bytes,
) -> Offset | StreamComment | CutComment | TooLongComment | InputComment | str | None:
    """One comment of a recording; ``None`` if it is a comment like any other."""
    comment = line[2:] if line.startswith(b": ") else line[1:]
    if found := _OFFSET.match(comment):
        return Offset(found.group(1))
    if comment.startswith(b"input "):
        try:
            return InputComment(jsontext.parse(comment[6:]))
        except jsontext.NotJson:
            return None
    if found := _STREAM.match(comment):
        return StreamComment(int(found.group(1)), float(found.group(2) or 0))
    if found := _CUT.match(comment):
        return _cut(found.group(2), float(found.group(1)))
    if found := _TOO_LONG.match(comment):
        return TooLongComment(int(found.group(1)))
    return FRAMING_CRLF if comment == FRAMING_CRLF.encode() else None


def _cut(encoded: bytes, seconds: float) -> CutComment | None:
    try:
        return CutComment(base64.b64decode(encoded, validate=True), seconds)
    except binascii.Error:
        return None


def _object(text: bytes) -> dict[str, Any]:
    try:
        value = jsontext.parse(text)
    except jsontext.NotJson:
        return {}
    return value if isinstance(value, dict) else {}


def _text(facts: dict[str, Any], name: str) -> str | None:
    value = facts.get(name)
    return value if isinstance(value, str) else None
