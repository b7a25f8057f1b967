"""From the bytes of one connection after another to pieces, and what their marks mean."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from transcript_tui.errors import FileUnreadable, UsageError
from transcript_tui.session.sources.source import Opened
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire.frames import (
    Bom,
    FrameTooLong,
    FramingCr,
    FramingEnd,
    Mark,
    NotEvents,
    Piece,
)
from transcript_tui.wire.reader import Reader, open_reader

__all__ = ["Framing", "input_left_out", "tell"]

_RULES: Final[Mapping[type[Piece], str]] = {
    FramingCr: "framing-crlf",
    Bom: "framing-bom",
    FramingEnd: "framing-end",
}


def tell(pipeline: Pipeline, mark: Mark) -> None:
    """What a mark says of how a stream was framed, to what judges that; others say nothing."""
    if isinstance(mark, FrameTooLong):
        pipeline.oversized(mark.limit)
    elif rule := _RULES.get(type(mark)):
        pipeline.framing(rule)


_AT_ONCE: Final = 65_536
_PACKED: Final = 8_192


class Framing:
    """Bytes in, pieces out."""

    def __init__(self, label: str, max_frame: int, note: Callable[[str], None]) -> None:
        """``label`` names the source in sentences (or ``""``, where that is done elsewhere);
        ``max_frame`` is in bytes; ``note`` is told
        what was read leniently, a sentence each."""
        self.error: FileUnreadable | None = None
        """The bytes ended last were no log."""
        self._note = note
        self._label = label
        self._max_frame = max_frame
        self._reader: Reader | None = None
        self._keep_id: Callable[[str], None] | None = None

    @property
    def at_once(self) -> int:
        """Bytes to be framed in one go: fewer of what is gzip, or may turn out to be, in which are
        perhaps a thousand times as many."""
        reader = self._reader
        plain = reader is not None and reader.format is not None and not reader.packed
        return _AT_ONCE if plain else _PACKED

    @property
    def begun(self) -> bool:
        return self._reader is not None

    def begin(self, opened: Opened) -> None:
        """Another connection's bytes follow."""
        self._reader = open_reader(opened.hint, self._max_frame)
        self._keep_id = opened.keep_id

    def feed(self, part: bytes) -> list[Piece]:
        """The pieces that became whole; raises :class:`FileUnreadable`."""
        assert self._reader is not None
        try:
            return self._reader.feed(part)
        except FileUnreadable as error:
            raise self._about(error) from None

    def end(self) -> list[Piece]:
        """The last pieces; where the content turns out to be no log, see ``error``."""
        reader, self._reader, self.error = self._reader, None, None
        if reader is None:
            return []
        try:
            pieces = reader.end()
        except FileUnreadable as error:
            self.error = self._about(error)
            return []
        if self._keep_id is not None and reader.last_id is not None:
            self._keep_id(reader.last_id)
        for piece in pieces:
            if isinstance(piece, NotEvents):
                self.error = self._about(_no_events(piece))
        if reader.cut_short:
            self._note("The gzip data is damaged or breaks off: what came before that is kept.")
        return pieces

    def _about(self, error: FileUnreadable) -> FileUnreadable:
        """The reader's sentence, which does not know whose bytes it read."""
        about = f"{self._label}: " if self._label else ""
        return FileUnreadable(f"{about}{error}", error.hint, error.body)


def _no_events(mark: NotEvents) -> FileUnreadable:
    """The content is no log at all."""
    return FileUnreadable(
        "This is text, but no event stream: not one event is in it.",
        "Give an SSE dump, JSON lines, or a JSON array of events.",
        mark.head.decode("utf-8", "replace"),
    )


def input_left_out(error: UsageError) -> str:
    """An input that was found in the bytes is malformed."""
    return f"The input in the log is left out. {error}"
