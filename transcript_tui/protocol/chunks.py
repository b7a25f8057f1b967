"""Chunk expansion: the compact spelling becomes start, content and end (basic/patterns/streaming).

A *lane* belongs to an owner (``None``: the parent agent) and assembles one item at a time.
Rule ids: ``chunk-first``, ``chunk-conflict``, ``chunk-ambiguous``, ``owner``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

from msgspec import UNSET, UnsetType

from transcript_tui.protocol.breaches import (
    WRONG_TAG,
    Breach,
    named_owner,
    owner_name,
    shortened,
)
from transcript_tui.protocol.deltas import Alike, Growing
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

__all__ = ["CHUNKS", "Expansion"]


@dataclass(frozen=True, slots=True)
class Family:
    """How the items of one kind are spelled, in chunks and explicitly."""

    name: str
    chunk: type[Chunk]
    start: Callable[..., Expanded]
    content: Callable[..., Expanded]
    end: Callable[..., Expanded]
    id: str
    """The attribute with the item's id; the first chunk of an item has it."""
    required: tuple[str, ...] = ()
    """Attributes that the first chunk must have besides."""
    established: tuple[tuple[str, str | UnsetType], ...] = ()
    """Attributes that a later chunk may only repeat, and what leaving them out establishes."""

    def field(self, attribute: str) -> str:
        """An attribute's name on the wire."""
        fields = self.chunk.__struct_fields__
        return self.chunk.__struct_encode_fields__[fields.index(attribute)]


_TEXT: Final = Family(
    "text message",
    TextMessageChunk,
    TextMessageStart,
    TextMessageContent,
    TextMessageEnd,
    "message_id",
    # No role means assistant, and a later chunk may say so.
    established=(("role", "assistant"), ("name", UNSET)),
)
_CALL: Final = Family(
    "tool call",
    ToolCallChunk,
    ToolCallStart,
    ToolCallArgs,
    ToolCallEnd,
    "tool_call_id",
    required=("tool_call_name",),
    established=(("tool_call_name", UNSET), ("parent_message_id", UNSET)),
)
_REASONING: Final = Family(
    "reasoning message",
    ReasoningMessageChunk,
    partial(ReasoningMessageStart, role="reasoning"),
    ReasoningMessageContent,
    ReasoningMessageEnd,
    "message_id",
)

FAMILIES: Final = {family.chunk: family for family in (_TEXT, _CALL, _REASONING)}
CHUNKS: Final = frozenset(FAMILIES)

_ASIDE: Final = frozenset(
    {Raw, ActivitySnapshot, ActivityDelta, ReasoningEncryptedValue, SubagentStarted}
)
"""These stand aside from assembly: they close nothing."""
_CLOSE_ALL: Final = frozenset({RunStarted, RunFinished, RunError, MessagesSnapshot})
_EXPLICIT: Final[dict[type, Family]] = {
    TextMessageStart: _TEXT,
    TextMessageContent: _TEXT,
    TextMessageEnd: _TEXT,
    ToolCallStart: _CALL,
    ToolCallArgs: _CALL,
    ToolCallEnd: _CALL,
    ReasoningMessageStart: _REASONING,
    ReasoningMessageContent: _REASONING,
    ReasoningMessageEnd: _REASONING,
}
"""Events that name an item by id, in the explicit spelling."""


@dataclass(frozen=True, slots=True)
class Lane:
    """The item that a lane assembles, with what its opener established."""

    family: Family
    id: str
    owner: str | None
    established: tuple[str | UnsetType, ...]
    """Values of the family's ``established``, in its order."""

    def contradicted(self, chunk: Chunk) -> list[tuple[str, str, str | UnsetType]]:
        """What ``chunk`` says otherwise: field, what it says, what is established."""
        family = self.family
        return [
            (family.field(name), said, value)
            for (name, _), value in zip(family.established, self.established, strict=True)
            if (said := getattr(chunk, name)) is not UNSET and said != value
        ]


class Expansion:
    """Expands the chunks of one stream."""

    __slots__ = ("_items", "lanes", "last_closed")

    def __init__(self) -> None:
        self.lanes: dict[str | None, Lane] = {}
        self._items: dict[str, dict[str, Lane]] = {one.name: {} for one in FAMILIES.values()}
        """The same lanes by what they assemble: there may be thousands of subagents."""
        self.last_closed: str | None = None
        """What closed the latest lane (an event type), to explain a chunk that came after."""

    def expand(self, event: Event) -> list[Expanded] | Breach:
        """What ``event`` stands for, in order; a breach changes nothing."""
        if isinstance(event, TextMessageChunk | ToolCallChunk | ReasoningMessageChunk):
            return self._expand(event)
        return [*self._closed_by(event), event]

    def continued(self, chunk: Chunk) -> Expanded | None:
        """The content of a plain continuation; ``None`` where there is more to it.

        Plain: a delta for the item that its own lane assembles. The hot loop of chunked
        streams that come one by one; ``expand`` says the same.
        """
        lane = self.lanes.get(named_owner(chunk))
        if lane is None or chunk.delta is UNSET or type(chunk) is not lane.family.chunk:
            return None
        id = getattr(chunk, lane.family.id)
        if (id is not UNSET and id != lane.id) or lane.contradicted(chunk):
            return None
        return _content(lane, chunk)

    def going_on(self, content: Growing) -> Alike:
        """What a payload says that goes on with ``content``, which was delivered just now.

        It came of a chunk where its owner's lane assembles something: an explicit event would
        have closed the lane.
        """
        family = _EXPLICIT[type(content)]
        id, tag = getattr(content, family.id), content.subagent_run_id
        names = (family.id, "subagent_run_id", "metadata")
        lane = self.lanes.get(named_owner(content))
        if lane is None:
            return Alike(type(content), names, ((id, tag, UNSET),))
        repeated = [(UNSET,) if one is UNSET else (UNSET, one) for one in lane.established]
        return Alike(
            family.chunk,
            (*names, *(name for name, _ in family.established)),
            tuple(product((UNSET, id), (tag,), (UNSET,), *repeated)),
        )

    def forget(self, rejected: Expanded) -> None:
        """Where a chunk's START was rejected, nothing can continue what it would have opened."""
        if isinstance(rejected, TextMessageStart | ToolCallStart | ReasoningMessageStart):
            lane = self._assembling(rejected)
            assert lane is not None, "it was opened for this very event"
            del self._items[lane.family.name][lane.id]
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
        return None if family is None else self._items[family.name].get(getattr(event, family.id))

    def _close(self, owners: list[str | None], by: str) -> list[Expanded]:
        ends = []
        for owner in owners:
            lane = self.lanes.pop(owner, None)
            if lane is not None:
                del self._items[lane.family.name][lane.id]
                self.last_closed = by
                ends.append(_end(lane))
        return ends

    def _resolve(
        self, family: Family, id: str | UnsetType, chunk: Chunk
    ) -> tuple[Lane | None, str | None] | Breach:
        """The lane a chunk continues, or the owner in whose lane it opens an item."""
        tag = named_owner(chunk)
        if id is not UNSET:
            holder = self._items[family.name].get(id)
            if holder is None:
                return None, tag
            if tag is not None and tag != holder.owner:
                return _owner_breach(holder, tag)
            return holder, holder.owner
        if tag is None and not self._parents(family):
            alike = self._items[family.name].values()
            if len(alike) > 1:
                return _ambiguous(alike)
            tag = next(iter(alike)).owner if alike else None
        lane = self.lanes.get(tag)
        return (lane if lane is not None and lane.family is family else None), tag

    def _parents(self, family: Family) -> bool:
        lane = self.lanes.get(None)
        return lane is not None and lane.family is family

    def _expand(self, chunk: Chunk) -> list[Expanded] | Breach:
        family = FAMILIES[type(chunk)]
        found = self._resolve(family, getattr(chunk, family.id), chunk)
        if isinstance(found, Breach):
            return found
        lane, owner = found
        if lane is None:
            return self._opened(family, chunk, owner)
        contradicted = lane.contradicted(chunk)
        if contradicted:
            return _conflict(lane, contradicted)
        # Metadata alone needs a carrier here, for no START carries it.
        carried = chunk.metadata is not UNSET or _has_content(chunk)
        return [_content(lane, chunk)] if carried else []

    def _opened(self, family: Family, chunk: Chunk, owner: str | None) -> list[Expanded] | Breach:
        """A first chunk: what its owner had open ends, and the new item begins."""
        for name in (family.id, *family.required):
            if getattr(chunk, name) is UNSET:
                return self._first(family, name)
        told = {name: getattr(chunk, name) for name, _ in family.established}
        established = {
            name: value if told[name] is UNSET else told[name] for name, value in family.established
        }
        lane = Lane(family, getattr(chunk, family.id), owner, tuple(established.values()))
        out = self._close([owner], str(family.chunk.__struct_config__.tag))
        self.lanes[owner] = lane
        self._items[family.name][lane.id] = lane
        start = family.start(
            **{family.id: lane.id},
            **established,
            subagent_run_id=chunk.subagent_run_id,
            metadata=chunk.metadata,
        )
        out.append(start)
        if _has_content(chunk):
            out.append(_content(lane, chunk))
        return out

    def _first(self, family: Family, name: str) -> Breach:
        field = family.field(name)
        return Breach(
            "chunk-first",
            f"{family.chunk.__struct_config__.tag} continues nothing and has no {field} to open "
            "an item with.",
            (f"/{field}",),
            _cause(self.last_closed if name == family.id else None, field),
        )


def _cause(closed_by: str | None, field: str) -> str:
    """Why a first chunk lacks what opens an item."""
    if closed_by is not None:
        return (
            f"{closed_by} ended the item this chunk was meant to continue: after it, a chunk must "
            "carry its id again."
        )
    if field == "toolCallName":
        return "Model APIs name the tool in a call's first chunk only, and that one was lost."
    return "The item's first chunk is missing: the log begins in mid-item, or it was filtered out."


def _end(lane: Lane) -> Expanded:
    owner: str | UnsetType = UNSET if lane.owner is None else lane.owner
    return lane.family.end(**{lane.family.id: lane.id}, subagent_run_id=owner)


def _content(lane: Lane, chunk: Chunk) -> Expanded:
    """What a chunk adds, under its own tag, else the opener's."""
    tag = chunk.subagent_run_id
    return lane.family.content(
        **{lane.family.id: lane.id},
        delta="" if chunk.delta is UNSET else chunk.delta,
        subagent_run_id=lane.owner if tag is UNSET and lane.owner is not None else tag,
        metadata=chunk.metadata,
        raw_event=chunk.raw_event,
    )


def _has_content(chunk: Chunk) -> bool:
    """Whether a chunk makes a content event: the provider's payload rides on it, too."""
    return chunk.delta is not UNSET or chunk.raw_event is not UNSET


def _owner_breach(lane: Lane, tag: str) -> Breach:
    return Breach(
        "owner",
        f"A chunk of {lane.family.name} {quoted(lane.id)} carries subagentRunId {quoted(tag)}, but "
        f"the item belongs to {owner_name(lane.owner)}.",
        ("/subagentRunId",),
        WRONG_TAG,
    )


def _ambiguous(lanes: Collection[Lane]) -> Breach:
    names = shortened([f"{quoted(lane.id)} of {owner_name(lane.owner)}" for lane in lanes])
    return Breach(
        "chunk-ambiguous",
        f"A chunk carries neither an id nor a subagentRunId, and could continue {names}.",
        likely="Several agents write at the same time; each chunk needs its agent's tag or its id.",
    )


def _conflict(lane: Lane, contradicted: list[tuple[str, str, str | UnsetType]]) -> Breach:
    said_so = "; ".join(
        f"{field} {quoted(said)} instead of {'none' if value is UNSET else quoted(value)}"
        for field, said, value in contradicted
    )
    return Breach(
        "chunk-conflict",
        f"A chunk of {lane.family.name} {quoted(lane.id)} contradicts its opener: {said_so}.",
        tuple(f"/{field}" for field, _, _ in contradicted),
        "Each chunk is dressed with defaults, or two items are written under one id.",
    )
