"""Each failure of ``watch`` × {GET, POST} × {recorded, not}, in a real pseudo-terminal.

What stood on the screen before it stays there, the ending is named, the recording holds what
arrived, and the terminal is as it was. A few of them run with the other tests; all of them by
hand: ``TRANSCRIPT_TUI_TEST_FAILURES=all pytest tests/ui/test_failures.py``.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from tests.clock import FakeClock
from tests.session.loopback import (
    EVENTS,
    FRAMES,
    Asked,
    Serves,
    answering,
    chunk,
    head,
    in_thread,
    reset,
    says,
)
from tests.session.test_http import free_port
from tests.ui.terminal_run import Terminal
from transcript_tui.server.answer import GARBAGE, Faults
from transcript_tui.server.script import Line, Script, ScriptRun, rename
from transcript_tui.server.serve import ServeOptions, serving
from transcript_tui.wire import Cut, Frame, Input, open_reader

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

PROGRAM = "import sys; from transcript_tui.cli.app import run; sys.exit(run(sys.argv[1:]))"
INPUT = {
    "threadId": "t",
    "runId": "r",
    "messages": [{"id": "u", "role": "user", "content": "weather?"}],
}
SHOWN = 4
"""Payloads that come before the failure."""
SAID = "Zürich rain"
"""What the screen says then."""


@dataclass(frozen=True)
class Failure:
    """What goes wrong, and what is to come of it."""

    serves: Serves
    """Once its event is set, what arrived is on the screen: it fails now."""
    shows: tuple[str, ...]
    """What the screen says then."""
    arrives: Sequence[bytes] = ()
    """Payloads."""
    tail: bytes = b""
    said: str = SAID
    """What stands on the screen before; nothing where nothing answered."""
    renamed: bool = False
    """``serve`` answers a POST with the request's ids."""
    status: int = 0
    options: tuple[str, ...] = ()


# Servers ------------------------------------------------------------------------------------

End = Callable[[asyncio.StreamWriter], None]


def close(writer: asyncio.StreamWriter) -> None:
    """As every answer ends."""


def breaks(after: bytes = b"", end: End = close, **headers: str) -> Serves:
    """The first frames; then ``after``, and the end."""
    body = b"".join(FRAMES[:SHOWN])
    if "Content_Encoding" in headers:
        body = gzip.compress(body)
    elif "Transfer_Encoding" in headers:
        body = chunk(body)
    return answers(head(**headers) + body, after, end)


def answers(first: bytes, after: bytes = b"", end: End = close) -> Serves:
    @asynccontextmanager
    async def serves(go_on: asyncio.Event) -> AsyncIterator[str]:
        async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(first)
            await writer.drain()
            await go_on.wait()
            writer.write(after)
            end(writer)

        async with answering(answer) as server:
            yield server.url

    return serves


def refuses(status: str, kind: str, body: bytes, **headers: str) -> Serves:
    @asynccontextmanager
    async def serves(go_on: asyncio.Event) -> AsyncIterator[str]:
        async with answering(says(head(status, kind, **headers), body)) as server:
            yield server.url

    return serves


def at(url: Callable[[], str]) -> Serves:
    """Nothing of ours listens there."""

    @asynccontextmanager
    async def serves(go_on: asyncio.Event) -> AsyncIterator[str]:
        yield url()

    return serves


@asynccontextmanager
async def stalls(go_on: asyncio.Event) -> AsyncIterator[str]:
    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head() + b"".join(FRAMES[:SHOWN]))
        await asyncio.Event().wait()

    async with answering(answer) as server:
        yield server.url


@asynccontextmanager
async def plain_where_tls_is_wanted(go_on: asyncio.Event) -> AsyncIterator[str]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(head("400 Bad Request"))
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/"


def faulty(**faults: Any) -> Serves:
    """``serve`` with a fault; a clock of its own stands still before the fifth payload."""

    @asynccontextmanager
    async def serves(go_on: asyncio.Event) -> AsyncIterator[str]:
        clock = FakeClock()
        lines = tuple(Line(float(n == SHOWN), event) for n, event in enumerate(EVENTS))
        options = ServeOptions(faults=Faults(**faults))

        async def fail() -> None:
            await go_on.wait()
            await clock.asleep()
            clock.advance(1.0)

        failing = asyncio.create_task(fail())
        async with serving(Script((ScriptRun(lines),)), options, clock=clock) as url:
            yield url
        failing.cancel()

    return serves


# Failures -----------------------------------------------------------------------------------

CUT = EVENTS[:SHOWN]
REST = b"".join(FRAMES[SHOWN:])
HALF = b'data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Z\xc3'
LATE = b'{"type":"TEXT_MESSAGE_END","messageId":"m"}'
ERROR = b'{"type":"RUN_ERROR","message":"the model is gone","code":"E7"}'
CHUNKED = {"Transfer_Encoding": "chunked"}
GZIP = {"Content_Encoding": "gzip"}
EARLY = "✂ truncated"
LOST = "✕ connection lost"
REJECTED = "⚑ rejected"
FINISHED = "✓ finished"
SILENT = ("◌ no event for", "▶ running")


def never(serves: Serves, *shows: str) -> Failure:
    """Nothing comes."""
    return Failure(serves, shows, said="", status=2)


def serve(shows: tuple[str, ...], arrives: Sequence[bytes] = EVENTS, **faults: Any) -> Failure:
    return Failure(faulty(**faults), shows, arrives, renamed=True)


FAILURES = {
    "none": Failure(breaks(REST), (FINISHED,), EVENTS),
    # Nothing answers, or something else does.
    "refused": never(
        at(lambda: f"http://127.0.0.1:{free_port()}/"), "✕ no connection", "was refused"
    ),
    "unknown host": never(at(lambda: "http://nowhere.invalid/"), "✕ no connection", "no host"),
    "no answer": never(answers(b""), "✕ no connection", "without an answer"),
    "no TLS": never(plain_where_tls_is_wanted, "✕ no connection", "does not speak TLS"),
    "401": never(
        refuses("401 Unauthorized", "application/json", b'{"detail":"who are you?"}'),
        "✕ refused", "asks for credentials", "who are you?",
    ),
    "500": never(
        refuses("500 Oops", "text/html", b"<h1>out of order</h1>"),
        "✕ refused", "failed before the run", "out of order",
    ),
    "a web page": never(
        refuses("200 OK", "text/html", b"<title>Sign in</title>"), "✕ refused", "Sign in"
    ),
    "redirected to nowhere": never(
        refuses("302 Found", "text/plain", b""), "✕ refused", "redirects to nowhere"
    ),
    "no event": never(
        refuses("200 OK", "text/event-stream", b""), "○ ended", "without an event"
    ),
    # The stream ends too early, or never.
    "ends early": Failure(breaks(), ("○ ended", EARLY), CUT),
    "cut in a character": Failure(
        breaks(HALF), ("○ ended", EARLY, "64 bytes of an unfinished frame"), CUT, HALF
    ),
    "broken off": Failure(
        breaks(chunk(b'data: {"ty')[:-2], **CHUNKED),
        (LOST, EARLY, "in the middle of the answer"), CUT, b'data: {"ty',
    ),
    "reset": Failure(breaks(end=reset), (LOST, EARLY, "was reset"), CUT),
    "damaged gzip": Failure(
        breaks(b"\x1f\x8b\x08 no gzip", **GZIP), (LOST, EARLY, "is damaged"), CUT
    ),
    "stalled": Failure(stalls, SILENT, CUT),
    # It says what it should not.
    "no JSON": Failure(
        breaks(b'data: {"type":\n\n' + REST),
        (REJECTED, "not-json"), (*CUT, b'{"type":', *EVENTS[SHOWN:]),
    ),
    "no object": Failure(
        breaks(b"data: 7\n\n" + REST), (REJECTED, "not-json"), (*CUT, b"7", *EVENTS[SHOWN:])
    ),
    "after the end": Failure(
        breaks(REST + b"data: " + LATE + b"\n\n"), (FINISHED, "after-close"), (*EVENTS, LATE)
    ),
    "run error": Failure(
        breaks(b"data: " + ERROR + b"\n\n"), ("✗ failed", "the model is gone"), (*CUT, ERROR)
    ),
    "too long": Failure(
        breaks(b"data: " + b"x" * 100_000 + b"\n\n" + REST),
        (REJECTED, "--max-frame"), (*CUT, b"x" * 4090, *EVENTS[SHOWN:]),
        options=("--max-frame", "64KiB"),
    ),
    # What serve does on demand.
    "--drop-after": serve((LOST, EARLY), EVENTS[: SHOWN + 1], drop_after=SHOWN + 1),
    "--truncate-frame": serve((LOST, EARLY, "unfinished frame"), EVENTS[:5], truncate_frame=True),
    "--stall": replace(serve(SILENT, EVENTS[:3], stall=3600.0), said="Zürich"),
    "--status": never(faulty(status=503), "✕ refused", "not available"),
    "--garble": serve((REJECTED, "not-json"), (*CUT, GARBAGE, EVENTS[5]), garble=SHOWN),
    "--crlf": serve((FINISHED, "⚠ 1 warning"), crlf=True),
    "--chunk-bytes": serve((FINISHED,), chunk_bytes=1),
    "--no-final-blank-line": serve((FINISHED, "⚠ 1 warning"), no_final_blank_line=True),
}  # fmt: skip
"""Name → failure, in the order of the way to an event."""

FEW = (
    ("refused", "GET", True),
    ("--status", "POST", True),
    ("no event", "POST", True),
    ("cut in a character", "GET", True),
    ("broken off", "POST", True),
    ("damaged gzip", "POST", False),
    ("no JSON", "GET", False),
    ("--truncate-frame", "POST", True),
)
"""One of each kind."""
ALL = [(name, method, on) for name in FAILURES for method in ("GET", "POST") for on in (0, 1)]


@pytest.mark.parametrize(
    ("name", "method", "recorded"),
    ALL if os.environ.get("TRANSCRIPT_TUI_TEST_FAILURES") == "all" else FEW,
)
def test_failure(name: str, method: str, recorded: bool, tmp_path: Path) -> None:
    failure, path, asked = FAILURES[name], tmp_path / "run.sse", tmp_path / "input.json"
    asked.write_text(json.dumps(INPUT))
    options = [*failure.options, *(("--input", str(asked)) if method == "POST" else ())]
    options += ("--record", str(path)) if recorded else ()
    question = "weather?" if method == "POST" and failure.said else ""
    with in_thread(failure.serves) as (url, fail):
        terminal = Terminal(PROGRAM, ["watch", url, *options])
        if failure.said:
            terminal.wait_to_show(failure.said, question)
        fail()
        terminal.wait_to_show(*failure.shows)
        assert failure.said in terminal.grid.words
        assert question in terminal.grid.words
        terminal.send(b"q")
        # A question that was asked is something to show.
        asked_only = name == "no event" and method == "POST"
        assert terminal.end() == (0 if asked_only else failure.status)
    assert terminal.restored()
    if recorded and failure.status:
        assert path.exists() == (name == "no event")
    elif recorded:
        check_recording(path, failure, method)


def check_recording(path: Path, failure: Failure, method: str) -> None:
    reader = open_reader()
    pieces = [*reader.feed(path.read_bytes()), *reader.end()]
    inputs = [piece.value for piece in pieces if isinstance(piece, Input)]
    assert [one["messages"] for one in inputs] == ([INPUT["messages"]] if method == "POST" else [])
    arrives, renamed = list(failure.arrives), failure.renamed and method == "POST"
    if renamed:
        arrives = [rename(payload, "t", "r") for payload in arrives]
    assert [piece.payload for piece in pieces if isinstance(piece, Frame)] == arrives
    tail = failure.tail
    if "unfinished frame" in failure.shows:
        last = b"data: " + (rename(EVENTS[-1], "t", "r") if renamed else EVENTS[-1])
        tail = last[: len(last) // 2]
    assert [piece.tail for piece in pieces if isinstance(piece, Cut)] == ([tail] if tail else [])
