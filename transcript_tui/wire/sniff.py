"""Which format bytes are in: by content, never by name."""

from __future__ import annotations

import codecs
import re
from typing import Final, Literal

from transcript_tui.errors import FileUnreadable
from transcript_tui.wire.inflating import MAGIC

__all__ = ["Format", "sample", "sniff"]

Format = Literal["sse", "jsonl", "array", "gzip", "http"]

ENOUGH: Final = 65_536
"""Bytes looked at, at most, before a source is declared unreadable."""

GLANCE: Final = 1024
"""Bytes looked at before a beginning that is neither is taken for a damaged log."""

_GIVE: Final = "Give an SSE dump, JSON lines, or a JSON array of events; each may be gzipped."
_BOM: Final = b"\xef\xbb\xbf"
_SPACE: Final = b" \t\r\n"
_SSE_LINE: Final = re.compile(rb"(?:data|event|id|retry)?:|(?:data|event|id|retry)[\r\n]")
_LATER: Final = re.compile(rb"[\r\n](?:(?P<sse>data:)|(?P<jsonl>\{))")
_BINARY: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BEGINNINGS: Final = (b"HTTP/", b"data:", b"event:", b"id:", b"retry:", MAGIC, _BOM)


def sniff(head: bytes, *, final: bool) -> Format | None:
    """The format of a source that begins with ``head``; ``None``: more bytes are needed.

    ``final`` says that there are no more. Raises :class:`FileUnreadable`.
    """
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        # Read all the same it would be wrong: PowerShell has guessed what the bytes mean before
        # it wrote them so, and every letter beyond ASCII is another one.
        raise FileUnreadable(
            "This is UTF-16, as PowerShell's > writes it; events are UTF-8.",
            "Let curl itself write the file: `curl.exe -N URL -o FILE`.",
        )
    text = head.removeprefix(_BOM).lstrip(_SPACE)
    if len(head) - len(text) > ENOUGH:
        raise FileUnreadable(
            f"This begins with more than {ENOUGH} bytes of white space, and no event.", _GIVE
        )
    if not text or (not final and any(begins.startswith(text) for begins in _BEGINNINGS)):
        return "jsonl" if final else None
    if head.startswith(MAGIC):
        return "gzip"
    if text.startswith(b"HTTP/"):
        return "http"
    if text.startswith(b"{"):
        return "jsonl"
    if text.startswith(b"["):
        return "array"
    if _SSE_LINE.match(text):
        return "sse"
    return _by_a_later_line(text, final=final)


def _by_a_later_line(text: bytes, *, final: bool) -> Format | None:
    """A log whose beginning is damaged, or no log at all."""
    if not final and len(text) < GLANCE:
        return None
    if _BINARY.search(text[:GLANCE]):
        raise FileUnreadable(
            "This is a binary file, not an event log.",
            _GIVE,
        )
    if text.startswith(b"<"):
        raise FileUnreadable(
            f"This is {'HTML' if _is_html(text) else 'markup'}, not an event log: {sample(text)}",
            "A sign-in or error page was saved in place of the events; look at the address "
            "and the credentials.",
        )
    if found := _LATER.search(text[:ENOUGH]):
        return "sse" if found["sse"] else "jsonl"
    if not final and len(text) < ENOUGH:
        return None
    raise FileUnreadable(
        f"This is neither Server-Sent Events nor JSON: {sample(text)}",
        _GIVE,
    )


def _is_html(text: bytes) -> bool:
    beginning = text[:GLANCE].lower()
    return b"<!doctype html" in beginning or b"<html" in beginning


def sample(text: bytes) -> str:
    """The beginning of what is no event log, for a sentence about it."""
    line = text.split(b"\n", 1)[0].strip()[:80].decode("utf-8", "replace")
    return f"it begins with {line!r}."
