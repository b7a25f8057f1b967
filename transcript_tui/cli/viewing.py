"""Showing a session: on the screen, or as plain text where there is none."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from transcript_tui import collector
from transcript_tui.config import Settings, load_settings, themes_folder, values_of
from transcript_tui.errors import UsageError
from transcript_tui.files import check_writable, could_be_lost, is_terminal
from transcript_tui.log import log_file, open_log

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

__all__ = ["Look", "check_output", "input_of", "look", "pipe_of_stdin", "present"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How to show something: the settings in force, and what only the command line says."""

    settings: Settings
    log: Path
    plain: bool
    print_on_exit: bool = False
    pace: float | None = None
    """Speed asked for on the command line: plain text is printed at full speed without it."""
    start_at: str = ""

    @property
    def idle_cap(self) -> float:
        return self.settings.idle_cap or math.inf

    @property
    def speed(self) -> float:
        return math.inf if self.settings.speed == "max" else self.settings.speed


def look(*groups: object, **single: Any) -> Look:
    """Settings loaded, log opened; from a verb's groups of options, and single ones by name.

    Those named as a setting is override it, unless they are ``None``: not given.
    """
    given = single | {name: value for group in groups for name, value in _named(group)}
    known = {one.name for one in fields(Settings)}
    flags = {name: value for name, value in given.items() if name in known}
    loaded = load_settings(flags, given.get("config"))
    if flags.get("theme"):
        from transcript_tui.ui.themes import check_theme

        # A slip on the command line is told at once; one in the settings by the viewer.
        check_theme(flags["theme"], themes_folder())
    file = log_file(loaded.settings.log)
    try:
        open_log(file, loaded.settings.log_level)
    except UsageError:
        # The usual place may be closed to us, as in a container: that keeps nobody from viewing.
        if loaded.settings.log:
            raise
    return Look(
        settings=loaded.settings,
        log=file,
        plain=given.get("plain", True) or not _has_screen(),
        print_on_exit=given.get("print_on_exit", False),
        pace=given.get("speed"),
        start_at=given.get("start_at", ""),
    )


def _has_screen() -> bool:
    """Whether stdout is a terminal on which a cursor can be moved."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def _named(group: Any) -> Iterator[tuple[str, Any]]:
    return ((one.name, getattr(group, one.name)) for one in fields(group))


def present(open_session: Callable[[], Session], how: Look, label: str) -> int:
    """Show it until the user or the stream is done; the exit status."""
    if how.plain:
        from transcript_tui.cli.printing import print_session

        return print_session(open_session, how)
    collector.starting()  # again, until the first frame is there
    from transcript_tui.ui.options import ViewerOptions
    from transcript_tui.ui.viewer import run_viewer

    def opened_late() -> Session:
        collector.started()
        return open_session()

    options = ViewerOptions(
        **values_of(Settings, how.settings),
        theme_folder=themes_folder(),
        start_at=how.start_at,
        print_on_exit=how.print_on_exit,
        log_file=how.log,
        label=label,
    )
    return run_viewer(opened_late, options)


def check_output(file: Path, *, force: bool) -> None:
    """Nothing is overwritten by accident, and no run is spent on a file that cannot be.

    Raises :class:`UsageError`. What is seen only when writing is said then.
    """
    if str(file) == "-":
        # Elsewhere it is stdin; a file of that name is never what was meant.
        raise UsageError(
            "- names no file to write.", "Name one; `export` alone writes to stdout, without -o."
        )
    check_writable(file)
    if not force and could_be_lost(file):
        if is_terminal(file):
            raise UsageError(
                f"{file} is a terminal: what arrives could do anything to it.",
                "Name a file, or pipe it on; --force writes all the same.",
            )
        raise UsageError(f"{file} is there already.", "Choose another name, or add --force.")


def pipe_of_stdin(how: Look) -> int:
    """The descriptor to read piped events from; on the screen fd 0 becomes the keyboard."""
    if how.plain:
        return 0
    if os.isatty(0):
        # Read as a log it would swallow every key, those that quit included.
        raise UsageError(
            "Nothing is piped in: stdin is the keyboard.",
            "Write `… | transcript-tui replay -`, or name a file.",
        )
    from transcript_tui.ui.terminal import keyboard_from_terminal

    return keyboard_from_terminal()


def input_of(name: str | None, how: Look) -> dict[str, Any] | None:
    """``--input``, read before the screen opens: ``-`` is the stdin that keys need then."""
    if name is None:
        return None
    from transcript_tui.cli.sources import given_input

    given = given_input(name)
    if name == "-" and not how.plain and not os.isatty(0):
        from transcript_tui.ui.terminal import keyboard_from_terminal

        os.close(keyboard_from_terminal())
    return given
