"""``check`` for people: endings, counts, warnings, and a violation with everything about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from transcript_tui.cli.judging import Judgement, Place
from transcript_tui.cli.timings import figures_text, run_sentence
from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.protocol.version import PROTOCOL_VERSION
from transcript_tui.text import safe
from transcript_tui.transcript.model import Run, RunEnding
from transcript_tui.transcript.pipeline import StreamResult
from transcript_tui.wire.jsontext import NotJson, dumps, parse

__all__ = ["marked", "write_text"]

_LONG: Final = 100
"""Characters of a string that are shown where it is not what is wrong."""
_AROUND: Final = 6
"""Lines shown before and after the marked one."""
_MOST: Final = 50
"""Warnings, and further violations, that are told to people."""
_BYTES: Final = 400
"""Bytes shown of a payload that is not JSON."""


def write_text(
    judgement: Judgement, write: Callable[[str], object], *, strict: bool = False
) -> None:
    """A paragraph for each stream of the source; ``strict``: warnings are a failure."""
    several = len(judgement.streams) > 1
    for number, stream in enumerate(judgement.streams):
        name = f"{judgement.label}, stream {number}" if several else judgement.label
        lines = [name, *_indented(_stream(judgement, number, stream, strict))]
        write("".join(f"{safe(line)}\n" for line in lines))
    for note in judgement.notes if judgement.streams else ():
        write(f"  note: {safe(note)}\n")


def _stream(judgement: Judgement, number: int, stream: StreamResult, strict: bool) -> list[str]:
    left_out = judgement.left_out[number]
    events = stream.length - left_out
    counted = [_counted(events, "event")]
    counted += [f"{_counted(left_out, 'object')} left out"] if left_out else []
    lines = [f"{_verdict(stream, strict)}, {', '.join(counted)}{_spoken(judgement, stream)}"]
    lines += [_run(judgement, run) for run in stream.runs]
    lines += [*_kinds(stream), *(figures_text(judgement, stream) if events else ())]
    if stream.warnings:
        lines.append(_counted(len(stream.warnings), "warning"))
        lines += _indented([_warning(warned) for warned in stream.warnings[:_MOST]])
        lines += _indented(_left_out(len(stream.warnings)))
    if stream.violation:
        lines += _violations(judgement, number, stream, stream.violation)
    return lines


def _verdict(stream: StreamResult, strict: bool) -> str:
    if stream.violation:
        return "rejected"
    return (
        "accepted with warnings, a failure by --strict"
        if strict and stream.warnings
        else ("accepted")
    )


def _kinds(stream: StreamResult) -> list[str]:
    """What was delivered, the most frequent kind first."""
    counts = Counter(stream.event_types()).most_common()
    return [f"events: {', '.join(f'{count} {kind}' for kind, count in counts)}"] if counts else []


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
    counts = run_sentence(judgement, run)
    said.append(f"{counts and f'; {counts}'}{_open_ends(ending)}{_usage(ending)}")
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
    from transcript_tui.transcript.statistics import counted

    parts = []
    for entry in ending.usage or ():
        of = "/".join(one for one in (entry.provider, entry.model) if isinstance(one, str))
        said = ", ".join(f"{key} {value}" for key, value in counted([entry]).items())
        parts.append(f"{of}: {said}" if of else said)
    return f"; usage {'; '.join(parts)}" if parts else ""


def _warning(warned: Warned) -> str:
    event = f"event {warned.event}" if warned.event is not None else "the stream"
    times = f" ({warned.count} times)" if warned.count > 1 else ""
    return f"{warned.rule}, {event}: {warned.message}{times}"


def _violations(
    judgement: Judgement, number: int, stream: StreamResult, first: Violation
) -> list[str]:
    lines = _violation(judgement, number, first, "rejected")
    # What it means and what to do is said once of each cause: a producer repeats its faults.
    explained = {(first.rule, first.likely)}
    for further in stream.after[:_MOST]:
        cause = further.rule, further.likely
        new = cause not in explained
        lines += _violation(judgement, number, further, "after that, also rejected", explain=new)
        explained.add(cause)
    lines += _left_out(len(stream.after))
    unjudged = stream.length - 1 - first.event
    if unjudged > 0 and not judgement.pipeline.keep_going:
        lines.append(
            f"{_counted(unjudged, 'event')} after it not judged (--keep-going reads on past it)"
        )
    return lines


def _left_out(count: int) -> list[str]:
    return [f"… and {count - _MOST:,} more; --format json has them all"] if count > _MOST else []


def _violation(
    judgement: Judgement, number: int, found: Violation, verdict: str, *, explain: bool = True
) -> list[str]:
    place = judgement.places.get((number, found.event))
    where = f", line {place.line}, byte {place.offset}" if place else ""
    lines = [f"{verdict} by {found.rule} at event {found.event}{where}"]
    said = [found.message]
    if explain:
        said += [f"Likely cause: {found.likely}"] if found.likely else []
        said.append(f"What a producer should send: {found.expected}")
        said.append(f"Specification: AG-UI {PROTOCOL_VERSION}, {found.spec}")
    if place:
        said += ["", *marked(place, found.paths)]
    return lines + _indented(said)


# The offending JSON ------------------------------------------------------------------------


def marked(place: Place, paths: Sequence[str]) -> list[str]:
    """The payload, pretty-printed; ``>`` stands before what the paths point at, also before a
    member that is missing."""
    try:
        value = parse(place.payload)
    except NotJson:
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
    missing = _missing(value, {key for key, _ in members}, targets)
    here = any(not target for target in targets)
    if not members and not missing:
        lines.append((here, f"{indent}{label}{_short(value, whole=here)}{comma}"))
        return
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    lines.append((here, f"{indent}{label}{opening}"))
    for number, (key, member) in enumerate(members, 1):
        inner = [target[1:] for target in targets if target and target[0] == key]
        name = f"{dumps(key)}: " if isinstance(value, dict) else ""
        _print(member, indent + "  ", name, "," * (number < len(members)), inner, lines)
    lines += [(True, f"{indent}  {dumps(name)} is missing") for name in missing]
    lines.append((False, f"{indent}{closing}{comma}"))


def _missing(value: Any, held: set[str], targets: list[list[str]]) -> list[str]:
    """Members that are pointed at and not there."""
    wanted = dict.fromkeys(target[0] for target in targets if target)
    return [name for name in wanted if name not in held] if isinstance(value, dict) else []


def _members(value: Any) -> Sequence[tuple[str, Any]]:
    if isinstance(value, dict):
        return list(value.items())
    if isinstance(value, list):
        return [(str(index), member) for index, member in enumerate(value)]
    return ()


def _short(value: Any, *, whole: bool) -> str:
    text = dumps(value)
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
