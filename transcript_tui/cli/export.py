"""``export``: the transcript of a log or an endpoint as a file to hand on."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from transcript_tui.cli import options, values
from transcript_tui.cli.parsing import LightCommand, spread

if TYPE_CHECKING:
    from transcript_tui.cli.viewing import Look
    from transcript_tui.export import Colors
    from transcript_tui.session.session import Session
    from transcript_tui.session.tape import Tape

SHORT = "Write a transcript as Markdown, JSON, HTML or text."
HELP = """Write the transcript of a log or an endpoint: as Markdown (md), as AG-UI messages
(json), as one static HTML page in the theme's colours (html), as plain text (txt).

The format is told by OUT's ending or by --format; without OUT it goes to stdout. --redact
takes the words out and keeps order, types, sizes, ids and names of tools and members; what
was removed is listed on stderr."""

EXAMPLE = """Examples:

\b
  transcript-tui export run.sse -o run.html --theme paper
  transcript-tui export run.sse --format md --at 12.5s
  transcript-tui export run.sse --redact -o for-the-issue.md"""

Kind = Literal["md", "json", "html", "txt"]
_ENDINGS: Final = {".htm": "html", ".markdown": "md", ".text": "txt"}
"""Endings that mean a format of another name."""


def _export(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL", help="A log, - for stdin, or an endpoint.", parser=values.source
        ),
    ],
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="OUT", help="The file to write; default: stdout."),
    ] = None,
    format: Annotated[Kind | None, typer.Option("--format", help="What to write.")] = None,
    at: Annotated[
        str,
        typer.Option(
            "--at",
            metavar="PLACE",
            help="Up to 1200 (an event; the first is 0), 12.5s or 1:20 (a time), message:ID.",
        ),
    ] = "",
    redact: options.Redact = False,
    theme: options.Theme = None,
    keep_going: options.KeepGoing = False,
    force: options.Force = False,
    endpoint: options.Endpoint,
    max_frame: options.MaxFrame = None,
    program: options.Program,
) -> None:
    from transcript_tui.cli.reading import redacted
    from transcript_tui.cli.sources import given_input
    from transcript_tui.cli.viewing import check_output, look
    from transcript_tui.export import FORMATS

    chosen = FORMATS[_format(format, output)]
    if output is not None:
        check_output(output, force=force)
    how = look(endpoint, program, theme=theme, max_frame=max_frame)
    colors = _colors(how) if chosen.colored is not None else None
    given = given_input(endpoint.input, taken=source == "-")
    session = _read(source, endpoint, given, how, keep_going=keep_going)
    tape = redacted(session, keep_going=keep_going) if redact else session.tape
    written = chosen.render(tape.transcript, _position(tape, at), colors)
    _write(written, output)


def _format(asked: Kind | None, output: Path | None) -> str:
    from transcript_tui.errors import UsageError
    from transcript_tui.export import FORMATS

    if asked is not None:
        return asked
    formats = ", ".join(FORMATS)
    if output is None:
        raise UsageError(
            "Say in which format to write.",
            f"Add --format: one of {formats}; or -o with such an ending.",
        )
    ending = output.suffix.lower()
    name = _ENDINGS.get(ending, ending.removeprefix("."))
    if name not in FORMATS:
        raise UsageError(
            f"The ending of {output} names no format.", f"Add --format: one of {formats}."
        )
    return name


def _colors(how: Look) -> Colors:
    from transcript_tui.config import DEFAULT_THEME, themes_folder
    from transcript_tui.ui.themes import theme_named

    name = how.settings.theme
    if name == DEFAULT_THEME:
        return {}
    return theme_named(name, themes_folder()).colors


def _read(
    source: str,
    asked: options.Endpoint,
    given: dict[str, Any] | None,
    how: Look,
    *,
    keep_going: bool,
) -> Session:
    """Everything that the source has; raises :class:`SourceError` where that is nothing."""
    from transcript_tui.cli.reading import receive
    from transcript_tui.cli.sources import endpoint
    from transcript_tui.session.session import Session
    from transcript_tui.session.sources.registry import open_source

    settings = how.settings
    url = endpoint(source, asked, given, timeout=settings.timeout)
    return receive(
        Session(
            url or open_source(source, settings.max_frame),
            kind="watch" if url else "replay",
            given=None if url else given,
            keep_going=keep_going,
            max_frame=settings.max_frame,
        )
    )


def _position(tape: Tape, at: str) -> int:
    """Just after the event, the moment or the whole message that ``at`` names."""
    from transcript_tui.errors import UsageError
    from transcript_tui.ui.places import EventNumber, MessageId, Moment, parse_place

    match parse_place(at):
        case None:
            return tape.length
        case EventNumber(number) if number < tape.length:
            return number + 1
        case EventNumber():
            raise UsageError(
                f"There is no event {at}: the last is {tape.length - 1:,} (the first is 0)."
                if tape.length
                else f"There is no event {at}: there is none at all."
            )
        case Moment(seconds):
            if tape.timing is None:
                raise UsageError("This log has no times.", "Give the number of an event.")
            return tape.position_at(seconds)
        case MessageId(wanted):
            return _whole(tape, wanted)


def _whole(tape: Tape, wanted: str) -> int:
    """The position at which the message ``wanted`` had all that it ever got."""
    from transcript_tui.errors import UsageError
    from transcript_tui.transcript.model import Message

    for entry in tape.transcript.entries:
        if isinstance(entry, Message) and entry.id == wanted:
            touched = tape.transcript.touched
            numbers = range(tape.length - 1, -1, -1)
            return next((n + 1 for n in numbers if touched[n] == entry.key), tape.length)
    raise UsageError(
        f"No message has the id {wanted!r}.", "Give one's id, an event's number, or a time: 12.5s."
    )


def _write(written: str, output: Path | None) -> None:
    from transcript_tui.errors import unwritable

    # A lone surrogate is legal in JSON and cannot be written as UTF-8.
    content = written.encode("utf-8", "replace")
    if output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise unwritable(output, error) from None


def add_to(app: typer.Typer) -> None:
    app.command("export", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(
        spread(_export)
    )
