"""Recording where the disk stands: a pipe that is full until its reader reads on."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.clock import FakeClock
from tests.session.loopback import (
    EVENTS,
    FRAMES,
    STREAM,
    answering,
    head,
    in_turn,
    says,
    session_for,
    until,
)
from tests.session.test_session import DELTA, Scripted
from transcript_tui.session.recorder import Recorder
from transcript_tui.session.recording import AT_ONCE
from transcript_tui.session.session import Session
from transcript_tui.wire import Frame, NewStream, Piece, open_reader

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")

MANY = 3 * AT_ONCE
"""More frames than a pipe holds, and than are written in one go."""
FULL = 60.0
"""Seconds that a disk has stood, by a clock that is told so."""


class Reader:
    """A pipe's reader, which reads when it is told to."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = path
        self._fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def read(self) -> list[Piece]:
        """Read until there is no writer any more."""
        os.set_blocking(self._fd, True)
        with os.fdopen(self._fd, "rb", closefd=False) as pipe:
            self.came = pipe.read()
        reader = open_reader()
        return [*reader.feed(self.came), *reader.end()]

    def close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    pipe = Reader(tmp_path / "pipe")
    yield pipe
    pipe.close()


def payloads(pieces: list[Piece]) -> list[bytes]:
    return [piece.payload for piece in pieces if isinstance(piece, Frame)]


def long_script(clock: FakeClock, *, ends: bool = True) -> Scripted:
    """A stream that no pipe holds; where it does not end, it waits for ``clock`` then."""
    many = b"".join(b"data: " + DELTA % n + b"\n\n" for n in range(MANY))
    frames = [*FRAMES[:2], many, *FRAMES[4:]]
    return Scripted(clock, [0.0] * 5 if ends else [0.0] * 3 + [FULL] * 2, frames)


@contextmanager
def writers_end() -> Iterator[None]:
    """The threads that were begun inside have ended."""
    before = {*threading.enumerate()}
    yield
    for thread in {*threading.enumerate()} - before:
        if thread.name == "recording":
            thread.join(20)
            assert not thread.is_alive()


async def test_a_disk_that_stands_holds_up_nobody(reader: Reader) -> None:
    clock = FakeClock()
    session = Session(long_script(clock, ends=False), clock=clock)
    recorder = session.record(reader.path, force=True)
    with writers_end():
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.tape.length == MANY + 2)
        assert session.disk_stands == 0.0
        clock.advance(FULL)
        await until(session, lambda: session.tape.length == MANY + 3)
        assert session.disk_stands == FULL
        clock.advance(FULL)
        # It is received to its end, and all of it is there to be shown.
        await until(session, lambda: session.connection == "ended")
        assert session.tape.length == MANY + 4
        assert session.disk_stands == 2 * FULL
        assert session.unrecorded > MANY - AT_ONCE
        assert recorder.state == "recording"
        assert not running.done()
        came = payloads(await asyncio.to_thread(reader.read))
        await running
    assert came == session.tape.payloads(0, session.tape.length)
    assert (recorder.state, recorder.frames) == ("done", session.tape.length)
    assert recorder.bytes == len(reader.came)
    assert (session.disk_stands, session.unrecorded) == (0.0, 0)


async def test_it_is_told_when_the_disk_goes_on(reader: Reader) -> None:
    clock = FakeClock()
    session = Session(long_script(clock, ends=False), clock=clock)
    session.record(reader.path, force=True)
    running = asyncio.create_task(session.run())
    await until(session, lambda: session.tape.length == MANY + 2)
    clock.advance(FULL / 2)
    reading = asyncio.create_task(asyncio.to_thread(reader.read))
    # Nothing else happens that could be told.
    await until(session, lambda: not session.disk_stands)
    session.stop()
    await running
    assert len(payloads(await reading)) == MANY + 2


@pytest.mark.parametrize("reads", [True, False])
def test_who_leaves_while_the_disk_stands_waits_and_not_for_ever(
    reads: bool, reader: Reader
) -> None:
    clock, told = FakeClock(), list[str]()
    session = Session(long_script(clock), clock=clock)
    recorder = session.record(reader.path, force=True)

    async def look_on() -> None:
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.connection == "ended")
        running.cancel()

    with writers_end():
        asyncio.run(look_on())
        if reads:
            came: list[Piece] = []
            reading = threading.Thread(target=lambda: came.extend(reader.read()))
            reading.start()
            assert session.leave(told.append, patience=20.0) is None
            reading.join(20)
            assert payloads(came) == session.tape.payloads(0, session.tape.length)
            assert recorder.state == "done"
        else:
            error = session.leave(told.append, patience=0.01)
            assert error is recorder.error
            assert error is not None
            assert "takes nothing more: up to" in str(error)
            assert str(reader.path) in str(error)
            assert recorder.state == "failed"
            assert "Ctrl+C" in told[0]
            # What keeps the program from ending is no thread of ours.
            assert all(one.daemon for one in threading.enumerate() if one.name == "recording")
            reader.close()


def test_who_leaves_where_all_is_written_hears_nothing(tmp_path: Path) -> None:
    clock = FakeClock()
    session = Session(long_script(clock), clock=clock)
    session.record(tmp_path / "run.sse")
    with writers_end():
        asyncio.run(session.run())
        assert session.leave(pytest.fail) is None


async def test_what_fails_in_the_middle_ends_the_recording_only(reader: Reader) -> None:
    clock = FakeClock()
    session = Session(long_script(clock, ends=False), clock=clock)
    recorder = session.record(reader.path, force=True)
    with writers_end():
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.tape.length == MANY + 2)
        reader.close()
        await until(session, lambda: recorder.state == "failed")
        assert "broken pipe" in recorder.problem
        clock.advance(FULL)
        await until(session, lambda: session.tape.length == MANY + 3)
        clock.advance(FULL)
        await running
    assert (session.connection, session.tape.length) == ("ended", MANY + 4)
    assert session.disk_stands == 0.0


async def test_what_nobody_foresaw_ends_the_recording_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(self: Recorder, payloads: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Recorder, "frames_of", fails)
    clock = FakeClock()
    session = Session(long_script(clock), clock=clock)
    recorder = session.record(tmp_path / "run.sse")
    with writers_end():
        await session.run()
    assert (session.connection, session.tape.length) == ("ended", MANY + 4)
    assert recorder.state == "failed"
    assert "run.sse cannot be written: MemoryError" in recorder.problem


async def test_what_is_asked_again_while_the_disk_stands_goes_into_the_same_file(
    reader: Reader,
) -> None:
    long = b"".join(b"data: " + DELTA % n + b"\n\n" for n in range(MANY))
    first = says(head(), *FRAMES[:2], long, *FRAMES[4:])
    async with answering(in_turn(first, says(head(), STREAM))) as server:
        session = session_for(server.url, "GET")
        recorder = session.record(reader.path, force=True)
        with writers_end():
            running = asyncio.create_task(session.run())
            await until(session, lambda: session.connection == "ended")
            again = asyncio.create_task(session.ask_again())
            await until(session, lambda: session.tape.length == MANY + 4 + len(EVENTS))
            assert recorder.state == "recording"
            pieces = await asyncio.to_thread(reader.read)
            await asyncio.gather(running, again)
    assert payloads(pieces) == session.tape.payloads(0, session.tape.length)
    assert sum(isinstance(piece, NewStream) for piece in pieces) == 1
    assert (recorder.state, recorder.frames) == ("done", session.tape.length)
