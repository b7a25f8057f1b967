"""Sessions: what runs beside receiving, and how they end."""

from __future__ import annotations

import asyncio
import gc
import re
import time
import tracemalloc
from collections.abc import AsyncGenerator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.clock import FakeClock
from tests.session.loopback import (
    EVENTS,
    FRAMES,
    STREAM,
    answering,
    chunk,
    head,
    in_turn,
    says,
    session_for,
    until,
)
from tests.session.test_http import recorded_payloads
from transcript_tui.errors import UsageError
from transcript_tui.session.recording import AT_ONCE
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.sources.source import Opened, Received


class Scripted:
    """A source for what no real one can be told to do: arrive at given times."""

    label = "scripted"
    live = True
    is_log = False
    run_input: Mapping[str, Any] | None = None
    url: str | None = None
    method: str | None = None

    def __init__(
        self, clock: FakeClock, gaps: list[float], frames: Sequence[bytes] = FRAMES
    ) -> None:
        self.clock = clock
        self.gaps = gaps
        self.frames = frames

    async def receive(self) -> AsyncGenerator[Received, None]:
        yield Opened("sse")
        for number, gap in enumerate(self.gaps):
            await self.clock.sleep(gap)
            yield self.frames[number % len(self.frames)]


async def drive(clock: FakeClock, running: asyncio.Task[None], step: float) -> None:
    """Let ``clock`` run, whenever somebody waits for it."""
    while not running.done():
        if clock.sleeping:
            clock.advance(step)
        await asyncio.sleep(0)


async def test_arrival_is_the_time_of_what_is_live() -> None:
    clock = FakeClock()
    session = Session(Scripted(clock, [1.0, 2.0, 3.0]), clock=clock)
    await drive(clock, asyncio.create_task(session.run()), 0.5)
    times = [session.tape.time(number) for number in range(3)]
    assert times == [pytest.approx(1.0), pytest.approx(3.0), pytest.approx(6.0)]
    assert session.tape.started == 1_796_119_200.0


async def test_a_slow_stream_for_eight_hours_costs_nothing_but_its_events() -> None:
    clock = FakeClock()
    session = Session(Scripted(clock, [10.0] * 2880), clock=clock)
    changes = 0

    def changed() -> None:
        nonlocal changes
        changes += 1

    session.subscribe(changed)
    await drive(clock, asyncio.create_task(session.run()), 10.0)
    assert session.tape.length == 2880
    assert session.tape.duration == pytest.approx(8 * 3600)
    assert changes < 2880 + 10


HOUR = 360
"""Frames, one every ten seconds."""


async def held_by_the_hour(frames: Sequence[bytes], hours: int = 8) -> list[int]:
    """Bytes that a session holds after each of ``hours``, played as it would be on a screen."""
    clock = FakeClock()
    session = Session(Scripted(clock, [10.0] * (HOUR * hours), frames), clock=clock)
    held: list[int] = []

    def shown() -> None:
        session.player.tick(clock.now())
        session.player.due(clock.now())
        if clock.now() >= 10.0 * HOUR * (len(held) + 1):
            gc.collect()
            held.append(tracemalloc.get_traced_memory()[0])

    session.subscribe(shown)
    tracemalloc.start()
    try:
        await drive(clock, asyncio.create_task(session.run()), 10.0)
    finally:
        tracemalloc.stop()
    assert len(held) == hours
    return held


async def test_eight_hours_of_signs_of_life_grow_nothing() -> None:
    held = await held_by_the_hour([b": still here\n\n"])
    assert held[-1] - held[0] < 4_096


async def test_eight_hours_of_a_slow_stream_grow_by_its_events_only() -> None:
    delta = b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"word "}\n\n'
    held = await held_by_the_hour([*FRAMES[:2], *[delta] * (HOUR * 8)])
    first, last = held[3] - held[0], held[7] - held[4]
    # As much in the last hours as in the first, and no more than what the tape and the text keep.
    assert last < 1.5 * first
    assert held[7] - held[0] < 7 * HOUR * (len(delta) + 120)


async def test_the_event_loop_turns_while_a_large_file_is_read(tmp_path: Path) -> None:
    """Each slice is a few milliseconds of work (CPU time: other processes do not count)."""
    path = tmp_path / "large.jsonl"
    delta = b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"word "}\n'
    await asyncio.to_thread(
        path.write_bytes, EVENTS[0] + b"\n" + EVENTS[1] + b"\n" + delta * 60_000
    )
    session = Session(FileSource(path), kind="replay")
    running = asyncio.create_task(session.run())
    slices, lengths = [], []
    while not running.done():
        began = time.thread_time()
        await asyncio.sleep(0)
        slices.append(time.thread_time() - began)
        lengths.append(session.tape.length)
    assert session.tape.length == 60_002
    # Progress is there to be shown long before the end.
    assert len(set(lengths)) > 20
    slices.sort()
    assert slices[int(len(slices) * 0.99)] < 0.025


async def test_stopping_while_a_file_is_read_keeps_what_was_read(tmp_path: Path) -> None:
    path = tmp_path / "large.sse"
    await asyncio.to_thread(path.write_bytes, b"".join(FRAMES[:2]) + FRAMES[2] * 50_000)
    session = Session(FileSource(path), kind="replay")
    session.subscribe(lambda: session.stop() if session.tape.length > 1000 else None)
    await session.run()
    assert session.connection == "stopped"
    assert 1000 < session.tape.length < 50_000
    assert session.tape.transcript.length == session.tape.length


async def test_a_session_that_is_cancelled_from_outside_is_closed() -> None:
    clock = FakeClock()
    session = Session(Scripted(clock, [0.0, 0.0, 3600.0]), clock=clock)
    running = asyncio.create_task(session.run())
    await until(session, lambda: session.tape.length == 2)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert session.connection == "stopped"
    assert session.tape.complete


async def test_stopping_before_and_after_running() -> None:
    session = session_for("http://127.0.0.1:9/")
    session.stop()
    assert session.connection == "stopped"
    async with answering(says(head(), STREAM)) as server:
        done = session_for(server.url)
        await done.run()
        done.stop()
        assert done.connection == "ended"


DELTA = b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"%d "}'


async def long_session(count: int, path: Path) -> Session:
    """A log of so many deltas, read to its end."""
    lines = [*EVENTS[:2], *(DELTA % n for n in range(count))]
    await asyncio.to_thread(path.write_bytes, b"".join(line + b"\n" for line in lines))
    session = Session(FileSource(path), kind="replay")
    await session.run()
    return session


async def test_recording_what_is_long_holds_nothing_up(tmp_path: Path) -> None:
    """A turn of the event loop takes so many payloads off the tape as take half a millisecond."""
    session = await long_session(60_000, tmp_path / "long.jsonl")
    path = tmp_path / "kept.sse"
    recorder = session.record(path)
    taken = [session.recorded_part or 0.0]
    while recorder.state != "done":
        await asyncio.sleep(0)
        if (part := session.recorded_part) is not None:
            taken.append(part)
    turns = [round((b - a) * session.tape.length) for a, b in pairwise(taken)]
    assert max(turns) == AT_ONCE == 2_000
    assert taken[-1] > 0.9
    assert recorded_payloads(path) == session.tape.payloads(0, session.tape.length)


async def test_who_leaves_while_the_recording_is_behind_gets_it_whole(tmp_path: Path) -> None:
    session = await long_session(20_000, tmp_path / "long.jsonl")
    path = tmp_path / "kept.sse"
    recorder = session.record(path)
    assert recorder.state != "done"
    # Without the event loop, which whoever leaves has no more.
    assert session.leave(pytest.fail, patience=60.0) is None
    assert recorder.state == "done"
    assert recorded_payloads(path) == session.tape.payloads(0, session.tape.length)


async def test_what_arrives_while_the_recording_is_behind_comes_after(tmp_path: Path) -> None:
    clock = FakeClock()
    many = [b"data: " + DELTA % n + b"\n\n" for n in range(5_000)]
    frames = [*FRAMES[:2], b"".join(many), *many[:20], *FRAMES[4:]]
    session = Session(Scripted(clock, [0.0] * 3 + [1.0] * 22, frames), clock=clock)
    running = asyncio.create_task(session.run())
    await until(session, lambda: session.tape.length == 5_002)
    path = tmp_path / "kept.sse"
    session.record(path)
    assert session.recorded_part is not None
    arrived = 0
    while not running.done():
        arrived += session.recorded_part is not None and session.tape.length > 5_002
        if clock.sleeping:
            clock.advance(1.0)
        await asyncio.sleep(0)
    assert arrived, "nothing came while it was behind"
    assert recorded_payloads(path) == session.tape.payloads(0, session.tape.length)
    again = Session(FileSource(path), kind="replay")
    await again.run()
    assert [again.tape.time(n) for n in range(5_000, 5_024)] == [
        session.tape.time(n) for n in range(5_000, 5_024)
    ]


async def test_a_recording_that_is_behind_may_fail(tmp_path: Path) -> None:
    session = await long_session(5_000, tmp_path / "long.jsonl")
    path = tmp_path / "kept.sse"
    recorder = session.record(path)
    path.unlink()
    await until(session, lambda: recorder.state == "failed")
    assert "was deleted" in recorder.problem
    assert session.recorded_part is None


async def test_recording_begun_in_the_middle_holds_all(tmp_path: Path) -> None:
    clock = FakeClock()
    session = Session(Scripted(clock, [1.0] * 6), clock=clock)
    running = asyncio.create_task(session.run())
    while session.tape.length < 3:
        clock.advance(0.5 if clock.sleeping else 0.0)
        await asyncio.sleep(0)
    path = tmp_path / "middle.sse"
    recorder = session.record(path)
    await session.recorded()
    assert recorder.frames == session.tape.length
    await drive(clock, running, 0.5)
    again = Session(FileSource(path), kind="replay")
    await again.run()
    held = [again.tape.payload(number) for number in range(again.tape.length)]
    assert held == list(EVENTS)
    for number in range(6):
        assert again.tape.time(number) == pytest.approx(session.tape.time(number), abs=0.001)
    assert again.tape.started == session.tape.started


async def test_a_recording_that_fails_does_not_end_the_session(tmp_path: Path) -> None:
    path = tmp_path / "there.sse"
    await asyncio.to_thread(path.write_text, "x")
    async with answering(says(head(), STREAM)) as server:
        session = session_for(server.url)
        recorder = session.record(path)
        await session.run()
    assert recorder.state == "failed"
    assert session.connection == "ended"
    assert session.tape.length == 6


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_where_nothing_answered_it_can_be_asked_again(tmp_path: Path, method: str) -> None:
    refusal = says(head("503 Unavailable", "text/plain"), b"starting")
    async with answering(in_turn(refusal, refusal, says(head(), STREAM))) as server:
        session = session_for(server.url, method)
        recorder = session.record(tmp_path / "kept.sse")
        await session.run()
        assert session.can_ask_again
        assert not recorder.path.exists()
        await session.ask_again()
        assert session.error is not None
        await session.ask_again()
        assert (session.error, session.tape.length) == (None, 6)
        assert session.player.position == 6 or session.player.live
        assert session.can_ask_again == (method == "GET")
    assert len({asked.body for asked in server.asked}) == 1
    again = Session(FileSource(recorder.path), kind="replay")
    await again.run()
    assert [again.tape.payload(n) for n in range(again.tape.length)] == list(EVENTS)
    assert len(session.tape.streams) == len(again.tape.streams) == 1


async def test_after_a_drop_a_get_can_be_asked_again_and_the_recording_goes_on(
    tmp_path: Path,
) -> None:
    cut = says(head(Transfer_Encoding="chunked"), chunk(b"".join(FRAMES[:3]) + b"data: {"))
    async with answering(in_turn(cut, says(head(), STREAM))) as server:
        session = session_for(server.url, "GET")
        recorder = session.record(tmp_path / "kept.sse")
        await session.run()
        assert session.error is not None
        await session.ask_again()
    assert session.tape.length == 3 + 6
    assert "closed in the middle" in session.tape.streams[1].reason
    endings = [run.ending.now for run in session.tape.transcript.runs]
    assert [ending.kind for ending in endings if ending] == ["truncated", "finished"]
    again = Session(FileSource(recorder.path), kind="replay")
    await again.run()
    assert [again.tape.payload(n) for n in range(9)] == [*EVENTS[:3], *EVENTS]
    assert [one.first for one in again.tape.streams] == [0, 3]
    assert again.tape.streams[0].tail == b"data: {"


async def test_whenever_a_recording_was_begun_it_is_the_same(tmp_path: Path) -> None:
    """Also of connections that were cut: each mark has the time when it came."""
    cut = says(head(Transfer_Encoding="chunked"), chunk(b"".join(FRAMES[:3]) + b'data: {"ty'))
    clock, before, after = FakeClock(), tmp_path / "before.sse", tmp_path / "after.sse"
    async with answering(in_turn(cut, cut, says(head(), STREAM))) as server:
        session = session_for(server.url, "GET", clock=clock)
        session.record(before)
        await session.run()
        for _ in range(2):
            clock.advance(60)
            await session.ask_again()
        session.record(after)
        await session.recorded()
    assert before.read_bytes() == after.read_bytes()
    written = re.findall(r"^: (?:(?:stream \d|cut) )?\+([\d.]+)", after.read_text(), re.MULTILINE)
    times = [float(one) for one in written]
    assert times == [0.0] * 4 + [60.0] * 5 + [120.0] * 7


async def test_a_recording_that_is_served_as_it_is_has_its_times_from_here(tmp_path: Path) -> None:
    """What the endpoint's file says of its own connections is another clock's."""
    begun = b': transcript-tui recording 1 {"started":"2001-01-01T00:00:00.000Z"}\n'
    body = b"%b: +1.000\n%b: cut +500.000 ZGF0YQ==\n\n: stream 1 +900.000\n: +901.000\n%b"
    clock, path = FakeClock(), tmp_path / "kept.sse"
    async with answering(says(head(), body % (begun, FRAMES[0], STREAM))) as server:
        session = session_for(server.url, "GET", clock=clock)
        await session.run()
        session.record(path)
        await session.recorded()
    assert [stream.at for stream in session.tape.streams] == [0.0, 0.0]
    assert session.tape.started == clock.wall()
    assert set(re.findall(r"\+[\d.]+", path.read_text())) == {"+0.000"}


async def test_a_recording_that_is_served_as_it_is_and_recorded_meanwhile(tmp_path: Path) -> None:
    """Ours numbers its own connections, in order, whatever the endpoint's file says of its own;
    its input is none that we know of otherwise."""
    begun = b': transcript-tui recording 1 {"started":"2001-01-01T00:00:00.000Z"}\n'
    asked = b': input {"messages":[{"id":"a","role":"user","content":"%b"}]}\n'
    body = begun + asked % b"one" + b": +1.000\n" + FRAMES[0] + b": cut +500.000 ZGF0YQ==\n\n"
    body += b": stream 1 +900.000\n: framing crlf\n" + asked % b"two" + b": +901.000\n" + STREAM
    clock, before, after = FakeClock(), tmp_path / "before.sse", tmp_path / "after.sse"
    async with answering(says(head(), body)) as server:
        session = session_for(server.url, "GET", clock=clock)
        session.record(before)
        await session.run()
        clock.advance(60)
        await session.ask_again()
        session.record(after)
        await session.recorded()
    assert before.read_bytes() == after.read_bytes()
    marks = re.findall(r"^: (?:stream (\d+) )?(?:cut )?\+([\d.]+)", before.read_text(), re.M)
    assert [number for number, _ in marks if number] == ["1", "2", "3"]
    assert [float(at) for _, at in marks] == [0.0] * 9 + [60.0] * 10
    again = Session(FileSource(before), kind="replay")
    await again.run()
    asked_for = [stream.input["messages"][0]["content"] for stream in again.tape.streams]
    assert asked_for == ["one", "two"] * 2
    assert again.tape.transcript.messages() == session.tape.transcript.messages()


async def test_a_followed_recording_is_recorded_with_its_own_beginning(tmp_path: Path) -> None:
    """When it began stands in its first line, which comes after the recording was asked for."""
    log, before, after = tmp_path / "log.sse", tmp_path / "before.sse", tmp_path / "after.sse"
    facts = b'{"started":"2001-01-01T00:00:00.000Z","url":"http://h/","method":"GET"}'
    kept = b": transcript-tui recording 1 " + facts + b'\n: input {"messages":[]}\n: +1.000\n'
    await asyncio.to_thread(log.write_bytes, kept + FRAMES[0])
    clock = FakeClock()
    session = Session(FileSource(log, follow=True, clock=clock), kind="replay", clock=clock)
    session.record(before)
    running = asyncio.create_task(session.run())
    await clock.asleep()
    session.stop()
    await running
    session.record(after)
    await session.recorded()
    assert before.read_bytes() == after.read_bytes() == log.read_bytes()


async def test_a_run_that_began_is_not_started_again() -> None:
    cut = says(head(Transfer_Encoding="chunked"), chunk(FRAMES[0]))
    async with answering(cut) as server:
        session = session_for(server.url, "POST")
        await session.run()
        assert session.error is not None
        assert not session.can_ask_again
        await session.ask_again()
        assert len(server.asked) == 1


async def test_listeners_can_leave() -> None:
    calls: list[int] = []
    async with answering(says(head(), STREAM)) as server:
        session = session_for(server.url)
        leave = session.subscribe(lambda: calls.append(1))
        leave()
        leave()
        await session.run()
    assert calls == []


def test_a_given_input_that_is_malformed_is_said_at_once(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="malformed"):
        Session(FileSource(tmp_path / "x"), given={"messages": [{"role": "user", "id": 7}]})


async def test_a_given_input_outranks_the_one_in_the_log(tmp_path: Path) -> None:
    path = tmp_path / "log.sse"
    recorded = b': transcript-tui recording 1 {}\n: input {"messages":[{"id":"a","role":"user",'
    recorded += b'"content":"recorded"}]}\n' + STREAM
    await asyncio.to_thread(path.write_bytes, recorded)
    plain = Session(FileSource(path), kind="replay")
    given = {"messages": [{"id": "b", "role": "user", "content": "given"}]}
    other = Session(FileSource(path), kind="replay", given=given)
    await plain.run()
    await other.run()
    assert plain.tape.transcript.messages()[0]["content"] == "recorded"
    assert other.tape.transcript.messages()[0]["content"] == "given"
    assert len(other.tape.transcript.messages()) == 2
