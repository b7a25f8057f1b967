"""The viewer in a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path

VIEWER = """
import sys
from pathlib import Path
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.viewer import run_viewer

def opens():
    from transcript_tui.session.session import Session
    from transcript_tui.session.sources.file import FileSource
    return Session(FileSource(Path(sys.argv[1])), kind="replay", speed=float("inf"))

OPTIONS = ViewerOptions(label="a log", log_file=Path(sys.argv[2]))
"""
"""A program to which a test adds its last line."""


class Terminal:
    """A child in a pseudo-terminal of 80 × 24; ``output`` is all that it wrote."""

    def __init__(self, program: str, arguments: Sequence[str]) -> None:
        self.output = b""
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            environment = {
                name: value
                for name, value in os.environ.items()
                if name not in ("NO_COLOR", "TEXTUAL_THEME")
            }
            environment |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
            command = [sys.executable, "-c", program, *arguments]
            os.execve(sys.executable, command, environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.terminal)

    def send(self, keys: bytes) -> None:
        os.write(self.terminal, keys)

    def wait_for(self, text: bytes, seconds: float = 30.0) -> None:
        until = time.monotonic() + seconds
        while text not in self.output:
            if time.monotonic() > until or not self._read():
                raise AssertionError(f"never came: {text!r} in {self.output[-2000:]!r}")

    def _read(self) -> bool:
        ready, _, _ = select.select([self.terminal], [], [], 0.2)
        if not ready:
            return True
        try:
            found = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.output += found
        return bool(found)

    def end(self, seconds: float = 20.0) -> int:
        """Read to the end; returns the exit status."""
        until = time.monotonic() + seconds
        while self._read():
            if time.monotonic() > until:
                os.kill(self.child, 9)
                raise AssertionError(f"it goes on and on: {self.output[-2000:]!r}")
        _, status = os.waitpid(self.child, 0)
        return os.waitstatus_to_exitcode(status)

    def restored(self) -> bool:
        """Whether the screen, the cursor and the mouse are as before."""
        return (
            self.output.rfind(b"\x1b[?1049l") > self.output.rfind(b"\x1b[?1049h") > -1
            and self.output.rfind(b"\x1b[?25h") > self.output.rfind(b"\x1b[?25l")
            and self.output.rfind(b"\x1b[?1003l") > self.output.rfind(b"\x1b[?1003h")
        )


def viewer(log: Path, last_line: str, logged: Path) -> Terminal:
    return Terminal(VIEWER + last_line, [str(log), str(logged)])
