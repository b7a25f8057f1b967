"""What the viewer asks of the terminal and the platform around it. Imports no Textual.

Escape sequences are written here and by Textual only; what goes into them has passed the gate.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from typing import Final, TextIO
from urllib.parse import urlsplit

from transcript_tui.errors import UsageError

LINK_SCHEMES: Final = ("http", "https", "mailto")

_CLIPBOARD: Final[Sequence[tuple[str | None, tuple[str, ...]]]] = (
    (None, ("pbcopy",)),
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    (None, ("clip.exe",)),
)
"""The variable that must be set, and the program that takes text on stdin."""


def keyboard_from_terminal() -> int:
    """Move what stdin is connected to out of the way, and put the terminal in its place.

    Returns the descriptor of the pipe or file that was stdin. Raises :class:`UsageError` where
    there is no terminal to read keys from.
    """
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        raise UsageError(
            "There is no terminal to read keys from", "Use --plain to print the transcript."
        ) from error
    pipe = os.dup(0)
    os.dup2(terminal, 0)
    os.close(terminal)
    return pipe


class Vanishing:
    """A terminal to write to that may have gone away: then what is written goes nowhere.

    Textual writes in a thread, through a queue of 30 places. An error ended that thread, the queue
    filled up, and the viewer waited for a place in it for ever, without a terminal.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError):
            return self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()


def window_title(text: str) -> str:
    """OSC 0: the terminal's title. ``text`` has passed the gate."""
    return f"\x1b]0;{_one_line(text)}\x07"


def save_title() -> str:
    """Put the present title on the terminal's stack, where it has one (XTWINOPS)."""
    return "\x1b[22;0t"


def restore_title() -> str:
    """Take the title back from the stack."""
    return "\x1b[23;0t"


def mouse_reports(on: bool) -> str:
    """Take the mouse, or give it back to the terminal: the modes that Textual's driver uses."""
    return "".join(f"\x1b[?{mode}{'h' if on else 'l'}" for mode in (1000, 1003, 1015, 1006))


def notification(text: str) -> str:
    """OSC 9: a notification of the terminal. ``text`` has passed the gate."""
    return f"\x1b]9;{_one_line(text)}\x07"


def _one_line(text: str) -> str:
    """No control can be left in it: the gate has seen to that, this makes sure twice."""
    return "".join(char if char.isprintable() else " " for char in text)[:200]


def clipboard_command() -> list[str] | None:
    """The platform's program that takes text into its clipboard, if there is one here."""
    for variable, command in _CLIPBOARD:
        if (variable is None or os.environ.get(variable)) and shutil.which(command[0]):
            return list(command)
    return None


SURELY_COPIED: Final = 74_994
"""Bytes that every terminal with OSC 52 copies: some cut sequences at 100,000 characters, and
what is copied is written in base64."""
MOST_COPIED: Final = 750_000
"""Bytes beyond which nothing is sent: tmux throws sequences of a megabyte away, and over a slow
line the screen would stand still until they were through."""


def copy_by_command(text: bytes, *, timeout: float = 2.0) -> bool:
    """Hand ``text`` (UTF-8) to the platform's clipboard; ``False`` where that did not work."""
    command = clipboard_command()
    if command is None:
        return False
    try:
        done = subprocess.run(
            command,
            input=text,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def may_open(address: str) -> bool:
    """Whether a link may be opened at all: only ``http``, ``https`` and ``mailto``."""
    if not address.isprintable() or any(char.isspace() for char in address):
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in LINK_SCHEMES and bool(parts.netloc or parts.scheme == "mailto")


_WITHIN: Final = ("www-browser", "links", "elinks", "lynx", "w3m")
"""Browsers that would take this very terminal."""


def open_link(address: str) -> bool:
    """Hand a link that :func:`may_open` to the platform's browser; whether one was started."""
    import webbrowser  # seldom needed, and it looks about for programs

    try:
        browser = webbrowser.get()
        return getattr(browser, "name", "") not in _WITHIN and browser.open(address)
    except (webbrowser.Error, OSError):
        return False


def shown_address(address: str) -> str:
    """An address as it is asked about: a host of foreign letters also as what is looked up.

    Letters of two scripts may look alike; ``xn--…`` tells them apart.
    """
    host = urlsplit(address).hostname or ""
    if host.isascii():
        return address
    try:
        looked_up = host.encode("idna").decode("ascii")
    except UnicodeError:
        return address
    return f"{address}  ({looked_up})"


def few_colors(environment: dict[str, str] | None = None) -> bool:
    """Whether the terminal should be left its own colours: ``NO_COLOR``, or sixteen of them."""
    names = environment if environment is not None else dict(os.environ)
    if "NO_COLOR" in names:
        return True
    if names.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return False
    if "TEXTUAL_COLOR_SYSTEM" in names:
        return names["TEXTUAL_COLOR_SYSTEM"] == "standard"
    terminal = names.get("TERM", "")
    return sys.platform != "win32" and terminal in ("linux", "ansi", "vt100", "xterm-16color")
