"""A source made of events, and an app that shows nothing but the view over it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from transcript_tui.errors import TranscriptError
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.ui.textualtheme import textual_theme
from transcript_tui.ui.themes import load_themes
from transcript_tui.ui.views.transcript import SearchState, TranscriptView, ViewOptions

Event = dict[str, Any]
GAP = 0.25
"""Seconds between two payloads of a made-up tape."""


class MadeTape:
    """Folds events as they are added; a payload every quarter of a second."""

    started = 1_764_583_200.0
    generation = 0

    def __init__(self, events: Iterable[Event] = (), **options: Any) -> None:
        self.pipeline = Pipeline(**options)
        self._payloads: list[bytes] = []
        self.add(*events)

    @property
    def transcript(self) -> Transcript:
        return self.pipeline.transcript

    @property
    def length(self) -> int:
        return len(self._payloads)

    def add(self, *events: Event | bytes) -> None:
        for event in events:
            payload = event if isinstance(event, bytes) else json.dumps(event).encode()
            self._payloads.append(payload)
            self.pipeline.feed(payload)

    def end(self, tail: bytes = b"") -> None:
        self.pipeline.end(tail)

    def time(self, index: int) -> float | None:
        return index * GAP

    def payload(self, index: int) -> bytes:
        return self._payloads[index]


class StandingPlayer:
    """It stands where it is put."""

    playing = False


class MadeSession:
    """What the view asks of a session."""

    player = StandingPlayer()
    can_ask_again = False
    absence = ""

    def __init__(self, events: Iterable[Event] = (), **options: Any) -> None:
        self.tape = MadeTape(events, **options)
        self.connection = "open"
        self.kind = "watch"
        self.error: TranscriptError | None = None

    def nothing_came(self) -> None:
        """No sentence of its own for an end without an event."""


class ViewApp(App[None]):
    """The view alone."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, session: MadeSession, **options: Any) -> None:
        super().__init__()
        for theme in load_themes()[0].values():
            self.register_theme(textual_theme(theme))
        self.theme = "dusk"
        self.session = session
        self.view = TranscriptView(session, ViewOptions(**options))
        self.posted: list[Any] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_mount(self) -> None:
        self.view.show(self.session.tape.length)

    def on_transcript_view_seek_requested(self, message: TranscriptView.SeekRequested) -> None:
        self.posted.append(message)
        self.view.show(message.position)

    def on_transcript_view_opened(self, message: TranscriptView.Opened) -> None:
        self.posted.append(message)

    def on_transcript_view_text_selected(self, message: TranscriptView.TextSelected) -> None:
        self.posted.append(message)


async def settle(pilot: Pilot[None]) -> None:
    """Until everything asked for is on the screen."""
    await pilot.pause()
    await pilot.pause()


async def show(pilot: Pilot[None], position: int | None = None) -> str:
    """Show a position (the latest by default); what is then on the screen."""
    app = pilot.app
    assert isinstance(app, ViewApp)
    app.view.show(app.session.tape.length if position is None else position)
    await settle(pilot)
    return screen_text(app)


async def read_through(pilot: Pilot[None]) -> None:
    """Until very long texts in view were read to their end."""
    app = pilot.app
    assert isinstance(app, ViewApp)
    while not app.view.stage.whole:
        await pilot.pause()
    await settle(pilot)


async def search(pilot: Pilot[None], pattern: str) -> SearchState:
    """Search until all was looked at, which takes several slices on a busy machine."""
    app = pilot.app
    assert isinstance(app, ViewApp)
    state: SearchState | None = app.view.search(pattern)
    while state is not None and not state.complete:
        await pilot.pause()
        state = app.view.search_state
    assert state is not None
    await settle(pilot)
    return state


def screen_text(app: App[Any]) -> str:
    """The screen's characters, a line a row, without the scrollbar's column."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text[:-1].rstrip() for strip in strips)


# Events


def started(run: str = "r1", thread: str = "t1", **more: Any) -> Event:
    return {"type": "RUN_STARTED", "threadId": thread, "runId": run, **more}


def finished(run: str = "r1", thread: str = "t1", **more: Any) -> Event:
    return {"type": "RUN_FINISHED", "threadId": thread, "runId": run, **more}


def opened(message: str, role: str = "assistant", **more: Any) -> Event:
    return {"type": "TEXT_MESSAGE_START", "messageId": message, "role": role, **more}


def said(message: str, delta: str, **more: Any) -> Event:
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": message, "delta": delta, **more}


def closed(message: str, **more: Any) -> Event:
    return {"type": "TEXT_MESSAGE_END", "messageId": message, **more}


def message(message_id: str, text: str, role: str = "assistant", **more: Any) -> list[Event]:
    owner = {"subagentRunId": more["subagentRunId"]} if "subagentRunId" in more else {}
    return [
        opened(message_id, role, **more),
        said(message_id, text, **owner),
        closed(message_id, **owner),
    ]


def call(call_id: str, name: str, arguments: str, parent: str | None = None) -> list[Event]:
    start = {"type": "TOOL_CALL_START", "toolCallId": call_id, "toolCallName": name}
    if parent is not None:
        start["parentMessageId"] = parent
    return [
        start,
        {"type": "TOOL_CALL_ARGS", "toolCallId": call_id, "delta": arguments},
        {"type": "TOOL_CALL_END", "toolCallId": call_id},
    ]


def result(call_id: str, content: Any, message_id: str | None = None) -> Event:
    return {
        "type": "TOOL_CALL_RESULT",
        "messageId": message_id or f"result-{call_id}",
        "toolCallId": call_id,
        "content": content,
    }


def thought(message_id: str, text: str, *, end: bool = True) -> list[Event]:
    events: list[Event] = [
        {"type": "REASONING_MESSAGE_START", "messageId": message_id, "role": "reasoning"},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": message_id, "delta": text},
    ]
    if end:
        events.append({"type": "REASONING_MESSAGE_END", "messageId": message_id})
    return events
