"""The kinds that come by the thousand: deltas of one item in a row, applied together.

What ``text`` and ``tools`` do with each of them, done once for a stretch. A law in the
tests says that this changes nothing but the time it takes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, get_args

from msgspec import UNSET

from transcript_tui.protocol.deltas import Growing
from transcript_tui.protocol.events import Expanded, ToolCallArgs
from transcript_tui.transcript.history import Text
from transcript_tui.transcript.model import Run
from transcript_tui.transcript.reduce.fold import Fold

_KINDS: Final[tuple[type[Growing], ...]] = get_args(Growing)
_message_id: Final = attrgetter("message_id")
_tool_call_id: Final = attrgetter("tool_call_id")


class Deltas:
    """A stretch of payloads that delivered one delta each, all for the same item and with the
    same verdict."""

    __slots__ = ("code", "fold", "id", "id_of", "key", "kind", "pieces", "run", "text", "verdicts")

    text: Text
    key: int
    run: Run
    id_of: Callable[[Any], str]

    def __init__(self, fold: Fold, verdicts: bytearray) -> None:
        self.fold = fold
        self.verdicts = verdicts
        self.kind: type[Expanded] | None = None
        """Of the stretch's events; ``None`` while there is no stretch."""
        self.id = ""
        self.code = 0
        """Of the verdict."""
        self.pieces: list[str] = []

    def take(self, event: Expanded | None, code: int) -> Growing | None:
        """``event`` if it goes on with the stretch, or begins one; else the stretch is over.

        ``code``: of the verdict on its payload.
        """
        if not isinstance(event, _KINDS):
            self.apply()
            return None
        going_on = type(event) is self.kind and self.id_of(event) == self.id
        if not going_on or code != self.code or event.metadata is not UNSET:
            self.apply()
            if not self._begin(event):
                return None
            self.code = code
        self.pieces.append(event.delta)
        return event

    def _begin(self, event: Growing) -> bool:
        """Whether the event's item stands, and there is only to append."""
        book, run = self.fold.book, self.fold.run
        if isinstance(event, ToolCallArgs):
            call = book.call(event.tool_call_id)
            message = None if call is None else call.message
            text, self.id_of = None if call is None else call.arguments, _tool_call_id
        else:
            message = book.by_id.get(event.message_id)
            text, self.id_of = None if message is None else message.body.text, _message_id
        if message is None or text is None or run is None or event.metadata is not UNSET:
            return False
        self.kind, self.id = type(event), self.id_of(event)
        self.text, self.key, self.run = text, message.key, run
        return True

    def apply(self) -> None:
        """The stretch, if there is one, is over."""
        count, fold = len(self.pieces), self.fold
        if not count:
            return
        self.text.extend(self.pieces, fold.stamp + 1)
        fold.transcript.touched.extend(array("i", (self.key,)) * count)
        self.verdicts.extend(bytes((self.code,)) * count)
        self.run.events += count
        fold.stamp += count
        fold.event += count
        self.kind = None
        self.pieces.clear()
