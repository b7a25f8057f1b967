"""Chunk expansion: the compact spelling becomes start, content and end (basic/patterns/streaming).

A *lane* belongs to an owner (``None``: the parent agent) and assembles one item at a time.
Rule ids: ``chunk-first``, ``chunk-conflict``, ``chunk-ambiguous``, ``owner``.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from msgspec import UNSET, UnsetType

from transcript_tui.protocol.events import (
    ActivityDelta,
    ActivitySnapshot,
    Chunk,
    Event,
    Expanded,
    MessagesSnapshot,
    Raw,
    ReasoningEncryptedValue,
    ReasoningMessageChunk,
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningMessageStart,
    RunError,
    RunFinished,
    RunStarted,
    SubagentError,
    SubagentFinished,
    SubagentStarted,
    TextMessageChunk,
    TextMessageContent,
    TextMessageEnd,
    TextMessageStart,
    ToolCallArgs,
    ToolCallChunk,
    ToolCallEnd,
    ToolCallStart,
)
from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.verification import Breach, named_owner, owner_name, shortened

__all__ = ["CHUNKS", "Expansion"]

Family = Literal["text message", "tool call", "reasoning message"]

FAMILIES: Final[dict[type[Chunk], Family]] = {
    TextMessageChunk: "text message",
    ToolCallChunk: "tool call",
    ReasoningMessageChunk: "reasoning message",
}
CHUNKS: Final = frozenset(FAMILIES)

_ASIDE: Final = frozenset(
    {Raw, ActivitySnapshot, ActivityDelta, ReasoningEncryptedValue, SubagentStarted}
)
"""These stand aside from assembly: they close nothing."""
_CLOSE_ALL: Final = frozenset({RunStarted, RunFinished, RunError, MessagesSnapshot})
_EXPLICIT: Final[dict[type, Family]] = {
    TextMessageStart: "text message",
    TextMessageContent: "text message",
    TextMessageEnd: "text message",
    ToolCallStart: "tool call",
    ToolCallArgs: "tool call",
    ToolCallEnd: "tool call",
    ReasoningMessageStart: "reasoning message",
    ReasoningMessageContent: "reasoning message",
    ReasoningMessageEnd: "reasoning message",
}
"""Events that name an item by id, in the explicit spelling."""


@dataclass(frozen=True, slots=True)
class Lane:
    """The item that a lane assembles, with what its opener established."""

    chunk: type[Chunk]
    id: str
    owner: str | None
    role: str | UnsetType = UNSET
    name: str | UnsetType = UNSET
    parent: str | UnsetType = UNSET

    @property
    def family(self) -> Family:
        return FAMILIES[self.chunk]


class Expansion:
    """Expands the chunks of one stream."""

    __slots__ = ("_items", "lanes", "last_closed")

    def __init__(self) -> None:
        self.lanes: dict[str | None, Lane] = {}
        self._items: dict[Family, dict[str, Lane]] = {family: {} for family in FAMILIES.values()}
        """The same lanes by what they assemble: there may be thousands of subagents."""
        self.last_closed: str | None = None
        """What closed the latest lane (an event type), to explain a chunk that came after."""

    def expand(self, event: Event) -> list[Expanded] | Breach:
        """What ``event`` stands for, in order; a breach changes nothing."""
        if isinstance(event, TextMessageChunk):
            return self._text(event)
        if isinstance(event, ToolCallChunk):
            return self._tool(event)
        if isinstance(event, ReasoningMessageChunk):
            return self._reasoning(event)
        return [*self._closed_by(event), event]

    def continued(self, chunk: Chunk) -> Expanded | None:
        """The content of a plain continuation; ``None`` where there is more to it.

        Plain: a delta and nothing else but the id (or not even that), for the item that its
        own lane assembles. The hot loop of chunked streams; ``expand`` says the same.
        """
        tag = chunk.subagent_run_id
        lane = self.lanes.get(None if tag is UNSET else tag)
        if lane is None or chunk.delta is UNSET or chunk.__class__ is not lane.chunk:
            return None
        if isinstance(chunk, ToolCallChunk):
            if chunk.tool_call_id is not UNSET and chunk.tool_call_id != lane.id:
                return None
            if chunk.tool_call_name is not UNSET or chunk.parent_message_id is not UNSET:
                return None
            return ToolCallArgs(
                tool_call_id=lane.id,
                delta=chunk.delta,
                subagent_run_id=tag,
                metadata=chunk.metadata,
                raw_event=chunk.raw_event,
            )
        if chunk.message_id is not UNSET and chunk.message_id != lane.id:
            return None
        if isinstance(chunk, ReasoningMessageChunk):
            return ReasoningMessageContent(
                message_id=lane.id,
                delta=chunk.delta,
                subagent_run_id=tag,
                metadata=chunk.metadata,
                raw_event=chunk.raw_event,
            )
        if chunk.role is not UNSET or chunk.name is not UNSET:
            return None
        return TextMessageContent(
            message_id=lane.id,
            delta=chunk.delta,
            subagent_run_id=tag,
            metadata=chunk.metadata,
            raw_event=chunk.raw_event,
        )

    def forget(self, rejected: Expanded) -> None:
        """Where a chunk's START was rejected, nothing can continue what it would have opened."""
        if isinstance(rejected, TextMessageStart | ToolCallStart | ReasoningMessageStart):
            lane = self._assembling(rejected)
            assert lane is not None, "it was opened for this very event"
            del self._items[lane.family][lane.id]
            del self.lanes[lane.owner]

    def _closed_by(self, event: Expanded) -> list[Expanded]:
        kind = type(event)
        if kind in _ASIDE or not self.lanes:
            return []
        if kind in _CLOSE_ALL:
            owners = list(self.lanes)
        elif isinstance(event, SubagentFinished | SubagentError):
            owners = [event.subagent_run_id]
        else:
            owners = [named_owner(event)]
            holder = self._assembling(event)
            if holder is not None and holder.owner not in owners:
                owners.append(holder.owner)
        return self._close(owners, str(kind.__struct_config__.tag))

    def _assembling(self, event: Expanded) -> Lane | None:
        """The lane whose item the explicit ``event`` names: the spellings never mix."""
        family = _EXPLICIT.get(type(event))
        if family is None:
            return None
        name = "tool_call_id" if family == "tool call" else "message_id"
        return self._items[family].get(getattr(event, name))

    def _close(self, owners: list[str | None], by: str) -> list[Expanded]:
        ends = []
        for owner in owners:
            lane = self.lanes.pop(owner, None)
            if lane is not None:
                del self._items[lane.family][lane.id]
                self.last_closed = by
                ends.append(_end(lane))
        return ends

    def _resolve(
        self, family: Family, id: str | UnsetType, chunk: Chunk
    ) -> tuple[Lane | None, str | None] | Breach:
        """The lane a chunk continues, or the owner in whose lane it opens an item."""
        tag = named_owner(chunk)
        if id is not UNSET:
            holder = self._items[family].get(id)
            if holder is None:
                return None, tag
            if tag is not None and tag != holder.owner:
                return _owner_breach(holder, tag)
            return holder, holder.owner
        if tag is None and not self._parents(family):
            alike = self._items[family].values()
            if len(alike) > 1:
                return _ambiguous(alike)
            tag = next(iter(alike)).owner if alike else None
        lane = self.lanes.get(tag)
        return (lane if lane is not None and lane.family == family else None), tag

    def _parents(self, family: Family) -> bool:
        lane = self.lanes.get(None)
        return lane is not None and lane.family == family

    def _text(self, chunk: TextMessageChunk) -> list[Expanded] | Breach:
        found = self._resolve("text message", chunk.message_id, chunk)
        if isinstance(found, Breach):
            return found
        lane, owner = found
        out: list[Expanded] = []
        if lane is None:
            if chunk.message_id is UNSET:
                return self._first("TEXT_MESSAGE_CHUNK", "messageId")
            lane = Lane(
                TextMessageChunk,
                chunk.message_id,
                owner,
                # No role means assistant, and a later chunk may say so.
                role="assistant" if chunk.role is UNSET else chunk.role,
                name=chunk.name,
            )
            out = self._open(lane, "TEXT_MESSAGE_CHUNK")
            out.append(
                TextMessageStart(
                    message_id=chunk.message_id,
                    role="assistant" if chunk.role is UNSET else chunk.role,
                    name=chunk.name,
                    subagent_run_id=chunk.subagent_run_id,
                    metadata=chunk.metadata,
                )
            )
        elif (chunk.role is not UNSET and chunk.role != lane.role) or (
            chunk.name is not UNSET and chunk.name != lane.name
        ):
            return _conflict(lane, chunk, (("role", lane.role), ("name", lane.name)))
        if _has_content(chunk, opened=bool(out)):
            out.append(
                TextMessageContent(
                    message_id=lane.id,
                    delta="" if chunk.delta is UNSET else chunk.delta,
                    subagent_run_id=_tag(chunk, lane),
                    metadata=chunk.metadata,
                    raw_event=chunk.raw_event,
                )
            )
        return out

    def _tool(self, chunk: ToolCallChunk) -> list[Expanded] | Breach:
        found = self._resolve("tool call", chunk.tool_call_id, chunk)
        if isinstance(found, Breach):
            return found
        lane, owner = found
        out: list[Expanded] = []
        if lane is None:
            if chunk.tool_call_id is UNSET:
                return self._first("TOOL_CALL_CHUNK", "toolCallId")
            if chunk.tool_call_name is UNSET:
                return self._first("TOOL_CALL_CHUNK", "toolCallName")
            lane = Lane(
                ToolCallChunk,
                chunk.tool_call_id,
                owner,
                name=chunk.tool_call_name,
                parent=chunk.parent_message_id,
            )
            out = self._open(lane, "TOOL_CALL_CHUNK")
            out.append(
                ToolCallStart(
                    tool_call_id=chunk.tool_call_id,
                    tool_call_name=chunk.tool_call_name,
                    parent_message_id=chunk.parent_message_id,
                    subagent_run_id=chunk.subagent_run_id,
                    metadata=chunk.metadata,
                )
            )
        elif (chunk.tool_call_name is not UNSET and chunk.tool_call_name != lane.name) or (
            chunk.parent_message_id is not UNSET and chunk.parent_message_id != lane.parent
        ):
            established = (("toolCallName", lane.name), ("parentMessageId", lane.parent))
            return _conflict(lane, chunk, established)
        if _has_content(chunk, opened=bool(out)):
            out.append(
                ToolCallArgs(
                    tool_call_id=lane.id,
                    delta="" if chunk.delta is UNSET else chunk.delta,
                    subagent_run_id=_tag(chunk, lane),
                    metadata=chunk.metadata,
                    raw_event=chunk.raw_event,
                )
            )
        return out

    def _reasoning(self, chunk: ReasoningMessageChunk) -> list[Expanded] | Breach:
        found = self._resolve("reasoning message", chunk.message_id, chunk)
        if isinstance(found, Breach):
            return found
        lane, owner = found
        out: list[Expanded] = []
        if lane is None:
            if chunk.message_id is UNSET:
                return self._first("REASONING_MESSAGE_CHUNK", "messageId")
            lane = Lane(ReasoningMessageChunk, chunk.message_id, owner)
            out = self._open(lane, "REASONING_MESSAGE_CHUNK")
            out.append(
                ReasoningMessageStart(
                    message_id=chunk.message_id,
                    role="reasoning",
                    subagent_run_id=chunk.subagent_run_id,
                    metadata=chunk.metadata,
                )
            )
        if _has_content(chunk, opened=bool(out)):
            out.append(
                ReasoningMessageContent(
                    message_id=lane.id,
                    delta="" if chunk.delta is UNSET else chunk.delta,
                    subagent_run_id=_tag(chunk, lane),
                    metadata=chunk.metadata,
                    raw_event=chunk.raw_event,
                )
            )
        return out

    def _open(self, lane: Lane, kind: str) -> list[Expanded]:
        """Make ``lane`` the one of its owner; what the owner had open ends."""
        ends = self._close([lane.owner], kind)
        self.lanes[lane.owner] = lane
        self._items[lane.family][lane.id] = lane
        return ends

    def _first(self, kind: str, field: str) -> Breach:
        after = self.last_closed
        return Breach(
            "chunk-first",
            f"{kind} continues nothing and has no {field} to open an item with.",
            (f"/{field}",),
            f"{after} ended the item this chunk was meant to continue: after it, a chunk must "
            "carry its id again."
            if after and field != "toolCallName"
            else None,
        )


def _end(lane: Lane) -> Expanded:
    owner: str | UnsetType = UNSET if lane.owner is None else lane.owner
    if lane.family == "text message":
        return TextMessageEnd(message_id=lane.id, subagent_run_id=owner)
    if lane.family == "tool call":
        return ToolCallEnd(tool_call_id=lane.id, subagent_run_id=owner)
    return ReasoningMessageEnd(message_id=lane.id, subagent_run_id=owner)


def _tag(chunk: Chunk, lane: Lane) -> str | UnsetType:
    """The chunk's own tag, else the opener's."""
    if chunk.subagent_run_id is not UNSET or lane.owner is None:
        return chunk.subagent_run_id
    return lane.owner


def _has_content(chunk: Chunk, *, opened: bool) -> bool:
    """Whether a chunk makes a content event.

    The provider's payload (``rawEvent``) rides on the content; metadata alone needs a
    carrier only where no START carries it.
    """
    if chunk.delta is not UNSET or chunk.raw_event is not UNSET:
        return True
    return not opened and chunk.metadata is not UNSET


def _owner_breach(lane: Lane, tag: str) -> Breach:
    return Breach(
        "owner",
        f"A chunk of {lane.family} {quoted(lane.id)} carries subagentRunId {quoted(tag)}, but the "
        f"item belongs to {owner_name(lane.owner)}.",
        ("/subagentRunId",),
    )


def _ambiguous(lanes: Collection[Lane]) -> Breach:
    names = shortened([f"{quoted(lane.id)} of {owner_name(lane.owner)}" for lane in lanes])
    return Breach(
        "chunk-ambiguous",
        f"A chunk carries neither an id nor a subagentRunId, and could continue {names}.",
    )


def _conflict(
    lane: Lane, chunk: Chunk, established: tuple[tuple[str, str | UnsetType], ...]
) -> Breach:
    attributes = {
        "role": "role",
        "name": "name",
        "toolCallName": "tool_call_name",
        "parentMessageId": "parent_message_id",
    }
    wrong = []
    for field, value in established:
        said = getattr(chunk, attributes[field])
        if said is not UNSET and said != value:
            wrong.append((field, said, "none" if value is UNSET else quoted(value)))
    said_so = "; ".join(
        f"{field} {quoted(said)} instead of {value}" for field, said, value in wrong
    )
    return Breach(
        "chunk-conflict",
        f"A chunk of {lane.family} {quoted(lane.id)} contradicts its opener: {said_so}.",
        tuple(f"/{field}" for field, _, _ in wrong),
    )
