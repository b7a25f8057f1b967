"""The viewer in a real pseudo-terminal."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.cells import get_character_cell_size

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


COLUMNS, ROWS = 80, 24


class Grid:
    """What stands on the screen: a terminal of the few controls that Textual draws with.

    It keeps the last screen of a program that has left the alternate one.
    """

    _PART = re.compile(
        rb"\x1b\[(?P<given>[?>=<\d;$]*)(?P<sign>[@-~])"  # CSI
        rb"|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)"  # OSC, DCS
        rb"|\x1b(?P<saving>[78])|\x1b[^\[\]P]|(?P<text>[^\x1b]+)"
    )

    def __init__(self) -> None:
        self._rest = b""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._there = False
        self._wipe()

    @property
    def text(self) -> str:
        return "\n".join("".join(line).rstrip() for line in self._lines)

    @property
    def words(self) -> str:
        """The text on one line, however it was folded."""
        return " ".join(re.sub("[│▎▌]", " ", self.text).split())

    def feed(self, output: bytes) -> None:
        output = self._rest + output
        end = 0
        while found := self._PART.match(output, end):
            end = found.end()
            if found["text"]:
                self._write(self._decode(found["text"]))
            elif found["sign"]:
                self._control(found["given"], found["sign"])
            elif found["saving"] == b"7":
                self._saved = self._row, self._column
            elif found["saving"]:
                self._row, self._column = self._saved
        self._rest = output[end:]

    def _wipe(self) -> None:
        self._lines = [[" "] * COLUMNS for _ in range(ROWS)]
        self._row = self._column = 0
        self._saved = 0, 0

    def _control(self, given: bytes, sign: bytes) -> None:
        if given == b"?1049":
            self._there = sign == b"h"
            if self._there:
                self._wipe()
        elif sign == b"H":
            row, _, column = given.partition(b";")
            self._row, self._column = int(row or 1) - 1, int(column or 1) - 1
        elif sign == b"C":
            self._column += int(given or 1)
        else:
            assert sign not in b"ABDEFGJKLMPSTX@", (
                f"a control that this grid does not know: {sign!r}"
            )

    def _write(self, text: str) -> None:
        for char in text if self._there else "":
            if char == "\r":
                self._column = 0
            elif char == "\n":
                self._row = min(self._row + 1, ROWS - 1)
            elif char >= " ":
                self._put(char)

    def _put(self, char: str) -> None:
        width = get_character_cell_size(char)
        line = self._lines[self._row]
        if not width:
            line[self._column - 1] += char
        elif self._column < COLUMNS:
            # The second cell of a wide character is there, and holds nothing.
            line[self._column : self._column + width] = [char, ""][:width]
            self._column += width


class Terminal:
    """A child in a pseudo-terminal of 80 × 24; ``output`` is all that it wrote."""

    def __init__(self, program: str, arguments: Sequence[str]) -> None:
        self.output = b""
        self.grid = Grid()
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
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.before = termios.tcgetattr(self.terminal)

    def send(self, keys: bytes) -> None:
        os.write(self.terminal, keys)

    def wait_for(self, text: bytes) -> None:
        """Wait until ``text`` was written."""
        self._wait(lambda: text in self.output, text)

    def wait_to_show(self, *texts: str) -> None:
        """Wait until all of ``texts`` stand on the screen together."""
        self._wait(lambda: all(text in self.grid.words for text in texts), texts)

    def wait_until(self, met: Callable[[], bool]) -> None:
        """Wait for something beside the terminal, whose output is read meanwhile."""
        self._wait(met, met)

    def _wait(self, met: Callable[[], bool], what: object, seconds: float = 30.0) -> None:
        until = time.monotonic() + seconds
        while not met():
            if time.monotonic() > until or not self._read():
                raise AssertionError(
                    f"never came: {what!r} in\n{self.grid.text}\n{self.output[-300:]!r}"
                )

    def _read(self) -> bool:
        ready, _, _ = select.select([self.terminal], [], [], 0.2)
        if not ready:
            return True
        try:
            found = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.output += found
        self.grid.feed(found)
        return bool(found)

    def end(self, seconds: float = 20.0) -> int:
        """Read to the end; returns the exit status."""
        until = time.monotonic() + seconds
        while self._read():
            if time.monotonic() > until:
                os.kill(self.child, 9)
                raise AssertionError(f"it goes on and on: {self.output[-2000:]!r}")
        _, status = os.waitpid(self.child, 0)
        # What Python warns of would stand in the user's terminal, below the prompt.
        assert b"Warning:" not in self.after, self.after
        return os.waitstatus_to_exitcode(status)

    @property
    def after(self) -> bytes:
        """What was written after the alternate screen was left."""
        return self.output.rpartition(b"\x1b[?1049l")[2]

    def restored(self) -> bool:
        """Whether screen, cursor, mouse, keyboard, title and line discipline are as before."""
        switched = re.findall(rb"\x1b\[\?(\d+)([hl])", self.output)
        left_on = {mode for mode, state in dict(switched).items() if state == b"h"}
        pairs = ((b"\x1b[>25u", b"\x1b[<u"), (b"\x1b[22;0t", b"\x1b[23;0t"))
        return (
            b"1049" in dict(switched)
            and left_on == {_CURSOR, _WRAP}
            and all(self.output.count(taken) == self.output.count(back) for taken, back in pairs)
            and termios.tcgetattr(self.terminal) == self.before
        )


_CURSOR, _WRAP = b"25", b"7"
"""The modes that are on in a terminal at rest."""


def viewer(log: Path, last_line: str, logged: Path) -> Terminal:
    return Terminal(VIEWER + last_line, [str(log), str(logged)])
