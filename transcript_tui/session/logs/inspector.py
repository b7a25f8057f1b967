"""agui-inspector sessions: lossless, each frame with the exchange it came in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC
from typing import Any, Final

from msgspec.structs import replace

from transcript_tui.session.clock import moment
from transcript_tui.session.logs.foreign import (
    Exchange,
    Foreign,
    Log,
    framed,
    number_of,
    objects,
    strangers,
    text_of,
)
from transcript_tui.session.redaction import safe_url
from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Cut, Frame, FrameTooLong, Piece
from transcript_tui.wire.reader import open_reader

__all__ = ["INSPECTOR"]


def _interpret(document: Mapping[str, Any], max_frame: int) -> Log:
    session = document.get("session")
    session = session if isinstance(session, dict) else {}
    exchanges = {_key(item.get("id")): item for item in objects(session.get("exchanges"))}
    by_exchange, unknown = _by_exchange(session.get("frames"), exchanges)
    starts = [_start(item) for item in exchanges.values()]
    zero = min((start for start in starts if start is not None), default=0.0)
    log = Log(started=_iso(zero) if zero else None)
    runs = objects(session.get("runs"))
    for number, (key, held) in enumerate(by_exchange.items()):
        exchange = exchanges.get(key, {})
        start = ((_start(exchange) or zero) - zero) / 1000
        log.url = log.url or safe_url(text_of(exchange, "url")) or None
        pieces, unread = _in_order(held, start, max_frame)
        unknown += unread
        log.exchanges.append(Exchange(pieces, _input(runs, key, number), start))
    log.leave_out(unknown, "unknown frame")
    return log


def _by_exchange(
    frames: Any, exchanges: Iterable[str]
) -> tuple[dict[str, list[dict[str, Any]]], int]:
    """The frames of each exchange, and how many are of no kind that is known."""
    by_exchange: dict[str, list[dict[str, Any]]] = {key: [] for key in exchanges}
    unknown = strangers(frames)
    for frame in objects(frames):
        if _known(frame):
            by_exchange.setdefault(_key(frame.get("exchangeId")), []).append(frame)
        else:
            unknown += 1
    return by_exchange, unknown


def _in_order(held: list[dict[str, Any]], start: float, max_frame: int) -> tuple[list[Piece], int]:
    """All that the frames of an exchange hold, and how many of them hold nothing to be read."""
    held = sorted(held, key=lambda frame: number_of(frame.get("index")) or 0.0)
    read = [_pieces(frame, start, max_frame) for frame in held]
    unread = sum(
        not pieces and frame.get("classification") != "control"
        for frame, pieces in zip(held, read, strict=True)
    )
    return [piece for pieces in read for piece in pieces], unread


def _known(frame: dict[str, Any]) -> bool:
    """A kind of frame that was agreed on; data stands in one of two places."""
    kind = frame.get("classification")
    if kind not in (None, "data", "partial", "control"):
        return False
    return kind == "control" or bool(text_of(frame, "envelope")) or frame.get("data") is not None


def _key(id: Any) -> str:
    """An id in one spelling: 7 and "7" are the same exchange."""
    return id if isinstance(id, str) else jsontext.dumps(id)


def _start(exchange: dict[str, Any]) -> float | None:
    """Milliseconds since the epoch."""
    return number_of(exchange.get("startedAt"))


def _iso(milliseconds: float) -> str | None:
    at = moment(milliseconds / 1000, UTC)
    return None if at is None else at.isoformat()


def _input(runs: list[dict[str, Any]], key: str, number: int) -> dict[str, Any] | None:
    """The run says whose it is, else they stand in the order of the exchanges."""
    named = [run for run in runs if _key(run.get("exchangeId")) == key]
    run = named[0] if named else runs[number] if number < len(runs) else {}
    sent = run.get("input")
    return sent if isinstance(sent, dict) else None


def _pieces(frame: dict[str, Any], start: float, max_frame: int) -> list[Piece]:
    """``envelope`` is the raw SSE text; without it, ``data`` is the payload."""
    at = start + (number_of(frame.get("offsetMs")) or 0.0) / 1000
    kind = frame.get("classification")
    envelope = text_of(frame, "envelope").encode("utf-8", "replace")
    if kind == "partial":
        return [Cut(envelope or _data(frame), 1, 0, at)]
    if kind == "control":
        return []
    if not envelope:
        return [framed(_data(frame), 1, at, max_frame)]
    reader = open_reader("sse", max_frame)
    # The blank line that ends a frame may have been taken for a separator.
    found = [*reader.feed(envelope.rstrip(b"\r\n") + b"\n\n"), *reader.end()]
    return [
        replace(piece, line=1, offset=0, at=at)
        for piece in found
        if isinstance(piece, Frame | FrameTooLong)
    ]


def _data(frame: dict[str, Any]) -> bytes:
    data = frame.get("data")
    return (data if isinstance(data, str) else jsontext.dumps(data)).encode("utf-8", "replace")


INSPECTOR: Final = Foreign(
    name="agui-inspector session",
    signature=re.compile(rb'\{\s*(?:"version"\s*:\s*\d+\s*,\s*)?"session"\s*:\s*\{'),
    arrays=frozenset({"frames", "exchanges"}),
    interpret=_interpret,
)
