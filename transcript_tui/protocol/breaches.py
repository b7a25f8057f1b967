"""What rules on sequences are broken by, in words: each names what happened, where, why.

Made only where a rule is broken: :mod:`~transcript_tui.protocol.verification` judges.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from msgspec import UNSET

from transcript_tui.protocol.events import (
    BaseEvent,
    RunFinished,
    RunStarted,
    StepFinished,
    StepStarted,
    SubagentError,
    SubagentFinished,
    SubagentStarted,
    ToolCallStart,
)
from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.shapes import InterruptOutcome

Owner = str | None
"""``None``: the parent agent."""


class Breach(NamedTuple):
    """A rule that an event breaks."""

    rule: str
    message: str
    paths: tuple[str, ...] = ()
    """JSON Pointers into the event; the first is where to look."""
    likely: str | None = None
    remedy: str | None = None
    """What to send instead, where that is more than the rule says."""


def named_owner(event: Any) -> Owner:
    """The owner an event names, the parent agent where it names none (or cannot)."""
    tag = getattr(event, "subagent_run_id", UNSET)
    return None if tag is UNSET else tag


def owner_name(owner: Owner) -> str:
    return "the parent agent" if owner is None else f"subagent {quoted(owner)}"


WRONG_TAG: Final = (
    "The producer writes the tag of whichever agent is at work; what belongs to an item carries "
    "the tag of the event that opened it, or none. Or two agents use one id."
)


def first_event(event: BaseEvent) -> Breach:
    return Breach(
        "first-event",
        f"The stream begins with {event.__struct_config__.tag}.",
        likely="The log begins in mid-run, or the producer never sends RUN_STARTED.",
    )


def after_close(event: BaseEvent, end: str, run_id: str | None) -> Breach:
    """``end`` has closed the run; ``run_id`` is unknown where it was only assumed."""
    kind = str(event.__struct_config__.tag)
    return Breach(
        "after-close",
        f"{kind} after {end}: the run {quoted(run_id)} has ended."
        if run_id is not None
        else f"{kind} after {end}: no run is open.",
        likely=_after_the_end(kind, end),
    )


def _after_the_end(kind: str, end: str) -> str:
    if kind == "RUN_FINISHED" and end == "RUN_ERROR":
        return (
            "The producer always sends RUN_FINISHED at the end, also when it has reported the "
            "run's failure."
        )
    if kind.endswith(("_END", "_FINISHED")):
        return "The producer cleans up what was open after it has ended the run, not before."
    return "The producer goes on sending after it has ended the run."


def run_nested(event: RunStarted, run_id: str | None) -> Breach:
    """``run_id`` is the run that is open."""
    return Breach(
        "run-nested",
        f"RUN_STARTED for run {quoted(event.run_id)} while run {quoted(run_id)} is open.",
        likely="The end of the earlier run was never sent, or two runs write into one stream.",
    )


def another_thread(event: RunStarted, thread_id: str) -> Breach:
    """``thread_id`` is that of the stream's first run."""
    return Breach(
        "run-identity",
        f"Run {quoted(event.run_id)} is of thread {quoted(event.thread_id)}; the stream's "
        f"first run was of thread {quoted(thread_id)}.",
        ("/threadId",),
        "A thread id is made anew for each run, where it should stay the same.",
    )


def finish_disagrees(
    event: RunFinished, thread_id: str | None, run_id: str | None
) -> Breach | None:
    """… with what its run was started as, where it does."""
    wrong = [
        (f"/{name}", f"{name} {quoted(ours)} instead of {quoted(theirs)}")
        for name, ours, theirs in (
            ("threadId", event.thread_id, thread_id),
            ("runId", event.run_id, run_id),
        )
        # Unknown where the run was only assumed (reading on).
        if theirs is not None and ours != theirs
    ]
    if not wrong:
        return None
    return Breach(
        "run-identity",
        "RUN_FINISHED disagrees with its RUN_STARTED: "
        + ", ".join(what for _, what in wrong)
        + ".",
        tuple(path for path, _ in wrong),
        "The producer makes a new id when the run ends, or closes another run.",
    )


def open_at_finish(still: list[str], ends: list[str]) -> Breach:
    """What is open, and the kinds of event that would have closed it."""
    return Breach(
        "open-at-finish",
        f"RUN_FINISHED while still open: {shortened(still)}.",
        likely=f"{' and '.join(ends)} never comes, or comes after RUN_FINISHED.",
    )


def shortened(names: list[str]) -> str:
    return ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")


def bad_interrupts(event: RunFinished) -> Breach | None:
    """No interrupt where one is promised, or two of one id."""
    if not isinstance(event.outcome, InterruptOutcome):
        return None
    interrupts = event.outcome.interrupts
    if not interrupts:
        return Breach(
            "interrupts",
            "RUN_FINISHED has an interrupt outcome with no interrupt in it.",
            ("/outcome/interrupts",),
            "The run was to end as a success, or what it waits for was lost on the way.",
        )
    seen: set[str] = set()
    for index, interrupt in enumerate(interrupts):
        if interrupt.id in seen:
            return Breach(
                "interrupts",
                f"RUN_FINISHED lists two interrupts with the id {quoted(interrupt.id)}.",
                (f"/outcome/interrupts/{index}/id",),
                "One interrupt was listed twice, or several take the id of what they ask about.",
            )
        seen.add(interrupt.id)
    return None


def other_parent(event: ToolCallStart, owner: Owner, parent: Owner) -> Breach:
    return Breach(
        "owner",
        f"The tool call {quoted(event.tool_call_id)} is of {owner_name(owner)}, but its parent "
        f"message {quoted(event.parent_message_id)} belongs to {owner_name(parent)}.",
        ("/subagentRunId",) if event.subagent_run_id is not UNSET else ("/parentMessageId",),
        "The call names a message of another agent as its parent, or lacks the agent's tag.",
    )


def step_open(event: StepStarted, owner: Owner) -> Breach:
    return Breach(
        "step-open",
        f"STEP_STARTED for step {quoted(event.step_name)} of {owner_name(owner)}, which "
        "is open already.",
        ("/stepName",),
        "STEP_FINISHED was never sent, or two steps at the same time have one name.",
    )


def step_not_open(event: StepFinished, owner: Owner, others: list[Owner]) -> Breach:
    """``others``: who have a step of that name open."""
    return Breach(
        "step-not-open",
        f"STEP_FINISHED for step {quoted(event.step_name)} of {owner_name(owner)}, which is "
        "not open.",
        ("/stepName",),
        f"The step is open under {owner_name(others[0])}: whoever starts a step finishes it."
        if others
        else "STEP_STARTED is missing or names it differently, or the end was sent twice.",
    )


def subagent_open(id: str) -> Breach:
    return Breach(
        "subagent-open",
        f"SUBAGENT_STARTED for {quoted(id)}, which is active already.",
        ("/subagentRunId",),
        "Its end was never sent, or two invocations at the same time have one id.",
    )


def subagent_reused(id: str) -> Breach:
    return Breach(
        "subagent-reused",
        f"SUBAGENT_STARTED for {quoted(id)}, which has ended in this run already.",
        ("/subagentRunId",),
        "The subagent's name is used as its id; each invocation needs an id of its own.",
    )


def subagent_parent(event: SubagentStarted) -> Breach:
    parent = event.parent_subagent_run_id
    return Breach(
        "subagent-parent",
        f"SUBAGENT_STARTED for {quoted(event.subagent_run_id)} names the parent {quoted(parent)}, "
        "which was not announced in this run.",
        ("/parentSubagentRunId",),
        "The parent's SUBAGENT_STARTED is missing, or comes later; where the parent is the "
        "main agent, the field is left out.",
    )


def subagent_not_open(event: SubagentFinished | SubagentError, *, ended: bool) -> Breach:
    was = "has ended already" if ended else "was never started"
    return Breach(
        "subagent-not-open",
        f"{event.__struct_config__.tag} for {quoted(event.subagent_run_id)}, which {was}.",
        ("/subagentRunId",),
        "The end was sent twice: as SUBAGENT_ERROR and as SUBAGENT_FINISHED, for example."
        if ended
        else "SUBAGENT_STARTED is missing: whoever sends one of the two sends both.",
    )


def other_owner(name: str, id: str, owner: Owner, tag: Owner) -> Breach:
    """``name`` is the kind of thing that has the id."""
    return Breach(
        "owner",
        f"The {name} {quoted(id)} belongs to {owner_name(owner)}, but the event names "
        f"{owner_name(tag)}.",
        ("/subagentRunId",),
        WRONG_TAG,
    )
