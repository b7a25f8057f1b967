"""Recordings: what is written is what arrived, however the writer ends."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.session.loopback import EVENTS, FRAMES, answering, head, says, text_of
from transcript_tui.cli.judging import Judge
from transcript_tui.session.recorder import Recorder
from transcript_tui.session.redacted import redacted_tape
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.session.sources.reading import read_all
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire import Cut, Frame, FramingCr, Input, NewStream, Piece, open_reader
from transcript_tui.wire.frames import Recording
from transcript_tui.wire.jsontext import is_object

KILLS = int(os.environ.get("TRANSCRIPT_TUI_TEST_KILLS", "20"))
"""1,000 by hand: ``TRANSCRIPT_TUI_TEST_KILLS=1000 pytest tests/session/test_recorder.py``."""


def read(path: Path) -> list[Piece]:
    reader = open_reader()
    return [*reader.feed(path.read_bytes()), *reader.end()]


def test_a_recording_as_the_contract_has_it(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    recorder = Recorder(path)
    recorder.start(
        started=1796119200.0,
        url="http://127.0.0.1:8000/",
        method="POST",
    )
    recorder.input({"threadId": "t", "messages": []})
    recorder.frame(EVENTS[0], 0.4121)
    recorder.stream(1, 12.3)
    recorder.framing_crlf()
    recorder.frame(b'{"type":\n"CUSTOM"}', 12.311)
    recorder.cut(b'data: {"typ', 13.02)
    recorder.finish()
    assert recorder.state == "done"
    assert path.read_bytes() == (
        b": transcript-tui recording 1 "
        b'{"started":"2026-12-01T10:00:00.000Z","url":"http://127.0.0.1:8000/",'
        b'"method":"POST"}\n'
        b': input {"threadId":"t","messages":[]}\n'
        b": +0.412\ndata: " + EVENTS[0] + b"\n\n"
        b": stream 1 +12.300\n: framing crlf\n"
        b': +12.311\ndata: {"type":\ndata: "CUSTOM"}\n\n'
        b": cut +13.020 ZGF0YTogeyJ0eXA=\n\n"
    )
    assert path.stat().st_size == recorder.bytes
    kinds = [type(piece) for piece in read(path)]
    assert kinds == [Recording, Input, Frame, NewStream, FramingCr, Frame, Cut]


@given(
    payloads=st.lists(st.binary(max_size=60).filter(lambda b: b"\r" not in b and b != b"")),
    times=st.data(),
)
@settings(max_examples=examples(60))
def test_payloads_come_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, payloads: list[bytes], times: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("rec") / "run.sse"
    recorder = Recorder(path)
    recorder.start(started=0.0)
    at = 0.0
    for payload in payloads:
        at += times.draw(st.sampled_from([0.0, 0.001, 2.5]))
        recorder.frame(payload, at)
    recorder.finish()
    frames = [piece for piece in read(path) if isinstance(piece, Frame)]
    assert [frame.payload for frame in frames] == payloads
    offsets = [frame.at for frame in frames]
    assert offsets == sorted(offsets, key=lambda one: one or 0.0)


def test_a_file_that_exists_stays(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    path.write_text("precious")
    recorder = Recorder(path)
    recorder.start(started=0.0)
    recorder.frame(EVENTS[0], 0.0)
    recorder.finish()
    assert recorder.state == "failed"
    assert "--force" in recorder.problem
    assert path.read_text() == "precious"
    forced = Recorder(path, force=True)
    forced.start(started=0.0)
    forced.finish()
    assert forced.state == "done"
    assert "precious" not in path.read_text()


def test_a_pipe_that_nobody_reads_holds_nothing_up(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    recorder = Recorder(path, force=True)
    recorder.start(started=0.0)
    assert recorder.state == "failed"
    assert recorder.error is not None
    assert "start what reads it" in recorder.error.in_full


def test_a_pipe_that_is_read_gets_everything_however_slowly(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    payload = b'{"type":"' + b"x" * 200_000 + b'"}'
    recorder = Recorder(path, force=True)
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as pipe:
        recorder.start(started=0.0)
        os.set_blocking(pipe.fileno(), True)
        with ThreadPoolExecutor() as threads:
            came = threads.submit(pipe.read)
            recorder.frame(payload, 0.0)
            recorder.finish()
            assert payload in came.result()
    assert (recorder.state, recorder.frames) == ("done", 1)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "absent" / "run.sse")
    recorder.start(started=0.0)
    assert recorder.state == "failed"
    assert "no such file or directory" in recorder.problem


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_ends_the_recording_and_nothing_else() -> None:
    recorder = Recorder(Path("/dev/full"), force=True)
    recorder.start(started=0.0)
    for event in EVENTS:
        recorder.frame(event, 0.0)
    recorder.finish()
    assert recorder.state == "failed"
    assert "no space left" in recorder.problem


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("room", [1, 50, 75, 76, 150, 300])
def test_a_disk_that_fills_up_leaves_whole_frames(
    room: int, together: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, write = room, os.write

    def scarce(fd: int, block: bytes) -> int:
        nonlocal room
        if room == 0:
            raise OSError(28, "No space left on device")
        written = write(fd, bytes(block)[:room])
        room -= written
        return written

    path = tmp_path / "run.sse"
    recorder = Recorder(path)
    recorder.start(started=0.0)
    monkeypatch.setattr(os, "write", scarce)
    if together:
        recorder.frames_of([(event, 1.0) for event in EVENTS])
    for event in EVENTS:
        recorder.frame(event, 1.0)
    monkeypatch.undo()
    assert recorder.state == "failed"
    frames = [piece for piece in read(path) if isinstance(piece, Frame)]
    assert [frame.payload for frame in frames] == list(EVENTS[: len(frames)])
    assert len(frames) == recorder.frames
    assert bool(frames) == (before >= len(FRAMES[0]) + len(": +1.000\n"))
    assert path.stat().st_size == recorder.bytes
    assert not any(isinstance(piece, Cut) for piece in read(path))


def test_a_disk_that_says_at_the_end_what_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    close = os.close

    def late(fd: int) -> None:
        close(fd)
        raise OSError(errno.EDQUOT, os.strerror(errno.EDQUOT))

    recorder = Recorder(tmp_path / "log.sse")
    recorder.start(started=0.0)
    monkeypatch.setattr(os, "close", late)
    recorder.finish()
    monkeypatch.undo()
    assert recorder.state == "failed"
    assert "quota" in recorder.problem


def test_a_file_that_is_deleted_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    recorder = Recorder(path)
    recorder.start(started=0.0)
    recorder.frame(EVENTS[0], 0.0)
    path.unlink()
    recorder.frame(EVENTS[1], 0.1)
    assert recorder.state == "failed"
    assert "deleted" in recorder.problem


def test_it_goes_on_behind_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    recorder = Recorder(path)
    recorder.start(started=0.0)
    for number, event in enumerate(EVENTS[:3]):
        recorder.frame(event, float(number))
        recorder.finish()
        assert recorder.state == "done"
        recorder.resume()
        assert recorder.state == "recording"
    recorder.finish()
    frames = [piece for piece in read(path) if isinstance(piece, Frame)]
    assert [frame.payload for frame in frames] == list(EVENTS[:3])
    assert (recorder.frames, recorder.bytes) == (3, path.stat().st_size)


@pytest.mark.parametrize(
    ("there", "why"), [(None, "was deleted"), ("somebody's own", "was changed")]
)
def test_it_does_not_go_on_in_what_is_no_longer_its_own(
    there: str | None, why: str, tmp_path: Path
) -> None:
    path = tmp_path / "run.sse"
    recorder = Recorder(path)
    recorder.start(started=0.0)
    recorder.finish()
    path.unlink()
    if there is not None:
        path.write_text(there)
    recorder.resume()
    recorder.frame(EVENTS[0], 0.0)
    recorder.finish()
    assert (recorder.state, recorder.frames) == ("failed", 0)
    assert why in recorder.problem
    assert (path.read_text() if path.exists() else None) == there


def test_a_file_that_came_before_the_first_answer_is_replaced_or_stays(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    for force in (True, False):
        recorder = Recorder(path, force=force)
        recorder.reserve()
        recorder.finish()
        path.write_text("precious " * 100)
        recorder.resume()
        recorder.start(started=0.0)
        recorder.finish()
        assert ("precious" in path.read_text()) != force
        assert (recorder.state == "done") == force
        path.unlink()


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    Recorder(path).start(started=0.0)
    assert path.stat().st_mode & 0o077 == 0


async def test_recording_late_holds_everything_from_the_first_frame(
    tmp_path: Path, shared: Path
) -> None:
    source = shared / "streams" / "pydantic-ai-2.68-weather-cut.sse"
    session = Session(FileSource(source), kind="replay")
    await session.run()
    path = tmp_path / "late.sse"
    recorder = session.record(path)
    await session.recorded()
    assert recorder.state == "done"
    again = Session(FileSource(path), kind="replay")
    await again.run()
    assert again.tape.length == session.tape.length
    for number in range(session.tape.length):
        assert again.tape.payload(number) == session.tape.payload(number)
    assert again.tape.transcript.messages() == session.tape.transcript.messages()
    assert again.tape.timing == "recorded"


@pytest.mark.parametrize(
    ("started", "written"),
    [
        (1.5, "1970-01-01T00:00:01.500Z"),
        (253402300799.0, "9999-12-31T23:59:59.000Z"),
        (253402300800.0, None),
        (9007199254740.991, None),
        (-9007199254740.991, None),
    ],
)
def test_a_beginning_that_is_no_date_is_left_out(
    started: float, written: str | None, tmp_path: Path
) -> None:
    recorder = Recorder(tmp_path / "run.sse")
    recorder.start(started=started)
    recorder.frame(EVENTS[0], 0.0)
    recorder.finish()
    [of, *frames] = read(tmp_path / "run.sse")
    assert of == Recording(written, None, None)
    assert len(frames) == 1


async def test_a_recording_of_a_recording_is_the_same(tmp_path: Path) -> None:
    first = tmp_path / "first.sse"
    recorder = Recorder(first)
    recorder.start(started=1.5, url="http://h/", method="GET")
    recorder.input({"messages": []})
    for number, event in enumerate(EVENTS):
        recorder.frame(event, number / 3)
    recorder.stream(1, 9.0)
    recorder.frame(EVENTS[0], 9.5)
    recorder.cut(b"data: {", 10.0)
    recorder.finish()
    session = Session(FileSource(first), kind="replay")
    await session.run()
    second = tmp_path / "second.sse"
    session.record(second)
    await session.recorded()
    assert second.read_bytes() == first.read_bytes()


@pytest.mark.parametrize("late", [False, True])
async def test_what_was_too_long_to_be_read_is_called_so_again(late: bool, tmp_path: Path) -> None:
    """Only its head is kept; whoever reads that again is not to take it for what arrived."""
    long = b'{"type":"CUSTOM","name":"n","value":"' + b"x" * 5000 + b'"}'
    many = b"event: message\n" + b"".join(b"data: " + b" " * 99 + b"\n" for _ in range(20))
    body = FRAMES[0] + b"data: " + long + b"\n\n" + FRAMES[1] + many + b"\n" + b"".join(FRAMES[2:])
    path = tmp_path / "run.sse"
    async with answering(says(head(), body)) as server:
        source = HttpSource(HttpRequest(url=server.url))
        session = Session(source, keep_going=True, max_frame=1000)
        if not late:
            session.record(path)
        await session.run()
    if late:
        session.record(path)
        await session.recorded()
    live = session.tape
    assert (live.length, text_of(session)) == (8, "Zürich rain")
    again = Session(FileSource(path), kind="replay", keep_going=True)
    await again.run()
    assert again.tape.payloads(0, 8) == live.payloads(0, 8)
    assert again.tape.times(0, 8) == pytest.approx(live.times(0, 8), abs=0.001)
    judge = Judge("recording", keep_going=True)
    judge.read(read_all(path))
    redacted, _ = redacted_tape(again.tape, lambda: Pipeline(keep_going=True))
    said = told(live.pipeline)
    assert [event for _, event, _ in said] == [1, 3]
    assert all("longer than 1,000 bytes" in message for _, _, message in said)
    for pipeline in (again.tape.pipeline, judge.judgement.pipeline, redacted.pipeline):
        assert told(pipeline) == said
        assert pipeline.verdicts == live.pipeline.verdicts
    assert sum("longer than 1,000 bytes" in note for note in again.notes) == 2
    # Any other consumer meets a frame that is no event, where one was.
    held = [line for line in path.read_bytes().split(b"\n") if line.startswith(b"data: {")]
    assert [is_object(line[6:]) for line in held] == [True, False, *[True] * 5]


def told(pipeline: Pipeline) -> list[tuple[str, int, str]]:
    stream = pipeline.streams[0]
    assert stream.violation is not None
    return [(one.rule, one.event, one.message) for one in (stream.violation, *stream.after)]


# Killed -------------------------------------------------------------------------------------

_RECORDER = """
import sys, itertools
from pathlib import Path
from transcript_tui.session.recorder import Recorder
recorder = Recorder(Path(sys.argv[1]))
recorder.start(started=0.0)
recorder.input({"messages": []})
print("ready", flush=True)
for number in itertools.count():
    payload = b'{"type":"CUSTOM","name":"n","value":"%d %s"}' % (number, b"x" * 300)
    recorder.frame(payload, number / 1000)
"""

_SESSION = """
import asyncio, sys, itertools
from pathlib import Path
from transcript_tui.session.session import Session
from transcript_tui.session.sources.source import Opened

class Endless:
    label, live, is_log, run_input, url, method = "endless", True, False, None, None, None

    async def receive(self):
        yield Opened("sse")
        yield b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\\n\\n'
        for number in itertools.count():
            value = b"%d %s" % (number, b"x" * 300)
            yield b'data: {"type":"CUSTOM","name":"n","value":"%b"}\\n\\n' % value
            # It comes as fast as it is taken, and together as often as not.
            await asyncio.sleep(0)

session = Session(Endless())
session.record(Path(sys.argv[1]))
print("ready", flush=True)
asyncio.run(session.run())
"""


@pytest.mark.parametrize(
    ("program", "before", "kills"),
    [(_RECORDER, 0, KILLS), (_SESSION, 1, KILLS // 4)],
    ids=["recorder", "session"],
)
def test_killed_at_any_moment_it_opens(
    program: str, before: int, kills: int, tmp_path: Path
) -> None:
    """``before``: so many frames come before the numbered ones."""
    chance = random.Random(7)
    for kill in range(kills):
        path = tmp_path / f"{kill}.sse"
        with subprocess.Popen(
            [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE
        ) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            # Killed after some amount of output, not after some time.
            size = chance.randrange(200_000)
            while path.stat().st_size < size:
                pass
            os.kill(writer.pid, signal.SIGKILL)
        pieces = read(path)
        frames = [piece for piece in pieces if isinstance(piece, Frame)][before:]
        assert [b'"%d ' % number in frame.payload for number, frame in enumerate(frames)] == [
            True
        ] * len(frames)
        assert all(frame.payload.endswith(b'x"}') for frame in frames)
        assert len(frames) * 380 > size - 1000
        path.unlink()


def test_what_is_replaced_stays_until_there_is_something_better(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    path.write_bytes(b"an older recording, longer than what follows" * 9)
    before = path.read_bytes()
    idle = Recorder(path, force=True)
    idle.reserve()
    idle.finish()
    assert path.read_bytes() == before
    recorder = Recorder(path, force=True)
    recorder.reserve()
    recorder.start(started=0.0)
    recorder.finish()
    assert path.read_bytes().count(b"\n") == 1
    assert path.read_bytes().startswith(b": transcript-tui recording 1")


def test_a_place_that_was_only_reserved_is_given_back(tmp_path: Path) -> None:
    path = tmp_path / "run.sse"
    recorder = Recorder(path)
    recorder.reserve()
    assert path.exists()
    recorder.finish()
    assert not path.exists()
    assert recorder.state == "done"
