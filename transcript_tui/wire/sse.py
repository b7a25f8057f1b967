"""Server-Sent Events, bytes in, frames out (``protocol.md``, "Framing").

Not httpx-sse: it loses the first event after a byte-order mark, yields empty events after
an ``id:``, drops an unfinished last event without a word, knows no offsets, and costs
several times what cutting the buffer at blank lines costs (``design.md`` has the figures).
"""

from __future__ import annotations

import re
from typing import Final

from transcript_tui.wire import recording
from transcript_tui.wire.frames import (
    Bom,
    Cut,
    Frame,
    FrameTooLong,
    FramingCr,
    FramingEnd,
    Input,
    NewStream,
    NotEvents,
    Piece,
)
from transcript_tui.wire.jsontext import is_object

__all__ = ["HEAD", "SseReader"]

HEAD: Final = 4096
"""Bytes shown of what could not be taken as a frame."""

_SETTLE: Final = 65_536
"""From this size on, whole lines of an unfinished frame are taken in, not scanned again."""

_BOM: Final = b"\xef\xbb\xbf"
_DATA: Final = b"data: "
_AT: Final = b": +"
_NEXT_AT: Final = b"\n\n: +"
_THEN_DATA: Final = b"\ndata: "
_TIME: Final = 15
"""Characters of an offset that is read fast; all that is written are shorter."""
_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_FIELDS: Final = (b"data", b"event", b"id", b"retry")
_FIELD_BEGINS: Final = re.compile(
    rb"(?:d(?:a(?:t(?:a)?)?)?|e(?:v(?:e(?:n(?:t)?)?)?)?|id?|r(?:e(?:t(?:r(?:y)?)?)?)?)$"
)
"""A line cut inside a field's name."""


class SseReader:
    """An incremental framer: any split of the bytes gives the same pieces.

    ``line`` and ``offset`` say where the first byte fed stands in the source (an HTTP
    answer's headers may stand above).
    """

    def __init__(self, max_frame: int, *, line: int = 1, offset: int = 0) -> None:
        self._max = max_frame
        self._line = line
        self._offset = offset
        self._pieces: list[bytes] = []
        """Bytes not looked at yet, but for a scan that found no line end."""
        self._size = 0
        self._out: list[Piece] = []
        self._started = False
        self._crs = False
        """A CR was seen: from here on, lines are cut one by one."""
        self._swallow_lf = False
        """The last byte was a CR that ended a line: an LF belongs to it."""
        self._frame = _Assembly()
        self._mid_line = False
        """The beginning of this line was thrown away: it is not blank."""
        self._recording = False
        self._at: float | None = None
        self._frames = 0
        self._alien = b""
        """The first line that is no field and no comment."""
        self._id: bytes | None = None
        self.last_id: bytes | None = None
        """The last event id, as the next connection is to be asked with; ``None``: no frame has
        said one. It is that of the last frame that was taken, as `the standard has it`__: until a
        frame ends, what it says is held back.

        __ https://html.spec.whatwg.org/multipage/server-sent-events.html#dispatchMessage
        """

    def feed(self, chunk: bytes) -> list[Piece]:
        """The pieces that ``chunk`` completes."""
        self._pieces.append(chunk)
        self._size += len(chunk)
        if not self._started and not self._start():
            return []
        if self._swallow_lf or b"\n" in chunk or b"\r" in chunk or len(self._pieces) == 1:
            self._consume(b"".join(self._pieces))
        elif self._frame.size + self._size > self._max:
            self._take_lines(b"".join(self._pieces))
        return self._flush()

    def end(self) -> list[Piece]:
        """What is left when the bytes have ended: a last frame, a cut tail, or nothing."""
        if not self._started:
            self._begin(b"".join(self._pieces))
        if self._pieces:
            self._take_lines(b"".join(self._pieces))
        self._finish(b"".join(self._pieces))
        return self._flush()

    def _flush(self) -> list[Piece]:
        out, self._out = self._out, []
        return out

    def _keep(self, rest: bytes) -> None:
        self._pieces = [rest] if rest else []
        self._size = len(rest)

    def _start(self) -> bool:
        head = b"".join(self._pieces)
        if len(head) < len(_BOM) and _BOM.startswith(head):
            return False
        self._begin(head)
        return True

    def _begin(self, head: bytes) -> None:
        self._started = True
        if head.startswith(_BOM):
            self._out.append(Bom())
            self._offset += len(_BOM)
            head = head[len(_BOM) :]
        self._keep(head)

    def _consume(self, buffer: bytes) -> None:
        """Take in ``buffer``: whole frames at once where that can be, else line by line."""
        if self._swallow_lf or not self._frame.empty or (b"\r" in buffer and not self._crs):
            self._take_lines(buffer)
            return
        end = b"\r\n" if self._crs else b"\n"
        cut = buffer.rfind(2 * end)
        if cut >= 0:
            if not self._take_blocks(buffer[:cut], end):
                self._take_lines(buffer)
                return
            buffer = buffer[cut + 2 * len(end) :]
        if len(buffer) > min(_SETTLE, self._max):
            self._take_lines(buffer)
        else:
            self._keep(buffer)

    def _take_blocks(self, blocks: bytes, end: bytes) -> bool:
        """Whole frames, without the blank line of the last one; false: nothing was taken."""
        if self._take_plain(blocks, end) or (self._recording and self._take_recorded(blocks)):
            return True
        if self._crs:
            return False
        for block in blocks.split(b"\n\n"):
            if not self._take_plain(block, end):
                for text in block.split(b"\n"):
                    self._take_line(text, 1)
                self._take_line(b"", 1)
        return True

    def _take_plain(self, blocks: bytes, end: bytes) -> bool:
        """Frames of one ``data: `` line each, if ``blocks`` is nothing else. The hot loop."""
        if not blocks.startswith(_DATA):
            return False
        payloads = blocks[6:].split(2 * end + _DATA)
        ends = 2 * len(payloads) - 2
        # Every line end belongs to a boundary: there is no other line, and no blank one.
        if blocks.count(b"\n") != ends or (self._crs and blocks.count(b"\r") != ends):
            return False
        if self._any_too_long(payloads):
            return False
        append, line, offset, around = self._out.append, self._line, self._offset, 6 + 2 * len(end)
        at, self._at = self._at, None
        for payload in payloads:
            append(Frame(payload, line, offset, at))
            at = None
            line += 2
            offset += len(payload) + around
        self._frames += len(payloads)
        self._line, self._offset = line, offset
        return True

    def _take_recorded(self, blocks: bytes) -> bool:
        """The same for a recording: each ``data: `` line below a line with its offset."""
        if not blocks.startswith(_AT):
            return False
        parts = blocks[3:].split(_NEXT_AT)
        if blocks.count(b"\n") != 3 * len(parts) - 2 or self._any_too_long(parts):
            return False
        frames, line, offset = [], self._line, self._offset
        for part in parts:
            at, then, payload = part.partition(_THEN_DATA)
            if not then or len(at) > _TIME or not at.replace(b".", b"", 1).isdigit():
                return False
            offset += len(at) + 4
            frames.append(Frame(payload, line + 1, offset, float(at)))
            line += 3
            offset += len(payload) + 8
        self._out += frames
        self._frames += len(frames)
        self._line, self._offset = line, offset
        return True

    def _any_too_long(self, payloads: list[bytes]) -> bool:
        """Whether one may be; the way line by line says so exactly."""
        longest = self._max - 6
        return self._size > longest and any(len(payload) > longest for payload in payloads)

    def _take_lines(self, buffer: bytes) -> None:
        """Every line of ``buffer`` that is whole; the rest is kept."""
        start = 0
        if self._swallow_lf and buffer:
            self._swallow_lf = False
            if buffer.startswith(b"\n"):
                self._offset += 1
                start = 1
        for end in _LINE_END.finditer(buffer, start):
            self._take_line(buffer[start : end.start()], end.end() - end.start())
            if end.group() != b"\n":
                self._saw_cr()
                self._swallow_lf = end.group() == b"\r" and end.end() == len(buffer)
            start = end.end()
        rest = buffer[start:]
        self._keep(rest)
        if rest and self._frame.size + len(rest) > self._max:
            self._give_up(rest)

    def _saw_cr(self) -> None:
        if not self._crs:
            self._crs = True
            self._out.append(FramingCr())

    def _take_line(self, text: bytes, ending: int) -> None:
        """One line, without its ``ending`` bytes of line end."""
        frame = self._frame
        if frame.skipping and (text or self._mid_line):
            if not self._mid_line and len(text) <= self._max:
                self._hold_id(text)
            self._mid_line = False
        elif not text:
            self._dispatch()
        elif frame.size + len(text) > self._max:
            self._too_long(text)
        elif text.startswith(b":"):
            self._comment(text)
        else:
            frame.take(text, self._line, self._offset)
            if text.startswith(b"id"):
                self._hold_id(text)
            self._notice(text)
        self._line += 1
        self._offset += len(text) + ending

    def _notice(self, text: bytes) -> None:
        if not self._alien and not self._frames and text.partition(b":")[0] not in _FIELDS:
            self._alien = text[:HEAD]

    def _hold_id(self, text: bytes) -> None:
        name, _, value = text.partition(b":")
        if name == b"id" and b"\0" not in value:
            self._id = value.removeprefix(b" ")

    def _dispatch(self) -> None:
        frame = self._frame
        if frame.has_data:
            self._emit(frame)
        if not frame.empty:
            self._frame = _Assembly()
            self.last_id = self._id

    def _emit(self, frame: _Assembly) -> None:
        at, self._at = self._at, None
        place = frame.line, frame.offset
        if frame.limit is None:
            self._out.append(Frame(frame.payload(), *place, at))
        else:
            self._out.append(FrameTooLong(frame.payload(), *place, frame.limit, at))
        self._frames += 1

    def _give_up(self, partial: bytes) -> None:
        """An unfinished line is too long already: say so once, then let it pass."""
        if not self._frame.skipping:
            self._too_long(partial)
        self._mid_line = True
        self._offset += len(partial)
        self._keep(b"")

    def _too_long(self, text: bytes) -> None:
        frame = self._frame
        line, offset = (frame.line, frame.offset) if frame.raw else (self._line, self._offset)
        head = b"\n".join([*frame.raw, text])[: min(HEAD, self._max)]
        if head.startswith(b"data:"):  # judged as the beginning of a payload, not as a frame
            head = head[5:].removeprefix(b" ")
        at, self._at = self._at, None
        self._out.append(FrameTooLong(head, line, offset, self._max, at))
        self._frames += 1
        self._frame = _Assembly(skipping=True)

    def _comment(self, text: bytes) -> None:
        if self._line == 1 and (header := recording.read_header(text)) is not None:
            self._recording = True
            self._out.append(header)
        elif self._recording:
            self._recorded(text)

    def _recorded(self, text: bytes) -> None:
        match recording.read_comment(text):
            case recording.Offset() as at:
                self._at = float(at)
            case recording.InputComment(value):
                self._out.append(Input(value))
            case recording.StreamComment(number, at):
                self._crs = False
                self._out.append(NewStream(number, at))
            case recording.CutComment(tail, at):
                self._out.append(Cut(tail, self._line, self._offset, at))
            case recording.TooLongComment(limit):
                self._frame.limit = limit
            case recording.FRAMING_CRLF:
                self._out.append(FramingCr())

    def _finish(self, partial: bytes) -> None:
        """``partial`` is a last line without a line end."""
        frame = self._frame
        if frame.skipping:
            return
        if partial.startswith(b":"):
            partial = b""
        tail = b"".join(raw + b"\n" for raw in frame.raw) + partial
        if partial:
            frame.take(partial, self._line, self._offset)
            if not _FIELD_BEGINS.match(partial):
                self._notice(partial)
        if frame.has_data and is_object(frame.payload()):
            self._emit(frame)
            self._out.append(FramingEnd())
            # It was taken: asked for what comes after the one before, it would come twice.
            self.last_id = self._id
        elif self._alien and not self._frames and not frame.has_data:
            self._out.append(NotEvents(self._alien))
        elif frame.has_data or partial:
            self._cut(frame, tail)

    def _cut(self, frame: _Assembly, tail: bytes) -> None:
        self._out.append(Cut(tail, frame.line, frame.offset, self._at))


class _Assembly:
    """The lines of a frame that has not ended."""

    __slots__ = ("has_data", "limit", "line", "offset", "raw", "size", "skipping")

    def __init__(self, *, skipping: bool = False) -> None:
        self.has_data = False
        self.raw: list[bytes] = []
        self.size = 0
        self.line = 0
        self.offset = 0
        self.skipping = skipping
        self.limit: int | None = None
        """Where a recording says that this is only the head of a frame of more bytes."""

    @property
    def empty(self) -> bool:
        return not self.raw and not self.skipping and self.limit is None

    def take(self, text: bytes, line: int, offset: int) -> None:
        if not self.raw:
            self.line, self.offset = line, offset
        self.raw.append(text)
        self.size += len(text)
        self.has_data = self.has_data or text.startswith(b"data:") or text == b"data"

    def payload(self) -> bytes:
        """What its data lines hold, taken out of them now: many of them would be held twice."""
        of_data = (text for text in self.raw if text.startswith(b"data:") or text == b"data")
        return b"\n".join(text[5:].removeprefix(b" ") for text in of_data)
