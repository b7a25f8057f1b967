"""What stands between messages: runs, steps, subagents, passthrough, endings and breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from transcript_tui.protocol.findings import Violation
from transcript_tui.protocol.shapes import Interrupt, TokenUsage
from transcript_tui.transcript.history import History
from transcript_tui.transcript.model.entry import Entry

Ending = Literal["finished", "interrupted", "cancelled", "failed", "truncated", "rejected"]
"""The six endings of ``check.md``; never confused."""


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
