"""Recording without a screen, and what ends it: the disk, or a signal."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from array import array
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.cli.conftest import FINISH, PROGRAM, SAY, START, served, terminal
from tests.cli.test_record import line
from tests.clock import FakeClock
from tests.session.loopback import EVENTS, FRAMES, answering, head, in_thread, stalls
from tests.session.loopback import until as until_told
from tests.session.test_session import Scripted
from transcript_tui.cli.record import _receive
from transcript_tui.session.session import Session
from transcript_tui.wire import Frame, open_reader

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="other signals, and no pipes")

VERBS = {"watch": ("watch", "URL", "--record"), "record": ("record", "URL", "-o")}
ENDING = [signal.SIGHUP, signal.SIGTERM, signal.SIGINT]


def begin(verb: str, url: str, path: Path, *more: str) -> subprocess.Popen[bytes]:
    words = [url if word == "URL" else word for word in VERBS[verb]]
    return subprocess.Popen(
        [*PROGRAM, *words, str(path), *more],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def until(met: Callable[[], object]) -> None:
    end = time.monotonic() + 20
    while not met():
        assert time.monotonic() < end


def payloads(recording: bytes) -> list[bytes]:
    reader = open_reader()
    pieces = [*reader.feed(recording), *reader.end()]
    return [piece.payload for piece in pieces if isinstance(piece, Frame)]


@asynccontextmanager
async def silent(body: bytes = b"") -> AsyncIterator[str]:
    """An endpoint that says ``body``, or not even that it heard, and then no more."""
    async with answering(stalls(head() + body if body else b"")) as server:
        yield server.url


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("verb", VERBS)
def test_a_signal_before_the_first_byte_leaves_no_file(
    verb: str, number: signal.Signals, tmp_path: Path
) -> None:
    path = tmp_path / "run.sse"
    with in_thread(lambda _: silent()) as (url, _):
        running = begin(verb, url, path)
        # Made before anybody is asked, and there is no moment from then on when it is left.
        until(path.exists)
        running.send_signal(number)
        _, err = running.communicate(timeout=20)
    assert running.returncode == 128 + number, err
    assert not path.exists()
    assert b"Traceback" not in err


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("verb", VERBS)
def test_a_signal_leaves_all_that_arrived(
    verb: str, number: signal.Signals, tmp_path: Path
) -> None:
    path = tmp_path / "run.sse"
    with in_thread(lambda _: silent(FRAMES[0] + FRAMES[1] + b"data: {")) as (url, _):
        running = begin(verb, url, path)
        until(lambda: path.exists() and EVENTS[1] in path.read_bytes())
        running.send_signal(number)
        _, err = running.communicate(timeout=20)
    assert running.returncode == 128 + number, err
    assert payloads(path.read_bytes()) == [*EVENTS[:2]]
    assert b": cut +" in path.read_bytes()


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no SIGHUP here")
def test_nohup_is_heeded(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    with in_thread(lambda _: silent(FRAMES[0])) as (url, _):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            running = begin("record", url, path)
        finally:
            signal.signal(signal.SIGHUP, before)
        until(lambda: path.exists() and EVENTS[0] in path.read_bytes())
        running.send_signal(signal.SIGHUP)
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=20)
    assert running.returncode == 128 + signal.SIGTERM


LONG = (
    START,
    SAY[0],
    *(SAY[1].replace("hello", f"word {n}") for n in range(6_000)),
    SAY[2],
    FINISH,
)
"""More than a pipe holds."""


@contextmanager
def full_pipe(path: Path) -> Iterator[IO[bytes]]:
    """The reading end of a pipe that nobody has read from yet."""
    os.mkfifo(path)
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as pipe:
        os.set_blocking(pipe.fileno(), True)
        yield pipe


def until_all_came(running: subprocess.Popen[bytes], verb: str, pipe: IO[bytes]) -> None:
    """Printed to its end, while the pipe is full; of what prints nothing, until it is full."""
    assert running.stdout is not None
    if verb == "watch":
        assert any(b"run r finished" in line for line in iter(running.stdout.readline, b""))
    until_full(pipe)


LEAST = 48_000
"""Bytes: three quarters of a pipe."""


def until_full(pipe: IO[bytes]) -> None:
    """Until a pipe holds about as much as it takes."""
    until(lambda: held_by(pipe) >= LEAST)


def held_by(pipe: IO[bytes]) -> int:
    import fcntl
    import termios

    octets = array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, octets)
    return octets[0]


@pytest.mark.parametrize("verb", VERBS)
def test_whoever_reads_slowly_gets_all_of_it(
    verb: str, log: Callable[..., Path], tmp_path: Path
) -> None:
    path, file = tmp_path / "pipe", log(*LONG)
    with served(file, "--speed", "max") as url, full_pipe(path) as pipe:
        running = begin(verb, url, path, "--force")
        until_all_came(running, verb, pipe)
        came = pipe.read()
        _, err = running.communicate(timeout=20)
    assert running.returncode == 0, err
    assert payloads(came) == file.read_bytes().splitlines()


@pytest.mark.parametrize("verb", VERBS)
def test_whoever_does_not_wait_for_the_disk_is_told_what_is_missing(
    verb: str, log: Callable[..., Path], tmp_path: Path
) -> None:
    path = tmp_path / "pipe"
    with served(log(*LONG), "--speed", "max") as url, full_pipe(path) as pipe:
        running = begin(verb, url, path, "--force")
        until_all_came(running, verb, pipe)
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        assert any(b"Still writing" in line for line in iter(running.stderr.readline, b""))
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=20)
    assert running.returncode == (2 if verb == "record" else 130)
    assert f"{path} takes nothing more: ".encode() in err
    assert b"Traceback" not in err


async def test_a_disk_that_stands_is_told_of_once_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = FakeClock()
    with full_pipe(tmp_path / "pipe") as pipe:
        session = long_session(clock, tmp_path / "pipe")
        receiving = asyncio.create_task(_receive(session))
        await until_told(session, lambda: session.connection == "ended")
        for _ in range(40):
            await clock.asleep()
            clock.advance(0.5)
            await asyncio.sleep(0)
        said = capsys.readouterr().err
        assert said.count("The disk takes nothing; ") == 1
        assert f"events to be written to {tmp_path / 'pipe'}. Ctrl+C" in said
        await asyncio.to_thread(pipe.read)
        await receiving
    assert not capsys.readouterr().err


async def test_on_a_terminal_it_stands_in_the_line_that_is_written_anew(tmp_path: Path) -> None:
    clock = FakeClock()
    with full_pipe(tmp_path / "pipe") as pipe, terminal(60) as screen:
        session = long_session(clock, tmp_path / "pipe")
        receiving = asyncio.create_task(_receive(session))
        await until_told(session, lambda: session.connection == "ended")
        await clock.asleep()
        clock.advance(60.0)
        await asyncio.sleep(0)
        assert line(screen).startswith("The disk takes nothing; ")
        reading = asyncio.create_task(asyncio.to_thread(pipe.read))
        await receiving
        await reading


def long_session(clock: FakeClock, path: Path) -> Session:
    long = b"".join(b"data: " + line.encode() + b"\n\n" for line in LONG)
    session = Session(Scripted(clock, [0.0], [long]), clock=clock)
    session.record(path, force=True)
    return session
