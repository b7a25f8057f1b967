"""Files and pipes: each failure a sentence, everything whole kept."""

from __future__ import annotations

import asyncio
import gzip
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.clock import FakeClock
from tests.session.loopback import EVENTS, FRAMES, STREAM, ending_of, text_of, until
from transcript_tui.errors import FileUnreadable
from transcript_tui.session.session import Session
from transcript_tui.session.sources import followed, reading
from transcript_tui.session.sources.file import MISSED, POLL, FileSource, StdinSource
from transcript_tui.session.sources.followed import KEPT
from transcript_tui.session.sources.reading import unreadable
from transcript_tui.session.sources.registry import SOURCES, open_source
from transcript_tui.wire import MAX_FRAME
from transcript_tui.wire.frames import Piece
from transcript_tui.wire.reader import Reader

JSONL = b"\n".join(EVENTS) + b"\n"
ARRAY = b"[" + b",\n".join(EVENTS) + b"]"
HEADED = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + STREAM


async def read(path: Path, max_frame: int = MAX_FRAME, *, follow: bool = False) -> Session:
    session = Session(FileSource(path, follow=follow), kind="replay", max_frame=max_frame)
    await session.run()
    return session


@pytest.mark.parametrize(
    "content", [STREAM, JSONL, ARRAY, HEADED], ids=["sse", "jsonl", "array", "http"]
)
@pytest.mark.parametrize("zipped", [False, True])
async def test_formats_are_found_by_content(content: bytes, zipped: bool, tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(gzip.compress(content) if zipped else content)
    session = await read(path)
    assert session.error is None
    assert text_of(session) == "Zürich rain"
    assert ending_of(session) == "finished"
    assert session.total_bytes == path.stat().st_size == session.bytes_received
    assert not session.player.live


async def test_a_missing_file(tmp_path: Path) -> None:
    session = await read(tmp_path / "absent.sse")
    assert isinstance(session.error, FileUnreadable)
    assert "There is no file" in str(session.error)
    assert "absent.sse" in str(session.error)
    assert not session.opened


@pytest.mark.parametrize("follow", [False, True])
async def test_a_folder(follow: bool, tmp_path: Path) -> None:
    session = await read(tmp_path, follow=follow)
    assert "is a folder" in str(session.error)


@pytest.fixture
def locked(tmp_path: Path) -> Iterator[Path]:
    """A log that may not be read; root may read everything, so it steps down meanwhile."""
    path = tmp_path / "log.sse"
    path.write_bytes(STREAM)
    path.chmod(0)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield path
    os.seteuid(user)


@pytest.mark.parametrize("follow", [False, True])
async def test_a_file_that_may_not_be_read(follow: bool, locked: Path) -> None:
    session = await read(locked, follow=follow)
    assert "permission denied" in str(session.error)


def test_every_refusal_of_the_system_is_a_sentence() -> None:
    assert "permission denied" in str(unreadable("f", PermissionError(13, "Permission denied")))
    assert "input/output error" in str(unreadable("f", OSError(5, "Input/output error")))


async def test_an_empty_file_is_an_empty_stream(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    path.touch()
    session = await read(path)
    assert session.error is None
    assert [warned.rule for warned in session.tape.pipeline.streams[0].warnings] == ["empty"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (bytes(range(256)) * 20, "binary"),
        (b"<!doctype html><title>x</title>", "HTML"),
        (b"just some prose, nothing else\n" * 3, "neither Server-Sent Events nor JSON"),
        (gzip.compress(b"<html>"), "HTML"),
        (gzip.compress(gzip.compress(STREAM)), "gzip inside gzip"),
        (b"HTTP/1.1 500 Oops\r\ncontent-type: text/plain\r\n\r\nno", "status 500"),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
async def test_what_is_no_log_says_what_it_is(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(content)
    session = await read(path)
    assert isinstance(session.error, FileUnreadable)
    assert says in str(session.error)
    assert str(path) in str(session.error)
    assert session.connection == "failed"


async def test_gzip_is_framed_in_small_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is unpacked in one go is gone through in one go, a thousand times its size perhaps."""
    path = tmp_path / "log.sse.gz"
    path.write_bytes(gzip.compress(STREAM + b": " + os.urandom(300_000).hex().encode() + b"\n"))
    sizes: list[int] = []
    feed = Reader.feed

    def watched(reader: Reader, chunk: bytes) -> list[Piece]:
        sizes.append(len(chunk))
        return feed(reader, chunk)

    monkeypatch.setattr(Reader, "feed", watched)
    session = Session(FileSource(path), kind="replay")
    await session.run()
    assert text_of(session) == "Zürich rain"
    # What a part of it unpacks to is no second part.
    assert sum(sizes) < 2 * path.stat().st_size
    assert max(sizes) <= 8192


async def test_a_truncated_gzip_shows_what_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "log.sse.gz"
    content = b"".join(FRAMES[:2]) + b"".join(
        b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"%d "}\n\n' % (n * n)
        for n in range(3000)
    )
    zipped = gzip.compress(content)
    path.write_bytes(zipped[: len(zipped) // 2])
    session = await read(path)
    assert session.error is None
    assert session.tape.length > 100
    assert ending_of(session) == "truncated"
    assert "gzip" in session.notes[0]


async def test_a_line_that_is_too_long_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with path.open("wb") as file:
        file.write(EVENTS[0] + b"\n" + b'{"type":"CUSTOM","name":"n","value":"')
        for _ in range(40):
            file.write(b"x" * 100_000)
        file.write(b'"}\n' + EVENTS[5] + b"\n")
    session = await read(path, max_frame=1_000_000)
    assert session.tape.length == 3
    assert sum(map(len, session.tape.arrived_between(0, 3))) < 10_000
    assert "--max-frame" in session.notes[0]


async def test_a_log_that_breaks_off_opens_up_to_there(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(ARRAY[: ARRAY.index(b"rain")])
    session = await read(path)
    assert text_of(session) == "Zürich "
    assert ending_of(session) == "truncated"


# Pipes --------------------------------------------------------------------------------------


def piped(*parts: bytes) -> int:
    """The reading end of a pipe into which a thread writes ``parts``."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb", buffering=0) as pipe:
            for part in parts:
                pipe.write(part)

    threading.Thread(target=write, daemon=True).start()
    return reading


async def test_a_pipe_is_live() -> None:
    session = Session(StdinSource(piped(STREAM[:50], STREAM[50:])), kind="replay")
    await session.run()
    assert text_of(session) == "Zürich rain"
    assert session.tape.timing == "arrival"


async def test_a_recording_through_a_pipe_keeps_its_own_times() -> None:
    recorded = b": transcript-tui recording 1 {}\n" + b"".join(
        b": +%d.000\n" % n + frame for n, frame in enumerate(FRAMES)
    )
    session = Session(StdinSource(piped(recorded)), kind="replay")
    await session.run()
    assert session.tape.timing == "recorded"
    assert session.tape.duration == 5.0


async def test_a_pipe_can_be_played_like_a_saved_log() -> None:
    source = StdinSource(piped(STREAM[:50], STREAM[50:]), played=True)
    session = Session(source, kind="replay", clock=FakeClock())
    await session.run()
    assert text_of(session) == "Zürich rain"
    assert session.tape.timing is None, "it came at once: that is no time of its events"
    assert session.player.paced
    assert session.player.position < session.tape.length


async def test_a_pipe_that_closes_at_once() -> None:
    session = Session(StdinSource(piped()), kind="replay")
    await session.run()
    assert session.error is None
    assert session.tape.length == 0


async def test_a_pipe_that_says_nothing_can_be_left() -> None:
    reading, writing = os.pipe()
    session = Session(StdinSource(reading), kind="replay")
    running = asyncio.create_task(session.run())
    os.write(writing, STREAM[:100])
    await until(session, lambda: session.bytes_received == 100)
    session.stop()
    await running
    assert session.connection == "stopped"
    os.close(writing)


async def test_a_pipe_faster_than_its_reader() -> None:
    many = [FRAMES[0], FRAMES[1], *([FRAMES[2]] * 60_000)]
    session = Session(StdinSource(piped(b"".join(many))), kind="replay")
    await session.run()
    assert session.tape.length == len(many)


async def test_stdin_that_is_closed() -> None:
    session = Session(StdinSource(987_654), kind="replay")
    await session.run()
    assert isinstance(session.error, FileUnreadable)
    assert "stdin" in str(session.error)


@pytest.mark.skipif(sys.platform == "win32", reason="FIFOs are POSIX")
async def test_a_named_pipe_is_read_as_it_comes(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    session = Session(FileSource(path), kind="replay")
    running = asyncio.create_task(session.run())
    fd = await asyncio.to_thread(os.open, path, os.O_WRONLY)
    os.write(fd, FRAMES[0])
    await until(session, lambda: session.tape.length == 1)
    assert session.player.live
    os.write(fd, b"".join(FRAMES[1:]))
    os.close(fd)
    await running
    assert text_of(session) == "Zürich rain"
    for thread in threading.enumerate():
        if thread.name == "pipe":
            await asyncio.to_thread(thread.join, 20)
    with pytest.raises(OSError, match="No such device"):  # nobody reads it any more
        os.open(path, os.O_WRONLY | os.O_NONBLOCK)


async def test_a_named_pipe_that_may_not_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    session = Session(FileSource(path), kind="replay")
    path.unlink()
    await session.run()
    assert "There is no file" in str(session.error)


@pytest.mark.parametrize("piped_in", [False, True])
async def test_another_program_s_log_may_be_too_large(
    piped_in: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "FOREIGN", 1 << 20)
    har = b'{"log":{"entries":[' + b" " * (1 << 20)
    path = tmp_path / "log.har"
    path.write_bytes(har)
    source = StdinSource(piped(har)) if piped_in else FileSource(path)
    session = Session(source, kind="replay")
    await session.run()
    assert "HAR file of more than 1 MiB" in str(session.error)


# Following ----------------------------------------------------------------------------------


@asynccontextmanager
async def following(path: Path) -> AsyncIterator[tuple[Session, Callable[[int], Awaitable[None]]]]:
    """A session that follows ``path``, and what lets it look so many times more."""
    clock = FakeClock()
    session = Session(FileSource(path, follow=True, clock=clock), kind="replay", clock=clock)
    running = asyncio.create_task(session.run())

    async def looked(times: int) -> None:
        for _ in range(times):
            await clock.asleep()
            clock.advance(POLL)
        await clock.asleep()

    try:
        yield session, looked
    finally:
        session.stop()
        await running


async def test_following_a_file_that_grows_is_truncated_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(FRAMES[0])
    clock = FakeClock()
    session = Session(FileSource(path, follow=True, clock=clock), kind="replay", clock=clock)
    running = asyncio.create_task(session.run())

    async def grown_to(length: int) -> None:
        while session.tape.length < length:
            await clock.asleep()
            clock.advance(POLL)

    await grown_to(1)
    with path.open("ab") as file:
        file.write(b"".join(FRAMES[1:]))
    await grown_to(6)
    path.write_bytes(b"".join(FRAMES[:2]))
    await grown_to(8)
    with path.open("ab") as file:
        # What rotates logs does both between two looks: write the last lines, and move the file.
        file.write(FRAMES[2])
    path.rename(tmp_path / "log.sse.1")
    path.write_bytes(STREAM)
    await grown_to(15)
    session.stop()
    await running
    assert [stream.first for stream in session.tape.streams] == [0, 6, 9]
    assert "truncated" in session.notes[0]
    assert "replaced" in session.notes[1]
    endings = [run.ending.now.kind for run in session.tape.transcript.runs if run.ending.now]
    assert endings == ["finished", "truncated", "finished"]


async def test_another_program_s_log_is_said_not_to_be_followed(tmp_path: Path) -> None:
    path = tmp_path / "log.har"
    path.write_text('{"log":{"version":"1.2","entries":[]}}')
    session = await read(path, follow=True)
    assert session.connection == "ended"
    said = "What is a browser HAR file is read as a whole: it is not followed."
    assert session.notes[-1] == said
    assert said not in (await read(path)).notes


ANOTHER = STREAM.replace(b"rain", b"snow")
LONGER = STREAM.replace(b"rain", b"rain, and snow on the mountains")


@pytest.mark.parametrize(
    ("by", "delta"),
    [(ANOTHER, b'"snow"'), (LONGER, b'"rain, and snow on the mountains"')],
    ids=["as long", "longer"],
)
@pytest.mark.parametrize("before", [b"", b": padding\n" * KEPT], ids=["short", "long"])
async def test_a_followed_file_that_is_overwritten_in_place_is_read_anew(
    by: bytes, delta: bytes, before: bytes, tmp_path: Path
) -> None:
    """Between two looks, so that it is never seen to be shorter; whatever both begin with."""
    path = tmp_path / "log.sse"
    path.write_bytes(before + STREAM)
    async with following(path) as (session, looked):
        await looked(1)
        path.write_bytes(before + by)
        os.utime(path, ns=(0, 0))  # another time than before, however fast this test is
        await looked(1)
        assert session.notes == [f"{path} was overwritten: it is read anew, as a new stream."]
        assert [stream.first for stream in session.tape.streams] == [0, len(FRAMES)]
        assert b'"rain"' in session.tape.arrived(3)
        assert delta in session.tape.arrived(len(FRAMES) + 3)
        with path.open("ab") as file:
            file.write(FRAMES[0])
        await looked(1)
        assert len(session.notes) == 1
        assert session.tape.length == 2 * len(FRAMES) + 1


@pytest.mark.parametrize("looks", [0, 1])
async def test_who_does_not_append_leaves_a_hole_when_the_log_is_truncated(
    looks: int, tmp_path: Path
) -> None:
    """As a shell's ``>`` does under logrotate's ``copytruncate``; ``looks``: between the two."""
    path = tmp_path / "log.sse"
    with path.open("wb", buffering=0) as writer:
        writer.write(STREAM + b": padding\n" * 10_000)
        async with following(path) as (session, looked):
            await looked(1)
            os.truncate(path, 0)
            await looked(looks)
            writer.write(STREAM[:50])
            await looked(1)
            writer.write(STREAM[50:])
            await looked(2)
            assert session.error is None
            assert len(session.notes) == 1
            assert session.tape.length == 2 * len(FRAMES)
    assert path.read_bytes().startswith(bytes(100_000))
    async with following(path) as (session, looked):
        await looked(1)
        assert text_of(session) == "Zürich rain"


async def test_a_file_of_nothing_but_zeros_is_waited_on(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(bytes(3 << 20))
    async with following(path) as (session, looked):
        await looked(2)
        assert session.connection == "open"
        with path.open("ab") as file:
            file.write(bytes(7) + STREAM)
        await looked(1)
        assert text_of(session) == "Zürich rain"


async def test_a_file_that_was_overwritten_and_then_moved_is_not_read_on(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(STREAM)
    async with following(path) as (session, looked):
        await looked(1)
        path.write_bytes(LONGER)
        path.rename(tmp_path / "elsewhere.sse")
        await looked(MISSED)
        assert session.tape.length == len(FRAMES)
        assert session.connection == "absent"


async def test_a_look_costs_the_same_however_long_the_file_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(STREAM + b": padding\n" * 300_000)
    read: list[int] = []

    def pread(fd: int, length: int, offset: int) -> bytes:
        read.append(length)
        return really(fd, length, offset)

    really = os.pread
    monkeypatch.setattr(os, "pread", pread)
    async with following(path) as (_, looked):
        await looked(3)
        # The first byte, as it is opened, and both ends once for three looks.
        assert sum(read) <= 1 + 2 * KEPT
        with path.open("ab") as file:
            file.write(b": more\n")
        await looked(3)
        assert sum(read) <= 1 + 4 * KEPT


async def test_a_followed_file_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    async with following(path) as (session, looked):
        await looked(40)
        assert session.connection == "absent"
        assert session.absence == f"Waiting for {path} to appear."
        assert session.receiving
        assert not session.opened
        path.touch()
        await looked(1)
        assert session.connection == "open"
        assert not session.absence
        path.write_bytes(STREAM)
        await looked(1)
        assert text_of(session) == "Zürich rain"
        # How long it was waited for is no part of what is in it.
        assert session.tape.duration <= 3 * POLL
        assert session.tape.started == pytest.approx(session.clock.wall(), abs=3 * POLL)
        assert not session.notes
        assert len(session.tape.streams) == 1


async def test_a_followed_file_in_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "log.sse"
    async with following(path) as (session, looked):
        await looked(1)
        assert session.absence == (
            f"Waiting for {path} to appear. There is no folder {path.parent}, either."
        )
        path.parent.mkdir()
        path.write_bytes(STREAM)
        await looked(1)
        assert text_of(session) == "Zürich rain"


async def test_a_pipe_that_appears_where_a_file_was_awaited(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    async with following(path) as (session, looked):
        await looked(1)
        os.mkfifo(path)
        asleep = asyncio.create_task(looked(1))
        fd = await asyncio.to_thread(os.open, path, os.O_WRONLY)
        os.write(fd, STREAM)
        os.close(fd)
        await until(session, lambda: session.connection == "ended")
        assert text_of(session) == "Zürich rain"
        asleep.cancel()


async def test_a_followed_file_that_stays_away_is_told_and_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(FRAMES[0])
    async with following(path) as (session, looked):
        await looked(1)
        path.unlink()
        await looked(MISSED - 1)
        assert not session.notes
        await looked(MISSED)
        deleted = f"{path} was deleted: it is waited for."
        assert session.notes == [deleted]
        assert (session.connection, session.absence) == ("absent", deleted)
        path.write_bytes(STREAM)
        await looked(2)
        assert session.notes[1:] == [f"{path} is there again: it is read anew, as a new stream."]
        assert session.connection == "open"
        assert session.tape.length == 1 + len(FRAMES)


async def test_a_followed_file_that_comes_back_as_it_was_goes_on(tmp_path: Path) -> None:
    path, elsewhere = tmp_path / "log.sse", tmp_path / "elsewhere.sse"
    path.write_bytes(FRAMES[0])
    async with following(path) as (session, looked):
        await looked(1)
        path.rename(elsewhere)
        await looked(MISSED)
        assert session.connection == "absent"
        elsewhere.write_bytes(b"".join(FRAMES[:2]))
        await looked(1)
        assert session.tape.length == 2  # what is written meanwhile is not missed
        elsewhere.rename(path)
        await looked(1)
        assert session.notes[1:] == [f"{path} is there again: it goes on where it was."]
        assert session.connection == "open"
        with path.open("ab") as file:
            file.write(b"".join(FRAMES[2:]))
        await looked(1)
        assert text_of(session) == "Zürich rain"
        assert len(session.tape.streams) == 1


async def test_what_cannot_be_followed_takes_the_name_for_a_while(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(FRAMES[0])
    async with following(path) as (session, looked):
        await looked(1)
        path.unlink()
        path.mkdir()
        await looked(MISSED)
        path.rmdir()
        os.mkfifo(path)
        await looked(MISSED)
        path.unlink()
        path.write_bytes(STREAM)
        await looked(1)
        assert text_of(session) == "Zürich rain"
        again = "It is looked at again until it can be read."
        assert session.notes == [
            f"{path} is a folder, not a log. {again}",
            f"{path} is no file, but a pipe or a device. {again}",
            f"{path} is there again: it is read anew, as a new stream.",
        ]


async def test_a_file_that_goes_as_it_is_opened_is_looked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.sse"
    path.write_bytes(FRAMES[0])
    clock = FakeClock()
    session = Session(FileSource(path, follow=True, clock=clock), kind="replay", clock=clock)
    running = asyncio.create_task(session.run())
    await clock.asleep()
    path.rename(tmp_path / "log.sse.1")
    path.write_bytes(STREAM)

    def gone(path: Path) -> None:
        raise unreadable(str(path), FileNotFoundError(2, "No such file or directory"))

    with monkeypatch.context() as patch:
        patch.setattr(followed, "open_log", gone)
        clock.advance(POLL)
        await clock.asleep()
    assert session.receiving
    assert session.tape.length == 1
    clock.advance(POLL)
    await until(session, lambda: session.tape.length == 7)
    session.stop()
    await running
    assert len(session.tape.streams) == 2
    assert [note for note in session.notes if "replaced" in note] == session.notes


# The registry -------------------------------------------------------------------------------


def test_every_kind_of_source_is_named_by_its_argument(tmp_path: Path) -> None:
    found = [open_source(target) for target in ("http://h/", "-", str(tmp_path / "log.sse"))]
    assert [type(source).__name__ for source in found] == [
        "HttpSource",
        "StdinSource",
        "FileSource",
    ]
    assert len({kind.name for kind in SOURCES}) == len(SOURCES)
    for source in found:
        assert source.label
