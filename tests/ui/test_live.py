"""Watching a real endpoint on loopback: the tape grows while the keys walk on it."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest

from tests.clock import FakeClock
from tests.session.loopback import (
    FRAMES,
    Answer,
    Asked,
    answering,
    chunk,
    head,
    in_turn,
    says,
    stalls,
)
from tests.ui.screen import opened, shown, until
from transcript_tui.server.demo import demo_source
from transcript_tui.session.session import Session
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.session.sources.run_input import build_run_input
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.options import ViewerOptions


def watching(name: str = "hello", speed: float = 4.0, **options: object) -> TranscriptApp:
    session = Session(demo_source(name, speed=speed), kind="demo")
    return TranscriptApp(session, ViewerOptions(theme="dusk", animation=False, **options))


async def test_the_conversation_grows_and_ends() -> None:
    app = watching()
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: "connected" in shown(app))
        await until(pilot, lambda: "▶ running" in shown(app))
        session = app.main.session
        assert session is not None
        session.stop()
        await until(pilot, lambda: "■ stopped" in shown(app))


async def test_while_a_stream_stalls_the_clock_goes_on() -> None:
    clock = FakeClock()
    async with answering(stalls(head(), *FRAMES[:4])) as server:
        session = Session(HttpSource(HttpRequest(url=server.url), clock=clock), clock=clock)
        app = TranscriptApp(session, ViewerOptions(theme="dusk", animation=False))
        async with app.run_test(size=(100, 20)) as pilot:
            await until(pilot, lambda: "4 events" in shown(app))
            assert "connected" in shown(app)
            clock.advance(75)
            await until(pilot, lambda: "◌ no event for 1:15  ▶ running" in shown(app))
            assert "4 events  1:15" in shown(app)
            session.stop()


@pytest.mark.parametrize("broken", [True, False])
async def test_until_the_next_try_the_seconds_are_counted_down(
    broken: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("transcript_tui.session.sources.http.BACKOFF", (20.0, 30.0))
    clock = FakeClock()
    lost = says(head(Transfer_Encoding="chunked"), chunk(b"".join(FRAMES[:3])))
    answers = in_turn(lost if broken else says(head(), *FRAMES[:3]), stalls(head(), *FRAMES))
    async with answering(answers) as server:
        request = HttpRequest(url=server.url, reconnect=True)
        session = Session(HttpSource(request, clock=clock), clock=clock)
        app = TranscriptApp(session, ViewerOptions(theme="dusk", animation=False))
        async with app.run_test(size=(100, 20)) as pilot:
            await until(pilot, lambda: session.again_at is not None)
            assert session.again_at is not None
            clock.advance(session.again_at - clock.now() - 3.5)
            said = "◌ connection lost; trying again in" if broken else "◌ trying again in"
            await until(pilot, lambda: f"{said} 4 s  ✂ truncated" in shown(app))
            clock.advance(2)
            await until(pilot, lambda: f"{said} 2 s" in shown(app))
            clock.advance(2)
            await until(pilot, lambda: "● connected" in shown(app))
            assert session.again_at is None
            session.stop()


async def test_the_wait_for_the_next_try_can_be_cut_short() -> None:
    clock = FakeClock()
    answers = in_turn(says(head(), *FRAMES[:3]), stalls(head(), *FRAMES))
    async with answering(answers) as server:
        request = HttpRequest(url=server.url, reconnect=True)
        session = Session(HttpSource(request, clock=clock), clock=clock)
        app = TranscriptApp(session, ViewerOptions(theme="dusk", animation=False))
        async with app.run_test(size=(100, 20)) as pilot:
            await until(pilot, lambda: "trying again in 1 s" in shown(app))
            await until(pilot, lambda: keys_offered(app).startswith("R Try again"))
            await pilot.press("R")
            await until(pilot, lambda: "● connected" in shown(app))
            await pilot.press("R")
            await until(pilot, lambda: "It is being asked already" in shown(app))
            session.stop()


async def test_an_end_without_an_event_is_marked_on_the_bar() -> None:
    """However long after the last event it comes."""
    go_on, clock = asyncio.Event(), FakeClock()

    async def answer(_: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(head() + b"".join(FRAMES[:4]))
        await go_on.wait()

    async with answering(answer) as server:
        session = Session(HttpSource(HttpRequest(url=server.url), clock=clock), clock=clock)
        app = TranscriptApp(session, ViewerOptions(theme="dusk", animation=False))
        async with app.run_test(size=(100, 20)) as pilot:
            await until(pilot, lambda: "4 events" in shown(app))
            await until(pilot, lambda: app.main.settled)
            go_on.set()
            await until(pilot, lambda: "truncated" in [kind for _, kind in app.main.facts.marks])


async def test_live_is_a_tape_too() -> None:
    app = watching()
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.main.session and app.main.session.tape.length > 5)
        session = app.main.session
        assert session is not None
        await pilot.press("space", "comma", "comma")
        position = session.player.position
        await until(pilot, lambda: session.tape.length > position + 5)
        await until(pilot, lambda: "ahead" in shown(app))
        assert "live, " in shown(app)
        assert "L Back to live" in shown(app)
        assert session.player.position == position
        await pilot.press("L")
        await until(pilot, lambda: session.player.live)
        await until(pilot, lambda: "ahead" not in shown(app))
        session.stop()


async def test_recording_begins_at_the_first_event(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "saved.sse"
    monkeypatch.chdir(tmp_path)
    app = watching(speed=50.0)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.main.session and app.main.session.tape.length > 5)
        session = app.main.session
        assert session is not None
        await pilot.press("r", *target.name, "enter")
        await until(pilot, lambda: session.recorder is not None)
        await until(pilot, lambda: not session.receiving)
    written = target.read_text(encoding="utf-8")
    assert written.startswith(": transcript-tui recording 1")
    assert written.count("\ndata: ") == session.tape.length


async def test_a_recording_that_cannot_be_written_never_stops_the_viewing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a long name would break the sentences that are waited for
    app = watching(speed=1.0)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await until(pilot, lambda: app.main.session and app.main.session.tape.length > 5)
        session = app.main.session
        assert session is not None
        assert not app.main.record_to("no/x.sse")
        await until(pilot, lambda: "Make its folder first" in shown(app))
        assert session.recorder is None
        kept = tmp_path / "kept.sse"
        assert app.main.record_to(str(kept))
        await until(pilot, lambda: "● rec kept.sse  from the first event on" in shown(app))
        kept.unlink()
        await until(pilot, lambda: "not rec" in shown(app))
        length = session.tape.length
        await until(pilot, lambda: session.tape.length > length)
        session.stop()


async def test_nobody_answers() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{held.getsockname()[1]}/"
        app = TranscriptApp(
            lambda: Session(HttpSource(HttpRequest(url=address)), kind="watch"),
            ViewerOptions(theme="dusk", label=address),
        )
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "no connection" in shown(app))
            assert app.main.session is not None
            assert app.main.session.error is not None
            first = str(app.main.session.error).split()[0]
            await until(pilot, lambda: first in shown(app))
            assert app.main.failed


async def test_an_endpoint_that_failed_is_asked_again_by_a_key() -> None:
    answers = [says(head("503 Unavailable", "text/plain"), b"warming up"), says(head(), *FRAMES)]
    async with answering(in_turn(*answers)) as server:
        run_input = build_run_input(["weather?"])
        session = Session(HttpSource(HttpRequest(url=server.url, run_input=run_input)))
        app = TranscriptApp(session, ViewerOptions(theme="dusk", animation=False))
        async with app.run_test(size=(100, 20)) as pilot:
            await until(pilot, lambda: "warming up" in shown(app))
            assert "R tries again." in shown(app)
            await until(pilot, lambda: keys_offered(app) == "R Try again  ? Help  q Quit")
            await pilot.press("R")
            await until(pilot, lambda: "Zürich rain" in shown(app))
            assert "Search" in keys_offered(app)
            await pilot.press("R")
            await until(pilot, lambda: "would start it a second time" in shown(app))
            assert not app.main.failed
        assert len(server.asked) == 2


def keys_offered(app: TranscriptApp) -> str:
    return shown(app).splitlines()[-1].strip()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (says(head(Transfer_Encoding="chunked")), "was closed in the middle of the answer"),
        (says(head()), "ended its answer without an event"),
    ],
    ids=["dropped", "empty"],
)
async def test_an_answer_without_an_event_is_told_below_the_question(
    answer: Answer, told: str
) -> None:
    run_input = build_run_input(["Anybody there?"])
    async with answering(answer) as server:
        request = HttpRequest(url=server.url, run_input=run_input)
        app = TranscriptApp(Session(HttpSource(request)), ViewerOptions(theme="dusk"))
        async with app.run_test(size=(100, 20)) as pilot:
            # Under load the empty view may tell it before the question is painted.
            await until(pilot, lambda: told in shown(app) and "Anybody there?" in shown(app))


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (says(head("401 Unauthorized", "application/json"), b'{"detail":"who?"}'), "✕ refused"),
        (says(), "✕ no connection"),
        (says(head(Transfer_Encoding="chunked"), chunk(FRAMES[0])), "✕ connection lost"),
        (says(head(), FRAMES[0]), "○ ended"),
    ],
)
async def test_how_a_connection_ended_is_told(answer: Answer, said: str) -> None:
    async with answering(answer) as server:
        session = Session(HttpSource(HttpRequest(url=server.url)))
        async with opened(session) as (app, _):
            assert said in shown(app).split("\n")[0]
