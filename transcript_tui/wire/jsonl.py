"""Newline-delimited JSON: a payload a line."""

from __future__ import annotations

from typing import Final

from transcript_tui.wire.frames import Bom, Cut, Frame, FrameTooLong, Piece
from transcript_tui.wire.jsontext import is_object

__all__ = ["JsonlReader"]

_BOM: Final = b"\xef\xbb\xbf"
_HEAD: Final = 4096


class JsonlReader:
    """Lines end with LF or CRLF; blank lines are no payloads; any split gives the same pieces."""

    def __init__(self, max_frame: int, *, line: int = 1, offset: int = 0) -> None:
        self._max = max_frame
        self._line = line
        self._offset = offset
        self._pieces: list[bytes] = []
        self._size = 0
        self._started = False
        self._skipping = False
        """The line that is arriving was too long; it has been said."""

    def feed(self, chunk: bytes) -> list[Piece]:
        """The pieces that ``chunk`` completes."""
        self._pieces.append(chunk)
        self._size += len(chunk)
        if not self._started:
            head = b"".join(self._pieces)
            if len(head) < len(_BOM) and _BOM.startswith(head):
                return []
            return self._begin(head)
        if b"\n" in chunk:
            return self._take(b"".join(self._pieces))
        return self._guard() if self._size > self._max else []

    def end(self) -> list[Piece]:
        """A last line without a line end: a payload if it is one object, else a cut tail."""
        out = [] if self._started else self._begin(b"".join(self._pieces))
        tail = b"".join(self._pieces)
        if self._skipping or not tail.strip():
            return out
        if is_object(tail):
            return [*out, Frame(tail, self._line, self._offset)]
        return [*out, Cut(tail, self._line, self._offset)]

    def _begin(self, head: bytes) -> list[Piece]:
        self._started = True
        if not head.startswith(_BOM):
            return self._take(head)
        self._offset += len(_BOM)
        return [Bom(), *self._take(head[len(_BOM) :])]

    def _keep(self, rest: bytes) -> None:
        self._pieces = [rest] if rest else []
        self._size = len(rest)

    def _take(self, buffer: bytes) -> list[Piece]:
        out: list[Piece] = []
        *lines, rest = buffer.split(b"\n")
        line, offset = self._line, self._offset
        for text in lines:
            if self._skipping:
                self._skipping = False
            elif len(text) > self._max:
                out.append(self._too_long(text, line, offset))
            elif text and (text[0] not in b" \t\r" or text.strip()):
                out.append(Frame(text.removesuffix(b"\r"), line, offset))
            line += 1
            offset += len(text) + 1
        self._line, self._offset = line, offset
        self._keep(rest)
        return out if len(rest) <= self._max else [*out, *self._guard()]

    def _guard(self) -> list[Piece]:
        """The unfinished line is too long already: say so once and let it pass."""
        partial = b"".join(self._pieces)
        out: list[Piece] = []
        if not self._skipping:
            out.append(self._too_long(partial, self._line, self._offset))
            self._skipping = True
        self._offset += len(partial)
        self._keep(b"")
        return out

    def _too_long(self, text: bytes, line: int, offset: int) -> FrameTooLong:
        return FrameTooLong(text[: min(_HEAD, self._max)], line, offset, self._max)
