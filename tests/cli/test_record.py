"""What ``record`` says while it goes on, on a terminal and where there is none."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack, nullcontext

import pytest

from tests.cli.conftest import terminal
from tests.clock import FakeClock
from tests.session.loopback import FRAMES, answering, chunk, head, in_turn, says, stalls, until
from transcript_tui.cli.record import _receive
from transcript_tui.session.session import Session
from transcript_tui.session.sources.http import HttpRequest, HttpSource

BROKEN = says(head(Transfer_Encoding="chunked"), chunk(b"".join(FRAMES[:3])))
TRIES = (says(head("503 Busy", "text/plain")), says(), stalls(head(), *FRAMES))


def line(screen: Callable[[], str]) -> str:
    """What stands in the line that is written anew."""
    return screen().rpartition("\r\x1b[K")[2]


async def waiting(session: Session, tries: int) -> float:
    """Seconds to the next try, once so many have been announced."""
    await until(session, lambda: session.again_at is not None and session.tries == tries)
    assert session.again_at is not None
    return session.again_at - session.clock.now()


async def test_the_seconds_to_the_next_try_are_counted_down_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("transcript_tui.session.sources.http.BACKOFF", (20.0, 30.0))
    clock = FakeClock()

    async def passes(seconds: float) -> None:
        await clock.asleep()
        clock.advance(seconds)
        await asyncio.sleep(0)

    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(answering(in_turn(BROKEN, *TRIES)))
        screen = stack.enter_context(terminal(60))
        request = HttpRequest(url=server.url, reconnect=True)
        session = Session(HttpSource(request, clock=clock), clock=clock)
        receiving = asyncio.create_task(_receive(session))
        for tries, said in enumerate(
            (
                "Connection lost. Trying again in 3 s.",
                "Refused. Trying again in 3 s (2nd try).",
                "No connection. Trying again in 3 s (3rd try).",
            ),
            start=1,
        ):
            wait = await waiting(session, tries)
            await passes(wait - 3.5)
            await passes(1)
            assert line(screen) == said
            await passes(1)
            assert line(screen) == said.replace("3 s", "2 s")
            await passes(1.5)
        await until(session, lambda: session.tape.length == 3 + len(FRAMES))
        await passes(1)
        assert line(screen).startswith(f"{3 + len(FRAMES)} events, ")
        session.stop()
        await receiving


async def test_each_try_is_a_line_where_there_is_no_terminal(
    capsys: pytest.CaptureFixture[str],
) -> None:
    clock = FakeClock()
    async with answering(in_turn(BROKEN, *TRIES)) as server:
        request = HttpRequest(url=server.url, reconnect=True)
        session = Session(HttpSource(request, clock=clock), clock=clock)
        receiving = asyncio.create_task(_receive(session))
        for tries in (1, 2, 3):
            wait = await waiting(session, tries)
            await clock.asleep()
            clock.advance(wait)
        await until(session, lambda: session.tape.length == 3 + len(FRAMES))
        session.stop()
        await receiving
    said = capsys.readouterr().err.splitlines()
    assert [line.rpartition(". ")[2] for line in said] == [
        "Trying again in 1 s.",
        "Trying again in 1 s (2nd try).",
        "Trying again in 2 s (3rd try).",
    ]
    assert f"The connection to {server.url} was closed in the middle of the answer." in said[0]
    assert "503 Busy" in said[1]
    assert "closed the connection without an answer" in said[2]


async def test_a_long_line_is_cut_at_the_terminal_s_edge() -> None:
    """Broken in two it would not be rewritten as a whole."""
    async with answering(says(head(), *FRAMES)) as server:
        with terminal(12) as screen:
            await _receive(Session(HttpSource(HttpRequest(url=server.url))))
            assert max(map(len, screen().split("\r\x1b[K"))) == 11
            assert not line(screen)  # at the end it is taken away


@pytest.mark.parametrize("on_terminal", [False, True])
async def test_what_is_noted_is_said_at_once_and_once(
    on_terminal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "calls this text/plain, not text/event-stream; it is read all the same."
    async with answering(stalls(head(kind="text/plain"), *FRAMES)) as server:
        session = Session(HttpSource(HttpRequest(url=server.url)))
        with terminal(60) if on_terminal else nullcontext() as screen:
            receiving = asyncio.create_task(_receive(session))
            await until(session, lambda: session.tape.length == len(FRAMES))
            shown = screen() if screen else capsys.readouterr().err
            assert shown.count(said) == 1
            session.stop()
            await receiving
            after = screen()[len(shown) :] if screen else capsys.readouterr().err
            assert said not in after
