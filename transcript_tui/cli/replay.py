"""``replay``: a saved log, or a pipe, as a player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from transcript_tui.cli import options, values
from transcript_tui.cli.parsing import LightCommand, spread

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

SHORT = "Play a saved log, or a pipe."
HELP = """Play a saved log: what `curl -N` saved, JSON lines, a JSON array of events, a HAR
file, a recording, a session of another AG-UI tool; each also as .gz. - reads stdin. The format
is told by the content. A pipe is shown as it comes, unless --speed, --timing or --idle-cap
say how to play it.

It plays at the log's own pace, pauses cut to 2 s. Where stdout is no terminal, or with
--plain, plain text is printed at full speed and the exit status is that of `check`."""

EXAMPLE = """Examples:

\b
  transcript-tui replay run.sse
  transcript-tui replay run.jsonl.gz --speed 10 --start-at 1:20
  curl -N http://127.0.0.1:8000/events | transcript-tui replay -"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Playback:
    """From where, and how fast."""

    speed: options.Speed = None
    timing: options.Timing = None
    idle_cap: options.IdleCap = None
    start_at: Annotated[
        str,
        typer.Option(
            "--start-at",
            metavar="PLACE",
            help="Begin at 1200 (an event; the first is 0), 12.5s or 1:20 (a time), message:ID.",
        ),
    ] = ""
    paused: Annotated[bool, typer.Option("--paused", help="Begin paused; Space plays.")] = False
    loop: Annotated[bool, typer.Option("--loop", help="At the end, begin again.")] = False

    @property
    def asked(self) -> bool:
        """The command line says how to play it: then a pipe is played, too."""
        return (self.speed, self.timing, self.idle_cap) != (None, None, None)


def _replay(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The log, or - for stdin.", parser=values.log)
    ],
    *,
    playback: _Playback,
    growing: Annotated[
        bool, typer.Option("--follow", help="Keep reading as the file grows, like tail -F.")
    ] = False,
    keep_going: options.KeepGoing = False,
    view: options.View,
    max_frame: options.MaxFrame = None,
    program: options.Program,
) -> None:
    from transcript_tui.cli.viewing import look, pipe_of_stdin, present

    how = look(playback, view, program, max_frame=max_frame)
    pipe = pipe_of_stdin(how) if file == "-" else 0

    def open_session() -> Session:
        from transcript_tui.session.session import Session
        from transcript_tui.session.sources.file import FileSource, StdinSource

        longest = how.settings.max_frame
        return Session(
            StdinSource(pipe, played=playback.asked, max_frame=longest)
            if file == "-"
            else FileSource(file, follow=growing, played=playback.asked, max_frame=longest),
            kind="replay",
            keep_going=keep_going,
            max_frame=longest,
            timing=how.settings.timing,
            idle_cap=how.idle_cap,
            speed=how.speed,
            loop=playback.loop,
            playing=not playback.paused,
        )

    raise typer.Exit(present(open_session, how, "stdin" if file == "-" else file))


def add_to(app: typer.Typer) -> None:
    app.command("replay", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(
        spread(_replay)
    )
