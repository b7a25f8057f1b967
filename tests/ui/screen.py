"""What tests of the screen share: sessions made of events, and waiting for what is shown."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual._context import visible_screen_stack
from textual.pilot import Pilot

from tests.clock import FakeClock
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.options import ViewerOptions

Event = dict[str, Any]

PATIENCE = 30
"""Seconds after which what is waited for will never come, also on a busy machine."""

RUN: list[Event] = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "STATE_SNAPSHOT", "snapshot": {"city": "Zürich", "days": [1, 2]}},
    {"type": "TEXT_MESSAGE_START", "messageId": "m1", "role": "assistant", "name": "Ada"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "The weather is "},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "**fine**."},
    {"type": "TEXT_MESSAGE_END", "messageId": "m1"},
    {"type": "STATE_DELTA", "delta": [{"op": "replace", "path": "/city", "value": "Bern"}]},
    {"type": "TOOL_CALL_START", "toolCallId": "c1", "toolCallName": "get_weather"},
    {"type": "TOOL_CALL_ARGS", "toolCallId": "c1", "delta": '{"city": "Bern"}'},
    {"type": "TOOL_CALL_END", "toolCallId": "c1"},
    {"type": "TOOL_CALL_RESULT", "messageId": "m2", "toolCallId": "c1", "content": "12 °C"},
    {"type": "TEXT_MESSAGE_START", "messageId": "m3", "role": "assistant"},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m3", "delta": "See https://example.org/a"},
    {"type": "TEXT_MESSAGE_END", "messageId": "m3"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
]
BROKEN: list[Event] = [
    *RUN[:3],
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m9", "delta": "lost", "extra": 1},
    {"type": "TEXT_MESSAGE_END", "messageId": "m1"},
]


def recording(path: Path, events: Iterable[Event], step: float = 0.5) -> Path:
    """A recording with an event each ``step`` seconds."""
    lines = [': transcript-tui recording 1 {"started":"2026-12-01T10:00:00.000Z"}']
    for number, event in enumerate(events):
        lines += [f": +{number * step:.3f}", f"data: {json.dumps(event)}", ""]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def replay(path: Path, **options: Any) -> Session:
    """A session over a file; it shows the whole at once unless told otherwise."""
    given: dict[str, Any] = {"speed": float("inf"), **options}
    return Session(FileSource(path), kind="replay", clock=FakeClock(), **given)


def shown(app: TranscriptApp) -> str:
    """The screen's text, a line each."""
    # What is not painted yet is painted by whoever asks, and kept: a dialog over nothing, where
    # nobody says what lies below it.
    visible_screen_stack.set(app._background_screens)
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


async def until(pilot: Pilot[Any], holds: Callable[[], object], what: str = "") -> None:
    """Wait for something; fails after ``PATIENCE`` with what is shown instead."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not holds():
                await pilot.pause()
    except TimeoutError:
        app = pilot.app
        assert isinstance(app, TranscriptApp)
        raise AssertionError(f"never came: {what or holds}\n{shown(app)}") from None


@asynccontextmanager
async def opened(
    source: Session | Callable[[], Session],
    *,
    size: tuple[int, int] = (100, 30),
    **options: Any,
) -> AsyncIterator[tuple[TranscriptApp, Pilot[Any]]]:
    """The viewer, its source read to the end and painted."""
    app = TranscriptApp(source, ViewerOptions(**{"theme": "dusk", "animation": False, **options}))
    async with app.run_test(size=size, notifications=True) as pilot:

        def painted() -> bool:
            # The facts are those of the last painting: it must have known that the end was read.
            session, facts = app.main.session, app.main.facts
            return (
                session is not None
                and facts.connection
                in ("ended", "failed", "refused", "lost", "unreadable", "stopped")
                and facts.position == session.player.position
            )

        await until(pilot, painted, "the transcript")
        await pilot.pause()
        yield app, pilot
