"""Everything that can be read off a transcript at a position, as plain values to compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    Run,
    RunEnd,
    RunStart,
    Step,
    Subagent,
    ToolCallView,
)
from transcript_tui.transcript.pipeline import Transcript


def readout(transcript: Transcript, position: int = LATEST) -> dict[str, Any]:
    """All that stands at ``position``."""
    calls = {call for entry in transcript.calls for call in (entry,)}
    return {
        "count": transcript.count_at(position),
        "held": [entry_at(entry, position) for entry in transcript.held(position)],
        "messages": transcript.messages(position),
        "state": transcript.state_at(position),
        "warnings": [
            (stamp, one.rule, one.event, one.message, one.path)
            for stamp, one in transcript.warnings(position)
        ],
        "calls": {
            call: key
            for call in calls
            if (key := transcript.message_by_call(call, position)) is not None
        },
        "subagents": {
            id: found.key
            for id in transcript.subagents
            if (found := transcript.subagent(id, position)) is not None
        },
        "runs": [run_at(run, position) for run in transcript.runs if run.started < position],
    }


def run_at(run: Run, position: int) -> tuple[Any, ...]:
    return run.index, run.thread_id, run.run_id, run.started, run.ending.at(position)


def entry_at(entry: Any, position: int) -> tuple[Any, ...]:
    """What one entry shows."""
    shown: tuple[Any, ...]
    match entry:
        case Message():
            shown = view_values(entry.at(position))
        case RunStart() | RunEnd():
            shown = run_at(entry.run, position)
        case Step():
            finished = entry.finished
            done = finished if finished is not None and finished < position else None
            shown = entry.name, entry.owner, entry.run, done
        case Subagent():
            shown = entry.id, entry.name, entry.parent, entry.run, entry.ending.at(position)
        case Passthrough():
            shown = entry.kind, entry.name, entry.owner
        case Rejection():
            shown = entry.violation, entry.after
        case Cut():
            shown = entry.kind, entry.tail, entry.message
    return type(entry).__name__, entry.key, entry.born, shown


def seen(transcript: Transcript, entry: AnyEntry, position: int) -> Any:
    """All that views tell of an entry: with its speakers' names, whether it stands in a call's
    card, and, of what never came to its end, whether the run is over in which it began. ``None``:
    it is not there."""
    if not entry.held(position):
        return None
    owner: str | None = None
    unfinished: list[int] = []
    within = False
    match entry:
        case Message():
            view = entry.at(position)
            owner = view.owner
            within = transcript.holder_of(entry, position) is not None
            unfinished = [call.started for call in view.tool_calls if call.state == "complete"]
        case Step():
            owner = entry.owner
            if entry.finished is None or entry.finished >= position:
                unfinished.append(entry.born)
        case Subagent():
            owner = entry.parent
            if entry.ending.at(position) is None:
                unfinished.append(entry.born)
        case Passthrough():
            owner = entry.owner
    over = [run_over(transcript, stamp, position) for stamp in unfinished]
    return entry_at(entry, position), list(_names(transcript, owner, position)), within, over


def run_over(transcript: Transcript, stamp: int, position: int) -> bool:
    """Whether the run in which payload ``stamp`` came has ended."""
    begun = [run for run in transcript.runs if run.started <= stamp]
    return bool(begun) and begun[-1].ending.at(position) is not None


def _names(transcript: Transcript, owner: str | None, position: int) -> Iterator[str]:
    known: set[str] = set()
    while owner is not None and owner not in known:
        known.add(owner)
        subagent = transcript.subagent(owner, position)
        yield owner if subagent is None else subagent.name
        owner = None if subagent is None else subagent.parent


def view_values(view: MessageView | ToolCallView) -> tuple[Any, ...]:
    """The fields of a view, text read out."""
    values: list[Any] = []
    for one in fields(view):
        value = getattr(view, one.name)
        if one.name == "text":
            value = None if value is None else value.read(0, view.length)
        elif one.name == "tool_calls":
            value = [view_values(call) for call in value]
        values.append((one.name, value))
    return tuple(values)
