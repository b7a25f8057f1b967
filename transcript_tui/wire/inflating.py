"""Gzip as it comes: files that end in ``.gz``, and bodies that a server compressed."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

__all__ = ["MAGIC", "Inflater", "deflated"]

_INFLATE: Final = 2**20
"""Bytes inflated at a time, so that a small file cannot become a large buffer."""

_GZIP: Final = 31
"""``wbits`` of zlib for gzip with its head."""

_ZLIB: Final = zlib.MAX_WBITS

MAGIC: Final = b"\x1f\x8b"
"""What every member begins with."""


class Inflater:
    """Gzip, possibly of several members, possibly broken off: what can be had is had."""

    def __init__(self, wbits: int = _GZIP) -> None:
        """``wbits`` is zlib's, where it is no gzip; see :func:`deflated`."""
        self._member = zlib.decompressobj(wbits)
        self._done = False
        self.broken = False
        """The data broke off, or was damaged, before its end."""

    def feed(self, chunk: bytes) -> Iterator[bytes]:
        """What ``chunk`` holds, in portions that are made when they are asked for: a thousand times
        its own size may be in it. To be gone through before the next chunk comes."""
        full = False
        # A piece that is full may not be all: what zlib still holds comes without more input.
        while (chunk or full) and not self._done:
            before = self._member.copy()
            try:
                portion = self._member.decompress(chunk, _INFLATE)
            except zlib.error:
                self.broken = self._done = True
                yield from _up_to_the_damage(before, chunk)
                return
            yield portion
            full = len(portion) == _INFLATE
            chunk = self._member.unconsumed_tail
            if self._member.eof:
                chunk = self._next_member()

    def end(self) -> None:
        """The bytes have ended: without the end mark of the member, it broke off."""
        self.broken = self.broken or not (self._member.eof or self._done)

    def _next_member(self) -> bytes:
        rest = self._member.unused_data
        if rest == MAGIC[:1]:
            # Perhaps half of it: zlib keeps the byte, and puts the next piece behind it.
            return b""
        if rest.startswith(MAGIC):
            self._member = zlib.decompressobj(_GZIP)
            return rest
        # Padding after the last member is common and means nothing.
        self._done = bool(rest)
        return b""


def deflated(head: bytes) -> Inflater:
    """The inflater for HTTP's ``deflate``, which begins with ``head`` (one byte or more): in a zlib
    wrapper by RFC 9110 (8.4.1.2), and without one as some servers send it."""
    return Inflater(_ZLIB if head[0] & 0x0F == 8 else -_ZLIB)


def _up_to_the_damage(member: zlib._Decompress, chunk: bytes) -> Iterator[bytes]:
    """zlib says nothing of what it had before the damage, unless it is asked byte by byte."""
    with suppress(zlib.error):
        yield from (member.decompress(chunk[at : at + 1]) for at in range(len(chunk)))
