"""``check``: verdicts for scripts and CI. Loads no screen, no HTTP (but for a URL), no settings."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from transcript_tui.cli import options, values
from transcript_tui.cli.parsing import LightCommand, spread

if TYPE_CHECKING:
    from transcript_tui.cli.judging import Judgement
    from transcript_tui.cli.status import Status
    from transcript_tui.transcript.pipeline import Record

Format = Literal["text", "json", "junit"]
Events = Literal["types", "full", "none"]

SHORT = "Judge streams, for scripts and CI."
HELP = """Judge event streams: do they keep the rules, and how did each run end?

SOURCE is a saved log (as for `replay`), a URL (as for `watch`), or - for stdin.
It may hold several streams (connections); each is judged from scratch.

\b
Formats:
  text   for people; may change
  json   a line, one object, for each stream: source, stream, verdict, violation,
         warnings, runs, messages, state, events, statistics; with --keep-going
         also after, the further violations
  junit  a suite for each stream: a case for each run, and one named stream

\b
Exit status, the worst of all sources (in the order 2, 1, 4, 3):
  0    all accepted and finished, interrupted or cancelled
  1    a stream was rejected; with --strict also: a warning
  2    usage, or a source that cannot be read or reached
  3    a run failed by its own account (RUN_ERROR)
  4    truncated, or no event at all
  70   an error of this program, which says nothing of a stream
  130  stopped by Ctrl+C; what arrived is judged first

No settings are read: the same command answers the same everywhere."""

EXAMPLE = """Examples:

\b
  transcript-tui check run.sse
  transcript-tui check --format json http://127.0.0.1:8000/ --message hello
  curl -N http://127.0.0.1:8000/events | transcript-tui check --strict -"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """How to judge, and how to say it."""

    format: Format
    quiet: bool
    strict: bool
    keep_going: bool
    events: Events
    given: dict[str, Any] | None
    max_frame: int


def _check(
    sources: Annotated[
        list[str],
        typer.Argument(metavar="SOURCE", help="Logs, URLs, or - for stdin.", parser=values.source),
    ],
    *,
    format: Annotated[Format, typer.Option("--format", help="How to print the verdicts.")] = "text",
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the exit status.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="A warning is a failure.")] = False,
    keep_going: options.KeepGoing = False,
    events: Annotated[
        Events, typer.Option("--events", help="In JSON: delivered events as types, whole, or not.")
    ] = "types",
    endpoint: options.Endpoint,
    max_frame: options.MaxFrame = None,
) -> None:
    from transcript_tui.cli import sources as opening
    from transcript_tui.wire.reader import MAX_FRAME

    given = opening.given_input(endpoint.input, taken="-" in sources)
    if given is not None and not quiet:
        _say_what_is_left_out(given)
    wanted = Wanted(
        format=format,
        quiet=quiet,
        strict=strict,
        keep_going=keep_going,
        events=events,
        given=given,
        max_frame=max_frame or MAX_FRAME,
    )
    raise typer.Exit(_judge_all(sources, endpoint, wanted))


def _say_what_is_left_out(given: dict[str, Any]) -> None:
    """No stream warns of what its input holds."""
    from transcript_tui.cli.complaints import remark
    from transcript_tui.transcript.given import read_input

    remark(read_input(given).left_out)


def _judge_all(sources: list[str], endpoint: options.Endpoint, wanted: Wanted) -> Status:
    """Judge one source after the other, saying each as soon as it is known."""
    from transcript_tui.cli.status import Status, worst

    statuses: list[Status] = []
    kept: list[Judgement] = []
    stopped = False
    for name in sources:
        judgement, stopped = _judge(name, endpoint, wanted)
        statuses.append(judgement.status(strict=wanted.strict))
        _complain(judgement, wanted)
        if wanted.format == "junit":
            kept.append(judgement)
        elif not wanted.quiet:
            _say(judgement, wanted)
        if stopped:
            break
    if wanted.format == "junit" and not wanted.quiet:
        from transcript_tui.cli.report_junit import write_junit

        write_junit(kept, sys.stdout.write, strict=wanted.strict)
    return Status.INTERRUPTED if stopped else worst(statuses)


def _judge(name: str, endpoint: options.Endpoint, wanted: Wanted) -> tuple[Judgement, bool]:
    """The judgement, and whether Ctrl+C cut it short: what arrived is judged all the same."""
    from transcript_tui.cli import sources as opening
    from transcript_tui.cli.judging import Judge

    source = opening.endpoint(name, endpoint, wanted.given)
    judge = Judge(
        name,
        given=wanted.given if source is None else source.run_input,
        keep_going=wanted.keep_going,
        record_events=_recorded(wanted),
        max_frame=wanted.max_frame,
    )
    try:
        if source is None:
            judge.read(opening.read_now(name, wanted.max_frame))
        else:
            import asyncio

            asyncio.run(judge.receive(source))
    except KeyboardInterrupt:
        return judge.judgement, True
    return judge.judgement, False


def _recorded(wanted: Wanted) -> Record:
    """What has to be kept of the delivered events to say what is asked for."""
    if wanted.quiet or wanted.format == "junit":
        return "none"
    return "full" if wanted.format == "json" and wanted.events == "full" else "types"


def _say(judgement: Judgement, wanted: Wanted) -> None:
    if wanted.format == "json":
        from transcript_tui.cli.report_json import write_json

        write_json(judgement, sys.stdout.write, events=wanted.events)
    else:
        from transcript_tui.cli.report_text import write_text

        write_text(judgement, sys.stdout.write, strict=wanted.strict)
    sys.stdout.flush()


def _complain(judgement: Judgement, wanted: Wanted) -> None:
    """Why a source could not be read, or not to its end."""
    from transcript_tui.cli.complaints import complain, remark

    if judgement.error is None or wanted.quiet:
        return
    if judgement.unusable:
        # No verdict follows that its notes could stand under.
        remark(judgement.notes, judgement.label)
    complain(judgement.error, judgement.label)


def add_to(app: typer.Typer) -> None:
    app.command("check", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(
        spread(_check)
    )
