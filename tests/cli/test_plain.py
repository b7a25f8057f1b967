"""Plain text: append-only, one voice at a time, the same at any speed."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cli.conftest import FINISH, PROGRAM, SAY, START, Cli, program, served, terminal
from tests.clock import FakeClock
from tests.conftest import shared_path
from tests.session.loopback import FRAMES, Asked, answering, head, in_turn, says, stalls, until
from transcript_tui.cli import printing
from transcript_tui.cli.plain import PATIENCE, Printer
from transcript_tui.session.session import Session
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.transcript.pipeline import Pipeline

Log = Callable[..., Path]


def start(message: str, **more: str) -> str:
    return json.dumps({"type": "TEXT_MESSAGE_START", "messageId": message, **more})


def content(message: str, delta: str) -> str:
    return json.dumps({"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": delta})


def end(message: str) -> str:
    return json.dumps({"type": "TEXT_MESSAGE_END", "messageId": message})


def printed(*events: str, step: int = 1, buffered: bool = False) -> str:
    """What is printed of ``events`` when they arrive ``step`` at a time."""
    out: list[str] = []
    printer = Printer(out.append, buffered=buffered)
    pipeline = Pipeline()
    payloads = [event.encode() for event in events]
    for first in range(0, len(payloads), step):
        pipeline.feed_all(payloads[first : first + step])
        printer.advance(pipeline.transcript, pipeline.transcript.length)
    pipeline.end()
    printer.finish(pipeline.transcript)
    return "".join(out)


def test_a_speaker_line_then_the_text_then_one_line_for_the_ending() -> None:
    assert printed(
        START, start("m", name="Ada"), content("m", "hello\nworld"), end("m"), FINISH
    ) == ("run r started (thread t)\n\nassistant Ada:\n  hello\n  world\n\nrun r finished\n")


def test_it_grows_token_by_token_or_waits_until_it_is_whole() -> None:
    events = (START, start("m"), content("m", "a"), content("m", "b"))
    out: list[str] = []
    for buffered in (False, True):
        printer, pipeline = Printer(out.append, buffered=buffered), Pipeline()
        for event in events:
            pipeline.feed(event.encode())
            printer.advance(pipeline.transcript, pipeline.transcript.length)
    assert "".join(out[:5]) == "run r started (thread t)\n\nassistant:\n  ab"
    assert out[5:] == ["run r started (thread t)\n"]


def test_interleaved_messages_are_kept_apart() -> None:
    text = printed(
        START,
        start("a", name="A"),
        start("b", name="B"),
        *(content(name, word) for word in ("one ", "two ", "three") for name in ("a", "b")),
        end("b"),
        end("a"),
        FINISH,
    )
    assert "\nassistant A:\n  one two three\n\nassistant B:\n  one two three\n" in text


def test_the_floor_passes_when_too_much_waits_and_is_announced_again() -> None:
    text = printed(
        START,
        start("a", name="A"),
        content("a", "begun"),
        start("b", name="B"),
        content("b", "x" * (PATIENCE + 1)),
        content("a", " and ended"),
        end("a"),
        end("b"),
        FINISH,
    )
    assert re.search(
        r"assistant A:\n  begun\n\nassistant B:\n  x+\n\n"
        r"assistant A \(continued\):\n   and ended\n",
        text,
    )


def test_a_reopened_message_says_so_and_a_replaced_one_too() -> None:
    text = printed(
        START,
        *SAY,
        start("m"),
        content("m", " again"),
        end("m"),
        '{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"m","role":"assistant","content":"new"}]}',
        FINISH,
    )
    assert "assistant (reopened):\n   again\n" in text
    assert "assistant (replaced by a snapshot):\n  new\n" in text


def test_each_ending_is_one_line() -> None:
    assert printed(START, '{"type":"RUN_ERROR","message":"no luck","code":"E1"}').endswith(
        "\nrun r failed: no luck (E1)\n"
    )
    assert printed(START).endswith("\nrun r truncated: the bytes ended with the run open\n")
    assert "\nrun r rejected at event 1 by not-open: " in printed(START, content("m", "x"))
    assert printed(START, content("m", "x")).count("rejected") == 1


def test_a_tool_call_is_one_line_and_its_result_names_the_tool() -> None:
    text = printed(
        START,
        '{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"search"}',
        '{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"{\\"q\\":\\n1}"}',
        '{"type":"TOOL_CALL_END","toolCallId":"c"}',
        '{"type":"TOOL_CALL_RESULT","messageId":"r","toolCallId":"c","content":"found"}',
        FINISH,
    )
    assert '\nassistant calls search with {"q": 1}\n\ntool search:\n  found\n' in text


def test_no_text_can_pass_for_a_speaker_or_drive_the_terminal() -> None:
    text = printed(
        START,
        start("m", name="\x1b[2J"),
        content("m", "\nuser:\n\nrun r finished\x1b]0;x\x07"),
        end("m"),
        FINISH,
    )
    assert not set(text) & set("\x1b\x07")
    assert "\nuser:" not in text
    assert text.count("\nrun r finished\n") == 1


ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
WHOLE = (
    "👩\u200d💻 z\u0308 🚀\nשלום\r\nx\r\n" * 2
    + f"{ENGLAND} ❤️\u200d🔥 1️⃣ hid\U000e0068\U000e0069den\n👩\u200d💻\tend"
)
UNITS = WHOLE.encode("utf-16-le")
"""Deltas may be cut anywhere, as JavaScript cuts them: also between two halves of an emoji."""


@given(st.lists(st.integers(0, len(UNITS) // 2), max_size=8), st.integers(1, 9))
def test_neither_cuts_nor_speed_change_what_is_printed(cuts: list[int], step: int) -> None:
    places = sorted({0, len(UNITS) // 2, *cuts})
    deltas = [
        UNITS[2 * one : 2 * other].decode("utf-16-le", "surrogatepass")
        for one, other in itertools.pairwise(places)
    ]
    events = [START, start("m"), *(content("m", delta) for delta in deltas), end("m"), FINISH]
    expected = printed(START, start("m"), content("m", WHOLE), end("m"), FINISH)
    assert printed(*events) == expected
    assert printed(*events, step=step) == expected


CUT = (START, start("a"), start("b"), content("b", "waits"), content("a", "has the floor, "))
STREAMS = (CUT, (START, *SAY, FINISH), (START, start("a"), content("a", "again"), end("a")))


@pytest.mark.parametrize("at_once", [False, True])
@pytest.mark.parametrize("step", range(1, 6))
def test_the_end_of_a_stream_and_a_gap_are_printed_where_they_stand(
    step: int, at_once: bool
) -> None:
    """Also where all before was printed, as of a connection that is lost, or a followed log;
    ``at_once``: before the next stream's first event."""
    out: list[str] = []
    printer, pipeline = Printer(out.append), Pipeline()
    for number, events in enumerate(STREAMS):
        if number:
            pipeline.next_stream(f"it was lost {number} times.")
            if at_once:
                printer.advance(pipeline.transcript, pipeline.transcript.length)
        payloads = [event.encode() for event in events]
        for first in range(0, len(payloads), step):
            pipeline.feed_all(payloads[first : first + step])
            printer.advance(pipeline.transcript, pipeline.transcript.length)
    pipeline.end()
    printer.finish(pipeline.transcript)
    late: list[str] = []
    printer = Printer(late.append)
    printer.advance(pipeline.transcript, pipeline.transcript.length)
    printer.finish(pipeline.transcript)
    assert "".join(out) == "".join(late)
    lines = [line for line in "".join(out).splitlines() if line and line[0] != " "]
    assert [line for line in lines if not line.startswith("assistant")] == [
        "run r started (thread t)",
        "run r truncated: the bytes ended with the run open",
        "a gap, another stream begins: it was lost 1 times.",
        "run r started (thread t)",
        "run r finished",
        "a gap, another stream begins: it was lost 2 times.",
        "run r started (thread t)",
        "run r truncated: the bytes ended with the run open",
    ]


# As a program ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("pydantic-ai-2.68-weather.sse", 0),
        ("pydantic-ai-2.68-weather-cut.sse", 4),
        ("langgraph-0.0.47-run-error.sse", 3),
        ("langgraph-0.0.47-search.sse", 0),
    ],
)
def test_replay_prints_where_stdout_is_no_terminal(name: str, status: int) -> None:
    answer = program("replay", shared_path("streams", name))
    assert answer.status == status
    assert not set(answer.out) & set("\x1b\r\x07")
    if "weather" in name:
        assert "Bring a jacket 🧥 — and 👩‍💻 stay inside." in answer.out or status == 4


@pytest.mark.parametrize(
    ("place", "why"),
    [("zz", "no message has this id"), ("99", "the last event is 1"), ("1", ""), ("0s", "")],
)
@pytest.mark.parametrize("speed", [(), ("--speed", "100")])
def test_a_place_that_is_not_there_is_told(
    cli: Cli, log: Log, place: str, why: str, speed: tuple[str, ...]
) -> None:
    answer = cli("replay", log(START, FINISH), "--start-at", place, *speed)
    assert answer.status == 0
    assert answer.err == (
        f"note: --start-at {place}: {why}; it begins at the beginning.\n" if why else ""
    )


def test_a_rhythm_begins_at_the_place_that_was_named(log: Log, tmp_path: Path) -> None:
    kept = tmp_path / "kept.sse"
    kept.write_text(
        f": +0.0\ndata: {START}\n\n: +60.0\ndata: {SAY[0]}\n\n: +60.1\ndata: {FINISH}\n\n"
    )
    slow = ("--speed", "1", "--idle-cap", "0")
    assert program("replay", kept, *slow, "--start-at", "59.9s").status == 1


def test_replay_reads_a_pipe() -> None:
    answer = program("replay", "-", stdin="\n".join([START, *SAY, FINISH, ""]).encode())
    assert (answer.status, answer.err) == (0, "")
    assert "assistant:\n  hello\n" in answer.out


def test_watch_shows_what_the_user_said_and_demo_ends_by_itself(log: Log) -> None:
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        answer = program("watch", url, "-m", "first", "-m", "second")
    assert answer.status == 0
    assert answer.out.startswith("user:\n  first\n\nuser:\n  second\n\nrun ")
    assert "assistant:\n  hello\n" in answer.out
    assert program("demo", "violation").status == 1
    assert program("demo", "run-error").status == 3
    assert program("demo", "truncated").status == 4


def test_bytes_that_end_without_an_event_or_within_one_are_told(tmp_path: Path) -> None:
    empty = tmp_path / "empty.sse"
    empty.write_bytes(b"")
    answer = program("replay", str(empty))
    assert (answer.status, answer.out) == (4, "")
    assert "empty.sse holds no event.\n  Check that it was saved whole" in answer.err
    cut = tmp_path / "cut.sse"
    cut.write_bytes(f'data: {START}\n\ndata: {{"type":"TEXT'.encode())
    answer = program("replay", str(cut))
    assert (answer.status, "truncated" in answer.out) == (4, True)
    assert "note: The input ends inside a frame (19 bytes of it came)" in answer.err


def test_a_dumb_terminal_gets_plain_text(log: Log) -> None:
    ours, its = os.openpty()
    command = [*PROGRAM, "replay", str(log(START, *SAY, FINISH))]
    done = subprocess.run(
        command, stdout=its, stderr=its, env={**os.environ, "TERM": "dumb"}, timeout=60, check=True
    )
    assert done.returncode == 0
    os.close(its)
    written = b""
    with contextlib.suppress(OSError):  # the end of a terminal whose other side was closed
        while piece := os.read(ours, 4096):
            written += piece
    os.close(ours)
    assert written.startswith(b"run r started (thread t)\r\n")
    assert b"\x1b" not in written


def test_nobody_reading_any_more_is_quiet(log: Log) -> None:
    file = log(
        START, start("m"), *(content("m", "words ") for _ in range(50_000)), end("m"), FINISH
    )
    child = subprocess.Popen(
        [*PROGRAM, "replay", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.read(4) == b"run "
    child.stdout.close()
    assert child.stderr is not None
    assert child.stderr.read() == b""
    assert child.wait(timeout=30) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", [("check",), ("replay",), ("themes",), ("--help",)], ids=" ".join)
def test_an_output_on_a_full_disk_is_a_sentence(log: Log, words: tuple[str, ...]) -> None:
    named = [str(log(START, FINISH))] if words[0] in ("check", "replay") else []
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*PROGRAM, *words, *named], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 2
    assert b"The output cannot be written: no space left" in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_ctrl_c_prints_what_arrived_and_is_130(log: Log) -> None:
    with served(log(START, *SAY, FINISH), "--stall", "600", "--drop-after", "3") as url:
        child = subprocess.Popen(
            [*PROGRAM, "watch", url], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert child.stdout is not None
        out = b""
        while b"hello" not in out:
            out += os.read(child.stdout.fileno(), 4096)
        child.send_signal(signal.SIGINT)
        rest, err = child.communicate(timeout=20)
    assert child.returncode == 130
    assert b"Traceback" not in err
    assert b"truncated" in rest


def test_a_drop_is_told_behind_what_came_before_it(log: Log) -> None:
    with served(log(START, *SAY, FINISH), "--speed", "max", "--drop-after", "3") as url:
        child = subprocess.Popen(
            [*PROGRAM, "watch", "--reconnect", url],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert child.stdout is not None
        out = b""
        while b"a gap" not in out:
            out += os.read(child.stdout.fileno(), 4096)
        child.send_signal(signal.SIGINT)
        child.communicate(timeout=20)
    before, _, after = out.partition(b"note: ")
    assert before.endswith(
        b"assistant:\n  hello\n\nrun r truncated: the bytes ended with the run open\n"
    )
    assert after.partition(b"\n")[2].startswith(
        b"\na gap, another stream begins: The connection to "
    )


async def test_a_stall_is_told_once_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    async with answering(stalls(head(), *FRAMES[:4])) as server:
        session = Session(HttpSource(HttpRequest(url=server.url), clock=clock), clock=clock)
        printer = Printer(lambda _: None)
        following = asyncio.create_task(
            printing._follow(session, printer, printing._Start(session, ""), paced=False)
        )
        await until(session, lambda: session.tape.length == 4)
        for _ in range(2):
            await clock.asleep()
            clock.advance(31)
        await clock.asleep()  # it has looked again, and waits
        following.cancel()
        await asyncio.wait({following})
    assert capsys.readouterr().err == (
        f"note: {server.url} has sent no event for 30 s, and may yet. "
        "Ctrl+C ends the waiting; what came is kept.\n"
    )


async def test_what_is_said_in_mid_message_has_a_line_of_its_own_on_a_terminal() -> None:
    clock = FakeClock()
    go_on = asyncio.Event()

    async def answer(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head() + b"".join(FRAMES[:3]))
        await go_on.wait()
        writer.write(b"".join(FRAMES[3:]))

    async with answering(answer) as server:
        session = Session(HttpSource(HttpRequest(url=server.url), clock=clock), clock=clock)
        with terminal(80) as screen:
            printer = Printer(sys.stdout.write)
            following = asyncio.create_task(
                printing._follow(session, printer, printing._Start(session, ""), paced=False)
            )
            await until(session, lambda: session.tape.length == 3)
            await clock.asleep()
            clock.advance(31)
            await clock.asleep()  # it has looked again, and waits
            go_on.set()
            await following
            shown = screen().replace("\r\n", "\n")
    before, _, after = shown.partition("note: ")
    assert before.endswith("assistant:\n  Zürich \n")
    assert after.partition("\n")[2].startswith("  rain\n")


async def test_each_drop_and_the_next_try_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    clock = FakeClock()
    answers = in_turn(
        says(head(), *FRAMES[:3]), says(head("503 Busy", "text/plain")), says(head("204 No", None))
    )
    said: list[str] = []
    async with answering(answers) as server:
        request = HttpRequest(url=server.url, reconnect=True)
        session = Session(HttpSource(request, clock=clock), clock=clock)
        following = asyncio.create_task(
            printing._follow(
                session, Printer(lambda _: None), printing._Start(session, ""), paced=False
            )
        )
        for drop in (1, 2):
            async with asyncio.timeout(20):
                while len(said) < drop:
                    await asyncio.sleep(0)
                    said += capsys.readouterr().err.splitlines()
            assert session.again_at is not None
            clock.advance(session.again_at - clock.now())
        await following
    assert said == [
        "note: The connection ended. Trying again in 1 s.",
        f"note: {server.url} is not available now (503 Busy). Trying again in 1 s (2nd try).",
    ]


def test_the_settings_reach_it(cli: Cli, log: Log, tmp_path: Path) -> None:
    broken = tmp_path / "config.toml"
    broken.write_text("bell = maybe\n")
    answer = cli("replay", "--config", broken, log(START, FINISH))
    assert answer.status == 2
    assert f"{broken}:1:" in answer.err
