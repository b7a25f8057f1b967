"""The transcript: what the folded events amount to, at any position.

``Transcript.entries`` is the one ordered list that everything shown comes from. It only
ever grows at its end: an entry is *born* at one stamp and may be *dropped* at a later one
(a snapshot that leaves it out), it never moves. An entry's ``key`` is its index in that
list: stable, unique, the identity that views use (protocol ids may repeat).

Entries hold their whole history. To look at one, ask ``entry.at(position)``: a frozen
value. A view therefore reads only what it shows, at whatever position it is.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Final, Literal

from transcript_tui.protocol.findings import Violation
from transcript_tui.protocol.shapes import ContentPart, Interrupt, Metadata, Role, TokenUsage
from transcript_tui.transcript.history import BEFORE, LATEST, History, Openings, Text
from transcript_tui.transcript.living import JsonHistory, MetadataLog

Ending = Literal["finished", "interrupted", "cancelled", "failed", "truncated", "rejected"]
"""The six endings of ``check.md``; never confused."""

ToolState = Literal["streaming", "complete", "answered", "pending", "cut"]
"""Arguments streaming; complete; answered by a result; unanswered when its run finished or was
interrupted (the front end's to answer); cut off before END."""

NEVER: Final = LATEST
NOTHING: Final = -1
MANY: Final = -2


@dataclass(slots=True, eq=False)
class Entry:
    """One thing in the transcript's order. Subclasses are the closed union ``AnyEntry``."""

    key: int
    born: int
    """Stamp of the payload that made it."""
    dropped: int = field(default=NEVER, kw_only=True)
    """Stamp of the snapshot that left it out; ``NEVER`` while it is held."""

    def held(self, position: int) -> bool:
        return self.born < position <= self.dropped


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
class MessageView:
    """A message as it stands at one position."""

    key: int
    id: str
    role: Role
    name: str | None
    owner: str | None
    """``subagentRunId``; ``None`` = the parent agent."""
    open: bool
    openings: int
    """Times it was opened by a START; 0 where it came whole (snapshot, input, result);
    > 1 = reopened."""
    text: Text | None
    """Identity changes when a snapshot replaced the content: layouts cached for another object
    are void."""
    length: int
    """Characters of ``text`` visible here."""
    settled: int
    """Characters of ``text`` that were there when it was last closed: what a buffered view
    shows."""
    parts: tuple[ContentPart, ...]
    """Content parts, where the content is a list."""
    activity_type: str | None
    activity: dict[str, Any] | None
    """Never mutated; a patch makes a new one."""
    tool_calls: tuple[ToolCallView, ...]
    tool_call_id: str | None
    error: str | None
    metadata: Metadata | None
    encrypted: bool
    """An encrypted value is attached; it is named, never shown."""
    first: int | None
    """Stamp of the first content, ``None`` before it."""
    last: int | None
    """Stamp of the latest content visible here."""
    cut: bool
    """Its run ended (failed, truncated, rejected) while it was open."""

    def content(self) -> str:
        """The text visible here."""
        return self.text.read(0, self.length) if self.text is not None else ""


@dataclass(frozen=True, slots=True)
class RunEnding:
    kind: Ending
    stamp: int
    message: str | None = None
    code: str | None = None
    usage: tuple[TokenUsage, ...] | None = None
    pending: tuple[str, ...] = ()
    """Ids of tool calls left for the front end (derived where the producer does not say)."""
    interrupts: tuple[Interrupt, ...] = ()
    result: Any = None


@dataclass(slots=True, eq=False)
class Run:
    """One run of the agent; both ids are ``None`` for an error outside any run."""

    index: int
    thread_id: str | None
    run_id: str | None
    started: int
    parent_run_id: str | None
    protocol_version: str | None
    ending: History[RunEnding | None]
    events: int = 0
    """Delivered events, chunks expanded."""


@dataclass(slots=True, eq=False)
class RunStart(Entry):
    """Divider where a run begins."""

    run: Run


@dataclass(slots=True, eq=False)
class RunEnd(Entry):
    """Divider where an event ended a run; look at ``run.ending.at(position)`` (a late RUN_ERROR
    changes it). Where a run was rejected or truncated, a ``Rejection`` or ``Cut`` stands."""

    run: Run


@dataclass(slots=True, eq=False)
class Step(Entry):
    name: str
    owner: str | None
    run: int
    finished: int | None = None
    """Stamp of STEP_FINISHED."""


@dataclass(frozen=True, slots=True)
class SubagentEnding:
    stamp: int
    kind: Literal["finished", "suspended", "failed"]
    message: str | None = None
    code: str | None = None
    interrupts: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Subagent(Entry):
    """An announced invocation."""

    id: str
    name: str
    description: str | None
    parent: str | None
    parent_tool_call: str | None
    run: int
    ending: History[SubagentEnding | None]


@dataclass(slots=True, eq=False)
class Passthrough(Entry):
    """A CUSTOM or RAW event; its payload is the tape's payload number ``born``."""

    kind: Literal["CUSTOM", "RAW"]
    name: str
    """``name`` of CUSTOM, ``source`` of RAW (may be empty)."""
    owner: str | None = None


@dataclass(slots=True, eq=False)
class Rejection(Entry):
    """Where the stream was rejected; ``after`` marks a further violation, with
    ``--keep-going``."""

    violation: Violation
    after: bool = False


@dataclass(slots=True, eq=False)
class Cut(Entry):
    """Where the bytes ended in mid-run, or where a connection was lost and another began."""

    kind: Literal["truncated", "gap"]
    tail: bytes = b""
    """Bytes of a frame that never ended."""
    message: str = ""


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


class Body:
    """What a message holds between two replacements by a snapshot. The fields that are no
    histories never change; an open body's text, calls, metadata and activity grow."""

    __slots__ = (
        "activity", "activity_type", "calls", "error", "listed", "metadata", "name", "owner",
        "parts", "role", "sealed", "since", "text", "text_since", "tool_call_id", "whole",
    )  # fmt: skip

    def __init__(self, role: Role, since: int) -> None:
        self.role: Role = role
        self.since = since
        self.name: str | None = None
        self.owner: str | None = None
        self.text: Text | None = None
        self.text_since = since
        """Stamp from which the content is text; a message made by a tool call has none before."""
        self.whole = False
        """Its content came at once: nothing of it waits in a buffered view."""
        self.parts: tuple[ContentPart, ...] | None = None
        self.calls: list[ToolCall] | None = None
        self.listed = False
        """It came with a list of calls, perhaps an empty one."""
        self.tool_call_id: str | None = None
        self.error: str | None = None
        self.activity_type: History[str] | None = None
        self.activity: JsonHistory | None = None
        self.metadata: MetadataLog | None = None
        self.sealed: History[Sealed | None] | None = None

    def again(self, since: int) -> Body:
        """A copy from ``since`` on: what grows is shared with it."""
        copy = Body(self.role, since)
        for slot in Body.__slots__:
            setattr(copy, slot, getattr(self, slot))
        copy.since = since
        copy.calls = None if self.calls is None else list(self.calls)
        return copy

    def text_at(self, position: int) -> Text | None:
        return self.text if self.text is not None and self.text_since < position else None

    def calls_at(self, position: int) -> list[ToolCall]:
        return [call for call in self.calls or () if call.born < position]


class Message(Entry):
    """A message with its history. Written by the reducer only; read it with :meth:`at`."""

    __slots__ = (
        "_bodies", "after", "anchor", "body", "book", "following", "id", "last_result",
        "openings",
    )  # fmt: skip

    def __init__(self, key: int, born: int, id: str, body: Body) -> None:
        super().__init__(key, born)
        self.id = id
        self.body = body
        """As it stands at the latest position."""
        self._bodies: History[Body] | None = None
        self.openings = Openings()
        self.book = 0
        """Which conversation (thread) of the source holds it."""
        self.after: Message | None = None
        """In the protocol's order it stands right behind this one; ``None`` = in order of birth."""
        self.anchor = key
        """Key of the message, itself or an earlier one, that gives it its place in that order."""
        self.following: Message | None = None
        """The next held message in the protocol's order, at the latest position."""
        self.last_result: Message | None = None
        """The latest of the results that stand behind it."""

    def replace(self, body: Body) -> None:
        """Go on with another body, from ``body.since`` on."""
        if self._bodies is None:
            self._bodies = History(self.body, self.born)
        self._bodies.set(body, body.since)
        self.body = body

    def body_at(self, position: int) -> Body:
        return self.body if self._bodies is None else self._bodies.at(position)

    def at(self, position: int = LATEST) -> MessageView:
        body = self.body_at(position)
        text = body.text_at(position)
        length = 0 if text is None else text.length_at(position)
        # What an activity replaced may be open still; the activity never is.
        opened = None if body.role == "activity" else self.openings.since(position)
        first, last = self._moments(body, text, position)
        return MessageView(
            key=self.key,
            id=self.id,
            role=body.role,
            name=body.name,
            owner=body.owner,
            open=opened is not None,
            openings=self.openings.count(position),
            text=text,
            length=length,
            settled=_settled(body, text, opened, length),
            parts=(body.parts or ()) if text is None else (),
            activity_type=None if body.activity_type is None else body.activity_type.at(position),
            activity=None if body.activity is None else body.activity.at(position),
            tool_calls=tuple(call.at(position) for call in body.calls_at(position)),
            tool_call_id=body.tool_call_id,
            error=body.error,
            metadata=None if body.metadata is None else body.metadata.at(position),
            encrypted=sealed_at(body.sealed, position) is not None,
            first=first,
            last=last,
            cut=self.openings.cut(position),
        )

    def _moments(
        self, body: Body, text: Text | None, position: int
    ) -> tuple[int | None, int | None]:
        """Stamps of the first and the latest content."""
        if body.activity is not None:
            return self.born, body.activity.last_stamp(position)
        last = None if text is None else text.last_stamp(position)
        if last is None:
            return (body.since, body.since) if body.whole and body.since > BEFORE else (None, None)
        assert text is not None
        return text.first_stamp(), last


def _settled(body: Body, text: Text | None, opened: int | None, length: int) -> int:
    if text is None or opened is None:
        return length
    if body.whole and body.since >= opened:
        return text.length_at(body.since + 1)
    return text.length_at(opened)


AnyEntry = Message | RunStart | RunEnd | Step | Subagent | Passthrough | Rejection | Cut
