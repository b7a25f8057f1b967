"""``check --format junit``: a suite a stream, a case a run, one more named ``stream``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

from transcript_tui.cli.judging import Judgement
from transcript_tui.cli.report_text import marked
from transcript_tui.protocol.findings import Warned
from transcript_tui.text import safe
from transcript_tui.transcript.model import Run
from transcript_tui.transcript.pipeline import StreamResult

__all__ = ["write_junit"]


def write_junit(
    judgements: Iterable[Judgement], write: Callable[[str], object], *, strict: bool
) -> None:
    """One document for all sources."""
    write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="transcript-tui check">\n')
    for judgement in judgements:
        if judgement.unusable:
            write(_unusable(judgement))
        for number, stream in enumerate(judgement.streams):
            write(_suite(judgement, number, stream, strict=strict))
    write("</testsuites>\n")


def _unusable(judgement: Judgement) -> str:
    source = judgement.label
    why = f"<error type={_value('unreadable')} message={_value(str(judgement.error))}/>"
    return _suited(source, [_case(source, "stream", why)], errors=1, failures=0)


def _suite(judgement: Judgement, number: int, stream: StreamResult, *, strict: bool) -> str:
    source = judgement.label
    name = source if len(judgement.streams) == 1 else f"{source} stream {number}"
    runs = stream.runs
    outcomes = [_run_failure(run) for run in runs]
    found = _stream_failure(judgement, number, stream, strict=strict)
    cases = [
        _case(name, run.run_id or "outside any run", outcome)
        for run, outcome in zip(runs, outcomes, strict=True)
    ]
    cases.append(_case(name, "stream", found + _said(stream.warnings)))
    failures = sum(map(bool, outcomes)) + bool(found)
    return _suited(name, cases, errors=0, failures=failures)


def _run_failure(run: Run) -> str:
    """A run that failed or was cut; a rejected one is the stream's failure, said once."""
    ending = run.ending.now
    if ending is None or ending.kind not in ("failed", "truncated"):
        return ""
    message = ending.message or "the bytes ended with the run open"
    return f"<failure type={_value(ending.kind)} message={_value(message)}/>"


def _stream_failure(
    judgement: Judgement, number: int, stream: StreamResult, *, strict: bool
) -> str:
    found = stream.violation
    if found is not None:
        place = judgement.places.get((number, found.event))
        lines = [f"event {found.event}"]
        lines += [f"likely cause: {found.likely}"] if found.likely else []
        lines += [f"what a producer should send: {found.expected}", f"specification: {found.spec}"]
        if place:
            lines[0] += f", line {place.line}, byte {place.offset}"
            lines += marked(place, found.paths)
        body = "\n".join(lines)
        return (
            f"<failure type={_value(found.rule)} message={_value(found.message)}>"
            f"{_text(body)}</failure>"
        )
    if stream.warnings and (strict or not stream.length):
        first = stream.warnings[0]
        return f"<failure type={_value(first.rule)} message={_value(first.message)}/>"
    return ""


def _said(warnings: Sequence[Warned]) -> str:
    if not warnings:
        return ""
    return f"<system-out>{_text(chr(10).join(map(_warning, warnings)))}</system-out>"


def _warning(one: Warned) -> str:
    place = "" if one.event is None else f" at event {one.event}"
    times = "" if one.count == 1 else f" ({one.count}×)"
    return f"{one.rule}{place}: {one.message}{times}"


def _suited(name: str, cases: Sequence[str], *, errors: int, failures: int) -> str:
    return (
        f'  <testsuite name={_value(name)} tests="{len(cases)}" failures="{failures}" '
        f'errors="{errors}">\n{"".join(cases)}  </testsuite>\n'
    )


def _case(suite: str, name: str, content: str) -> str:
    return f"    <testcase classname={_value(suite)} name={_value(name)}>{content}</testcase>\n"


def _value(text: str) -> str:
    return quoteattr(safe(text))


def _text(text: str) -> str:
    return escape(safe(text))
