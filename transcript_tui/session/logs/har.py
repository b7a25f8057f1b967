"""Browser HAR files: each event-stream response is a stream."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, Final

from transcript_tui.session.logs.foreign import (
    Exchange,
    Foreign,
    Log,
    frames,
    objects,
    seconds_of,
    strangers,
    text_of,
)
from transcript_tui.session.redaction import safe_url
from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Piece
from transcript_tui.wire.reader import open_reader

__all__ = ["HAR"]


def _interpret(document: Mapping[str, Any], max_frame: int) -> Log:
    log = Log()
    unsaved = 0
    log_object = document.get("log")
    entries = log_object.get("entries") if isinstance(log_object, dict) else None
    others, unknown = strangers(entries), 0
    began: float | None = None
    for entry in objects(entries):
        if not _is_event_stream(entry):
            others += 1
            continue
        when = seconds_of(entry.get("startedDateTime"))
        began = when if began is None else began
        pieces = _pieces(entry, began, max_frame)
        unknown += strangers(entry.get("_eventSourceMessages"))
        if not pieces:
            unsaved += 1
            continue
        if not log.exchanges:
            log.started = text_of(entry, "startedDateTime") or None
            log.url = safe_url(text_of(entry, "request", "url")) or None
        at = when - began if when is not None and began is not None else None
        log.exchanges.append(Exchange(pieces, _input(entry), at))
    log.leave_out(others, "other request")
    log.leave_out(unknown, "unknown message")
    log.leave_out(unsaved, "event stream", "whose body the browser did not save")
    return log


def _is_event_stream(entry: dict[str, Any]) -> bool:
    response = entry.get("response")
    content = response.get("content") if isinstance(response, dict) else None
    return (
        "text/event-stream" in text_of(content, "mimeType").lower()
        or entry.get("_resourceType") == "eventsource"
    )


def _pieces(entry: dict[str, Any], began: float | None, max_frame: int) -> list[Piece]:
    messages = objects(entry.get("_eventSourceMessages"))
    if messages:
        timed = (
            (_json_or_text(text_of(message, "data")), _since(message.get("time"), began))
            for message in messages
        )
        return frames(timed, max_frame)
    reader = open_reader("sse", max_frame)
    body = _body(entry)
    return [*reader.feed(body), *reader.end()] if body else []


def _json_or_text(data: str) -> Any:
    try:
        return jsontext.parse(data.encode("utf-8", "replace"))
    except jsontext.NotJson:
        return data


def _since(moment: Any, began: float | None) -> float | None:
    when = seconds_of(moment)
    return max(0.0, when - began) if when is not None and began is not None else None


_BASE64: Final = re.compile(r"[A-Za-z0-9+/=]+")


def _body(entry: dict[str, Any]) -> bytes:
    text = text_of(entry, "response", "content", "text")
    # Where the file breaks off, the encoding may not be told; but no event is written so.
    if text_of(entry, "response", "content", "encoding") == "base64" or _BASE64.fullmatch(text):
        try:
            return base64.b64decode(text[: len(text) // 4 * 4])
        except binascii.Error:
            return b""
    return text.encode("utf-8", "replace")


def _input(entry: dict[str, Any]) -> dict[str, Any] | None:
    sent = _json_or_text(text_of(entry, "request", "postData", "text"))
    return sent if isinstance(sent, dict) and isinstance(sent.get("messages"), list) else None


HAR: Final = Foreign(
    name="browser HAR file",
    signature=re.compile(rb'\{\s*"log"\s*:\s*\{'),
    arrays=frozenset({"entries"}),
    interpret=_interpret,
    bodies=frozenset({"text"}),
)
