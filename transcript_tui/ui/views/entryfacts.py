"""All that is known of an entry, a line each, as the inspector shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from transcript_tui.protocol.findings import Violation
from transcript_tui.protocol.shapes import TokenUsage
from transcript_tui.session.clock import moment
from transcript_tui.text import label
from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    RunEnd,
    RunStart,
    Step,
    Subagent,
    ToolCallView,
)
from transcript_tui.transcript.statistics import counted
from transcript_tui.ui.amounts import duration
from transcript_tui.ui.tokens import token_words
from transcript_tui.ui.views.jsonlines import json_lines
from transcript_tui.ui.views.lines import Fact, Line
from transcript_tui.ui.views.styledcells import Cells

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

__all__ = ["facts_of"]


def facts_of(entry: AnyEntry, session: Session, position: int) -> list[Line]:
    """What is known of an entry at ``position``, a line each."""
    return [
        *_own_facts(entry, session, position),
        [],
        *_fact("first event", "input" if entry.born < 0 else f"{entry.born:,}"),
        *_when("arrived", session, entry.born),
    ]


def _own_facts(entry: AnyEntry, session: Session, position: int) -> list[Line]:
    """Those that its kind has."""
    match entry:
        case Message():
            return _message(entry.at(position), session, position)
        case RunStart() | RunEnd():
            return _run(entry, session, position)
        case Step():
            return _step(entry, session, position)
        case Subagent():
            return _subagent(entry, session, position)
        case Passthrough():
            owner = _owner(entry.owner, session, position)
            return [_title(entry.kind), *_fact("name", entry.name), *_fact("owner", owner)]
        case Rejection():
            return _violation(entry.violation)
        case Cut():
            return [_title(entry.kind), *_fact("what", entry.message)]
        case _:
            assert_never(entry)


def _message(view: MessageView, session: Session, position: int) -> list[Line]:
    state = "open" if view.open else "cut off" if view.cut else "closed"
    reopened = f", reopened {view.openings - 1}×" if view.openings > 1 else ""
    lines: list[Line] = [
        [(view.role, f"role-{view.role} bold"), (f"  {state}{reopened}", "dim")],
        [],
        *_fact("id", view.id),
        *_fact("name", view.name),
        *_fact("owner", _owner(view.owner, session, position)),
        *_fact("answers", view.tool_call_id),
        *_fact("activity", view.activity_type),
        *_fact("error", view.error),
        *_fact("length", f"{view.length:,} characters" if view.length else None),
        *_fact("encrypted", "a value is attached; it is not shown" if view.encrypted else None),
        *_span(session, view.first, view.last, "first token", "last token"),
        *_pace(view, session, position),
    ]
    for call in view.tool_calls:
        lines += [[], *_call(call, session, position)]
    return [*lines, *_json("metadata", view.metadata), *_json("activity", view.activity)]


def _pace(view: MessageView, session: Session, position: int) -> list[Line]:
    """Tokens a second, where there are times: a delta counts as a token."""
    first, last = _at(session, view.first), _at(session, view.last)
    if view.text is None or first is None or last is None or last - first < 0.05:
        return []
    pieces = view.text.pieces(position)
    return _fact("pace", f"{pieces:,} deltas, {(pieces - 1) / (last - first):,.1f} a second")


def _owner(id: str | None, session: Session, position: int) -> str | None:
    """The invocation by its name, where it was announced, and its id."""
    subagent = session.tape.transcript.subagent(id, position) if id is not None else None
    return id if subagent is None else f"{subagent.name} ({id})"


def _result(call: ToolCallView, session: Session, position: int) -> list[Line]:
    """The message that answered a call."""
    entry = session.tape.transcript.entries[call.result] if call.result is not None else None
    if not isinstance(entry, Message) or not entry.held(position):
        return []
    return [*_fact("result id", entry.id), *_fact("error", entry.at(position).error)]


def _call(call: ToolCallView, session: Session, position: int) -> list[Line]:
    return [
        [("tool call ", "dim"), (label(call.name), "role-tool bold"), (f"  {call.state}", "dim")],
        *_fact("id", call.id),
        *_span(session, call.started, call.ended, "started", "complete"),
        *_span(session, call.ended, call.answered, None, "answered"),
        *_result(call, session, position),
        *_fact("encrypted", "a value is attached; it is not shown" if call.encrypted else None),
        *_json("metadata", call.metadata),
    ]


def _run(entry: RunStart | RunEnd, session: Session, position: int) -> list[Line]:
    run = entry.run
    ending = run.ending.at(position)
    ended = ending.stamp if ending is not None else None
    lines: list[Line] = [
        _title("run"),
        *_fact("run", run.run_id),
        *_fact("thread", run.thread_id),
        *_fact("parent", run.parent_run_id),
        *_fact("protocol", run.protocol_version),
        *_fact("ending", ending.kind if ending is not None else "running"),
        *_span(session, run.started, ended, "started", "ended"),
        *_fact("events", f"{run.events:,}"),
    ]
    if ending is None:
        return lines
    lines += [*_fact("message", ending.message), *_fact("code", ending.code)]
    lines += [line for call in ending.pending for line in _fact("pending", call)]
    for interrupt in ending.interrupts:
        lines += _fact("asks", f"{interrupt.reason}: {interrupt.message or interrupt.id}")
    for usage in ending.usage or ():
        lines += _usage(usage)
    return lines


def _usage(usage: TokenUsage) -> list[Line]:
    """Counts of one provider and model."""
    who = " ".join(part for part in (usage.provider, usage.model) if isinstance(part, str))
    counts = ", ".join(token_words(counted([usage])))
    return _fact("tokens", f"{who or 'all'}: {counts or 'not counted'}")


def _subagent(entry: Subagent, session: Session, position: int) -> list[Line]:
    ending = entry.ending.at(position)
    return [
        _title("subagent"),
        *_fact("name", entry.name),
        *_fact("id", entry.id),
        *_fact("about", entry.description),
        *_fact("parent", entry.parent),
        *_fact("call", entry.parent_tool_call),
        *_fact("ending", ending.kind if ending is not None else "at work"),
        *_fact("message", ending.message if ending is not None else None),
        *_span(session, entry.born, ending.stamp if ending is not None else None),
    ]


def _step(entry: Step, session: Session, position: int) -> list[Line]:
    return [
        _title("step"),
        *_fact("name", entry.name),
        *_fact("owner", _owner(entry.owner, session, position)),
        *_span(session, entry.born, entry.finished),
    ]


def _violation(violation: Violation) -> list[Line]:
    return [
        _title("violation"),
        *_fact("rule", violation.rule),
        *_fact("path", violation.path),
        *_fact("what", violation.message),
        *_fact("likely", violation.likely),
        *_fact("expected", violation.expected),
        *_fact("page", violation.spec),
    ]


def _title(text: str) -> Cells:
    return [(text, "accent bold")]


def _fact(name: str, value: str | None) -> list[Line]:
    return (
        []
        if value is None or value == ""
        else [Fact([(f"{name:<12} ", "dim"), (label(value), "foreground")])]
    )


def _json(name: str, value: Any) -> list[Line]:
    return [] if not value else [[], [(name, "dim")], json_lines(value)]


def _at(session: Session, stamp: int | None) -> float | None:
    if stamp is None or not 0 <= stamp < session.tape.length:
        return None
    return session.tape.time(stamp)


def _when(name: str, session: Session, stamp: int | None) -> list[Line]:
    at = _at(session, stamp)
    if at is None:
        return []
    started = session.tape.started
    met = None if started is None else moment(started + at)
    clock = "" if met is None else f"  ({met:%H:%M:%S})"
    return _fact(name, f"+{at:.3f} s{clock}")


def _span(
    session: Session,
    first: int | None,
    last: int | None,
    start_name: str | None = "started",
    end_name: str = "ended",
) -> list[Line]:
    start, end = _at(session, first), _at(session, last)
    lines = _when(start_name, session, first) if start_name else []
    lines += _when(end_name, session, last)
    if start is not None and end is not None:
        lines += _fact("duration", duration(end - start))
    return lines
