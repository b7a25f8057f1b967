"""Reading bytes in tests: whole, and in pieces cut anywhere."""

from __future__ import annotations

from collections.abc import Iterable

from transcript_tui.wire import Frame, Piece, open_reader


def read(
    data: bytes, hint: str | None = None, *, cuts: Iterable[int] = (), **options: int
) -> list[Piece]:
    """Everything a reader makes of ``data``, fed in pieces that end at ``cuts``."""
    reader = open_reader(hint, **options)
    out: list[Piece] = []
    start = 0
    for cut in (*sorted(min(cut, len(data)) for cut in cuts), len(data)):
        out += reader.feed(data[start:cut])
        start = cut
    return out + reader.end()


def read_bytewise(data: bytes, hint: str | None = None, **options: int) -> list[Piece]:
    return read(data, hint, cuts=range(len(data)), **options)


def payloads(pieces: Iterable[Piece]) -> list[bytes]:
    return [piece.payload for piece in pieces if isinstance(piece, Frame)]
