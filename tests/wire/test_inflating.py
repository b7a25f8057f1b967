"""Gzip in small portions: everything that came is given, wherever the bytes end."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest

from transcript_tui.wire import inflating
from transcript_tui.wire.frames import Frame, FrameTooLong
from transcript_tui.wire.inflating import Inflater, deflated
from transcript_tui.wire.reader import open_reader


@pytest.mark.parametrize("wbits", [zlib.MAX_WBITS, -zlib.MAX_WBITS])
def test_http_s_deflate_with_its_wrapper_and_without(wbits: int) -> None:
    packer = zlib.compressobj(wbits=wbits)
    data = b"".join(b"%d " % n for n in range(5000))
    packed = packer.compress(data) + packer.flush()
    for size in (1, 1000, len(packed)):
        parts = [packed[at : at + size] for at in range(0, len(packed), size)]
        inflater = deflated(parts[0])
        assert b"".join(piece for part in parts for piece in inflater.feed(part)) == data
        inflater.end()
        assert not inflater.broken


def test_a_bomb_is_never_held_whole() -> None:
    bomb = gzip.compress(b"data: " + b"x" * 2**26 + b"\n\ndata: {}\n\n")
    tracemalloc.start()
    try:
        reader = open_reader(max_frame=10_000)
        pieces = [*reader.feed(bomb), *reader.end()]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert [type(piece) for piece in pieces] == [FrameTooLong, Frame]
    assert peak < 6 * 2**20
    assert reader.packed


@pytest.mark.parametrize("portion", [1, 64, 258, 1000])
def test_nothing_is_held_back(portion: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """zlib may keep up to 258 bytes where a portion is full and its input is used up."""
    monkeypatch.setattr(inflating, "_INFLATE", portion)
    data = b"".join(b"%d " % n + b"spam " * 40 for n in range(40))
    packed = gzip.compress(data)
    for end in range(0, len(packed), 1 + len(packed) % 2):
        whole = zlib.decompressobj(31).decompress(packed[:end])
        inflater = Inflater()
        assert b"".join(inflater.feed(packed[:end])) == whole
        inflater.end()
        assert inflater.broken
    inflater = Inflater()
    assert b"".join(inflater.feed(packed + packed)) == data * 2
    inflater.end()
    assert not inflater.broken
