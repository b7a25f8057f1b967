"""The transcript: what the folded events amount to, at any position.

``Transcript.entries`` is the one ordered list that everything shown comes from. It only
ever grows at its end: an entry is *born* at one stamp and may be *dropped* at a later one
(a snapshot that leaves it out), it never moves. An entry's ``key`` is its index in that
list: stable, unique, the identity that views use (protocol ids may repeat).

Entries hold their whole history. To look at one, ask ``entry.at(position)``: a frozen
value. A view therefore reads only what it shows, at whatever position it is.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from transcript_tui.protocol.findings import Violation
from transcript_tui.protocol.shapes import ContentPart, Interrupt, Metadata, Role, TokenUsage
from transcript_tui.transcript.history import LATEST, History, Text

Ending = Literal["finished", "interrupted", "cancelled", "failed", "truncated", "rejected"]
"""The six endings of ``check.md``; never confused."""

ToolState = Literal["streaming", "complete", "answered", "pending", "cut"]
"""Arguments streaming; complete; answered by a result; unanswered when its run ended; cut off before END."""

NEVER: Final = LATEST
NOTHING: Final = -1
MANY: Final = -2


@dataclass(slots=True)
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
    arguments: str
    state: ToolState
    started: int
    ended: int | None
    """Stamp of TOOL_CALL_END."""
    result: int | None
    """Key of the tool message that answered it."""
    answered: int | None
    """Stamp of the result."""
    metadata: Metadata | None
    encrypted: bool


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
    """Times it was opened by a START; 0 where it came whole (snapshot, input, result); > 1 = reopened."""
    text: Text | None
    """Identity changes when a snapshot replaced the content: layouts cached for another object are void."""
    length: int
    """Characters of ``text`` visible here."""
    settled: int
    """Characters of ``text`` that were there when it was last closed: what a buffered view shows."""
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
    run: int | None
    """Index in ``Transcript.runs`` of the run that made it; ``None`` for input."""
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


@dataclass(slots=True)
class Run:
    """One run of the agent; ``thread_id`` and ``run_id`` are ``None`` for an error outside any run."""

    index: int
    thread_id: str | None
    run_id: str | None
    started: int
    parent_run_id: str | None
    protocol_version: str | None
    ending: History[RunEnding | None]
    events: int = 0
    """Delivered events, chunks expanded."""


@dataclass(slots=True)
class RunStart(Entry):
    """Divider where a run begins."""

    run: Run


@dataclass(slots=True)
class RunEnd(Entry):
    """Divider where a run ends; look at ``run.ending.at(position)`` (a late RUN_ERROR changes it)."""

    run: Run


@dataclass(slots=True)
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


@dataclass(slots=True)
class Subagent(Entry):
    """An announced invocation."""

    id: str
    name: str
    description: str | None
    parent: str | None
    parent_tool_call: str | None
    parent_message: str | None
    run: int
    ending: History[SubagentEnding | None]


@dataclass(slots=True)
class Passthrough(Entry):
    """A CUSTOM or RAW event; its payload is the tape's payload number ``born``."""

    kind: Literal["CUSTOM", "RAW"]
    name: str
    """``name`` of CUSTOM, ``source`` of RAW (may be empty)."""
    owner: str | None = None


@dataclass(slots=True)
class Rejection(Entry):
    """Where the stream was rejected; ``after`` marks a further one, read past with ``--keep-going``."""

    violation: Violation
    after: bool = False


@dataclass(slots=True)
class Cut(Entry):
    """Where the bytes ended in mid-run, or where a connection was lost and another began."""

    kind: Literal["truncated", "gap"]
    tail: bytes = b""
    """Bytes of a frame that never ended."""
    message: str = ""


class Message(Entry):
    """A message with its history. Written by the reducer only; read it with :meth:`at`."""

    # Provided by the transcript helper: see ``at``.


AnyEntry = Message | RunStart | RunEnd | Step | Subagent | Passthrough | Rejection | Cut
