"""``check`` for people: endings, counts, warnings, and a violation with everything about it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from transcript_tui.cli.judging import Judgement, Place
from transcript_tui.cli.timings import figures_text, run_sentence
from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.transcript.model import Run, RunEnding
from transcript_tui.transcript.pipeline import StreamResult
from transcript_tui.ui.text import safe

__all__ = ["marked", "write_text"]

_LONG: Final = 100
"""Characters of a string that are shown where it is not what is wrong."""
_AROUND: Final = 6
"""Lines shown before and after the marked one."""
_BYTES: Final = 400
"""Bytes shown of a payload that is not JSON."""


def write_text(judgement: Judgement, write: Callable[[str], object]) -> None:
    """A paragraph for each stream of the source."""
    several = len(judgement.streams) > 1
    for number, stream in enumerate(judgement.streams):
        name = f"{judgement.source}, stream {number}" if several else judgement.source
        lines = [name, *_indented(_stream(judgement, number, stream))]
        write("".join(f"{safe(line)}\n" for line in lines))
    for note in judgement.notes:
        write(f"  note: {safe(note)}\n")


def _stream(judgement: Judgement, number: int, stream: StreamResult) -> list[str]:
    verdict = "rejected" if stream.violation else "accepted"
    lines = [f"{verdict}, {_counted(stream.length, 'event')}{_spoken(judgement, stream)}"]
    lines += [_run(judgement, run) for run in stream.runs]
    lines += figures_text(judgement, stream)
    if stream.warnings:
        lines.append(_counted(len(stream.warnings), "warning"))
        lines += _indented([_warning(warned) for warned in stream.warnings])
    if stream.violation:
        lines += _violation(judgement, number, stream.violation, "rejected")
    for further in stream.after:
        lines += _violation(judgement, number, further, "after that, also rejected")
    return lines


def _spoken(judgement: Judgement, stream: StreamResult) -> str:
    """How many messages of each role stand at the stream's end."""
    end = stream.position
    messages = judgement.pipeline.transcript.conversation(end)
    if not messages:
        return ""
    roles = Counter(message.at(end).role for message in messages)
    return (
        ", "
        + _counted(len(messages), "message")
        + ": "
        + ", ".join(f"{count} {role}" for role, count in roles.items())
    )


def _run(judgement: Judgement, run: Run) -> str:
    ending = run.ending.now
    name = "an error outside any run"
    if run.run_id is not None:
        name = f"run {run.run_id} (thread {run.thread_id})"
    if ending is None:
        return f"{name}: open"
    said = [f"{name}: {ending.kind}"]
    if ending.message:
        said.append(f": {ending.message}")
    if ending.code:
        said.append(f" [{ending.code}]")
    said.append(f"; {run_sentence(judgement, run)}{_open_ends(ending)}{_usage(ending)}")
    return "".join(said)


def _open_ends(ending: RunEnding) -> str:
    said = ""
    if ending.pending:
        said += f"; unanswered: {', '.join(ending.pending)}"
    if ending.interrupts:
        asked = (str(one.message or one.reason) for one in ending.interrupts)
        said += f"; asks: {'; '.join(asked)}"
    return said


def _usage(ending: RunEnding) -> str:
    """Token counts as the protocol has them: what is absent is not said."""
    from msgspec import to_builtins

    parts = []
    for entry in ending.usage or ():
        counts: dict[str, Any] = to_builtins(entry)
        of = "/".join(str(counts.pop(key)) for key in ("provider", "model") if key in counts)
        said = ", ".join(f"{key} {value}" for key, value in counts.items() if type(value) is int)
        parts.append(f"{of}: {said}" if of else said)
    return f"; usage {'; '.join(parts)}" if parts else ""


def _warning(warned: Warned) -> str:
    event = f"event {warned.event}" if warned.event is not None else "the stream"
    times = f" ({warned.count} times)" if warned.count > 1 else ""
    return f"{warned.rule}, {event}: {warned.message}{times}"


def _violation(judgement: Judgement, number: int, found: Violation, verdict: str) -> list[str]:
    place = judgement.places.get((number, found.event))
    where = f", line {place.line}, byte {place.offset}" if place else ""
    lines = [f"{verdict} by {found.rule} at event {found.event}{where}"]
    said = [found.message]
    if found.likely:
        said.append(f"Likely cause: {found.likely}")
    if found.expected:
        said.append(f"What a producer should send: {found.expected}")
    said.append(f"Specification: {found.spec}")
    if place:
        said += ["", *marked(place, found.paths)]
    return lines + _indented(said)


# The offending JSON ------------------------------------------------------------------------


def marked(place: Place, paths: Sequence[str]) -> list[str]:
    """The payload, pretty-printed; ``>`` stands before what the paths point at.

    A path whose last member is missing marks what it is missing from.
    """
    try:
        value = json.loads(place.payload)
    except (ValueError, RecursionError):
        return [f"> {_excerpt(place.payload)}"]
    # Where no place is at fault, it is the event as such that should not stand here.
    targets = [_parts(path) for path in paths] or [["type"]]
    lines: list[tuple[bool, str]] = []
    _print(value, "", "", "", targets, lines)
    return _around([f"{'>' if hit else ' '} {line}" for hit, line in lines])


def _excerpt(payload: bytes) -> str:
    more = f" … and {len(payload) - _BYTES} bytes more" if len(payload) > _BYTES else ""
    return payload[:_BYTES].decode("utf-8", "replace").replace("\n", "\\n") + more


def _parts(path: str) -> list[str]:
    return [part.replace("~1", "/").replace("~0", "~") for part in path.split("/")[1:]]


def _print(
    value: Any,
    indent: str,
    label: str,
    comma: str,
    targets: list[list[str]],
    lines: list[tuple[bool, str]],
) -> None:
    """Lines of ``value``, each with whether it is pointed at; ``targets`` are relative to it."""
    members = list(_members(value))
    here = any(not target or target[0] not in {key for key, _ in members} for target in targets)
    if not members:
        lines.append((here, f"{indent}{label}{_short(value, whole=here)}{comma}"))
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines.append((here, f"{indent}{label}{opening}"))
    for number, (key, member) in enumerate(members, 1):
        inner = [target[1:] for target in targets if target and target[0] == key]
        name = f"{json.dumps(key, ensure_ascii=False)}: " if isinstance(value, dict) else ""
        _print(member, indent + "  ", name, "," * (number < len(members)), inner, lines)
    lines.append((False, f"{indent}{closing}{comma}"))


def _members(value: Any) -> Sequence[tuple[str, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return [(str(index), member) for index, member in enumerate(value)]
    return ()


def _short(value: Any, *, whole: bool) -> str:
    text = json.dumps(value, ensure_ascii=False)
    limit = _BYTES if whole else _LONG
    return text if len(text) <= limit else f'{text[:limit]}…" ({len(text)} characters)'


def _around(lines: list[str]) -> list[str]:
    """The marked lines with a few around each, and a word for what is left out."""
    hits = [index for index, line in enumerate(lines) if line.startswith(">")] or [0]
    kept = {index for hit in hits for index in range(hit - _AROUND, hit + _AROUND + 1)} & set(
        range(len(lines))
    )
    shown: list[str] = []
    for index, line in enumerate(lines):
        if index in kept:
            shown.append(line)
        elif index - 1 in kept or index == 0:
            shown.append("  …")
    return shown


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" if line else "" for line in lines]


def _counted(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"
