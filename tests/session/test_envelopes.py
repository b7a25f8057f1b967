"""Events in envelopes, ``{"t": 1.5, "event": {…}}``: shown without them, recorded as they came."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.clock import FakeClock
from tests.conftest import examples
from tests.session.loopback import (
    EVENTS,
    Asked,
    answering,
    chunk,
    ending_of,
    head,
    in_turn,
    says,
    session_for,
    text_of,
    until,
)
from tests.session.test_http import recorded_payloads
from tests.strategies import payloads, streams
from transcript_tui.cli.judging import Judge
from transcript_tui.server.script import script_of
from transcript_tui.server.serve import ServeOptions, serving
from transcript_tui.session.logs.enveloped import Unwrapper
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.sources.reading import read_all
from transcript_tui.session.sources.source import Opened
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire.frames import Frame, NewStream

RUN = [json.loads(event) for event in EVENTS]
WRAPPED = tuple(b'{ "ts":%d, "event":%s ,"by":"hub"}' % (n, e) for n, e in enumerate(EVENTS))
FRAMES = tuple(b"data: " + payload + b"\n\n" for payload in WRAPPED)
STRANGERS = (
    b'{"t":1.5,"note":"checkpoint"}',
    b'{"note":"of no time"}',
    b'{"ts":2,"event":null}',
    b'{"at":2,"event":"connected"}',
    b'{"t":2,"event":[{"type":"RUN_FINISHED"}]}',
    rb'{"t":2,"note":"\ud83d"}',
)
"""Objects among the envelopes that hold no event."""


async def replayed(path: Path) -> Session:
    session = Session(FileSource(path), kind="replay")
    await session.run()
    return session


# Read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["t", "ts", "offset", "at"])
@pytest.mark.parametrize("epoch", [0.0, 1_796_119_200.0, 1_796_119_200_000.0, "iso"])
async def test_a_log_of_envelopes(name: str, epoch: float | str, tmp_path: Path) -> None:
    def when(n: int) -> Any:
        if isinstance(epoch, str):
            return f"2026-12-01T10:00:0{n}.000Z"
        return epoch + n * (1000 if epoch > 1e11 else 1)

    path = tmp_path / "log.jsonl"
    path.write_text(
        "".join(json.dumps({name: when(n), "event": e}) + "\n" for n, e in enumerate(RUN))
    )
    session = await replayed(path)
    assert text_of(session) == "Zürich rain"
    assert session.tape.duration == pytest.approx(5.0)
    assert "envelopes" in session.notes[0]


async def test_a_live_feed_may_wrap_its_events() -> None:
    async with answering(says(head(), *FRAMES)) as server:
        session = session_for(server.url)
        await session.run()
    assert text_of(session) == "Zürich rain"
    assert "envelopes" in session.notes[0]
    assert session.tape.timing == "arrival"


def test_each_stream_decides_for_itself() -> None:
    """And one that is not wrapped is judged as it is: an event without a type is malformed."""
    tape = Tape()
    tape.take([Frame(b"no JSON decides nothing", 1, 0), Frame(WRAPPED[0], 3, 30)])
    tape.take([NewStream(1), *(Frame(event, 5, 60) for event in EVENTS[:2])])
    tape.take([Frame(WRAPPED[2], 9, 120)])
    tape.take([NewStream(2), Frame(WRAPPED[0], 11, 160), Frame(EVENTS[1], 13, 180)])
    events = [b"no JSON decides nothing", EVENTS[0], *EVENTS[:2], WRAPPED[2], *EVENTS[:2]]
    assert [tape.payload(number) for number in range(tape.length)] == events
    for start in range(tape.length):
        for end in range(start, tape.length + 1):
            assert tape.payloads(start, end) == events[start:end]
    assert [stream.wrapped for stream in tape.streams] == [True, False, True]
    rules = [one.violation.rule if one.violation else "" for one in tape.pipeline.streams]
    assert rules == ["not-json", "malformed", ""]
    assert len(tape.remarks) == 1


def test_half_a_surrogate_pair_in_an_envelope() -> None:
    """The fast decoder refuses it; JSON does not."""
    tape = Tape()
    event = rb'{"type":"CUSTOM","name":"n","value":"\ud83d"}'
    tape.take([Frame(WRAPPED[0], 1, 0), Frame(b'{"t":1,"event":' + event + b"}", 3, 90)])
    assert json.loads(tape.payload(1)) == json.loads(event)
    assert tape.arrived(1) == b'{"t":1,"event":' + event + b"}"


def test_what_holds_no_event_is_left_out_and_counted() -> None:
    tape = Tape()
    lines = [*WRAPPED[:2], *STRANGERS, *WRAPPED[2:]]
    tape.take([Frame(line, n, 0) for n, line in enumerate(lines)])
    tape.end()
    left_out = range(2, 2 + len(STRANGERS))
    for number, line in enumerate(lines):
        assert (tape.event(number) is None) == (number in left_out)
        assert tape.payload(number) == (line if number in left_out else tape.event(number))
    assert tape.events(1, 4) == [EVENTS[1], None, None]
    assert tape.payloads(1, 4) == [EVENTS[1], *STRANGERS[:2]]
    assert tape.remarks == [Unwrapper.NOTE, "6 objects hold no event; they were left out."]
    assert tape.pipeline.streams[0].violation is None
    assert tape.transcript.runs[0].events == len(EVENTS)


async def test_a_log_that_begins_without_an_event(tmp_path: Path) -> None:
    """A first line that says when and is no event is one of the log's own."""
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join([STRANGERS[0], *WRAPPED]) + b"\n")
    session = await replayed(path)
    assert text_of(session) == "Zürich rain"
    assert session.notes[1:] == ["1 object holds no event; it was left out."]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (b"no JSON", "not-json"),
        (b"[1]", "not-json"),
        (b'{"t":2,"event":{"delta":"x"}}', "malformed"),
        (b'{"type":"TEXT_MESSAGE_END","messageId":"none"}', "not-open"),
    ],
)
def test_what_is_or_holds_an_event_is_judged(line: bytes, rule: str) -> None:
    judge = Judge("log")
    judge.read([Opened("jsonl"), b"\n".join([*WRAPPED[:2], STRANGERS[0], line, b""])])
    (stream,) = judge.judgement.streams
    assert stream.violation is not None
    assert (stream.violation.rule, stream.violation.event) == (rule, 3)


def test_an_object_without_a_time_is_no_envelope_before_one_came() -> None:
    """Else an error body would be a log of nothing."""
    tape = Tape()
    tape.take([Frame(b'{"detail":"no such agent"}', 1, 0)])
    assert tape.pipeline.streams[0].violation is not None


@given(parts=streams().map(payloads), data=st.data())
@settings(max_examples=examples(40))
def test_what_is_left_out_changes_nothing_else(parts: list[bytes], data: st.DataObject) -> None:
    tape, plain = Tape(), Tape()
    plain.take([Frame(part, 1, 0) for part in parts])
    wrapped = [b'{"event":%s}' % part for part in parts]
    lines = wrapped[:1]
    for line in wrapped[1:]:
        lines += [*data.draw(st.lists(st.sampled_from(STRANGERS), max_size=2)), line]
    tape.take([Frame(line, 1, 0) for line in lines])
    for one in (tape, plain):
        one.end()
    for _ in range(2):
        assert tape.transcript.messages() == plain.transcript.messages()
        assert [event for event in tape.events(0, tape.length) if event is not None] == parts
        assert tape.pipeline.streams[0].event_types() == plain.pipeline.streams[0].event_types()
        for _ in tape.refold(Pipeline):
            pass


@given(parts=streams().map(payloads), cuts=st.lists(st.integers(0, 80), max_size=4))
@settings(max_examples=examples(40))
def test_wrapped_or_not_the_conversation_is_the_same(parts: list[bytes], cuts: list[int]) -> None:
    plain, wrapped = Tape(), Tape()
    plain.take([Frame(part, n, 0, n / 8) for n, part in enumerate(parts)])
    envelopes = [
        Frame(b'{"at":%.3f,"event":%s}' % (n / 8, part), n, 0) for n, part in enumerate(parts)
    ]
    edges = [0, *sorted(cuts), len(parts)]
    for start, end in pairwise(edges):
        wrapped.take(envelopes[start:end])
    for tape in (plain, wrapped):
        tape.end()
    for _ in range(2):
        assert wrapped.payloads(0, wrapped.length) == parts
        assert wrapped.times(0, len(parts)) == plain.times(0, len(parts))
        assert wrapped.transcript.messages() == plain.transcript.messages()
        assert wrapped.pipeline.verdicts == plain.pipeline.verdicts
        for _ in wrapped.refold(Pipeline):
            pass


# Recorded -----------------------------------------------------------------------------------


@pytest.mark.parametrize("since", range(len(FRAMES) + 1))
async def test_the_recording_is_what_arrived(since: int, tmp_path: Path) -> None:
    """Whether recorded from the start (0) or after some events."""
    path = tmp_path / "run.sse"
    go_on = asyncio.Event()

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head() + b"".join(FRAMES[:since]))
        await go_on.wait()
        writer.write(b"".join(FRAMES[since:]) + b'data: {"ts":9,"ev')

    async with answering(answer) as server:
        session = session_for(server.url)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.opened and session.tape.length == since)
        session.record(path)
        go_on.set()
        await running
    assert recorded_payloads(path) == list(WRAPPED)
    await check_reading(path, session)


async def check_reading(path: Path, live: Session) -> None:
    """Replay, ``check`` and ``serve`` take the events out again, as the live feed did."""
    again = await replayed(path)
    tape, was = again.tape, live.tape
    assert again.notes == live.notes
    assert sum("envelopes" in note for note in again.notes) == 1
    assert tape.events(0, tape.length) == was.events(0, was.length)
    assert [tape.time(n) for n in range(tape.length)] == [
        pytest.approx(was.time(n), abs=0.0011) for n in range(was.length)
    ]
    assert [stream.first for stream in tape.streams] == [stream.first for stream in was.streams]
    assert tape.transcript.messages() == was.transcript.messages()
    assert ending_of(again) == ending_of(live)
    judge = Judge("recording")
    judge.read(read_all(path))
    assert [one.verdict for one in judge.judgement.streams] == ["accepted"] * len(tape.streams)
    assert sum("envelopes" in note for note in judge.judgement.notes) == 1
    async with serving(script_of(tape), ServeOptions(speed=1e9)) as url:
        client = session_for(url, "GET")
        await client.run()
    events = [event for event in was.events(0, was.length) if event is not None]
    assert client.tape.payloads(0, client.tape.length) == events
    assert not client.notes


async def test_a_feed_that_sends_more_than_events(tmp_path: Path) -> None:
    """What is left out was received too: it is in the recording, which reads as the feed did."""
    path = tmp_path / "run.sse"
    arrived = [*WRAPPED[:2], *STRANGERS, *WRAPPED[2:], STRANGERS[1]]
    frames = (b"data: " + payload + b"\n\n" for payload in arrived)
    async with answering(says(head(), *frames)) as server:
        session = session_for(server.url)
        session.record(path)
        await session.run()
    assert text_of(session) == "Zürich rain"
    assert session.notes[1:] == ["7 objects hold no event; they were left out."]
    assert recorded_payloads(path) == arrived
    await check_reading(path, session)


async def test_across_a_reconnect(tmp_path: Path) -> None:
    clock, path = FakeClock(), tmp_path / "gap.sse"
    answers = [
        says(head(Transfer_Encoding="chunked"), chunk(b"".join(FRAMES[:3]))),
        says(head(), *FRAMES),
        says(head("204 No Content", None)),
    ]
    async with answering(in_turn(*answers)) as server:
        session = session_for(server.url, "GET", clock, reconnect=True)
        session.record(path)
        running = asyncio.create_task(session.run())
        for _ in range(2):
            await clock.asleep()
            clock.advance(60)
        await running
    assert recorded_payloads(path) == [*WRAPPED[:3], *WRAPPED]
    await check_reading(path, session)


async def test_of_a_file_that_is_followed(tmp_path: Path) -> None:
    """Its envelopes say when; the recording's offsets are those, and stay those."""
    clock, path, log = FakeClock(), tmp_path / "run.sse", tmp_path / "log.jsonl"
    log.write_bytes(WRAPPED[0] + b"\n")
    session = Session(FileSource(log, follow=True, clock=clock), kind="replay", clock=clock)
    session.record(path)
    running = asyncio.create_task(session.run())
    await clock.asleep()
    with log.open("ab") as file:
        file.write(b"\n".join(WRAPPED[1:]) + b"\n")
    clock.advance(1000)
    await until(session, lambda: session.tape.length == len(WRAPPED))
    session.stop()
    await running
    assert [session.tape.time(n) for n in range(6)] == [0, 1, 2, 3, 4, 5]
    assert recorded_payloads(path) == list(WRAPPED)
    await check_reading(path, session)
