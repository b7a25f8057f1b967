"""Pictures of every kind of item in every state, at three widths, dark and light."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, get_args

import pytest
from textual.pilot import Pilot

from tests.ui.transcript.gallery import GALLERIES, Gallery
from tests.ui.transcript.harness import MadeSession, ViewApp, settle
from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Ending,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    RunEnd,
    Step,
    Subagent,
    ToolState,
)
from transcript_tui.ui.views.transcript.filter import ROLES


def names(entry: AnyEntry) -> set[str]:
    match entry:
        case Message():
            return {entry.id}
        case Passthrough():
            return {entry.name}
        case RunEnd():
            return {entry.run.run_id or ""}
        case _:
            return set()


def arranged(gallery: Gallery) -> ViewApp:
    """The gallery as its reader has it."""
    app = ViewApp(gallery.make(), tools="full", passthrough=True, times="offset")
    for entry in app.session.tape.transcript.entries:
        if names(entry) & {*gallery.folded, *gallery.opened}:
            app.view.stage.fold(entry.key, bool(names(entry) & set(gallery.opened)))
    return app


async def _ready(pilot: Pilot[None]) -> None:
    await settle(pilot)
    assert isinstance(pilot.app, ViewApp)
    pilot.app.view.go_first()
    await settle(pilot)
    assert pilot.app.view.stage.viewport.at_end, "the gallery is taller than its picture"


@pytest.mark.parametrize("theme", ["dusk", "paper"])
@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", GALLERIES)
def test_items(snap_compare: Any, name: str, width: int, theme: str) -> None:
    gallery = GALLERIES[name]
    app = arranged(gallery)
    app.theme = theme
    assert snap_compare(app, terminal_size=(width, gallery.height), run_before=_ready)


@pytest.mark.parametrize("name", ["speakers", "tools"])
def test_folded(snap_compare: Any, name: str) -> None:
    app = ViewApp(GALLERIES[name].make(), tools="folded", buffered=True, markdown=False)
    assert snap_compare(app, terminal_size=(80, GALLERIES[name].height), run_before=_ready)


# That the galleries have it all: whatever the model can say is in one of them.


@pytest.fixture(scope="module")
def seen() -> dict[str, set[object]]:
    found: dict[str, set[object]] = defaultdict(set)
    for gallery in GALLERIES.values():
        session = gallery.make()
        entries = session.tape.transcript.entries
        for entry in entries:
            for what, state in _states(entry, session):
                found[what].add(state)
        chosen = {name for entry in entries for name in names(entry)}
        assert chosen >= {*gallery.folded, *gallery.opened}
    return found


def _states(entry: AnyEntry, session: MadeSession) -> list[tuple[str, object]]:
    at = session.tape.length
    kind = type(entry).__name__
    match entry:
        case Message():
            return [("kind", kind), *_message_states(entry.at(at), session)]
        case RunEnd():
            ending = entry.run.ending.at(at)
            assert ending is not None
            more = ("usage", "result", "interrupts", "pending", "message", "code")
            told = [("run", name) for name in more if getattr(ending, name)]
            return [("kind", kind), ("ending", ending.kind), *told]
        case Step():
            state = "done" if entry.finished is not None else "open"
            return [("kind", kind), ("step", state), ("step", entry.owner is not None)]
        case Subagent():
            ending_of = entry.ending.at(at)
            state = "running" if ending_of is None else ending_of.kind
            return [("kind", kind), ("subagent", state), ("nested", entry.parent is not None)]
        case Passthrough() | Cut():
            return [("kind", kind), (kind, entry.kind)]
        case Rejection():
            return [("kind", kind), (kind, entry.after)]
        case _:
            return [("kind", kind)]


def _message_states(view: MessageView, session: MadeSession) -> list[tuple[str, object]]:
    states: list[tuple[str, object]] = [("role", view.role)]
    told = ("open", "cut", "encrypted", "name", "error", "owner")
    states += [(f"message {state}", view.role) for state in told if getattr(view, state)]
    if view.openings > 1:
        states.append(("message", "reopened"))
    if view.text is not None and not view.length and not view.open and not view.tool_calls:
        states.append(("empty", view.role))
    states += [("part", type(part).__name__) for part in view.parts]
    states += [("part source", type(getattr(part, "source", None)).__name__) for part in view.parts]
    states += [("call", call.state) for call in view.tool_calls]
    states += [("call encrypted", bool(call.encrypted)) for call in view.tool_calls]
    return states


def test_every_kind_of_item_is_pictured(seen: dict[str, set[object]]) -> None:
    assert seen["kind"] == {kind.__name__ for kind in get_args(AnyEntry)}
    assert seen["role"] == set(ROLES)
    assert seen["call"] == set(get_args(ToolState))
    # The two others have items of their own.
    assert seen["ending"] == set(get_args(Ending)) - {"truncated", "rejected"}
    assert seen["Rejection"] == {False}
    assert seen["Passthrough"] == {"CUSTOM", "RAW"}
    assert seen["Cut"] == {"gap", "truncated"}
    assert seen["subagent"] == {"running", "finished", "suspended", "failed"}
    assert seen["step"] == {"open", "done", True, False}
    parts = ("Text", "Image", "Audio", "Video", "Document")
    assert seen["part"] == {f"{part}Part" for part in parts}
    assert seen["run"] == {"usage", "result", "interrupts", "pending", "message", "code"}


def test_every_state_of_a_message_is_pictured(seen: dict[str, set[object]]) -> None:
    assert seen["message open"] >= {"assistant", "reasoning"}
    assert "assistant" in seen["message cut"]
    assert seen["message encrypted"] >= {"assistant", "reasoning"}
    assert "user" in seen["message name"]
    assert "tool" in seen["message error"]
    assert "assistant" in seen["message owner"]
    assert seen["message"] == {"reopened"}
    assert "assistant" in seen["empty"]
    assert seen["part source"] == {"NoneType", "UrlSource", "DataSource", "FileSource"}
    assert seen["call encrypted"] == {True, False}
    assert seen["nested"] == {True, False}
