"""Messages, with all that they ever held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from transcript_tui.protocol.shapes import ContentPart, Metadata, Role
from transcript_tui.transcript.history import BEFORE, LATEST, History, Openings, Text
from transcript_tui.transcript.living import JsonHistory, MetadataLog
from transcript_tui.transcript.model.entry import Entry
from transcript_tui.transcript.model.toolcall import Sealed, ToolCall, ToolCallView, sealed_at


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
