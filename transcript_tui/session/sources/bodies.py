"""Bodies of answers: their bytes as they come, unpacked, and whether they look like events."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager, aclosing
from typing import Final, cast

import httpx

from transcript_tui.session.sources import answers
from transcript_tui.wire.inflating import Inflater, deflated

__all__ = ["chunks_of", "closing", "look", "looks_like_events", "unpacked"]

LOOK: Final = 2048
"""Bytes looked at to tell events from something else, where the content type does not say."""


def closing(chunks: AsyncIterator[bytes]) -> AbstractAsyncContextManager[AsyncIterator[bytes]]:
    """What httpx gives are generators, though it does not say so."""
    return aclosing(cast(AsyncGenerator[bytes, None], chunks))


async def chunks_of(response: httpx.Response, where: str) -> AsyncGenerator[bytes, None]:
    try:
        async with closing(unpacked(response)) as chunks:
            async for chunk in chunks:
                if chunk:
                    yield chunk
    except (httpx.HTTPError, httpx.StreamError, OSError) as error:
        raise answers.broken(error, where) from None


def unpacked(response: httpx.Response) -> AsyncIterator[bytes]:
    named = response.headers.get("content-encoding", "").lower().split(",")
    packings = [one for one in map(str.strip, named) if one not in ("", "identity")]
    if len(packings) > 1:
        # A piece of 64 kB packed twice may be 64 GB, and httpx would give it in one.
        raise answers.PackedTwice(f"packed as {', '.join(packings)[:60]}")
    ours = packings[:1] in (["gzip"], ["x-gzip"], ["deflate"])
    return _inflated(response, packings[0]) if ours else response.aiter_bytes()


async def _inflated(response: httpx.Response, packing: str) -> AsyncIterator[bytes]:
    """httpx's own unpacking gives nothing of a piece in which it meets damage, and all of another
    at once."""
    inflater: Inflater | None = None
    async with closing(response.aiter_raw()) as pieces:
        async for packed in pieces:
            if not packed:
                continue
            if inflater is None:
                inflater = deflated(packed) if packing == "deflate" else Inflater()
            for chunk in inflater.feed(packed):
                yield chunk
            if inflater.broken:
                raise httpx.DecodingError("the compressed data is damaged")
    inflater = inflater or Inflater()
    inflater.end()
    if inflater.broken:
        raise answers.CutShort("the compressed data has no end")


async def look(chunks: AsyncIterator[bytes]) -> bytes:
    """The first bytes, as many as it takes to tell what they are."""
    head = bytearray()
    async for chunk in chunks:
        head += chunk
        if len(head) >= LOOK or looks_like_events(bytes(head)):
            break
    return bytes(head)


def looks_like_events(head: bytes) -> bool:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"data:", b"event:", b"id:", b"retry:", b":")):
        return True
    return text[:1] in (b"{", b"[") and _TYPE.search(text, 0, LOOK) is not None


_TYPE: Final = re.compile(rb'"type"\s*:\s*"[A-Z][A-Z_]+"')
