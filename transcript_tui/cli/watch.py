"""``watch``: an endpoint, as it streams."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from transcript_tui.cli import options
from transcript_tui.cli.parsing import LightCommand, spread

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

SHORT = "Show what an endpoint streams, as it comes."
HELP = """Show what an AG-UI endpoint streams, as it comes.

Without --message and --input the URL is read by GET; with either, a run is started by POST.
Where stdout is no terminal, or with --plain, plain text is printed and the exit status is
that of `check`."""

EXAMPLE = """Examples:

\b
  transcript-tui watch http://127.0.0.1:8000/ --message 'weather in Zürich?'
  transcript-tui watch http://127.0.0.1:8000/events --record run.sse
  transcript-tui watch https://agent.example/ --input run.json -H 'Authorization: env:TOKEN'"""


def _watch(
    url: options.Url,
    *,
    endpoint: options.Endpoint,
    reconnect: options.Reconnect = False,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="Save what arrives, too, as a recording."),
    ] = None,
    force: options.Force = False,
    keep_going: options.KeepGoing = False,
    view: options.View,
    max_frame: options.MaxFrame = None,
    program: options.Program,
) -> None:
    from transcript_tui.cli.sources import shown_url
    from transcript_tui.cli.viewing import check_output, input_of, look, present

    how = look(endpoint, view, program, max_frame=max_frame)
    if record is not None:
        check_output(record, force=force)
    given = input_of(endpoint.input, how)

    def open_session() -> Session:
        from transcript_tui.cli.sources import open_url
        from transcript_tui.session.session import Session

        source = open_url(url, endpoint, given, timeout=how.settings.timeout, reconnect=reconnect)
        session = Session(
            source,
            kind="watch",
            keep_going=keep_going,
            max_frame=how.settings.max_frame,
        )
        if record is not None:
            recorder = session.record(record, force=force)
            if recorder.error is not None:
                raise recorder.error
        return session

    raise typer.Exit(present(open_session, how, shown_url(url)))


def add_to(app: typer.Typer) -> None:
    app.command("watch", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(
        spread(_watch)
    )
