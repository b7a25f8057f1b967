"""A program in a real pseudo-terminal: what it writes and when, what it takes."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.benchmarks.measuring import environment

PYTHON: Final = sys.executable
PROGRAM: Final = (PYTHON, "-m", "transcript_tui")
MINIMAL: Final = """
from textual.app import App
from textual.widgets import Footer, Header
class Minimal(App[None]):
    def compose(self):
        yield Header()
        yield Footer()
Minimal().run()
"""
"""The least that a Textual app is: the floor of start, rest and memory. It shows ``palette``."""
SILENCE: Final = 0.12
"""Seconds without output after which what was asked for is painted."""
PAGE: Final = os.sysconf("SC_PAGE_SIZE")


class Terminal:
    """A child process and its terminal; leave it and it is ended."""

    def __init__(self, command: Sequence[str], columns: int = 100, rows: int = 40) -> None:
        self.output = bytearray()
        self._end, child_end = pty.openpty()
        self._size(child_end, columns, rows)
        self.began = self.last = time.perf_counter()
        self._child = subprocess.Popen(
            command,
            stdin=child_end,
            stdout=child_end,
            stderr=child_end,
            env=environment() | {"TERM": "xterm-256color", "COLORTERM": "truecolor"},
            start_new_session=True,
        )
        os.close(child_end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._child.kill()
        self._child.wait()
        os.close(self._end)

    def _size(self, end: int, columns: int, rows: int) -> None:
        fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns: int, rows: int) -> None:
        # The kernel tells the child: it is the terminal's foreground group.
        self._size(self._end, columns, rows)
        os.kill(self._child.pid, 28)  # SIGWINCH, also where the child has no controlling terminal

    def send(self, keys: bytes) -> None:
        os.write(self._end, keys)

    def read(self, seconds: float) -> bytes:
        """What is written within so many seconds, as soon as there is something."""
        if not select.select([self._end], [], [], max(0.0, seconds))[0]:
            return b""
        found = os.read(self._end, 1 << 16)
        self.last = time.perf_counter()
        self.output += found
        return found

    def until(self, wanted: bytes, *, patience: float = 60.0) -> float:
        """Wait for text; seconds since the start at which it came."""
        start = max(0, len(self.output) - len(wanted))
        while self.output.find(wanted, start) < 0:
            start = max(0, len(self.output) - len(wanted))
            if time.perf_counter() - self.began > patience:
                raise TimeoutError(f"never came: {wanted!r} in {bytes(self.output[-2000:])!r}")
            self.read(0.5)
        return self.last - self.began

    def settle(self, silence: float = SILENCE) -> None:
        """Read until nothing has come for so long."""
        while self.read(silence):
            pass

    @property
    def cpu(self) -> float:
        """Seconds of all its threads so far."""
        spent = 0
        for task in Path(f"/proc/{self._child.pid}/task").iterdir():
            try:
                spent += int((task / "schedstat").read_text().split()[0])
            except (FileNotFoundError, ProcessLookupError):
                continue  # a thread that has ended meanwhile
        return spent / 1e9

    @property
    def memory(self) -> int:
        """Bytes that it holds in memory."""
        return int(Path(f"/proc/{self._child.pid}/statm").read_text().split()[1]) * PAGE


def minimal(folder: Path) -> list[str]:
    """The command of the minimal app."""
    file = folder / "minimal.py"
    file.write_text(MINIMAL)
    return [PYTHON, str(file)]
