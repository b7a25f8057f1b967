"""Announced subagent invocations (events/subagents)."""

from __future__ import annotations

from typing import assert_never

from transcript_tui.protocol.events import SubagentError, SubagentFinished, SubagentStarted
from transcript_tui.protocol.shapes import SubagentSuspended
from transcript_tui.transcript.history import History
from transcript_tui.transcript.model import Subagent, SubagentEnding
from transcript_tui.transcript.reduce.fold import Fold, given


def apply(fold: Fold, event: SubagentStarted | SubagentFinished | SubagentError) -> None:
    match event:
        case SubagentStarted():
            _start(fold, event)
        case SubagentFinished():
            _end(fold, event.subagent_run_id, _finished(event, fold.stamp))
        case SubagentError():
            ending = SubagentEnding(fold.stamp, "failed", event.message, given(event.code))
            _end(fold, event.subagent_run_id, ending)
        case _:
            assert_never(event)


def _start(fold: Fold, event: SubagentStarted) -> None:
    subagent = Subagent(
        fold.next_key(),
        fold.stamp,
        id=event.subagent_run_id,
        name=event.name,
        description=given(event.description),
        parent=given(event.parent_subagent_run_id),
        parent_tool_call=given(event.parent_tool_call_id),
        run=fold.run_index(),
        ending=History(None, fold.stamp),
    )
    fold.transcript.subagents.setdefault(subagent.id, []).append(subagent)
    fold.hanging.append(subagent)
    fold.add(subagent)
    # Its name labels whatever came under its id before.
    fold.touch_everything()


def _finished(event: SubagentFinished, stamp: int) -> SubagentEnding:
    if isinstance(event.outcome, SubagentSuspended):
        interrupts = tuple(given(event.outcome.interrupt_ids) or ())
        return SubagentEnding(stamp, "suspended", interrupts=interrupts)
    return SubagentEnding(stamp, "finished")


def _end(fold: Fold, subagent_id: str, ending: SubagentEnding) -> None:
    announced = fold.transcript.subagents.get(subagent_id)
    if announced:
        announced[-1].ending.set(ending, fold.stamp)
        fold.touch(announced[-1].key)
