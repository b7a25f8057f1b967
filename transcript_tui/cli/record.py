"""``record``: an endpoint to a file, without a screen."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from transcript_tui.cli import options
from transcript_tui.cli.parsing import LightCommand, spread

if TYPE_CHECKING:
    from transcript_tui.cli.asides import Notes
    from transcript_tui.cli.status import Status
    from transcript_tui.session.session import Session

SHORT = "Keep what an endpoint streams, without a screen."
HELP = """Keep what an endpoint streams, without a screen.

The file is itself an event stream, with the times in comments: `replay` plays it at its own
pace, and any AG-UI client reads it. It is written as events arrive; killed at any moment it
is readable up to the last whole one. The exit status is that of `check`."""

EXAMPLE = """Example:

\b
  transcript-tui record http://127.0.0.1:8000/ --message hello -o run.sse"""

_WHY: Final = {
    "REJECTED": "The stream was rejected",
    "FAILED": "A run failed by its own account",
    "TRUNCATED": "The stream ended with a run open",
}
"""Status → what it comes from."""
_EVERY: Final = 0.2
"""Seconds between two lines of progress."""
_ANEW: Final = "\r\x1b[K"
"""To the beginning of the line, which is emptied."""
_TICK: Final = 1.0
"""Seconds between two of them where nothing happens: those to the next try are counted down."""


def _record(
    url: options.Url,
    *,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The file to write.")
    ],
    endpoint: options.Endpoint,
    reconnect: options.Reconnect = False,
    force: options.Force = False,
    max_frame: options.MaxFrame = None,
    program: options.Program,
) -> None:
    from transcript_tui.cli.sources import given_input, open_url
    from transcript_tui.cli.viewing import check_output, look
    from transcript_tui.session.session import Session

    how = look(endpoint, program, max_frame=max_frame)
    check_output(output, force=force)
    source = open_url(
        url,
        endpoint,
        given_input(endpoint.input),
        timeout=how.settings.timeout,
        reconnect=reconnect,
    )

    def begin() -> Session:
        session = Session(source, kind="watch", max_frame=how.settings.max_frame)
        recorder = session.record(output, force=force)
        if recorder.error is not None:
            raise recorder.error
        session.subscribe(lambda: session.stop() if recorder.error else None)
        return session

    raise typer.Exit(_keep(begin, output))


def _keep(begin: Callable[[], Session], output: Path) -> int:
    """Receive to the end, or as long as it can be kept; the status of ``check``."""
    from transcript_tui.cli.complaints import complain
    from transcript_tui.cli.printing import session_status
    from transcript_tui.cli.running import run_session

    session, ended, _ = run_session(begin, _receive)
    recorder = session.recorder
    assert recorder is not None
    if session.error is not None:
        complain(session.error, session.label)
    if session.opened and output.exists():
        sys.stderr.write(f"{_amount(recorder.frames, recorder.bytes)} in {output}\n")
    if recorder.error is not None:
        raise recorder.error
    if ended:
        return ended
    status = session_status(session)
    _say_why(status, session, output)
    return status


async def _receive(session: Session) -> None:
    """Receive to the end, and say on stderr how it goes, also while nothing happens."""
    import asyncio

    from transcript_tui.cli.asides import Notes
    from transcript_tui.cli.complaints import remark

    on_terminal, notes = sys.stderr.isatty(), Notes(session)
    telling = _Progress(session, notes) if on_terminal else _Lines(session, notes)
    session.subscribe(telling.tell)
    ticking = asyncio.create_task(_tick(session, telling.tell))
    try:
        await session.run()
    finally:
        ticking.cancel()
        if on_terminal:
            sys.stderr.write(_ANEW)
        remark(notes.rest())


async def _tick(session: Session, tell: Callable[[], None]) -> None:
    while True:
        await session.clock.sleep(_TICK)
        tell()


def _amount(events: int, octets: int) -> str:
    from transcript_tui.ui.amounts import count

    return f"{count(events, 'event')}, {count(octets, 'byte')}"


def _say_why(status: Status, session: Session, output: Path) -> None:
    """Of what was kept, why the status is none of success."""
    from transcript_tui.cli.complaints import complain, remark

    nothing = session.nothing_came()
    if nothing is not None:
        complain(nothing, session.label)
    elif what := _WHY.get(status.name):
        check = f": `transcript-tui check {shlex.quote(str(output))}` says more"
        # What went into a device or a pipe is there no more.
        remark([f"{what}{check if output.is_file() else ''}."])


class _Lines:
    """A line each, where there is no terminal."""

    def __init__(self, session: Session, notes: Notes) -> None:
        from transcript_tui.cli.asides import Disk, Drops

        self._asides = notes, Drops(session), Disk(session)

    def tell(self) -> None:
        from transcript_tui.cli.complaints import remark

        remark(sentence for aside in self._asides for sentence in aside.due())


class _Progress:
    """One line on a terminal, rewritten now and then: how much came, or what is waited for; above
    it the session's notes."""

    def __init__(self, session: Session, notes: Notes) -> None:
        self._session = session
        self._notes = notes
        self._said_at = -_EVERY

    def tell(self) -> None:
        from transcript_tui.cli.asides import disk_stands, next_try
        from transcript_tui.cli.complaints import remark

        if noted := self._notes.due():
            sys.stderr.write(_ANEW)
            remark(noted)
        now = self._session.clock.now()
        waiting = next_try(self._session) or disk_stands(self._session)
        if waiting or now - self._said_at >= _EVERY:
            self._said_at = now
            said = waiting or _amount(self._session.tape.length, self._session.bytes_received)
            # A line that is broken in two is not rewritten as a whole.
            sys.stderr.write(f"{_ANEW}{said[: _columns() - 1]}")
            sys.stderr.flush()


def _columns() -> int:
    """Cells in a line of the terminal."""
    try:
        # A terminal that nobody has given a size says 0.
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80


def add_to(app: typer.Typer) -> None:
    app.command("record", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(
        spread(_record)
    )
