"""Bytes of a whole source through wire and pipeline, as every verb of the program does it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from transcript_tui import wire
from transcript_tui.transcript.pipeline import Pipeline


def read(chunks: bytes | Iterable[bytes], **options: Any) -> Pipeline:
    """The pipeline after ``chunks`` and their end."""
    pipeline = Pipeline(**options)
    reader = wire.open_reader()
    parts = [chunks] if isinstance(chunks, bytes) else chunks
    pieces = [piece for part in parts for piece in reader.feed(part)]
    pieces += reader.end()
    tail = b""
    for piece in pieces:
        match piece:
            case wire.Frame():
                pipeline.feed(piece.payload)
            case wire.FramingCr():
                pipeline.framing("framing-crlf")
            case wire.Bom():
                pipeline.framing("framing-bom")
            case wire.FramingEnd():
                pipeline.framing("framing-end")
            case wire.NewStream():
                pipeline.end(tail)
                tail = b""
                pipeline.next_stream()
            case wire.Input():
                pipeline.give(piece.value)
            case wire.Cut():
                tail = piece.tail
            case _:
                pass
    pipeline.end(tail)
    return pipeline


def as_sse(payloads: Iterable[bytes]) -> bytes:
    return b"".join(b"data: " + payload + b"\n\n" for payload in payloads)


def as_jsonl(payloads: Iterable[bytes]) -> bytes:
    return b"".join(payload + b"\n" for payload in payloads)
