"""From the bytes of one connection after another to pieces."""

from __future__ import annotations

from collections.abc import Callable

from transcript_tui.errors import FileUnreadable
from transcript_tui.session.sources.source import Opened
from transcript_tui.wire.frames import NotEvents, Piece
from transcript_tui.wire.reader import Reader, open_reader

__all__ = ["Framing"]


class Framing:
    """Bytes in, pieces out."""

    def __init__(self, label: str, max_frame: int, note: Callable[[str], None]) -> None:
        """``label`` names the source in sentences; ``max_frame`` is in bytes; ``note`` is told
        what was read leniently, a sentence each."""
        self.error: FileUnreadable | None = None
        """The bytes ended last were no log."""
        self._note = note
        self._label = label
        self._max_frame = max_frame
        self._reader: Reader | None = None
        self._keep_id: Callable[[str], None] | None = None

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
            self._note("The gzip data is damaged or breaks off: what came before that is shown.")
        return pieces

    def _about(self, error: FileUnreadable) -> FileUnreadable:
        """The reader's sentence, which does not know whose bytes it read."""
        return FileUnreadable(f"{self._label}: {error}", error.hint, error.body)


def _no_events(mark: NotEvents) -> FileUnreadable:
    return FileUnreadable(
        "This is text, but no event stream: not one event is in it.",
        "Give an SSE dump, JSON lines, or a JSON array of events.",
        mark.head.decode("utf-8", "replace"),
    )
