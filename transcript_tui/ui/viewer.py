"""Runs the viewer in the terminal, from the first frame to the restored prompt."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from transcript_tui.text import safe
from transcript_tui.ui import terminal
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.screens.opening import OpenSession, sentence

if TYPE_CHECKING:
    from transcript_tui.session.session import Session


def run_viewer(open_session: OpenSession, options: ViewerOptions) -> int:
    """Show what ``open_session`` opens until the user has enough; returns the exit status.

    0 the user quit, 2 there was never anything to show (its sentence on stderr), 70 an
    unforeseen error (a sentence on stderr says where the log is), 128 + n ended by signal n.
    """
    opened: list[Session] = []

    def opens() -> Session:
        # Also one that is there when the screen is gone again already.
        opened.append(open_session())
        return opened[-1]

    app = TranscriptApp(opens, options)
    try:
        app.run(mouse=options.mouse)
    except Exception as error:
        # Textual has restored the terminal by now; whatever it was, no traceback is shown.
        app.failure = app.failure or error
    _give_back(options)
    for session in opened:
        _leave(session)
    return _status(app, options)


def _leave(session: Session) -> None:
    """What is recorded is written whole, or it is said why not."""
    error = session.leave(_say)
    if error is not None:
        _say(sentence(error))


def _say(text: str) -> None:
    with suppress(OSError):
        # The terminal may have gone: there is nobody to tell.
        sys.stderr.write(safe(text) + "\n")
        sys.stderr.flush()


def _status(app: TranscriptApp, options: ViewerOptions) -> int:
    session = app.main.session
    if session is not None and options.print_on_exit:
        try:
            _print(session)
        except OSError:
            # The reader of our output has gone; there is nobody to tell.
            pass
        except Exception as error:
            app.failure = app.failure or error
    if app.failure is not None:
        from transcript_tui.log import log_file, unforeseen

        sys.stderr.write(unforeseen(app.failure, options.log_file or log_file()) + "\n")
        return 70
    if app.return_code and app.return_code > 128:
        return app.return_code
    if app.main.failed:
        sys.stderr.write(app.main.failed_because + "\n")
        return 2
    return 0


def _give_back(options: ViewerOptions) -> None:
    """What was taken of the terminal besides what Textual knows of."""
    taken = terminal.restore_title() if options.title else ""
    if not options.mouse:
        # A key may have taken it; Textual gives back only what it took itself.
        taken += terminal.mouse_reports(False)
    for stream in (sys.__stderr__, sys.__stdout__):
        if stream is not None and stream.isatty():
            stream.write(taken)
            stream.flush()
            return


def _print(session: Session) -> None:
    """The transcript, at the position that was shown, into the scrollback."""
    from transcript_tui.export import FORMATS

    sys.stdout.write(FORMATS["txt"].render(session.tape.transcript, session.player.position))
    sys.stdout.flush()
