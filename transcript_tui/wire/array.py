"""A JSON array of events, element by element, so that a broken-off one opens up to there."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from transcript_tui.wire.frames import Bom, Cut, Frame, FrameTooLong, Piece
from transcript_tui.wire.jsontext import is_object

__all__ = ["ArrayReader"]

_BOM: Final = b"\xef\xbb\xbf"
_HEAD: Final = 4096
_SPACE: Final = b" \t\n\r"
_OUTSIDE: Final = re.compile(rb'["\[\]{},]')
_INSIDE: Final = re.compile(rb'["\\]')

_STRING: Final = rb'"(?:[^"\\]++|\\.)*+"'
_FLAT: Final = rb'(?:[^{}\[\]"]++|' + _STRING + rb")*+"


def _nested(inner: bytes) -> bytes:
    """``inner`` with arrays and objects of it in between."""
    return inner + rb"(?:(?:\{" + inner + rb"\}|\[" + inner + rb"\])" + inner + rb")*+"


@cache  # made when first needed: it takes 6 ms
def _plain() -> re.Pattern[bytes]:
    """One object, nested up to three levels, and the comma after it."""
    return re.compile(rb"[ \t\n\r]*+(\{" + _nested(_nested(_FLAT)) + rb"\})[ \t\n\r]*+,", re.DOTALL)


class ArrayReader:
    """Elements are cut at the commas of the outermost level; what they are is not judged.

    What follows the closing bracket is one more piece, never dropped in silence.
    """

    def __init__(self, max_frame: int, *, line: int = 1, offset: int = 0) -> None:
        self._max = max_frame
        self._line = line
        """Line of ``_element``'s first byte, or of the next byte where there is none."""
        self._offset = offset
        self._out: list[Piece] = []
        self._element: list[bytes] = []
        self._size = 0
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._any = False
        """An element was seen: a comma without one before it makes an empty element."""
        self._skipping = False
        self._closed = False

    def feed(self, chunk: bytes) -> list[Piece]:
        """The pieces that ``chunk`` completes."""
        start = position = self._take_plain(chunk, 0)
        while (found := self._next(chunk, position)) >= 0:
            byte = chunk[found : found + 1]
            position = found + 1
            if self._closes(byte):
                self._add(chunk[start:found])
                self._element_ends(byte)
                start = position = self._take_plain(chunk, position)
        self._add(chunk[start:])
        return self._flush()

    def end(self) -> list[Piece]:
        """The rest: an element if it is one object, else a cut tail."""
        rest = b"".join(self._element)
        text = rest.rstrip(_SPACE)
        if text and not self._skipping:
            whole = self._closed or is_object(text)
            kind = Frame if whole else Cut
            self._out.append(kind(text, self._line, self._offset))
        return self._flush()

    def _take_plain(self, chunk: bytes, start: int) -> int:
        """Take whole objects of ordinary depth, with the commas after them; where they end.

        An accelerator: what it leaves, byte by byte reading takes, and takes alike.
        """
        if self._depth != 1 or self._closed or self._element or self._skipping:
            return start
        match = _plain().match
        while (found := match(chunk, start)) is not None and len(found[1]) <= self._max:
            self._pass(chunk[start : found.start(1)])
            self._out.append(Frame(found[1], self._line, self._offset))
            self._pass(chunk[found.start(1) : found.end()])
            self._any = True
            start = found.end()
        return start

    def _flush(self) -> list[Piece]:
        out, self._out = self._out, []
        return out

    def _next(self, chunk: bytes, position: int) -> int:
        """Where the next byte with a meaning stands; -1 when there is none."""
        if self._escaped and position < len(chunk):
            self._escaped = False
            position += 1
        while self._in_string:
            found = _INSIDE.search(chunk, position)
            if found is None:
                return -1
            position = found.end()
            if found.group() == b'"':
                self._in_string = False
            elif position < len(chunk):
                position += 1
            else:
                self._escaped = True
                return -1
        found = _OUTSIDE.search(chunk, position)
        return -1 if found is None else found.start()

    def _closes(self, byte: bytes) -> bool:
        """Take in one byte outside of strings; whether an element begins or ends at it."""
        if byte == b'"':
            self._in_string = True
        elif byte in b"[{":
            self._depth += 1
            return self._depth == 1 and not self._closed
        elif byte in b"]}":
            self._depth -= 1
            return self._depth == 0 and not self._closed
        return byte == b"," and self._depth == 1 and not self._closed

    def _add(self, piece: bytes) -> None:
        if self._skipping:
            self._pass(piece)
            return
        if not self._element:
            blank = len(piece) - len(piece.lstrip(_SPACE))
            self._pass(piece[:blank])
            piece = piece[blank:]
        if not piece:
            return
        self._element.append(piece)
        self._size += len(piece)
        if self._size > self._max:
            self._too_long()

    def _too_long(self) -> None:
        rest = b"".join(self._element)
        head = rest[: min(_HEAD, self._max)]
        self._out.append(FrameTooLong(head, self._line, self._offset, self._max))
        self._skipping = self._any = True
        self._pass(rest)
        self._element.clear()

    def _pass(self, piece: bytes) -> None:
        self._line += piece.count(b"\n")
        self._offset += len(piece)

    def _element_ends(self, byte: bytes) -> None:
        rest = b"".join(self._element)
        text = rest.rstrip(_SPACE)
        if byte in b"[{":
            if text == _BOM:
                self._out.append(Bom())
        elif not self._skipping and (text or byte == b"," or self._any):
            self._out.append(Frame(text, self._line, self._offset))
        self._any = byte == b","
        self._closed = byte in b"]}"
        self._pass(rest + byte)
        self._element.clear()
        self._size = 0
        self._skipping = False
