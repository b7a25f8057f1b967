"""Runs and steps (events/lifecycle)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from msgspec import UNSET

from transcript_tui.protocol import shapes
from transcript_tui.protocol.events import (
    RunError,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
)
from transcript_tui.protocol.shapes import CancelledOutcome, InterruptOutcome, SuccessOutcome
from transcript_tui.transcript.model import Run, RunEnd, RunEnding, Step
from transcript_tui.transcript.reduce.fold import Fold, given
from transcript_tui.transcript.reduce.snapshot import body_of


def apply(
    fold: Fold, event: RunStarted | RunFinished | RunError | StepStarted | StepFinished
) -> None:
    match event:
        case RunStarted():
            _start(fold, event)
        case RunFinished():
            _finish(fold, event)
        case RunError():
            _fail(fold, event)
        case StepStarted():
            _start_step(fold, event)
        case StepFinished():
            _finish_step(fold, event)
        case _:
            assert_never(event)


def _start(fold: Fold, event: RunStarted) -> None:
    if fold.open_items:
        # Read on past a violation: what came before the run's beginning ends with it.
        fold.close_run()
    fold.enter_thread(event.thread_id)
    fold.begin_run(
        event.thread_id,
        event.run_id,
        parent_run_id=given(event.parent_run_id),
        protocol_version=given(event.protocol_version),
    )
    told = given(event.input)
    if told is not None:
        take_input(fold, told.messages)


def take_input(fold: Fold, messages: Iterable[shapes.Message]) -> None:
    """Add the messages that are not held yet; those that are stand as they are."""
    for shape in messages:
        if shape.id not in fold.book.by_id:
            message = fold.add_message(shape.id, body_of(fold, shape))
            for call in message.body.calls or ():
                call.run.set(None, fold.stamp)


def _finish(fold: Fold, event: RunFinished) -> None:
    run = fold.run
    if run is None:
        # Read on past a violation: a run that was only assumed to be open.
        run = fold.begin_run(event.thread_id, event.run_id, shown=False)
        run.ending.set(RunEnding("rejected", fold.stamp), fold.stamp)
    outcome = None if event.outcome is UNSET else event.outcome
    usage = given(event.usage)
    ending = RunEnding(
        "finished",
        fold.stamp,
        usage=None if usage is None else tuple(usage),
        result=given(event.result),
    )
    match outcome:
        case CancelledOutcome():
            ending = replace(ending, kind="cancelled")
        case InterruptOutcome():
            interrupts = tuple(outcome.interrupts)
            ending = replace(
                ending, kind="interrupted", interrupts=interrupts, pending=_unanswered(fold)
            )
        case SuccessOutcome() | None:
            named = None if outcome is None else given(outcome.pending_tool_call_ids)
            ending = replace(ending, pending=tuple(named or ()) or _unanswered(fold))
        case _:
            assert_never(outcome)
    _end(fold, run, ending)


def _unanswered(fold: Fold) -> tuple[str, ...]:
    """Calls that the run started and nobody answered, in the order they were made."""
    return tuple(call for call in fold.started_calls if call not in fold.answered_calls)


def _fail(fold: Fold, event: RunError) -> None:
    """The open run fails; or the one that had finished, late; or one that never began."""
    usage = given(event.usage)
    ending = RunEnding(
        "failed",
        fold.stamp,
        message=event.message,
        code=given(event.code),
        usage=None if usage is None else tuple(usage),
    )
    late = fold.last_run
    if fold.run is None and late is not None:
        # Its calls may be anywhere by now.
        fold.touch_everything()
        _turn(late, ending, fold)
        return
    run = fold.run or fold.begin_run(None, None, shown=False)
    fold.cut_open_items()
    _end(fold, run, ending)


def _turn(run: Run, ending: RunEnding, fold: Fold) -> None:
    """Give a run its ending; one that was rejected stays so, whatever it says afterwards."""
    standing = run.ending.now
    if standing is not None and standing.kind == "rejected":
        ending = replace(ending, kind="rejected", stamp=standing.stamp)
    elif standing is not None and ending.usage is None:
        ending = replace(ending, usage=standing.usage)
    fold.end_run(run, ending)


def _end(fold: Fold, run: Run, ending: RunEnding) -> None:
    _turn(run, ending, fold)
    fold.add(RunEnd(fold.next_key(), fold.stamp, run))
    fold.close_run()


def _start_step(fold: Fold, event: StepStarted) -> None:
    owner = given(event.subagent_run_id)
    step = Step(fold.next_key(), fold.stamp, event.step_name, owner, fold.run_index())
    fold.steps[owner, event.step_name] = step
    fold.hanging.append(step)
    fold.add(step)


def _finish_step(fold: Fold, event: StepFinished) -> None:
    step = fold.steps.pop((given(event.subagent_run_id), event.step_name), None)
    if step is not None:
        step.finished = fold.stamp
        fold.touch(step.key)
