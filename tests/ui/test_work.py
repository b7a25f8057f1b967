"""Long work: beside everything else, as of the moment it was asked for, stopped by a key."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from textual.events import MouseMove

from tests.transcript.folding import STARTED, Event, fed, text
from tests.ui.screen import PATIENCE, opened, recording, replay, shown, until
from transcript_tui.export import FORMATS
from transcript_tui.session.playback import Player
from transcript_tui.session.tape import Tape
from transcript_tui.ui.work import Work
from transcript_tui.ui.writing import write
from transcript_tui.wire.frames import Frame

MANY: list[Event] = [
    STARTED,
    *(one for number in range(1_500) for one in text(f"m{number}", f"# {number}\n\n*word* `code`")),
]

LONG: list[Event] = [STARTED, *(one for n in range(200) for one in text(f"m{n}", "[" * 1_000))]
"""The reader of Markdown takes many seconds for it."""


def taped(events: list[Event]) -> Tape:
    tape = Tape()
    take(tape, *events)
    return tape


def take(tape: Tape, *events: Event) -> None:
    first = tape.length
    tape.take([Frame(json.dumps(one).encode(), first + n, 0) for n, one in enumerate(events)])


def of(tape: Tape, position: int) -> Any:
    """What is asked of a session."""
    player = Player(tape)
    player.seek(position)
    return SimpleNamespace(tape=tape, player=player)


def as_if_alone(name: str, events: list[Event]) -> str:
    return FORMATS[name].render(fed(*events).transcript)


@pytest.mark.parametrize("name", FORMATS)
async def test_what_comes_meanwhile_is_not_in_it(name: str) -> None:
    position = 2_502
    tape = taped(MANY)
    session = of(tape, position)
    work = Work("", lambda: None)
    writing = asyncio.create_task(write(FORMATS[name], session, None, work))
    turns = 0
    while not writing.done():
        await asyncio.sleep(0)
        turns += 1
        take(tape, *text("m3", "more"), *text(f"n{turns}", "other"))
        session.player.seek(turns)
    assert turns > 3, "nothing came meanwhile"
    assert writing.result() == as_if_alone(name, MANY[:position])


async def test_an_end_without_an_event_is_in_it_whole_or_not_at_all() -> None:
    tape = taped(MANY)
    session = of(tape, tape.length)
    writing = asyncio.create_task(write(FORMATS["md"], session, None, Work("", lambda: None)))
    await asyncio.sleep(0)
    tape.end()
    assert await writing == FORMATS["md"].render(tape.transcript, len(MANY))
    assert "truncated" in writing.result()


async def test_it_is_told_how_far_it_is_and_can_be_stopped(tmp_path: Path) -> None:
    log = recording(tmp_path / "long.sse", LONG, step=0.0)
    out = tmp_path / "out.html"
    async with opened(replay(log)) as (app, pilot):
        app.main.export_to(str(out))
        await until(pilot, lambda: "Exporting out.html" in shown(app) and "%" in shown(app))
        assert "Stop" in shown(app)
        await pilot.press("Y")
        await until(pilot, lambda: "still goes on" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "out.html: stopped" in shown(app))
        assert app.main.work is None
        assert not out.exists()
        # Another one can begin, and Esc is free again.
        await pilot.press("Y")
        await until(pilot, lambda: app.main.work is None and "[[[" in app.clipboard)


async def test_copying_a_long_selection_is_told_and_can_be_stopped(tmp_path: Path) -> None:
    log = recording(tmp_path / "long.sse", MANY, step=0.0)
    async with opened(replay(log)) as (app, pilot):
        view = app.main.view
        assert view is not None
        view.go_first()
        await pilot.mouse_down(view, offset=(2, 2))
        view.go_last()
        await pilot._post_mouse_events([MouseMove], view, offset=(20, 9), button=1)
        await pilot.mouse_up(view, offset=(20, 9))
        await until(pilot, lambda: "Copy text" in shown(app))
        # Not by keys: the pilot waits for a pause after each, and there is none.
        app.main.action_copy_or_quit()
        async with asyncio.timeout(PATIENCE):
            while app.main.work is None or "%" not in app.main.work.said:  # noqa: ASYNC110  # no event says so
                await asyncio.sleep(0)
        assert app.main.work.said.startswith("Copying the selection ")
        app.main.action_back()
        await until(pilot, lambda: "Copying the selection: stopped" in shown(app))
        assert not app.clipboard
        # What is selected still is, and is copied when one waits for it.
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app.main.work is None and "Copied the selection" in shown(app))
        assert app.clipboard.startswith("● assistant\n0\n")
        assert all(f"\n{number}\n" in app.clipboard for number in range(1_490))
