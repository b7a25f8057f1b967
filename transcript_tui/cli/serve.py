"""``serve``: a recording, log or scenario as an AG-UI endpoint."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from transcript_tui.cli import options, values
from transcript_tui.cli.parsing import LightCommand, spread

if TYPE_CHECKING:
    from transcript_tui.server.script import Script
    from transcript_tui.server.serve import ServeOptions

SHORT = "Be an endpoint that plays a log or a scenario."
HELP = """Be an AG-UI endpoint that plays a log or a demo scenario, for front-end work and tests.

GET sends everything; each POST sends a thread's next run (--all: every run), with the
request's threadId and runId. The first line on stdout holds the URL. Ctrl+C stops it."""

EXAMPLE = """Examples:

\b
  transcript-tui serve run.sse --port 8000 --speed 2
  transcript-tui serve hello --cors 'http://localhost:3000'
  transcript-tui serve run.sse --drop-after 20 --truncate-frame"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Listening:
    """Where it can be asked, and by whom."""

    host: Annotated[
        str,
        typer.Option(
            "--host", parser=values.host, metavar="HOST", help="The address to listen on."
        ),
    ] = "127.0.0.1"
    port: Annotated[
        int,
        typer.Option(
            "--port",
            parser=values.port,
            metavar="N",
            help="The port to listen on; 0 = a free one.",
        ),
    ] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sending:
    """What each answer holds."""

    speed: options.Speed = None
    idle_cap: options.IdleCap = None
    loop: Annotated[bool, typer.Option("--loop", help="At the end, send it all again.")] = False
    all_runs: Annotated[
        bool, typer.Option("--all", help="A POST gets every run, not only the next.")
    ] = False
    cors: Annotated[
        str | None,
        typer.Option("--cors", metavar="ORIGIN", help="Let pages of this origin ask; * = of any."),
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failing:
    """What is to go wrong: the fields of :class:`~transcript_tui.server.answer.Faults`."""

    drop_after: Annotated[
        int | None,
        typer.Option(
            "--drop-after", parser=values.count, metavar="N", help="Hang up after N events."
        ),
    ] = None
    truncate_frame: Annotated[
        bool, typer.Option("--truncate-frame", help="Cut the last frame in its middle.")
    ] = False
    stall: Annotated[
        float | None,
        typer.Option(
            "--stall",
            parser=values.seconds,
            metavar="SECONDS",
            help="Fall silent for so long in the middle.",
        ),
    ] = None
    status: Annotated[
        int | None,
        typer.Option(
            "--status",
            parser=values.http_status,
            metavar="CODE",
            help="Answer with this HTTP status instead.",
        ),
    ] = None
    garble: Annotated[
        int | None,
        typer.Option(
            "--garble",
            parser=values.count,
            metavar="N",
            help="Send no JSON as event N (the first is 0).",
        ),
    ] = None
    crlf: Annotated[bool, typer.Option("--crlf", help="End lines with CRLF.")] = False
    chunk_bytes: Annotated[
        int | None,
        typer.Option(
            "--chunk-bytes", parser=values.at_least_1, metavar="N", help="Send N bytes at a time."
        ),
    ] = None
    no_final_blank_line: Annotated[
        bool, typer.Option("--no-final-blank-line", help="Leave the last frame unended.")
    ] = False


def _serve(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|SCENARIO",
            help="A log, - for stdin, or a scenario.",
            parser=values.log,
            autocompletion=values.scenario_names,
        ),
    ],
    *,
    listening: _Listening,
    sending: _Sending,
    failing: _Failing,
) -> None:
    from transcript_tui.server.answer import out_of_reach
    from transcript_tui.server.serve import serve

    how, script = _options(listening, sending, failing), _script(source)

    def announce(url: str) -> None:
        if how.exposed:
            sys.stderr.write(f"warning: {how.host} can be reached from other machines.\n")
        for sentence in out_of_reach(script, how.faults):
            sys.stderr.write(f"warning: {sentence}\n")
        # Last: whoever reads it may begin, or end it all, at once.
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()

    serve(script, how, announce, _failed)


def _options(listening: _Listening, sending: _Sending, failing: _Failing) -> ServeOptions:
    from transcript_tui.server.answer import Faults
    from transcript_tui.server.serve import ServeOptions

    return ServeOptions(
        host=listening.host,
        port=listening.port,
        speed=sending.speed or 1.0,
        idle_cap=sending.idle_cap or math.inf,
        loop=sending.loop,
        all_runs=sending.all_runs,
        cors=sending.cors,
        faults=Faults(**asdict(failing)),
    )


def _script(source: str) -> Script:
    """A scenario where no file has that name; raises :class:`SourceError`."""
    import os

    from transcript_tui.server.scenarios import SCENARIOS, no_scenario

    there = source == "-" or os.path.exists(source)
    if source in SCENARIOS and not there:
        return SCENARIOS[source].load()
    if not there and os.sep not in source and "." not in source:
        raise no_scenario(source, "file or scenario")
    from transcript_tui.cli.reading import read_log
    from transcript_tui.server.script import script_of

    return script_of(read_log(source).tape)


def _failed(error: Exception) -> None:
    from transcript_tui.log import log_file, unforeseen

    sys.stderr.write(unforeseen(error, log_file()) + "\n")


def add_to(app: typer.Typer) -> None:
    app.command("serve", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(
        spread(_serve)
    )
