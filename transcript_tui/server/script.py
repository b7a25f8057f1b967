"""What a server sends: payloads with the seconds between them, cut into runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import msgspec

from transcript_tui.session.pacing import pace
from transcript_tui.session.tape import Tape
from transcript_tui.wire import jsontext

__all__ = ["Line", "Script", "ScriptRun", "parse_scenario", "rename", "script_of"]


@dataclass(frozen=True, slots=True)
class Line:
    """One payload."""

    wait: float
    """Seconds after the payload before it."""
    payload: bytes


@dataclass(frozen=True, slots=True)
class ScriptRun:
    """The payloads from one RUN_STARTED to before the next, or of one connection."""

    lines: tuple[Line, ...]
    tail: bytes = b""
    """Bytes of a frame that never ended: sent, and the connection breaks off there."""


@dataclass(frozen=True, slots=True)
class Script:
    runs: tuple[ScriptRun, ...]

    def whole(self) -> ScriptRun:
        """All runs on one connection."""
        lines = tuple(line for run in self.runs for line in run.lines)
        return ScriptRun(lines, self.runs[-1].tail if self.runs else b"")


# From a tape --------------------------------------------------------------------------------


def script_of(tape: Tape) -> Script:
    """What ``tape`` holds; a log without times gets the invented rhythm."""
    runs: list[ScriptRun] = []
    firsts = [*(stream.first for stream in tape.streams), tape.length]
    for stream, end in zip(tape.streams, firsts[1:], strict=True):
        lines = _lines(tape, stream.first, end)
        found = list(_runs(lines))
        if found and stream.tail:
            found[-1] = replace(found[-1], tail=stream.tail)
        runs += found
    return Script(tuple(runs))


def _lines(tape: Tape, start: int, end: int) -> Iterator[Line]:
    before = tape.time(start - 1) if start else 0.0
    for number in range(start, end):
        payload, at = tape.event(number), tape.time(number)
        if payload is None:
            continue
        if tape.timing is None or at is None:
            yield Line(pace(payload), payload)
        else:
            yield Line(max(0.0, at - (before or 0.0)), payload)
            before = at


def _runs(lines: Iterable[Line]) -> Iterator[ScriptRun]:
    held: list[Line] = []
    begun = False
    for line in lines:
        starts = _type_of(line.payload) == "RUN_STARTED"
        if starts and begun:
            yield ScriptRun(tuple(held))
            held = []
        begun = begun or starts
        held.append(line)
    if held:
        yield ScriptRun(tuple(held))


class _Typed(msgspec.Struct):
    type: Any = None


_typed: Final = msgspec.json.Decoder(_Typed).decode


def _type_of(payload: bytes) -> str | None:
    try:
        kind = _typed(payload).type
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return kind if isinstance(kind, str) else None


# Ids ----------------------------------------------------------------------------------------


def rename(payload: bytes, thread: str | None, run: str | None) -> bytes:
    """A run's start or end with the request's ids; any other payload as it is.

    Strict clients compare them with what they asked for. ``None`` leaves an id alone.
    """
    if thread is run is None or _type_of(payload) not in ("RUN_STARTED", "RUN_FINISHED"):
        return payload
    try:
        event = jsontext.parse(payload)
    except jsontext.NotJson:
        return payload
    for name, value in (("threadId", thread), ("runId", run)):
        # Only a well-formed id is renamed: what is broken in a log stays broken.
        if value is not None and isinstance(event.get(name), str):
            event[name] = value
    return jsontext.dumps(event).encode("utf-8", "replace")


# From a scenario ----------------------------------------------------------------------------


def parse_scenario(text: str) -> Script:
    """Lines ``{"t": seconds, "event": {…}}``, in any order.

    With ``"every": seconds`` the event's delta is streamed: cut into tokens, one event each,
    that far apart from ``t`` on.
    """
    timed: list[tuple[float, str]] = []
    for line in text.splitlines():
        entry = json.loads(line)
        timed += _streamed(entry) if "every" in entry else [(entry["t"], _compact(entry["event"]))]
    timed.sort(key=lambda item: item[0])
    before = 0.0
    lines = []
    for at, event in timed:
        lines.append(Line(at - before, event.encode()))
        before = at
    return Script(tuple(_runs(lines)))


_TOKEN: Final = re.compile(r"\s*\S{1,8}|\s+$")


def _streamed(entry: dict[str, Any]) -> Iterator[tuple[float, str]]:
    event = entry["event"]
    for number, piece in enumerate(_TOKEN.findall(event["delta"])):
        yield entry["t"] + number * entry["every"], _compact({**event, "delta": piece})


def _compact(event: dict[str, Any]) -> str:
    return jsontext.dumps(event)
