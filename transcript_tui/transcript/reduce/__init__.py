"""Folding: one expanded event at a time into the transcript, one module a family.

To add an event kind: its class joins ``Expanded``, the type checker then points at the
dispatch below and at the family's own, both of which end in ``assert_never``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from transcript_tui.protocol.events import (
    ActivityDelta,
    ActivitySnapshot,
    Custom,
    Expanded,
    MessagesSnapshot,
    Raw,
    ReasoningEncryptedValue,
    ReasoningEnd,
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningMessageStart,
    ReasoningStart,
    RunError,
    RunFinished,
    RunStarted,
    StateDelta,
    StateSnapshot,
    StepFinished,
    StepStarted,
    SubagentError,
    SubagentFinished,
    SubagentStarted,
    TextMessageContent,
    TextMessageEnd,
    TextMessageStart,
    ToolCallArgs,
    ToolCallEnd,
    ToolCallResult,
    ToolCallStart,
)
from transcript_tui.transcript.reduce import (
    activity,
    lifecycle,
    passthrough,
    reasoning,
    snapshot,
    state,
    subagents,
    text,
    tools,
)
from transcript_tui.transcript.reduce.deltas import Deltas
from transcript_tui.transcript.reduce.fold import Fold

__all__ = ["Deltas", "Fold", "apply", "fold_payload"]


def fold_payload(fold: Fold, events: Iterable[Expanded], *, commit: bool = True) -> None:
    """Apply what one payload delivered, and note what it changed (unless more is to come)."""
    for event in events:
        apply(fold, event)
    if commit:
        fold.commit()


def apply(fold: Fold, event: Expanded) -> None:
    """Apply one event; total on any sequence of well-formed events."""
    run = fold.run
    match event:
        case TextMessageStart() | TextMessageContent() | TextMessageEnd():
            text.apply(fold, event)
        case ToolCallStart() | ToolCallArgs() | ToolCallEnd() | ToolCallResult():
            tools.apply(fold, event)
        case (
            ReasoningMessageStart()
            | ReasoningMessageContent()
            | ReasoningMessageEnd()
            | ReasoningStart()
            | ReasoningEnd()
            | ReasoningEncryptedValue()
        ):
            reasoning.apply(fold, event)
        case StateSnapshot() | StateDelta():
            state.apply(fold, event)
        case MessagesSnapshot():
            snapshot.apply(fold, event)
        case ActivitySnapshot() | ActivityDelta():
            activity.apply(fold, event)
        case RunStarted() | RunFinished() | RunError() | StepStarted() | StepFinished():
            lifecycle.apply(fold, event)
        case SubagentStarted() | SubagentFinished() | SubagentError():
            subagents.apply(fold, event)
        case Raw() | Custom():
            passthrough.apply(fold, event)
        case _:
            assert_never(event)
    # A late error counts for the run it turns; in a run that is only assumed nothing counts.
    counted = fold.run or run or (fold.last_run if isinstance(event, RunError) else None)
    if counted is not None:
        counted.events += 1
