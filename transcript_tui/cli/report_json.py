"""``check --format json``: one line, one object, a stream (``check.md``). Keys are a contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal

from msgspec import to_builtins

from transcript_tui.cli.judging import Judgement
from transcript_tui.cli.timings import statistics
from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.transcript.model import Run
from transcript_tui.transcript.pipeline import StreamResult
from transcript_tui.wire.jsontext import dumps

__all__ = ["write_json"]

_SLICE: Final = 4096
"""Members of a long list that are written at once."""


Events = Literal["types", "full", "none"]


def write_json(
    judgement: Judgement, write: Callable[[str], object], *, events: Events = "types"
) -> None:
    """A line for each stream of the source; a list is written in slices, never whole.

    Everything beyond ASCII is escaped: a lone surrogate stays what it is, and no terminal
    or pipe can make something else of a character.
    """
    for number, stream in enumerate(judgement.streams):
        write("{")
        for index, (key, value) in enumerate(_members(judgement, number, stream, events)):
            write(f"{', ' * (index > 0)}{dumps(key, ascii=True)}: ")
            _write_value(value, write)
        write("}\n")


def _members(
    judgement: Judgement, number: int, stream: StreamResult, events: Events
) -> list[tuple[str, Any]]:
    end = stream.position
    transcript = judgement.pipeline.transcript
    members = [
        ("source", judgement.source),
        ("stream", number),
        ("verdict", stream.verdict),
        ("violation", _violation(judgement, number, stream.violation)),
        ("warnings", [_warning(warned) for warned in stream.warnings]),
        ("runs", [_run(run) for run in stream.runs]),
        ("messages", transcript.messages(end)),
        ("state", transcript.state_at(end)),
    ]
    match events:
        case "types":
            members.append(("events", stream.event_types()))
        case "full":
            members.append(("events", stream.events()))
        case "none":
            pass
    members.append(("statistics", statistics(judgement, stream)))
    if judgement.pipeline.keep_going:
        members.append(("after", [_violation(judgement, number, one) for one in stream.after]))
    return members


def _write_value(value: Any, write: Callable[[str], object]) -> None:
    if not isinstance(value, list) or len(value) <= _SLICE:
        write(dumps(value, ascii=True))
        return
    write("[")
    for start in range(0, len(value), _SLICE):
        part = dumps(value[start : start + _SLICE], ascii=True)
        write(f"{', ' * (start > 0)}{part[1:-1]}")
    write("]")


def _violation(
    judgement: Judgement, stream: int, found: Violation | None
) -> Mapping[str, Any] | None:
    if found is None:
        return None
    place = judgement.places.get((stream, found.event))
    return {
        "rule": found.rule,
        "event": found.event,
        "line": place.line if place else None,
        "offset": place.offset if place else None,
        "path": found.path,
        "paths": list(found.paths),
        "message": found.message,
        "likely": found.likely,
        "spec": found.spec,
        "expected": found.expected,
    }


def _warning(warned: Warned) -> Mapping[str, Any]:
    return {
        "rule": warned.rule,
        "event": warned.event,
        "path": warned.path,
        "message": warned.message,
        "count": warned.count,
    }


def _run(run: Run) -> Mapping[str, Any]:
    ending = run.ending.now
    return {
        "threadId": run.thread_id,
        "runId": run.run_id,
        "ending": ending.kind if ending else None,
        "message": ending.message if ending else None,
        "code": ending.code if ending else None,
        "usage": _built(ending.usage) if ending and ending.usage is not None else None,
        "pendingToolCallIds": list(ending.pending) if ending else [],
        "interrupts": _built(ending.interrupts) if ending else [],
        "events": run.events,
    }


def _built(shapes: Sequence[Any]) -> Any:
    return [to_builtins(shape) for shape in shapes]
