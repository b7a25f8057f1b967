"""agui-inspector sessions: lossless, each frame with the exchange it came in."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    by_exchange: dict[str, list[dict[str, Any]]] = {key: [] for key in exchanges}
    unknown = strangers(session.get("frames"))
    for frame in objects(session.get("frames")):
        if not _known(frame):
            unknown += 1
            continue
        by_exchange.setdefault(_key(frame.get("exchangeId")), []).append(frame)
    starts = [_start(item) for item in exchanges.values()]
    zero = min((start for start in starts if start is not None), default=0.0)
    log = Log(started=_iso(zero) if zero else None)
    runs = objects(session.get("runs"))
    for number, (key, held) in enumerate(by_exchange.items()):
        exchange = exchanges.get(key, {})
        start = ((_start(exchange) or zero) - zero) / 1000
        log.url = log.url or safe_url(text_of(exchange, "url")) or None
        held.sort(key=lambda frame: number_of(frame.get("index")) or 0.0)
        read = [_pieces(frame, start, max_frame) for frame in held]
        unknown += sum(
            not pieces and frame.get("classification") != "control"
            for frame, pieces in zip(held, read, strict=True)
        )
        pieces = [piece for pieces in read for piece in pieces]
        log.exchanges.append(Exchange(pieces, _input(runs, key, number), start))
    if unknown:
        log.left_out.append(f"{unknown} unknown frame{'s'[: unknown != 1]} left out")
    return log


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
