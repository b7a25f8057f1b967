"""The verbs, and what becomes of every error: one sentence and a documented status.

To add a verb: a module beside this one with a function ``add_to``, and a row in ``VERBS``.
Only the module of the verb that is called is imported, and only its options are built.
"""

from __future__ import annotations

import errno
import os
import shlex
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.main import get_group

from transcript_tui import __version__
from transcript_tui.cli.parsing import LightGroup
from transcript_tui.cli.status import Status
from transcript_tui.errors import TranscriptError, UsageError

__all__ = ["VERBS", "app", "run"]


VERBS: Final = {
    "watch": "watch",
    "replay": "replay",
    "demo": "demo",
    "check": "check",
    "record": "record",
    "serve": "serve",
    "convert": "convert",
    "export": "export",
    "themes": "settings",
    "config": "settings",
}
"""Verb → module of this package."""


class _Verbs(LightGroup):
    """Finds verbs; turns what one raises into words and a status, before Typer sees it."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in VERBS and cmd_name not in self.commands:
            verbs = typer.Typer(rich_markup_mode=None, add_completion=False)
            verbs.callback()(lambda: None)
            import_module(f"transcript_tui.cli.{VERBS[cmd_name]}").add_to(verbs)
            self.commands.update(get_group(verbs).commands)
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in VERBS:
            _suggest_a_verb(args[0])
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except OSError as error:
            # Files are asked for with sentences of their own; what is left is our output.
            if error.errno not in _OUTPUT_LOST:
                raise
            raise typer.Exit(_output_lost(error)) from None
        except KeyboardInterrupt:
            raise typer.Exit(Status.INTERRUPTED) from None
        except TranscriptError as error:
            from transcript_tui.cli.complaints import complain

            complain(error)
            raise typer.Exit(Status.UNUSABLE) from None


app: Final = typer.Typer(
    cls=_Verbs,
    name="transcript-tui",
    no_args_is_help=True,
    rich_markup_mode=None,  # Rich is the screen's; help is plain text
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="A terminal viewer for agent conversations that speak AG-UI.",
    epilog="\b\nEvery command has --help, with examples.\n"
    "Nothing to show yet? Try: transcript-tui demo",
)


def _suggest_a_verb(typed: str) -> None:
    """Whoever gives the log or the address alone is told which verb goes before it; a misspelt
    verb, which one it resembles (Typer knows only those that are built)."""
    from difflib import get_close_matches

    from transcript_tui.session.sources.source import is_url

    shown = typed
    if is_url(typed):
        from transcript_tui.session.redaction import safe_url

        shown = safe_url(typed)
        meant = f"watch {shlex.quote(typed) if shown == typed else 'URL'}"
    elif os.path.exists(typed):
        meant = f"replay {shlex.quote(typed)}"
    elif typed in ("help", "version"):
        meant = f"--{typed}"
    else:
        meant = "".join(get_close_matches(typed, VERBS, 1))
    if meant:
        raise UsageError(
            f"{shown!r} is no command of transcript-tui.", f"Did you mean: transcript-tui {meant}"
        )


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"transcript-tui {__version__}")
        raise typer.Exit


@app.callback()
def _program(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """A terminal viewer for agent conversations that speak AG-UI."""


def run(arguments: list[str]) -> int:
    """The exit status of one command line. Nothing but ``SystemExit`` and errors end here."""
    try:
        app(arguments, prog_name="transcript-tui")
        status: int = Status.OK
    except SystemExit as stop:
        status = stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OUTPUT_LOST:
            return _output_lost(error)  # of what Typer itself prints, as --help
        status = _unforeseen(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        return _output_lost(error)
    return status


def _unforeseen(error: Exception) -> Status:
    from transcript_tui.log import log_file, unforeseen

    sys.stderr.write(unforeseen(error, log_file()) + "\n")
    return Status.UNFORESEEN


_OUTPUT_LOST: Final = (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What befalls a stdout that is a pipe, a full disk, or a terminal that has gone."""


def _output_lost(error: OSError) -> Status:
    """Stdout takes no more. Where nobody reads it say nothing; nothing is said at exit either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    if error.errno == errno.EPIPE:
        return Status.CLOSED
    from transcript_tui.cli.complaints import complain
    from transcript_tui.errors import unwritable

    complain(unwritable("The output", error))
    return Status.UNUSABLE
