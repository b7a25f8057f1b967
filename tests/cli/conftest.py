"""Running the command line: in this process where that is enough, else as a real program."""

from __future__ import annotations

import fcntl
import os
import struct
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from transcript_tui.cli.app import run

PROGRAM = (sys.executable, "-m", "transcript_tui")


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


Cli = Callable[..., Answer]


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str]) -> Cli:
    """One command line in this process."""

    def call(*arguments: str | Path) -> Answer:
        capfd.readouterr()
        status = run([str(argument) for argument in arguments])
        sys.stdout.flush()
        out, err = capfd.readouterr()
        return Answer(status, out, err)

    return call


def program(
    *arguments: str | Path, stdin: bytes | None = None, env: dict[str, str] | None = None
) -> Answer:
    """One command line as a program of its own."""
    done = subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin,
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        timeout=60,
        check=False,
        env={**os.environ, **(env or {})},
    )
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextmanager
def served(*arguments: str | Path) -> Iterator[str]:
    """``serve`` as a program; yields the URL that its first line holds."""
    server = subprocess.Popen(
        [*PROGRAM, "serve", *map(str, arguments)], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL
    )
    try:
        assert server.stdout is not None
        yield server.stdout.readline().decode().strip()
    finally:
        server.terminate()
        server.communicate(timeout=20)


def lines(*events: str) -> str:
    return "".join(f"{event}\n" for event in events)


START = '{"type":"RUN_STARTED","threadId":"t","runId":"r"}'
FINISH = '{"type":"RUN_FINISHED","threadId":"t","runId":"r"}'
SAY = (
    '{"type":"TEXT_MESSAGE_START","messageId":"m"}',
    '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"hello"}',
    '{"type":"TEXT_MESSAGE_END","messageId":"m"}',
)


@pytest.fixture
def log(tmp_path: Path) -> Callable[..., Path]:
    """A JSONL file of events."""

    def write(*events: str, name: str = "run.jsonl") -> Path:
        file = tmp_path / name
        file.write_text(lines(*events), "utf-8")
        return file

    return write


__all__ = ["FINISH", "SAY", "START", "Answer", "Cli", "lines", "program", "served"]


@contextmanager
def terminal(columns: int) -> Iterator[Callable[[], str]]:
    """stdout and stderr are one real terminal meanwhile; what was written on it is returned."""
    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.set_blocking(master, False)
    written = bytearray()

    def screen() -> str:
        with suppress(BlockingIOError):
            while part := os.read(master, 4096):
                written.extend(part)
        return written.decode()

    with os.fdopen(slave, "w") as tty, redirect_stdout(tty), redirect_stderr(tty):
        yield screen
    os.close(master)
