"""Tool calls, with all that became of them."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Literal

from transcript_tui.protocol.shapes import Metadata
from transcript_tui.transcript.history import LATEST, History, Openings, Text
from transcript_tui.transcript.living import MetadataLog
from transcript_tui.transcript.model.dividers import Run

if TYPE_CHECKING:
    # The other way round: a message holds its calls.
    from transcript_tui.transcript.model.message import Message

ToolState = Literal["streaming", "complete", "answered", "pending", "cut"]
"""Arguments streaming; complete; answered by a result; unanswered when its run finished or was
interrupted (the front end's to answer); cut off before END."""


@dataclass(frozen=True, slots=True)
class ToolCallView:
    """A tool call as it stands at one position."""

    id: str
    name: str
    text: Text
    """The arguments as they grow; ``length`` characters of it are visible here."""
    length: int
    state: ToolState
    started: int
    ended: int | None
    """Stamp of TOOL_CALL_END."""
    result: int | None
    """Key of the tool message that answered it."""
    answered: int | None
    """Stamp of the first result since it was last closed."""
    metadata: Metadata | None
    encrypted: bool

    @property
    def arguments(self) -> str:
        """The argument text visible here; JSON by convention only."""
        return self.text.read(0, self.length)


@dataclass(frozen=True, slots=True)
class Sealed:
    """An encrypted value: kept to be sent back, never parsed, never shown."""

    value: str
    type: str | None = None


class ToolCall:
    """A tool call with its history; it lives in the body of the message it hangs on."""

    __slots__ = (
        "_texts", "arguments", "born", "id", "message", "metadata", "name", "openings", "owner",
        "results", "run", "sealed",
    )  # fmt: skip

    message: Message
    """The message it hangs on; set when the call is registered."""

    def __init__(self, id: str, name: str, stamp: int) -> None:
        self.id = id
        self.born = stamp
        self.name = History(name, stamp)
        self.arguments = Text()
        """As they stand at the latest position."""
        self._texts: History[Text] | None = None
        self.openings = Openings()
        self.metadata: MetadataLog | None = None
        self.sealed: History[Sealed | None] | None = None
        self.owner: str | None = None
        self.run: History[Run | None] = History(None, stamp)
        """The run that opened it last; ``None`` for input."""
        self.results: list[tuple[int, Message]] = []
        """Tool messages that name it, each with the stamp from which on it does; shared by all
        calls of this id."""

    def at(self, position: int = LATEST) -> ToolCallView:
        answer = self.answer(position)
        text = self.arguments_at(position)
        return ToolCallView(
            id=self.id,
            name=self.name.at(position),
            text=text,
            length=text.length_at(position),
            state=self._state(position, answer is not None),
            started=self.born,
            ended=None if self.openings.cut(position) else self.openings.ended(position),
            result=None if answer is None else answer.key,
            answered=None if answer is None else self._answered(position, answer),
            metadata=None if self.metadata is None else self.metadata.at(position),
            encrypted=sealed_at(self.sealed, position) is not None,
        )

    def reopen_arguments(self, stamp: int) -> None:
        """Go on with them; a half of a surrogate pair that was given up waits again."""
        again = self.arguments.reopened()
        if again is not self.arguments:
            if self._texts is None:
                self._texts = History(self.arguments, self.born)
            self._texts.set(again, stamp)
            self.arguments = again

    def arguments_at(self, position: int) -> Text:
        return self.arguments if self._texts is None else self._texts.at(position)

    def answer(self, position: int) -> Message | None:
        """The latest tool message held at ``position`` that answers this call."""
        for stamp, message in reversed(self.results):
            # A message may come to answer a call again, after another one did.
            held = stamp < position and message.held(position)
            if held and message.body_at(position).tool_call_id == self.id:
                return message
        return None

    def _answered(self, position: int, answer: Message) -> int:
        """Stamp of the first result since the call was last closed.

        Not that of ``answer``: a snapshot may restate the result under another id, much later.
        """
        closed = self.openings.ended(position)
        since = self.born if closed is None else closed
        place = bisect_left(self.results, since, key=itemgetter(0))
        if place < len(self.results) and self.results[place][0] < position:
            return self.results[place][0]
        return answer.born

    def _state(self, position: int, answered: bool) -> ToolState:
        if self.openings.since(position) is not None:
            return "streaming"
        if answered:
            return "answered"
        if self.openings.cut(position):
            return "cut"
        run = self.run.at(position)
        ending = None if run is None else run.ending.at(position)
        if ending is not None and ending.kind in ("finished", "interrupted"):
            return "pending"
        return "complete"


def sealed_at(sealed: History[Sealed | None] | None, position: int) -> Sealed | None:
    return None if sealed is None else sealed.at(position)
