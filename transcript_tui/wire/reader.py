"""One reader for every format: bytes in, frames and marks out."""

from __future__ import annotations

import re
from typing import Final, Protocol

from transcript_tui.errors import FileUnreadable
from transcript_tui.wire.array import ArrayReader
from transcript_tui.wire.frames import Cut, Piece
from transcript_tui.wire.inflating import Inflater
from transcript_tui.wire.jsonl import JsonlReader
from transcript_tui.wire.sniff import Format, sample, sniff
from transcript_tui.wire.sse import SseReader

__all__ = ["BINARY", "MAX_FRAME", "READERS", "Reader", "open_reader"]

MAX_FRAME: Final = 32 * 2**20
"""Bytes a frame may have unless told otherwise."""

BINARY: Final = "application/vnd.ag-ui.event+proto"
"""Content type of the protocol's binary encoding (Protocol Buffers)."""

_HEADERS: Final = 2**20
"""Bytes that an HTTP answer's headers may have."""

_STATUS: Final = re.compile("[0-9]{3}")
_HEADERS_END: Final = re.compile(rb"\r?\n\r?\n")


class Framer(Protocol):
    def feed(self, chunk: bytes) -> list[Piece]: ...

    def end(self) -> list[Piece]: ...


class MakeFramer(Protocol):
    def __call__(self, max_frame: int, *, line: int = 1, offset: int = 0) -> Framer: ...


READERS: Final[dict[str, MakeFramer]] = {
    "sse": SseReader,
    "jsonl": JsonlReader,
    "array": ArrayReader,
}
"""Format → framer: the one place where a format is added."""


def open_reader(hint: str | None = None, max_frame: int = MAX_FRAME) -> Reader:
    """A reader for one source. ``hint`` names a format of ``READERS``; ``None``: by content.

    ``feed`` and ``end`` raise :class:`~transcript_tui.errors.FileUnreadable` where the content
    is no event log.
    """
    return Reader(hint, max_frame)


class Reader:
    """See :func:`open_reader`. Memory is bounded by ``max_frame`` beside the pieces given."""

    def __init__(self, hint: str | None, max_frame: int) -> None:
        self._max = max_frame
        self._framer = READERS[hint](max_frame) if hint else None
        self._head = b""
        self._line = 1
        self._offset = 0
        self._inflate: Inflater | None = None
        self.format: str | None = hint
        """The framer's name once it is known."""
        self.tail = b""
        """Bytes of the frame that never ended, once ``end`` was called."""

    @property
    def packed(self) -> bool:
        """The bytes are gzip, as far as that is known."""
        return self._inflate is not None

    @property
    def cut_short(self) -> bool:
        """The gzip data broke off, or was damaged, before its end."""
        return self._inflate is not None and self._inflate.broken

    @property
    def last_id(self) -> str | None:
        """What to send as ``Last-Event-ID`` for the events behind these; ``None``: none was said,
        as by what is no Server-Sent Events."""
        said = self._framer.last_id if isinstance(self._framer, SseReader) else None
        return None if said is None else said.decode("utf-8", "replace")

    def feed(self, chunk: bytes) -> list[Piece]:
        """The pieces that ``chunk`` completes, in order."""
        if self._framer is not None and self._inflate is None:
            return self._framer.feed(chunk)
        if self._inflate is not None:
            return [piece for part in self._inflate.feed(chunk) for piece in self._plain(part)]
        return self._plain(chunk)

    def end(self) -> list[Piece]:
        """The bytes have ended: what was held back, and a cut tail if there is one."""
        out: list[Piece] = []
        while self._framer is None:
            # Once, or again where nothing came behind what gzip begins with.
            out += self._look(final=True)
        if self._inflate is not None:
            self._inflate.end()
        out += self._framer.end()
        self.tail = next((piece.tail for piece in reversed(out) if isinstance(piece, Cut)), b"")
        return out

    def _plain(self, chunk: bytes) -> list[Piece]:
        if self._framer is not None:
            return self._framer.feed(chunk)
        self._head += chunk
        return self._look(final=False)

    def _look(self, *, final: bool) -> list[Piece]:
        found = sniff(self._head, final=final)
        if found is None:
            return []
        if found == "gzip":
            return self._unzip()
        if found == "http":
            return self._skip_headers(final=final)
        return self._settle(found)

    def _settle(self, found: Format) -> list[Piece]:
        self.format = found
        self._framer = READERS[found](self._max, line=self._line, offset=self._offset)
        head, self._head = self._head, b""
        return self._framer.feed(head) if head else []

    def _unzip(self) -> list[Piece]:
        if self._inflate is not None:
            raise FileUnreadable("This is gzip inside gzip.", "Unpack the outer one first.")
        self._inflate = Inflater()
        head, self._head = self._head, b""
        # Offsets count bytes of the decompressed source, from its own beginning.
        return self.feed(head)

    def _skip_headers(self, *, final: bool) -> list[Piece]:
        ends = _HEADERS_END.search(self._head)
        if ends is None:
            if final or len(self._head) > _HEADERS:
                raise FileUnreadable(
                    "This is an HTTP answer that ends inside its headers.", "Save it whole."
                )
            return []
        status, headers = _parse_headers(self._head[: ends.start()])
        _refuse_answer(status, headers, self._head[ends.end() :])
        self._line += self._head.count(b"\n", 0, ends.end())
        self._offset += ends.end()
        self._head = self._head[ends.end() :]
        event_stream = "text/event-stream" in headers.get("content-type", "")
        if event_stream and not self._head.startswith((b"\x1f", b"HTTP/")) and self._head:
            return self._settle("sse")
        return self._look(final=final) if self._head or final else []


def _parse_headers(block: bytes) -> tuple[int, dict[str, str]]:
    # Blank lines before the answer are a block of their own, with nothing in it.
    first, *more = block.decode("latin-1").splitlines() or [""]
    parts = first.split()
    status = int(parts[1]) if len(parts) > 1 and _STATUS.fullmatch(parts[1]) else 0
    pairs = (line.partition(":") for line in more)
    return status, {name.strip().lower(): value.strip().lower() for name, _, value in pairs}


def _refuse_answer(status: int, headers: dict[str, str], body: bytes) -> None:
    kind = headers.get("content-type", "").partition(";")[0]
    if status >= 300:
        what = f"with status {status}"
        hint = "The run never started; the body says why."
    elif kind == BINARY:
        what = f"in AG-UI's binary encoding ({BINARY})"
        hint = "Ask for text with `curl -N -H 'Accept: text/event-stream'`."
    elif status == 200 and kind == "text/html":
        what = "with a web page (text/html)"
        hint = "A redirect to a sign-in page is the usual cause."
    elif status == 200 and kind not in _STREAM_TYPES:
        what = f"with content type {kind}"
        hint = "A status of 200 says nothing about success; the body says more."
    else:
        return
    begins = f": {sample(body)}" if body.strip() else "."
    text = body[:2000].decode("utf-8", "replace")
    raise FileUnreadable(f"This is an HTTP answer {what}, not an event stream{begins}", hint, text)


_STREAM_TYPES: Final = (
    "",
    "text/event-stream",
    "application/x-ndjson",
    "application/jsonl",
    "application/json-lines",
    "text/plain",
)
