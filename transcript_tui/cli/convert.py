"""``convert``: any log to a recording or to JSON lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from transcript_tui.cli import options, values
from transcript_tui.cli.parsing import LightCommand

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

SHORT = "Turn any log into a recording or JSON lines."
HELP = """Turn any log that `replay` opens into a recording or JSON lines.

The events stay what they are, byte for byte, unless --redact takes their words out; those
that stand in envelopes are taken out of them. JSON lines have no times; a recording keeps
those that the log has. The kind is told by OUT's name (.jsonl) or by --to."""

EXAMPLE = """Examples:

\b
  transcript-tui convert session.har run.sse
  transcript-tui convert run.sse run.jsonl"""


def _convert(
    source: Annotated[
        str, typer.Argument(metavar="IN", help="A log, or - for stdin.", parser=values.log)
    ],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write.")],
    to: Annotated[
        Literal["recording", "jsonl"] | None,
        typer.Option("--to", help="What to write; default: as OUT is named."),
    ] = None,
    redact: options.Redact = False,
    force: options.Force = False,
    max_frame: options.MaxFrame = None,
) -> None:
    from transcript_tui.cli.reading import read_log, redacted
    from transcript_tui.cli.viewing import check_output
    from transcript_tui.ui.amounts import count
    from transcript_tui.wire.reader import MAX_FRAME

    check_output(output, force=force)
    session = read_log(source, max_frame=max_frame or MAX_FRAME)
    if redact:
        session.tape = redacted(session)
    kind = to or ("jsonl" if output.suffix == ".jsonl" else "recording")
    events = _write_jsonl(session, output) if kind == "jsonl" else _write(session, output)
    sys.stderr.write(f"{count(events, 'event')} in {output}\n")


def _write(session: Session, output: Path) -> int:
    from transcript_tui.session.recorder import Recorder
    from transcript_tui.session.recording import Recording

    recorder = Recorder(output, force=True)
    wall = session.clock.wall()
    Recording(recorder, session.tape, session.source, wall, unwrapped=True).write_all()
    recorder.finish()
    if recorder.error is not None:
        raise recorder.error
    return recorder.frames


def _write_jsonl(session: Session, output: Path) -> int:
    from transcript_tui.errors import unwritable

    tape, count = session.tape, 0
    try:
        with output.open("wb") as file:
            for number in range(tape.length):
                if (event := tape.event(number)) is not None:
                    file.write(_line(event) + b"\n")
                    count += 1
    except OSError as error:
        raise unwritable(output, error) from None
    return count


def _line(payload: bytes) -> bytes:
    """The payload without line ends, which can stand only between the tokens of JSON.

    A blank line would be no payload at all, and the events after it would have other numbers:
    an empty payload becomes the empty text, which is no event either (``not-json``).
    """
    line = b" ".join(payload.splitlines())
    return line if line.strip() else b'""'


def add_to(app: typer.Typer) -> None:
    app.command("convert", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(_convert)
