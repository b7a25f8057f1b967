"""``serve``: a log as an endpoint, and the faults that it makes on demand."""

from __future__ import annotations

import asyncio
import json
import math
import os
import signal
import subprocess
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clock import FakeClock
from tests.session.loopback import EVENTS, ending_of, session_for, text_of, until
from transcript_tui.errors import AnswerRefused, ConnectionFailed, UsageError
from transcript_tui.server.answer import Faults
from transcript_tui.server.rounds import in_round
from transcript_tui.server.scenarios import SCENARIOS
from transcript_tui.server.script import Script, rename, script_of
from transcript_tui.server.serve import ServeOptions, serving
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire.frames import Frame, NewStream

BOTH = pytest.mark.parametrize("method", ["GET", "POST"])


def script(*runs: str, gap: float = 0.0) -> Script:
    """One run of ``EVENTS`` for each name."""
    tape = Tape()
    for name in runs:
        for event in EVENTS:
            own = event.replace(b'"r"', f'"{name}"'.encode()).replace(
                b'"m"', f'"m-{name}"'.encode()
            )
            tape.take([Frame(own, 1, 0, tape.length * gap)])
    return script_of(tape)


async def test_what_fails_on_our_side_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        raise ZeroDivisionError

    monkeypatch.setattr("transcript_tui.server.answer.rename", broken)
    failures: list[Exception] = []
    async with serving(script("r"), failed=failures.append) as url:
        session = session_for(url)
        await session.run()
    assert [type(one) for one in failures] == [ZeroDivisionError]
    assert isinstance(session.error, ConnectionFailed)


def at_once(what: Script, **more: Any) -> AbstractAsyncContextManager[str]:
    return serving(what, ServeOptions(speed=math.inf, **more))


async def post(url: str, thread: str = "t", run: str = "r") -> httpx.Response:
    async with httpx.AsyncClient() as client:
        body = {"threadId": thread, "runId": run, "messages": []}
        return await client.post(url, json=body)


def events_of(answer: httpx.Response) -> list[dict[str, Any]]:
    blocks = answer.text.split("\n\n")
    return [json.loads(block.removeprefix("data: ")) for block in blocks if block]


# Runs ---------------------------------------------------------------------------------------


@BOTH
async def test_a_served_log_arrives_as_it_is(method: str) -> None:
    async with at_once(script("r")) as url:
        session = session_for(url, method)
        await session.run()
    assert session.error is None
    assert text_of(session) == "Zürich rain"
    assert ending_of(session) == "finished"


async def test_a_post_gets_the_next_run_and_a_get_all() -> None:
    async with at_once(script("one", "two")) as url:
        first = events_of(await post(url, run="a"))
        second = events_of(await post(url, run="b"))
        third = await post(url, run="c")
        other = events_of(await post(url, thread="elsewhere", run="d"))
        async with httpx.AsyncClient() as client:
            everything = events_of(await client.get(url))
    assert [event["runId"] for event in first if "runId" in event] == ["a", "a"]
    assert [event["runId"] for event in second if "runId" in event] == ["b", "b"]
    assert "m-one" in str(first)
    assert "m-two" in str(second)
    assert third.status_code == 410
    assert "--loop" in third.json()["detail"]
    assert {event["threadId"] for event in other if "threadId" in event} == {"elsewhere"}
    assert "m-one" in str(other)
    assert [e["runId"] for e in everything if "runId" in e] == ["one", "one", "two", "two"]


async def test_loop_begins_again() -> None:
    async with at_once(script("one"), loop=True) as url:
        for _ in range(3):
            assert len(events_of(await post(url))) == 6


@BOTH
@pytest.mark.parametrize("name", ["hello", "interleaved", "reopen", "chunks"])
async def test_another_round_is_about_other_messages(method: str, name: str) -> None:
    """With the same ids those of the round before would grow."""
    told = SCENARIOS[name].load()
    async with at_once(told, loop=True) as url:
        if method == "GET":
            session = session_for(url, "GET")
            receiving = asyncio.create_task(session.run())
            length = len(told.whole().lines)
            await until(session, lambda: session.tape.length >= 2 * length)
            session.stop()
            await receiving
            payloads = session.tape.payloads(0, 2 * length)
        else:
            answers = [await post(url, run=f"r{n}") for n in range(2 * len(told.runs))]
            payloads = [json.dumps(one).encode() for each in answers for one in events_of(each)]
    pipeline = Pipeline()
    pipeline.feed_all(payloads)
    assert pipeline.stream.violation is None
    assert not pipeline.stream.warnings
    said = [str(one.get("content", "")) for one in pipeline.transcript.messages()]
    assert said[: len(said) // 2] == said[len(said) // 2 :]
    assert len({run.run_id for run in pipeline.transcript.runs}) == len(pipeline.transcript.runs)
    assert len({run.thread_id for run in pipeline.transcript.runs}) == 1


def test_all_ids_of_an_event_are_others_in_another_round() -> None:
    event = {
        "type": "RUN_FINISHED",
        "threadId": "t",
        "runId": "r",
        "result": {"messageId": "theirs", "id": "theirs"},
        "outcome": {
            "type": "interrupt",
            "interrupts": [{"id": "i", "toolCallId": "c", "reason": "id"}],
            "pendingToolCallIds": ["c"],
        },
        "messages": [{"id": "m", "toolCalls": [{"id": "c", "function": {"name": "id"}}]}],
    }
    payload = json.dumps(event).encode()
    assert in_round(payload, 0) is payload
    again = json.loads(in_round(payload, 1))
    assert (again["threadId"], again["runId"], again["result"]) == ("t", "r~2", event["result"])
    assert again["outcome"] == {
        "type": "interrupt",
        "interrupts": [{"id": "i~2", "toolCallId": "c~2", "reason": "id"}],
        "pendingToolCallIds": ["c~2"],
    }
    (message,) = again["messages"]
    assert message == {"id": "m~2", "toolCalls": [{"id": "c~2", "function": {"name": "id"}}]}


@pytest.mark.parametrize("payload", [b"", b"[1]", b"{", b'{"type":', b"7"])
def test_what_is_no_object_is_the_same_in_every_round(payload: bytes) -> None:
    assert in_round(payload, 3) == payload


async def test_all_sends_every_run() -> None:
    async with at_once(script("one", "two"), all_runs=True) as url:
        session = session_for(url)
        await session.run()
    assert len(session.tape.transcript.runs) == 2
    assert session.tape.pipeline.streams[0].violation is None
    assert {run.thread_id for run in session.tape.transcript.runs} == {"t"}


async def test_all_sends_other_ids_to_a_thread_that_asks_again() -> None:
    async with at_once(script("one", "two"), all_runs=True) as url:
        first, again, other = (
            {event["messageId"] for event in events_of(answer) if "messageId" in event}
            for answer in [await post(url), await post(url), await post(url, thread="other")]
        )
    assert not first & again, "the messages of the answer before would grow"
    assert len(first) == len(again) == 2
    assert other == first


async def test_several_clients_at_once() -> None:
    async with at_once(script("one")) as url:
        answers = await asyncio.gather(*(post(url, thread=f"t{n}", run=f"r{n}") for n in range(20)))
    for number, answer in enumerate(answers):
        assert events_of(answer)[0]["threadId"] == f"t{number}"


async def test_times_are_kept_and_sped_up() -> None:
    clock = FakeClock()
    options = ServeOptions(speed=2.0, idle_cap=4.0)
    async with serving(script("r", gap=1.0), options, clock=clock) as url:
        session = session_for(url)
        running = asyncio.create_task(session.run())
        for number in range(1, 6):
            await until(session, lambda number=number: session.tape.length == number)
            await clock.asleep()
            clock.advance(0.49)
            assert clock.sleeping
            clock.advance(0.01)
        await running
    assert session.tape.length == 6


async def test_bodies_that_are_no_input() -> None:
    async with at_once(script("r")) as url, httpx.AsyncClient() as client:
        assert (await client.post(url, content=b"{")).status_code == 400
        assert (await client.post(url, content=b"[]")).status_code == 422
        assert (await client.put(url, content=b"{}")).status_code == 405
        # A client that names no ids gets the log's own.
        events = events_of(await client.post(url, json={}))
        assert events[0]["threadId"] == "t"


async def test_cors_when_asked() -> None:
    origin = {"Origin": "http://localhost:3000"}
    asks = {**origin, "Access-Control-Request-Method": "POST"}
    async with at_once(script("r"), cors="*") as url, httpx.AsyncClient() as client:
        assert (await client.options(url, headers=asks)).headers["access-control-allow-origin"]
        assert (await client.get(url, headers=origin)).headers["access-control-allow-origin"] == "*"
    async with at_once(script("r")) as url, httpx.AsyncClient() as client:
        answer = await client.get(url, headers=origin)
        assert "access-control-allow-origin" not in answer.headers


async def test_an_address_that_is_taken() -> None:
    async with at_once(script("r")) as url:
        port = httpx.URL(url).port
        assert port
        with pytest.raises(UsageError, match="in use"):
            async with serving(script("r"), ServeOptions(port=port)):
                pass


def test_exposed_to_other_machines() -> None:
    assert ServeOptions(host="0.0.0.0").exposed
    assert not ServeOptions().exposed


async def test_a_client_that_leaves_is_let_go() -> None:
    clock = FakeClock()
    async with serving(script("r", gap=100.0), clock=clock) as url:
        async with httpx.AsyncClient() as client, client.stream("GET", url) as answer:
            async for _ in answer.aiter_bytes():
                break
        await clock.asleep(somebody=False)


@pytest.mark.timeout(20)
async def test_a_loop_at_full_speed_leaves_the_others_their_turn() -> None:
    async with at_once(script("r"), loop=True) as url:
        async with httpx.AsyncClient() as client, client.stream("GET", url) as answer:
            async for _ in answer.aiter_bytes():
                break
        assert (await post(url)).status_code == 200


# Faults -------------------------------------------------------------------------------------


@BOTH
async def test_drop_after(method: str) -> None:
    async with at_once(script("r"), faults=Faults(drop_after=3)) as url:
        session = session_for(url, method)
        await session.run()
    assert isinstance(session.error, ConnectionFailed)
    assert session.tape.length == 3
    assert ending_of(session) == "truncated"


@BOTH
async def test_truncate_frame(method: str) -> None:
    async with at_once(script("r"), faults=Faults(drop_after=4, truncate_frame=True)) as url:
        session = session_for(url, method)
        await session.run()
    assert session.tape.length == 3
    assert session.tape.streams[0].tail.startswith(b"data: {")
    assert text_of(session) == "Zürich "


async def test_stall() -> None:
    clock = FakeClock()
    options = ServeOptions(speed=math.inf, faults=Faults(stall=60.0))
    async with serving(script("r"), options, clock=clock) as url:
        session = session_for(url)
        running = asyncio.create_task(session.run())
        await until(session, lambda: session.tape.length == 3)
        await clock.asleep()
        clock.advance(59)
        assert clock.sleeping
        clock.advance(1)
        await running
    assert ending_of(session) == "finished"


@BOTH
@pytest.mark.parametrize("status", [401, 503])
async def test_status(method: str, status: int) -> None:
    async with at_once(script("r"), faults=Faults(status=status)) as url:
        session = session_for(url, method)
        await session.run()
    assert isinstance(session.error, AnswerRefused)
    assert str(status) in str(session.error)


@pytest.mark.parametrize("status", [204, 205, 304])
async def test_a_status_that_allows_no_body_has_none(status: int) -> None:
    failures: list[Exception] = []
    options = ServeOptions(faults=Faults(status=status))
    async with serving(script("r"), options, failed=failures.append) as url:
        answer = await post(url)
    assert (answer.status_code, answer.content) == (status, b"")
    assert not failures


@BOTH
async def test_garble(method: str) -> None:
    async with at_once(script("r"), faults=Faults(garble=2)) as url:
        session = session_for(url, method)
        await session.run()
    violation = session.tape.pipeline.streams[0].violation
    assert violation is not None
    assert (violation.rule, violation.event) == ("not-json", 2)
    assert ending_of(session) == "rejected"


@BOTH
async def test_crlf(method: str) -> None:
    async with at_once(script("r"), faults=Faults(crlf=True)) as url:
        session = session_for(url, method)
        await session.run()
    assert text_of(session) == "Zürich rain"
    rules = [warned.rule for warned in session.tape.pipeline.streams[0].warnings]
    assert rules == ["framing-crlf"]


@BOTH
async def test_chunk_bytes(method: str) -> None:
    async with at_once(script("r"), faults=Faults(chunk_bytes=1)) as url:
        session = session_for(url, method)
        await session.run()
    assert text_of(session) == "Zürich rain"


@BOTH
async def test_no_final_blank_line(method: str) -> None:
    async with at_once(script("r"), faults=Faults(no_final_blank_line=True)) as url:
        session = session_for(url, method)
        await session.run()
    assert ending_of(session) == "finished"
    rules = [warned.rule for warned in session.tape.pipeline.streams[0].warnings]
    assert rules == ["framing-end"]


# Scripts ------------------------------------------------------------------------------------


def test_only_a_run_s_start_and_end_are_renamed() -> None:
    assert json.loads(rename(EVENTS[0], "T", "R")) == {
        "type": "RUN_STARTED",
        "threadId": "T",
        "runId": "R",
    }
    assert rename(EVENTS[2], "T", "R") is EVENTS[2]
    for broken in (b"", b"{", b"[]", b'{"type":"RUN_STARTED","threadId":7}', b"\xff"):
        renamed = rename(broken, "T", "R")
        assert renamed == broken or b'"threadId": 7' in renamed


def test_streams_of_a_tape_are_runs_and_a_cut_one_is_cut_again() -> None:
    tape = Tape()
    frames = [Frame(event, 1, 0, 0.5) for event in EVENTS]
    tape.take([*frames, *frames[:2]])
    tape.end(b'data: {"ty')
    tape.take([NewStream(1, 2.0), *frames])
    tape.end()
    runs = script_of(tape).runs
    assert [len(run.lines) for run in runs] == [6, 2, 6]
    assert [run.tail for run in runs] == [b"", b'data: {"ty', b""]


async def test_a_cut_recording_is_cut_again_when_served(shared: Path) -> None:
    source = shared / "streams" / "pydantic-ai-2.68-weather-cut.sse"
    log = Session(FileSource(source), kind="replay")
    await log.run()
    async with at_once(script_of(log.tape)) as url:
        session = session_for(url, "GET")
        await session.run()
    assert session.tape.length == log.tape.length
    assert session.tape.transcript.messages() == log.tape.transcript.messages()
    assert ending_of(session) == "truncated"


async def test_logs_without_times_are_paced() -> None:
    tape = Tape()
    tape.take([Frame(event, 1, 0) for event in EVENTS])
    assert all(line.wait > 0 for run in script_of(tape).runs for line in run.lines)


@pytest.mark.parametrize("name", SCENARIOS)
async def test_scenarios_can_be_served_turn_by_turn(name: str) -> None:
    loaded = SCENARIOS[name].load()
    async with at_once(loaded) as url:
        for run in loaded.runs:
            answer = await post(url)
            assert answer.text.count("data: ") == len(run.lines)


# A process of its own -----------------------------------------------------------------------

_SERVE = """
import sys
from transcript_tui.server.scenarios import SCENARIOS
from transcript_tui.server.serve import ServeOptions, serve
try:
    serve(SCENARIOS["hello"].load(), ServeOptions(), lambda url: print(url, flush=True))
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_and_stops_when_told(sent: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _SERVE],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        url = server.stdout.readline().strip()
        # In the middle of a run: nobody is waited for.
        with httpx.stream("GET", url) as answer:
            next(answer.iter_bytes())
            os.kill(server.pid, sent)
            server.wait(timeout=10)
        said = server.stderr.read()
    assert "Traceback" not in said
    assert server.returncode in (0, 130, -sent)
