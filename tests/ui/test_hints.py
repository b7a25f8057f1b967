"""Hints name the keys that are set, not those of the table."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from tests.ui.screen import RUN, opened, recording, replay, shown, until
from transcript_tui.ui.actions import ACTIONS
from transcript_tui.ui.keymap import key_shown
from transcript_tui.ui.views.transcript import Filter

OTHERS = {
    row.id: ",".join(chr(0xAC00 + 12 * number + place) for place in range(len(row.keys)))
    for number, row in enumerate(ACTIONS)
}
"""Letters of another script for every action."""
PLAIN = {"s", *"0123456789", *".,-+:/[]{}<>"}
"""Also numbers, their unit (1.2 s), and punctuation."""
LITERAL = {key_shown(key) for row in ACTIONS for key in row.keys} - PLAIN
START = {"type": "RUN_STARTED", "threadId": "thread1", "runId": "run1"}
EVENTS: list[dict[str, Any]] = [
    START,
    *RUN[1:-1],
    *({"type": "STATE_DELTA", "delta": [{"op": "add", "path": "/days/-", "value": number}]}
      for number in range(3)),
    {"type": "TOOL_CALL_START", "toolCallId": "c9", "toolCallName": "get_lines"},
    {"type": "TOOL_CALL_END", "toolCallId": "c9"},
    {"type": "TOOL_CALL_RESULT", "messageId": "m9", "toolCallId": "c9",
     "content": "\n".join(f"line {number}" for number in range(40))},
    {"type": "TEXT_MESSAGE_CONTENT", "messageId": "nobody", "delta": "lost"},
]  # fmt: skip


def literals(text: str) -> set[str]:
    """Keys of the table that stand alone in a text."""
    words = set(re.split(r"[\s()·│╰╯╭╮─┄━|]+", text))
    return words & LITERAL


async def press(pilot: Pilot[Any], *actions: str) -> None:
    for action in actions:
        await pilot.press(OTHERS[action].split(",")[0])
        await pilot.pause()


async def test_hints_follow_remapped_keys(tmp_path: Path) -> None:
    run = recording(tmp_path / "run.sse", EVENTS)
    async with opened(replay(run), keys=OTHERS, size=(120, 50)) as (app, pilot):

        def key(action: str) -> str:
            return OTHERS[action].split(",")[0]

        async def shows(words: str) -> None:
            await until(pilot, lambda: words in shown(app), words)
            # What does not close by a key of the table is closed by fixed ones.
            # The key line's own words (“End”) are no keys.
            text = re.sub("Esc closes", "", shown(app).rpartition("\n")[0])
            assert not literals(text), text

        await shows(f"more lines ({key('fold')})")
        await shows(f"{key('problems')} tells more")
        await press(pilot, "fold")
        await shows(f"{key('next_item')} and {key('previous_item')} select")
        await press(pilot, "copy_item")
        await shows(f"{key('copy_transcript')} copies everything")
        await press(pilot, "open_link")
        await shows("Select an item with a link first")
        await press(pilot, "mouse")
        await shows(f"{key('mouse')} takes it back")
        await press(pilot, "mouse", "inspector")
        await press(pilot, "back", "previous_item")
        await shows(f"{key('fold')} Open")
        await press(pilot, "inspector", "search")
        await shows("Search")
        await pilot.press("escape")
        await press(pilot, "back", "back", "inspector")
        app.main.view.select(None)  # type: ignore[union-attr]  # it is there
        await shows(f"Select an item: {key('next_item')} and {key('previous_item')}")
        await press(pilot, "state")
        await shows(f"{key('previous_change')} {key('next_change')} walk")
        for pane in ("events", "problems", "timeline", "statistics"):
            await press(pilot, pane)
            await shows(pane.capitalize()[:6])
        for _ in range(6):
            await press(pilot, "back")
        await press(
            pilot,
            "filter",
        )
        await pilot.press(*"nothing-like-it", "enter")
        await shows(f"{key('back')} clears it, {key('filter')} changes it")
        await press(pilot, "back", "help")
        await shows(f"Esc closes · {key('palette')} finds a command")
        await press(pilot, "help")
        await until(pilot, lambda: app.screen is app.main)
        await press(pilot, "first")
        await shows("run run1")


async def test_the_hint_of_what_came_below_names_the_key(tmp_path: Path) -> None:
    run = recording(tmp_path / "run.sse", [*EVENTS[:3]])
    async with opened(replay(run), keys={"last": "ж"}) as (app, _):
        view = app.main.view
        assert view is not None
        assert view._end_key() == "ж"
        assert literals("↓ 3 new · End")


async def test_everything_hidden_says_what_shows_it(tmp_path: Path) -> None:
    events = [START, {"type": "CUSTOM", "name": "progress", "value": 1}]
    run = recording(tmp_path / "run.sse", events)
    async with opened(replay(run), keys=OTHERS) as (app, pilot):
        view = app.main.view
        assert view is not None
        app.main.session.player.seek(1)  # type: ignore[union-attr]  # it is there
        view.set_filter(Filter(kinds=frozenset({"step"})))
        await until(pilot, lambda: "clears it" in shown(app))
        assert not literals(shown(app))
