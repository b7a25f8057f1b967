"""What took how long: a lane for each run, step, message, tool call and subagent; stalls; ticks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from transcript_tui.text import label
from transcript_tui.transcript.model import (
    AnyEntry,
    Message,
    MessageView,
    Rejection,
    RunStart,
    Step,
    Subagent,
)
from transcript_tui.transcript.statistics import TimeOf
from transcript_tui.ui.amounts import clock

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

STALL: Final = 2.0
"""Seconds without an event that count as a stall."""

STALLS_WITHIN: Final = 20_000
"""Events that are looked through for stalls."""

_STEPS: Final = (1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0)
"""Seconds between two ticks of the axis; below a second it is tenths and so on of the first ones,
above an hour doubled."""
_APART: Final = 10
"""Columns between two ticks, at least."""


@dataclass(frozen=True, slots=True)
class Lane:
    """One row."""

    key: int
    """The entry it belongs to."""
    label: str
    style: str
    depth: int
    start: float
    first: float | None
    """First token, where that is later than the start."""
    end: float | None
    """``None`` = still going on."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What the lanes are measured by."""

    times: TimeOf
    total: float
    """Seconds."""
    invented: bool
    """The rhythm that the player made up: the log has no times."""


def axis_of(session: Session) -> Axis | None:
    """The log's own times, else those that it is played by; ``None``: it has neither."""
    tape, player = session.tape, session.player
    if tape.timing is not None:
        return Axis(tape.time, tape.duration, invented=False)
    if player.paced and player.total is not None:
        return Axis(lambda number: player.elapsed(number + 1), player.total, invented=True)
    return None


def ticks(total: float, width: int) -> list[tuple[int, str]]:
    """(column, label) of the axis over ``width`` columns for ``total`` seconds."""
    if total <= 0 or width <= 0:
        return []
    step = _step(total * _APART / width)
    scale = (width - 1) / total
    return [
        (int(number * step * scale), _tick(number * step))
        for number in range(int(total / step) + 1)
    ]


def _step(least: float) -> float:
    size = 1.0
    while least < size and size > 0.001:
        size /= 10
    if size < 1.0:
        return next(one * size for one in (1.0, 2.0, 5.0, 10.0) if one * size >= least)
    step = next((one for one in _STEPS if one >= least), _STEPS[-1])
    while step < least:
        step *= 2
    return step


def _tick(seconds: float) -> str:
    if not seconds:
        return "0"
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.3g} s" if seconds < 60 else clock(seconds + 0.5)


def lanes_of(entry: AnyEntry, times: TimeOf, position: int) -> Iterator[Lane]:
    """The lanes of an entry that takes time: one, and of a message one for each of its calls."""

    def at(stamp: int | None) -> float | None:
        if stamp is None or not 0 <= stamp < position:
            return None
        return times(stamp)

    start = at(entry.born)
    if start is None:
        return
    match entry:
        case RunStart():
            ending = entry.run.ending.at(position)
            name = f"run {label(entry.run.run_id or '')}"
            end = at(min(ending.stamp, position - 1)) if ending is not None else None
            yield Lane(entry.key, name, "accent", 0, start, None, end)
        case Step():
            yield Lane(
                entry.key, f"step {label(entry.name)}", "dim", 1, start, None, at(entry.finished)
            )
        case Subagent():
            over = entry.ending.at(position)
            end = at(over.stamp) if over is not None else None
            name = f"subagent {label(entry.name)}"
            yield Lane(entry.key, name, "role-subagent", 1, start, None, end)
        case Message():
            yield from _message_lanes(entry.key, entry.at(position), times, start)
        case Rejection():
            yield Lane(entry.key, "⚑ violation", "ending-rejected", 0, start, None, start)
        case _:
            return


def _message_lanes(key: int, view: MessageView, times: TimeOf, start: float) -> Iterator[Lane]:
    def at(stamp: int | None) -> float | None:
        return None if stamp is None or stamp < 0 else times(stamp)

    first, last = at(view.first), at(view.last)
    name = label(view.name) if view.name else view.role
    if view.length or view.parts or not view.tool_calls:
        end = None if view.open else last if last is not None else start
        yield Lane(key, name, f"role-{view.role}", 1, start, first, end)
    for call in view.tool_calls:
        began = at(call.started)
        over = at(call.ended if call.answered is None else call.answered)
        if began is not None:
            name = f"⚙ {label(call.name)}"
            yield Lane(key, name, "role-tool", 2, began, at(call.ended), over)


def stalls(session: Session, position: int) -> list[tuple[float, float]]:
    """Since when and until when nothing came for long, before ``position``; bounded work."""
    tape = session.tape
    if not tape.timing or position < 2:
        return []
    times = tape.times(max(0, position - STALLS_WITHIN), position)
    return [(a, b) for a, b in pairwise(times) if b - a >= STALL]
