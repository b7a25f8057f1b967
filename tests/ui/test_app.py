"""The viewer, driven by keys; what counts is what is shown."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Input

from tests.clock import FakeClock
from tests.ui.screen import BROKEN, RUN, opened, recording, replay, shown, until
from transcript_tui.errors import ConnectionFailed
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import POLL, FileSource
from transcript_tui.text import safe
from transcript_tui.transcript.model import Rejection
from transcript_tui.ui import terminal
from transcript_tui.ui.actions import GROUPS
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.bars.widgets import PlayBar
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.screens import base
from transcript_tui.ui.screens.help import HelpScreen, told_in_help
from transcript_tui.ui.views.pane import PANES
from transcript_tui.ui.views.prompt import Prompt
from transcript_tui.ui.views.statistics import StatisticsPane
from transcript_tui.ui.views.transcript.stage import Stage


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return recording(tmp_path / "run.sse", RUN)


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    return recording(tmp_path / "broken.sse", BROKEN)


async def test_a_log_is_shown(run: Path) -> None:
    async with opened(replay(run)) as (app, _):
        text = shown(app)
    assert "run.sse" in text
    assert "✓ finished" in text
    assert "15 events" in text
    assert "token by token" in text
    assert "The weather is" in text
    assert "? Help" in text


async def test_a_file_that_cannot_be_read_is_no_connection(tmp_path: Path) -> None:
    async with opened(replay(tmp_path / "nope.sse")) as (app, pilot):
        await until(pilot, lambda: "There is no file" in shown(app))
        assert "cannot be read" in shown(app)
        assert "no connection" not in shown(app)


async def test_what_cannot_be_opened_is_said_with_a_hint() -> None:
    def refuse() -> Session:
        raise ConnectionFailed("Nobody answers at 127.0.0.1:9.", "Is the server running?")

    app = TranscriptApp(refuse, ViewerOptions(label="http://127.0.0.1:9/"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "Nobody answers" in shown(app))
        assert "Is the server running?" in shown(app)
        assert "no connection" in shown(app)
        await pilot.press("b", "e", "slash", "escape", "i", "space", "y")
    assert app.main.failed
    assert "Nobody answers" in app.main.failed_because


async def test_a_missing_file_is_said(tmp_path: Path) -> None:
    session = replay(tmp_path / "nowhere.sse")
    app = TranscriptApp(session, ViewerOptions())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: session.error is not None)
        await until(pilot, lambda: "nowhere.sse" in shown(app))
    assert app.main.failed


async def test_many_notes_hide_nothing(run: Path) -> None:
    session = replay(run, max_frame=16)
    async with opened(session) as (app, pilot):
        await until(pilot, lambda: "15 notes: p lists them all" in shown(app))
        assert shown(app).count("longer than 16 bytes and was") <= 4  # one stands in the item
        session.clock.advance(60)
        session.notes.append("And this is new.")
        session._changed()
        await until(pilot, lambda: "And this is new." in shown(app))


async def test_before_the_first_item_it_says_what_follows(run: Path) -> None:
    async with opened(replay(run, playing=False)) as (app, pilot):
        await until(pilot, lambda: "Nothing here yet: 15 events follow" in shown(app))
        assert "Space plays" in shown(app)
        await pilot.press("9")
        await until(pilot, lambda: "The weather is" in shown(app))
        await pilot.press("0")
        await until(pilot, lambda: "Nothing here yet: 15 events follow" in shown(app))


SAID = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "hi"}


@pytest.mark.parametrize(
    ("other", "rate"), [(SAID, 3), ({"type": "STATE_DELTA", "delta": []}, 2)], ids=["text", "patch"]
)
async def test_deltas_a_second_are_those_between_two_moments(
    tmp_path: Path, other: dict[str, Any], rate: int
) -> None:
    """Six events in 1.8 seconds: the one at their beginning came before. Patches are no text."""
    slow = recording(tmp_path / "slow.sse", [*RUN[:3], *[other, SAID] * 9], 0.3)
    async with opened(replay(slow)) as (app, pilot):
        await until(pilot, lambda: "tok/s" in shown(app))
        assert f" {rate} tok/s" in shown(app)


async def test_modes(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("b")
        await until(pilot, lambda: "buffered" in shown(app))
        await pilot.press("m")
        await until(pilot, lambda: "**fine**" in shown(app))
        await pilot.press("b", "m")
        await until(pilot, lambda: "token by token" in shown(app))


async def test_starts_as_told(run: Path) -> None:
    async with opened(replay(run), buffered=True, markdown=False) as (app, pilot):
        await until(pilot, lambda: "buffered" in shown(app))
        assert "source" in shown(app)


async def test_events(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: "RUN_FINISHED" in shown(app))
        await pilot.press("g")
        await until(pilot, lambda: "RUN_STARTED" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: '"threadId": "t"' in shown(app))
        assert "line 3 · byte" in shown(app)
        await pilot.press("escape", "escape")
        await until(pilot, lambda: not app.main.pane_order)


async def test_events_open_at_what_is_selected(tmp_path: Path) -> None:
    spoken = [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": f"{number} "}
        for number in range(200)
    ]
    log = recording(tmp_path / "long.sse", [*RUN[:3], *spoken, *RUN[5:]])
    async with opened(replay(log)) as (app, pilot):
        await pilot.press("k", "e")
        await until(pilot, lambda: "✓ RUN_FINISHED " in shown(app))


async def test_events_can_be_filtered(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: "RUN_FINISHED" in shown(app))
        await pilot.press("f", *"type:tool")
        await until(pilot, lambda: "4 of 15" in shown(app))
        assert "RUN_FINISHED" not in shown(app)
        await pilot.press("enter")
        await until(pilot, lambda: "─ Events · type:tool ─" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "RUN_FINISHED" in shown(app))
        assert app.main.pane_order
        for written, count in (("id:m3 See", 1), ("id:c1", 4), ("[/x]", 0)):
            await pilot.press("f", *written, "enter")
            await until(pilot, lambda count=count: f"{count} of 15" in shown(app))
            assert f"Events · {written}" in shown(app)
            await pilot.press("escape")
            await until(pilot, lambda: "RUN_FINISHED" in shown(app))


async def test_events_follow_the_selection_and_lead_it(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: "RUN_FINISHED" in shown(app))
        await pilot.press("g", "j", "j")
        view = app.main.view
        session = app.main.session
        assert view is not None
        assert session is not None
        await until(pilot, lambda: view.selected == session.tape.transcript.touched[2])
        pane = app.main.pane_order[0]
        view.select(session.tape.transcript.touched[11])
        await until(pilot, lambda: getattr(pane.moves(), "cursor", None) == 11)


async def test_looking_through_the_events_moves_nobody_in_time(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        session, view = app.main.session, app.main.view
        assert session is not None
        assert view is not None
        session.player.seek(5)
        await pilot.press("e")
        await until(pilot, lambda: "RUN_FINISHED" in shown(app))
        await pilot.press("g", "j", "j")
        await until(pilot, lambda: view.selected == session.tape.transcript.touched[2])
        await pilot.press("G", "enter")
        await until(pilot, lambda: '"type": "RUN_FINISHED"' in shown(app))
        assert session.player.position == 5
        assert view.selected == session.tape.transcript.touched[2]


async def test_problems(broken: Path) -> None:
    async with opened(replay(broken), size=(120, 40)) as (app, pilot):
        await until(pilot, lambda: "1 violation" in shown(app))
        assert "⚑ rejected" in shown(app)
        await pilot.press("p")
        await until(pilot, lambda: "not-open" in shown(app))
        assert "unknown-property" in shown(app)
        # It begins at what the stream was rejected for, with its event.
        assert '"delta": "lost"' in shown(app)
        assert "not-open · specification: basic/patterns/streaming" in shown(app)
        await pilot.press("enter")
        session, view = app.main.session, app.main.view
        assert session is not None
        assert view is not None
        await until(pilot, lambda: session.player.position == 4)
        rejection = session.tape.transcript.entries[view.selected or 0]
        assert isinstance(rejection, Rejection)
        await pilot.press("e")
        await until(pilot, lambda: "TEXT_MESSAGE_END" in shown(app))
        pane = app.main.pane_order[0]
        assert getattr(pane.moves(), "cursor", None) == rejection.born == 3
        await pilot.press("enter")
        await until(pilot, lambda: "not-open: TEXT_MESSAGE_CONTENT for" in shown(app))
        assert "unknown-property: TEXT_MESSAGE_CONTENT" in shown(app)


async def test_a_pane_that_is_late_does_not_take_the_focus_from_the_prompt(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        app.main.open_pane("state")  # its mounting is only begun
        app.main.ask("search")
        await until(pilot, lambda: app.main.pane_order[-1].is_mounted)
        await pilot.press(*"weather", "enter")
        await until(pilot, lambda: not app.main.prompt.opened)
        assert "/weather 1/" in shown(app)


async def test_what_was_said_of_the_source_stays_among_the_problems(tmp_path: Path) -> None:
    long = {**RUN[3], "delta": "x" * 5000}
    path = recording(tmp_path / "long.sse", [*RUN[:3], long])
    async with opened(replay(path, max_frame=1000), size=(120, 40)) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: "1 violation, 1 note" in shown(app))
        assert "longer than 1,000 bytes" in shown(app)


async def test_a_source_that_fails_says_so_where_the_transcript_would_be(tmp_path: Path) -> None:
    missing = Session(FileSource(tmp_path / "missing.sse"), kind="replay")
    async with opened(missing, size=(100, 20)) as (app, _):
        text = shown(app)
        assert "✕ There is no file" in text
        assert "Check the spelling" in text
        assert "0/0" not in text  # no player where there is nothing to play


async def test_every_pane_says_what_is_so_where_nothing_came(tmp_path: Path) -> None:
    log = tmp_path / "empty.jsonl"
    log.touch()
    async with opened(replay(log), size=(100, 24)) as (app, pilot):
        for key, words in (
            ("e", "No event arrived"),
            ("p", "There is no event at all"),
            ("i", "Nothing to inspect so far"),
            ("s", "Nothing has set the state so far"),
            ("t", "Nothing has happened so far"),
            ("S", "Nothing to count so far"),
        ):
            await pilot.press(key)
            await until(pilot, lambda words=words: words in shown(app))  # type: ignore[misc]
            assert shown(app).splitlines()[-1].split() == ["Esc", "Close", "?", "Help", "q", "Quit"]
            assert "invented" not in shown(app)
            await pilot.press("escape")
    missing = Session(FileSource(tmp_path / "missing.sse"), kind="replay")
    async with opened(missing, size=(100, 24)) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: shown(app).count("✕ There is no file") == 2)
        assert "No problems" not in shown(app)


async def test_that_there_is_no_later_run_is_not_said_of_the_earlier_one(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Else it would go by itself, whatever is pressed.
    monkeypatch.setattr(base, "NOTICE", 3600.0)
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("right_square_bracket", "right_square_bracket")
        await until(pilot, lambda: "There is no later run" in shown(app))
        await pilot.press("end", "k", "left_square_bracket")
        await until(pilot, lambda: "There is no later run" not in shown(app))


async def test_reading_on(broken: Path) -> None:
    async with opened(replay(broken)) as (app, pilot):
        await pilot.press("K")
        await until(pilot, lambda: "reads on" in shown(app) or "Reading on" in shown(app))
        assert app.main.session is not None
        assert app.main.session.tape.pipeline.keep_going
        await pilot.press("K")
        await until(pilot, lambda: not app.main.session.tape.pipeline.keep_going)


async def test_exporting_can_be_given_a_key(run: Path) -> None:
    async with opened(replay(run), keys={"export": "X"}) as (app, pilot):
        await pilot.press("X")
        await until(pilot, lambda: "Export to" in shown(app))


async def test_who_cannot_copy_all_is_told_the_way_to_export_it(run: Path) -> None:
    for keys, way in (({}, "Ctrl+P Export"), ({"export": "X"}, "X")):
        async with opened(replay(run), size=(160, 30), keys=keys, clipboard="osc52") as (
            app,
            pilot,
        ):
            app.main.copy_text("x" * 1_000_000, "it")
            told = f"characters. {way} writes the transcript into a file"
            await until(pilot, lambda told=told: told in shown(app))


async def test_reading_on_from_the_start_is_known_to_the_bars(broken: Path) -> None:
    """``--keep-going``: the bars say so, and the first ``K`` ends it."""
    async with opened(replay(broken, keep_going=True), size=(120, 30)) as (app, pilot):
        assert "reads on past violations" in shown(app)
        assert "Read on past it" not in shown(app)
        await pilot.press("K")
        await until(pilot, lambda: "Stopping at the first violation" in shown(app))
        assert not app.main.session.tape.pipeline.keep_going
        await until(pilot, lambda: "Read on past it" in shown(app))


async def test_numbers_that_json_libraries_refuse_are_shown(tmp_path: Path) -> None:
    huge = "9" * 5000
    content = f'"content":{{"far":1e999,"count":{huge}}}'
    log = tmp_path / "log.jsonl"
    log.write_text(
        '{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n'
        f'{{"type":"STATE_SNAPSHOT","snapshot":{{"far":1e999,"count":{huge}}}}}\n'
        f'{{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"P",{content}}}\n'
        f'{{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{huge}}}\n'
    )
    async with opened(replay(log), size=(140, 40)) as (app, pilot):
        await until(pilot, lambda: "1e999" in shown(app))
        await pilot.press("s")
        await until(pilot, lambda: shown(app).count("1e999") == 2)


async def test_reading_on_stays_at_the_place(tmp_path: Path) -> None:
    said = [
        {**event, "messageId": f"m{number}"}
        for number in range(40)
        for event in (RUN[2], {**RUN[3], "delta": f"text {number}"}, RUN[5])
    ]
    wrong = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "nobody", "delta": "lost"}
    last = [{**event, "messageId": "last"} for event in (RUN[2], RUN[3], RUN[5])]
    log = recording(tmp_path / "long.sse", [RUN[0], *said, wrong, *last])
    async with opened(replay(log)) as (app, pilot):
        view, session = app.main.view, app.main.session
        assert view is not None
        assert session is not None
        await pilot.press("g", "j", "j", "slash", *"Ada", "enter")
        await until(pilot, lambda: "/Ada 1/40" in shown(app))
        view.select(6)
        view.stage.fold(6, False)
        before = shown(app).splitlines()[2:10]
        await pilot.press("K")
        await until(pilot, lambda: session.tape.pipeline.keep_going)
        newest = len(session.tape.transcript.entries) - 1
        await until(pilot, lambda: view.stage.size > newest)
        assert shown(app).splitlines()[2:10] == before
        assert not view.following
        assert view.selected == 6
        await until(pilot, lambda: "/Ada 1/41" in shown(app))
        view.jump_to(newest)
        await until(pilot, lambda: view.selected == newest)
        await pilot.press("K")
        await until(pilot, lambda: view.selected is None)
        assert view.stage.size <= newest


async def test_no_seek_waits_for_the_reading_of_a_long_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    delta = {**RUN[3], "delta": "Some words of a paragraph.\n\n" * 400}
    log = recording(tmp_path / "long.sse", [RUN[0], RUN[2], *[delta] * 40])
    seeks = [41, 40, 42]
    read: list[tuple[int, int]] = []
    read_on = Stage.read_on
    # Long enough for whatever does not wait for the next painting.
    monkeypatch.setattr("transcript_tui.ui.repainting.INTERVAL", 0.2)

    async with opened(replay(log, playing=False)) as (app, pilot):
        view, session = app.main.view, app.main.session
        assert view is not None
        assert session is not None

        def watched(stage: Stage, enough: Callable[[], bool]) -> None:
            read.append((stage.scene.position, session.player.position))
            read_on(stage, enough)
            if seeks:
                session.player.seek(seeks.pop(0))
                app.main.paint_soon()

        monkeypatch.setattr(Stage, "read_on", watched)
        session.player.seek(42)
        app.main.paint_soon()
        await until(pilot, lambda: view.stage.whole and not seeks)
    assert all(painted == asked for painted, asked in read), read


async def test_state(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("s")
        await until(pilot, lambda: '"Bern"' in shown(app))
        assert "~" in shown(app)
        assert "change 2 of 2" in shown(app)
        await pilot.press("left")
        await until(pilot, lambda: '"Zürich"' in shown(app))
        await pilot.press("right")
        await until(pilot, lambda: "change 2 of 2" in shown(app))


async def test_the_inspector_names_owners_and_results(tmp_path: Path) -> None:
    call = {"toolCallId": "c", "subagentRunId": "s1"}
    log = recording(
        tmp_path / "owned.sse",
        [
            RUN[0],
            {"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "researcher"},
            {"type": "TOOL_CALL_START", "toolCallName": "look", **call},
            {"type": "TOOL_CALL_END", **call},
            {"type": "TOOL_CALL_RESULT", "messageId": "r9", "content": "nothing", **call},
        ],
    )
    async with opened(replay(log)) as (app, pilot):
        assert app.main.view is not None
        app.main.view.select(2)
        await pilot.press("i")
        await until(pilot, lambda: "researcher (s1)" in shown(app) and "r9" in shown(app))


async def test_hints_name_the_keys_that_are_set(run: Path) -> None:
    async with opened(replay(run), keys={"next_item": "J", "previous_item": "ctrl+k"}) as (
        app,
        pilot,
    ):
        await pilot.press("y")
        await until(pilot, lambda: "J and Ctrl+K select, Y copies everything" in shown(app))


async def test_inspector(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        assert app.main.view is not None
        assert app.main.view.selected is None
        await pilot.press("i")
        await until(pilot, lambda: "Inspector" in shown(app))
        newest = app.main.view.selected
        assert newest is not None  # there is always something to inspect
        await pilot.press("k")
        assert app.main.view.selected == newest - 1  # j and k go on in the transcript
        app.main.view.select(1)
        await until(pilot, lambda: "id           m1" in shown(app))
        assert "4 events" in shown(app)
        assert "first token" in shown(app)


async def test_opening_another_item_keeps_the_inspector(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        view = app.main.view
        assert view is not None
        view.select(1)
        app.main.post_message(view.Opened(view, 1))
        await until(pilot, lambda: "id           m1" in shown(app))
        view.select(4)
        app.main.post_message(view.Opened(view, 4))
        await until(pilot, lambda: "id           m3" in shown(app))


async def test_the_inspector_tells_the_pace_at_the_position(tmp_path: Path) -> None:
    said = [{**RUN[3], "delta": "more "} for _ in range(20)]
    log = recording(tmp_path / "long.sse", [*RUN[:3], *said, *RUN[5:6], RUN[-1]])
    async with opened(replay(log), size=(120, 40)) as (app, pilot):
        assert app.main.view is not None
        app.main.view.select(1)
        await pilot.press("i")
        await until(pilot, lambda: "20 deltas, 2.0 a second" in shown(app))
        assert app.main.session is not None
        app.main.session.player.seek(8)
        app.main.paint_soon()
        await until(pilot, lambda: "5 deltas, 2.0 a second" in shown(app))


async def test_timeline(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("t")
        await until(pilot, lambda: "⚙ get_weather" in shown(app))
        assert "run r" in shown(app)
        assert "█" in shown(app)


async def test_a_row_that_was_filtered_away_meanwhile_is_nobody_s(run: Path) -> None:
    """A key that moves the cursor and the first letter of a filter, faster than they are read."""
    from transcript_tui.ui.views.events import EventsPane

    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("e")
        await until(pilot, lambda: app.main.query(EventsPane))
        pane = app.main.query_one(EventsPane)
        pane.moves().select_next()
        pane.set_filter("no such word")
        await until(pilot, lambda: "No event matches the filter" in shown(app))
        pane.set_filter("")
        await until(pilot, lambda: "No event matches" not in shown(app))


async def test_before_the_first_event_the_timeline_says_that_it_is_empty(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("0", "t")
        await until(pilot, lambda: "Nothing has happened so far" in shown(app))
        await pilot.press("5")
        # The transcript names the run too, and may do so before the pane.
        await until(pilot, lambda: "Nothing has happened" not in shown(app))
        await until(pilot, lambda: "run r" in shown(app))


async def test_a_log_without_times_has_an_invented_timeline(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(json.dumps(event).encode() + b"\n" for event in RUN))
    async with opened(replay(log), size=(120, 40)) as (app, pilot):
        await pilot.press("t")
        await until(pilot, lambda: "the rhythm is invented" in shown(app))
        await until(pilot, lambda: "⚙ get_weather" in shown(app))
        assert "█" in shown(app)
    async with opened(replay(log, timing="original"), size=(120, 40)) as (app, pilot):
        await pilot.press("t")
        await until(pilot, lambda: "The log has no times." in shown(app))


async def test_statistics(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        await pilot.press("S")
        await until(pilot, lambda: "Statistics" in shown(app))


async def test_going_back_while_it_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also to where nothing is: what is left to do are changes then, a slice for each."""
    log = tmp_path / "calls.jsonl"
    calls = [
        {"type": "TOOL_CALL_START", "toolCallId": f"c{number}", "toolCallName": "look"}
        for number in range(5)
    ]
    started = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    log.write_text("".join(json.dumps(one) + "\n" for one in [started, *calls]))
    monkeypatch.setattr("transcript_tui.ui.views.slicedwork.SLICE", -1.0)
    async with opened(replay(log), size=(120, 40)) as (app, pilot):
        # At the last event all ends, and everything is counted anew; before it, what differs.
        app.main.action_previous_event()
        await pilot.press("S")
        await until(pilot, lambda: "4×" in shown(app))
        app.main.action_tenth(0)
        await until(pilot, lambda: "Nothing to count so far" in shown(app))
        await until(pilot, lambda: not app.main.query_one(StatisticsPane)._counting.going)


async def test_search_and_back(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("slash", *"weather")
        await until(pilot, lambda: "Search" in shown(app) and "/2" in shown(app))
        await pilot.press("enter", "n")
        await until(pilot, lambda: "/weather 2/2" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "/weather" not in shown(app))


async def test_what_is_typed_ahead_is_for_the_prompt(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        markdown = app.main.view and app.main.view.options.markdown
        for key, character in (("slash", "/"), *((letter, letter) for letter in "mob")):
            app.post_message(events.Key(key, character))
        await until(pilot, lambda: app.main.query_one("#prompt-input", Input).value == "mob")
        assert app.main.view is not None
        assert app.main.view.options.markdown == markdown


async def test_keys_for_the_prompt_count_in_their_order(run: Path) -> None:
    """However close together: letters must not overtake what edits, ends or leaves the line."""
    async with opened(replay(run)) as (app, pilot):
        view = app.main.view
        assert view is not None

        def burst(*keys: str) -> None:
            for key in keys:
                app.post_message(events.Key(key, key if len(key) == 1 else None))

        await pilot.press("f")
        burst(*"wrong", "ctrl+u", *"fi", "left", "left", "ctrl+k", *"fine", "enter", "b")
        await until(pilot, lambda: view.options.buffered, "what was typed behind Enter")
        assert view.options.filter is not None
        assert view.options.filter.text == "fine"
        await pilot.press("f")
        burst("x", "backspace", *"y", "escape", "b")
        await until(pilot, lambda: not view.options.buffered, "what was typed behind Escape")
        assert view.options.filter is not None
        assert view.options.filter.text == "fine"
        await pilot.press("f")
        burst("w")  # over what stood there
        app.post_message(events.Paste("eather\nand no second line"))
        burst("enter")
        await until(pilot, lambda: view.options.filter and view.options.filter.text == "weather")
        burst("f")
        app.post_message(events.Paste("fine"))
        burst("enter")
        await until(pilot, lambda: view.options.filter and view.options.filter.text == "fine")


async def test_what_is_pasted_passes_the_gate_wherever_it_goes(run: Path) -> None:
    hostile = "a\x1b]0;x\x07b\x9b2Jc\u202ed\te"
    async with opened(replay(run)) as (app, pilot):
        for key in ("slash", "ctrl+p"):
            await pilot.press(key)
            await until(pilot, lambda: isinstance(app.focused, Input))
            app.post_message(events.Paste(f"{hostile}\nand no second line"))
            await until(pilot, lambda: "2Jc" in shown(app))
            line = app.focused
            assert isinstance(line, Input)
            assert line.value == safe(hostile)
            drawn = app.screen._compositor.render_strips()
            assert "\x1b]" not in "".join(strip.render(app.console) for strip in drawn)
            await pilot.press("escape")


def test_the_first_frame_waits_for_nothing_that_it_does_not_show() -> None:
    """Laying out text and reading events are loaded while it is already there."""
    loaded = "import sys, transcript_tui.ui.app; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True).stdout
    late = ("ui.cells", "ui.layout", "ui.views.transcript", "session", "transcript", "protocol")
    assert "transcript_tui.ui.views.styledcells" in told.split()
    for name in late:
        assert f"transcript_tui.{name}" not in told.split()


async def test_a_frame_waits_for_our_timer_not_for_textuals(run: Path) -> None:
    """Everything would work without it, but late."""
    async with opened(replay(run)) as (app, _):
        assert app.main._soon is not None, "Textual no longer asks for its timer by this name"
        assert app.main._soon is app.main._update_timer


@pytest.mark.parametrize("keys", ["eq", "eieiq", "sspiq", "tteeq"])
async def test_views_that_are_still_opening_may_be_closed_and_left(run: Path, keys: str) -> None:
    async with opened(replay(run)) as (app, pilot):
        for key in keys:
            app.post_message(events.Key(key, key))
        await until(pilot, lambda: app.return_code is not None, "the end")
    assert app.failure is None


@pytest.mark.parametrize("pane", "itesSp")
async def test_moving_typed_ahead_of_a_view_that_is_still_opening_does_no_harm(
    broken: Path, pane: str
) -> None:
    async with opened(replay(broken), size=(60, 20)) as (app, pilot):
        for key in (pane, "pagedown", "j", "home", "enter", "right_curly_bracket", "q"):
            app.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(pilot, lambda: app.return_code is not None, "the end")
    assert app.failure is None


async def test_enter_typed_ahead_is_for_the_prompt_too(run: Path) -> None:
    typed = [
        "slash",
        *"fime",
        "backspace",
        "backspace",
        "n",
        "e",
        "enter",
        "f",
        *"weather",
        "enter",
    ]
    async with opened(replay(run)) as (app, pilot):
        for key in typed:
            app.post_message(
                events.Key(key, {"slash": "/"}.get(key, key if len(key) == 1 else None))
            )
        await until(pilot, lambda: "/fine 1/1" in shown(app) and "filter weather" in shown(app))
        assert not app.main.prompt.opened


async def test_leaving_the_prompt_keeps_what_stood_before(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("slash", *"weather", "enter")
        await until(pilot, lambda: "/weather 1/2" in shown(app))
        await pilot.press("slash", *"Bern", "escape")
        await until(pilot, lambda: "/weather 1/2" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "/weather" not in shown(app))
        await pilot.press("f", *"role:user", "enter")
        await until(pilot, lambda: "The weather is" not in shown(app))
        await pilot.press("f", *"role:tool", "escape")
        assert app.main.view is not None
        assert app.main.view.options.filter.describe() == "role:user"


async def test_filter_and_back(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("f", *"speaker:ada", "enter")
        await until(pilot, lambda: "filter speaker:ada" in shown(app))
        assert "The weather is" in shown(app)
        assert "12 °C" not in shown(app)
        await pilot.press("escape")
        await until(pilot, lambda: "filter speaker:ada" not in shown(app))


async def test_escape_goes_back_in_order(run: Path) -> None:
    async with opened(replay(run), size=(120, 40)) as (app, pilot):
        view = app.main.view
        assert view is not None
        await pilot.press("f", *"kind:message", "enter", "slash", *"e", "enter")
        view.select(1)
        await pilot.press("t")
        await until(pilot, lambda: app.main.pane_order)
        await pilot.press("escape")
        assert not app.main.pane_order
        assert view.search_state is not None
        await pilot.press("escape")
        assert view.search_state is None
        assert view.selected == 1
        await pilot.press("escape")
        assert view.selected is None
        assert view.options.filter
        await pilot.press("escape")
        assert not view.options.filter


async def test_playback_keys(run: Path) -> None:
    async with opened(replay(run, playing=False)) as (app, pilot):
        session = app.main.session
        assert session is not None
        player = session.player
        await pilot.press("0")
        assert player.position == 0
        await pilot.press("full_stop", "full_stop", "full_stop", "comma")
        await until(pilot, lambda: "2/15" in shown(app))
        await pilot.press("greater_than_sign")
        assert player.position > 2
        await pilot.press("less_than_sign", "5")
        await until(pilot, lambda: 0 < player.position < 15)
        speed = player.speed
        await pilot.press("minus")
        assert player.speed < speed
        await pilot.press("l")
        assert player.loop
        await pilot.press("space")
        assert player.playing
        await pilot.press("L")
        await until(pilot, lambda: "15/15" in shown(app))


async def test_the_bar_can_be_clicked(run: Path) -> None:
    async with opened(replay(run, playing=False)) as (app, pilot):
        await pilot.click(PlayBar, offset=(50, 0))
        session = app.main.session
        assert session is not None
        await until(pilot, lambda: 0 < session.player.position < 15)


async def test_the_bar_can_be_dragged(run: Path) -> None:
    async with opened(replay(run, playing=False)) as (app, pilot):
        session = app.main.session
        assert session is not None
        await pilot.mouse_down(PlayBar, offset=(40, 0))
        await until(pilot, lambda: 0 < session.player.position < 10)
        before = session.player.position
        await pilot.hover(PlayBar, offset=(60, 0))
        await until(pilot, lambda: session.player.position > before)
        await pilot.mouse_up(PlayBar, offset=(60, 0))
        dragged = session.player.position
        await pilot.hover(PlayBar, offset=(30, 0))
        assert session.player.position == dragged


@pytest.mark.parametrize(
    ("keys", "position"),
    [(("right_square_bracket",), 1), (("slash", *"example", "enter"), 13)],
    ids=["run", "search"],
)
async def test_what_is_beyond_the_position_is_gone_to(
    run: Path, keys: tuple[str, ...], position: int
) -> None:
    async with opened(replay(run, playing=False)) as (app, pilot):
        session = app.main.session
        assert session is not None
        await pilot.press("0")
        assert session.player.position == 0
        await pilot.press(*keys)
        await until(pilot, lambda: session.player.position == position)
        await until(pilot, lambda: "Went to event" in shown(app))


async def test_the_key_line_offers_what_is_of_use(run: Path) -> None:
    def keys() -> str:
        return shown(app).splitlines()[-1]

    async with opened(replay(run)) as (app, pilot):
        assert keys().startswith(" ? Help")
        await pilot.press("k")
        # The end of a run has nothing to fold.
        await until(pilot, lambda: keys().startswith(" Enter Inspect  y Copy  ? Help"))
        await pilot.press("k")
        await until(pilot, lambda: keys().startswith(" Enter Fold  y Copy  i Inspect"))
        await pilot.press("enter")
        await until(pilot, lambda: keys().startswith(" Enter Open  y Copy  i Inspect"))
        await pilot.press("slash", *"weather")
        # Everything else is text now.
        await until(pilot, lambda: keys().strip() == "Enter Keep  Esc Cancel")
        await pilot.press("enter")
        await until(pilot, lambda: keys().startswith(" n Next hit  N Previous  Esc Clear"))
        await pilot.press("escape", "slash", *"nowhere", "enter")
        await until(pilot, lambda: keys().startswith(" Esc Clear  ? Help"))
        await pilot.press("escape", "escape", "f", *"role:user", "enter")
        await until(pilot, lambda: keys().startswith(" Esc Clear filter"))


async def test_the_key_line_offers_what_a_dialog_answers(tmp_path: Path) -> None:
    link = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "See https://example.org/a."}
    start = {"type": "TEXT_MESSAGE_START", "messageId": "m"}
    events = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, start, link]
    async with opened(replay(recording(tmp_path / "a.sse", events))) as (app, pilot):

        def keys() -> str:
            return " ".join(shown(app).splitlines()[-1].split())

        assert app.main.view is not None
        app.main.view.select(1)
        await until(pilot, lambda: keys().startswith("Enter Fold"))
        before = keys()
        for key, offered in (
            ("o", "Enter Open ↑↓ Move Esc Close"),
            ("ctrl+p", "Enter Run ↑↓ Move Esc Close"),
        ):
            await pilot.press(key)
            await until(pilot, lambda offered=offered: keys() == offered)  # type: ignore[misc]
            await pilot.press("escape")
            await until(pilot, lambda: keys() == before)


async def test_the_key_line_offers_to_copy_what_is_selected(run: Path) -> None:
    def keys() -> str:
        return shown(app).splitlines()[-1]

    async with opened(replay(run)) as (app, pilot):
        assert app.main.view is not None
        await pilot.click(app.main.view, offset=(7, 3), times=2)
        await until(pilot, lambda: keys().startswith(" Ctrl+C Copy text  Esc Clear"))
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "Copied the selection: 7 characters" in shown(app))
        assert app.clipboard == "weather"
        await pilot.press("escape")
        await until(pilot, lambda: "Copy text" not in keys())


async def test_the_key_line_offers_to_read_on_past_a_violation(broken: Path) -> None:
    def keys() -> str:
        return shown(app).splitlines()[-1]

    async with opened(replay(broken)) as (app, pilot):
        await until(pilot, lambda: keys().startswith(" p Problems  K Read on past it"))
        await pilot.press("K")
        await until(pilot, lambda: keys().startswith(" ? Help"))


async def test_what_the_filter_cannot_find_is_told(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("f", *"kind:tols")
        await until(pilot, lambda: "There is no kind 'tols'; there are message, tool" in shown(app))
        assert "Esc clears it" in shown(app)
        await pilot.press("enter", "escape")
        await until(pilot, lambda: "The weather is" in shown(app))


async def test_what_just_happened_is_told_for_a_while(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(replay(run)) as (app, pilot):
        # Long enough to be seen on a slow machine; the next one soon goes.
        await pilot.press("z")
        await until(pilot, lambda: "Tool calls folded" in shown(app).splitlines()[-2])
        monkeypatch.setattr("transcript_tui.ui.screens.base.NOTICE", 0.01)
        await pilot.press("z")
        await until(pilot, lambda: "Tool calls" not in shown(app) and not app.main.notice)


async def test_a_violation_beyond_the_position_is_gone_to(broken: Path) -> None:
    async with opened(replay(broken, playing=False)) as (app, pilot):
        session = app.main.session
        assert session is not None
        await pilot.press("0", "right_curly_bracket")
        await until(pilot, lambda: session.player.position == 4)


async def test_the_timeline_and_the_transcript_share_the_selection(run: Path) -> None:
    from transcript_tui.ui.views.rowlist import RowList
    from transcript_tui.ui.views.timeline import TimelinePane

    async with opened(replay(run)) as (app, pilot):
        session, view = app.main.session, app.main.view
        assert session is not None
        assert view is not None
        await pilot.press("t")
        pane = app.main.query_one(TimelinePane)
        await until(pilot, lambda: pane.query_one(RowList).count > 3)
        key = session.tape.transcript.touched[12]
        view.select(key)
        await until(pilot, lambda: pane.lane_chosen == key)
        await pilot.press("k")
        await until(pilot, lambda: pane.lane_chosen != key)
        assert view.selected == pane.lane_chosen


async def test_stalls_are_seen_in_the_timeline(tmp_path: Path) -> None:
    path = recording(tmp_path / "slow.sse", RUN, step=3.0)
    async with opened(replay(path)) as (app, pilot):
        await pilot.press("t")
        await until(pilot, lambda: "longest gap 3.00 s" in shown(app))
        assert "░" in shown(app)


@pytest.mark.parametrize(
    ("written", "position"), [("3", 4), ("2.0s", 5), ("0:01", 3), ("message:m3", 15)]
)
async def test_go_to(run: Path, written: str, position: int) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("colon")
        for char in written:
            await pilot.press({":": "colon", ".": "full_stop"}.get(char, char))
        await pilot.press("enter")
        session = app.main.session
        assert session is not None
        await until(pilot, lambda: session.player.position == position)
        assert not app.main.prompt.opened


async def test_a_letter_that_comes_after_the_prompt_was_left_does_nothing(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        assert app.main.view is not None
        await pilot.press("f", "escape")
        await until(pilot, lambda: not app.main.prompt.opened)
        app.main.post_message(Prompt.Changed("filter", "role:user"))
        app.main.post_message(Prompt.Changed("search", "weather"))
        await pilot.pause()
        assert app.main._resting is None, "it would filter when typing rests"
        assert app.main.view.options.filter is None
        assert app.main.view.search_state is None


async def test_enter_takes_the_last_letters_along(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        view, prompt = app.main.view, app.main.prompt
        assert view is not None
        await pilot.press("slash", "w")
        await until(pilot, lambda: view.search_state is not None)
        for letter in "eather":
            prompt.edit(events.Key(letter, letter))
        app.main.answer_prompt()
        assert view.search_state is not None
        assert view.search_state.pattern == "weather"


async def test_go_to_an_event_says_which_it_is_and_how_they_count(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("colon")
        await until(pilot, lambda: "event 0–14 · time" in shown(app))
        await pilot.press("3", "enter")
        await until(pilot, lambda: "Event 3 (the first is 0): TEXT_MESSAGE_CONTENT" in shown(app))
        assert "4/15 events" in shown(app)


async def test_go_to_a_time_shows_what_happened_then(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        view = app.main.view
        assert view is not None
        await pilot.press("g", "j")
        await pilot.press("colon", *"4.0s", "enter")
        await until(pilot, lambda: "Event 8 (the first is 0): TOOL_CALL_ARGS" in shown(app))
        assert "9/15 events" in shown(app)
        session = app.main.session
        assert session is not None
        assert view.selected == session.tape.transcript.touched[8]


@pytest.mark.parametrize(
    ("place", "why"), [("9999", "the last event is 14"), ("0:59", "the end is at 7.0 s")]
)
async def test_go_to_nowhere_says_why(run: Path, place: str, why: str) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("colon", *place, "enter")
        await until(pilot, lambda: why in shown(app))
        assert app.main.prompt.opened
        await pilot.press("escape")
        assert not app.main.prompt.opened


async def test_a_notice_that_is_longer_than_the_status_line_is_whole_all_the_same(
    run: Path,
) -> None:
    async with opened(replay(run), size=(40, 24)) as (app, pilot):
        await pilot.press("y")
        await until(pilot, lambda: "copies everything" in " ".join(shown(app).split()))


async def test_start_at(run: Path) -> None:
    async with opened(replay(run, playing=False), start_at="3") as (app, pilot):
        session = app.main.session
        assert session is not None
        await until(pilot, lambda: session.player.position == 4)


async def test_waiting_for_a_recording_to_grow_is_no_time_of_it(tmp_path: Path) -> None:
    """What comes next says itself when it came: the whole must not shrink when it does."""
    log = recording(tmp_path / "growing.sse", RUN[:4])
    clock = FakeClock()
    session = Session(FileSource(log, follow=True), kind="replay", clock=clock, speed=float("inf"))
    app = TranscriptApp(session, ViewerOptions())
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "4/4" in shown(app))
        reader = app.main.reader
        assert reader is not None
        before = reader.read(0.0, no_mouse=False)
        clock.advance(60)
        waited = reader.read(60.0, no_mouse=False)
        assert waited.silence >= 60
        assert waited.elapsed == before.elapsed


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_a_followed_log_that_is_not_there_yet_is_waited_for(
    width: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    clock = FakeClock()
    source = FileSource("run.sse", follow=True, clock=clock)
    session = Session(source, kind="replay", clock=clock, speed=float("inf"))
    app = TranscriptApp(session, ViewerOptions())
    async with app.run_test(size=(width, 24)) as pilot:
        await until(pilot, lambda: "Waiting for run.sse to appear." in shown(app))
        assert "◌ waiting for the file" in shown(app)
        await pilot.press("b")
        await until(pilot, lambda: "buffered" in shown(app))
        recording(tmp_path / "run.sse", RUN)
        await clock.asleep()
        clock.advance(POLL)
        await until(pilot, lambda: f"{len(RUN)}/{len(RUN)}" in shown(app))
        assert "● following" in shown(app)
        await pilot.press("q")
    assert app.return_code == 0


async def test_start_at_waits_for_a_time_that_has_not_arrived(tmp_path: Path) -> None:
    log = recording(tmp_path / "growing.sse", RUN[:4])
    source = FileSource(log, follow=True)
    session = Session(source, kind="replay", playing=False)
    app = TranscriptApp(session, ViewerOptions(start_at="5s"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "0/4" in shown(app))
        whole = recording(tmp_path / "whole.sse", RUN).read_text(encoding="utf-8")
        with log.open("a", encoding="utf-8") as file:
            file.write(whole[log.stat().st_size :])
        await until(pilot, lambda: session.player.position == 11)


@pytest.mark.parametrize(
    ("place", "why"),
    [("99", "the last event is 14"), ("no-id", "no message"), ("1:20", "the end is at 7.0 s")],
)
async def test_start_at_nowhere_says_so(run: Path, place: str, why: str) -> None:
    async with opened(replay(run, playing=False), start_at=place) as (app, pilot):
        await until(pilot, lambda: f"Began at the beginning: {why}" in shown(app))
        assert app.main.session is not None
        assert app.main.session.player.position == 0


async def test_without_times_none_are_told(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"type":"RUN_STARTED","threadId":"t","runId":"r"}\n')
    async with opened(replay(log, timing="original")) as (app, pilot):
        await until(pilot, lambda: "1 event" in shown(app))
        assert "0.0 s" not in shown(app)


async def test_copies_say_so(run: Path) -> None:
    async with opened(replay(run), clipboard="osc52") as (app, pilot):
        await pilot.press("y")
        await until(pilot, lambda: "Nothing is selected" in shown(app))
        assert app.main.view is not None
        assert app.main.session is not None
        app.main.view.select(len(app.main.session.tape.transcript.entries) - 1)
        await pilot.press("y")
        await until(pilot, lambda: "no text to copy" in shown(app))
        app.main.view.select(1)
        await pilot.press("y")
        await until(pilot, lambda: app.clipboard)
        assert "**fine**" in app.clipboard
        await until(pilot, lambda: "Copied the item" in shown(app))
        await pilot.press("Y")
        await until(pilot, lambda: "get_weather" in app.clipboard)


@pytest.mark.parametrize(
    ("size", "way", "told", "sent"),
    [
        (10, "osc52", "Copied it: 10 characters", True),
        (100_000, "osc52", "Sent it: 100,000 characters. Many", True),
        (1_000_000, "osc52", "Too long for a terminal to copy it", False),
        (10, "command", "no clipboard program here", False),
        (1_000_000, "auto", "Copied it: 1,000,000 characters", False),
    ],
)
async def test_a_copy_says_what_is_known_of_it(
    run: Path, monkeypatch: pytest.MonkeyPatch, size: int, way: str, told: str, sent: bool
) -> None:
    monkeypatch.setattr(terminal, "copy_by_command", lambda _: way == "auto")
    async with opened(replay(run), clipboard=way) as (app, pilot):
        app.main.copy_text("x" * size, "it")
        await until(pilot, lambda: told in " ".join(shown(app).split()))
        assert bool(app.clipboard) == sent


async def test_half_an_emoji_can_be_copied(run: Path) -> None:
    async with opened(replay(run), clipboard="osc52") as (app, _):
        app.main.copy_text("half \ud83d", "it")
        assert app.clipboard == "half ?"


async def test_control_c_copies_what_is_selected(run: Path) -> None:
    async with opened(replay(run), clipboard="osc52") as (app, pilot):
        await pilot.press("slash", *"weather", "shift+home", "ctrl+c")
        await until(pilot, lambda: app.clipboard == "weather")
        assert app.is_running


async def test_exports(run: Path, tmp_path: Path) -> None:
    async with opened(replay(run)) as (app, pilot):

        def told(text: str) -> bool:
            return any(text in toast.message for toast in app._notifications)

        async def export(name: str) -> str:
            app.main.export_to(str(tmp_path / name))
            await until(pilot, lambda: app.main.work is None)
            return (tmp_path / name).read_text(encoding="utf-8")

        for ending in ("md", "json", "html", "txt"):
            assert "get_weather" in await export(f"out.{ending}")
        background = app.current_theme.variables["background"]
        assert f"background: {background};" in (tmp_path / "out.html").read_text("utf-8")
        app.main.action_tenth(0)
        assert "get_weather" not in await export("start.txt")
        app.main.export_to(str(tmp_path / "out.md"))
        await until(pilot, lambda: told("is there already"))
        app.main.export_to(str(tmp_path / "out.pdf"))
        await until(pilot, lambda: told("says the format"))
        app.main.export_to(str(tmp_path / "no" / "folder.md"))
        await until(pilot, lambda: told("cannot be written"))
        assert told("Make its folder first")


async def test_a_file_that_cannot_be_leaves_the_prompt_to_name_another(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a short name, so that the sentence is not folded
    async with opened(replay(run)) as (app, pilot):
        app.main.prompt.ask("record", run.name)
        await pilot.press("enter")
        await until(pilot, lambda: "is there already" in shown(app))
        assert app.main.prompt.opened
        assert not app.main.record_to("a" * 300)
        await until(pilot, lambda: "Give it a shorter name" in shown(app))
        app.main.prompt.ask("record", str(tmp_path / "again.sse"))
        await pilot.press("enter")
        await until(pilot, lambda: "✓ saved again.sse  15 events" in shown(app))
        assert not app.main.prompt.opened


async def test_links_show_their_address_and_ask(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opens: list[str] = []
    monkeypatch.setattr(terminal, "open_link", lambda url: len(opens) or opens.append(url) is None)
    async with opened(replay(run)) as (app, pilot):
        assert app.main.view is not None
        assert app.main.session is not None
        app.main.view.select(app.main.session.tape.transcript.touched[12])
        await pilot.press("o")
        await until(pilot, lambda: "Open in the browser?" in shown(app))
        assert "https://example.org/a" in shown(app)
        assert opens == []
        await pilot.press("escape")
        await until(pilot, lambda: "Open in the browser?" not in shown(app))
        assert opens == []
        await pilot.press("o")
        await until(pilot, lambda: "Open in the browser?" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: opens == ["https://example.org/a"])
        await until(pilot, lambda: "Handed to the browser: https://example.org/a" in shown(app))
        monkeypatch.setattr(terminal, "open_link", lambda _: False)
        await pilot.press("o", "enter")
        await until(pilot, lambda: "No browser could be started here" in shown(app))


async def test_recording(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "again.sse"
    monkeypatch.chdir(tmp_path)
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("r")
        await until(pilot, lambda: "Record to" in shown(app))
        await pilot.press(*target.name, "enter")
        await until(pilot, lambda: target.exists())
        await until(pilot, lambda: "✓ saved again.sse" in shown(app))
    assert target.read_text(encoding="utf-8").count("data: ") == len(RUN)


@pytest.mark.parametrize(
    ("action", "proposed"),
    [("record", "recording-3.sse"), ("export", "transcript-2.md")],
)
async def test_a_name_is_proposed_that_is_free(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: str, proposed: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for taken in ("recording.sse", "recording-2.sse", "transcript.md"):
        (tmp_path / taken).touch()
    async with opened(replay(run)) as (app, pilot):
        await app.main.run_action(f"screen.{action}")
        await until(pilot, lambda: proposed in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / proposed).exists())


async def test_help_says_where_there_is_more(run: Path) -> None:
    for height, more in ((24, True), (120, False)):
        async with opened(replay(run), size=(80, height)) as (app, pilot):
            await pilot.press("question_mark")
            await until(pilot, lambda: "Esc closes · Ctrl+P finds" in shown(app))
            assert ("↓ more" in shown(app)) == more


@pytest.mark.parametrize("width", [44, 80, 120])
async def test_help_is_laid_out_for_its_width_at_once(
    run: Path, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each frame: words were cut where two columns stood in the place of one."""
    frames: list[str] = []
    paint = HelpScreen._compositor_refresh

    def painted(screen: HelpScreen) -> None:
        paint(screen)
        # Its own cells: behind it a status bar is busy with a log that was just opened.
        box = screen.query_one(VerticalScroll).content_region
        strips = screen._compositor.render_strips()[box.y : box.bottom]
        frames.append("\n".join(strip.crop(box.x, box.right).text for strip in strips))

    monkeypatch.setattr(HelpScreen, "_compositor_refresh", painted)
    async with opened(replay(run), size=(width, 120)) as (app, pilot):
        await pilot.press("question_mark")
        await until(pilot, lambda: "Esc closes" in shown(app))
    seen = [set(frame.split()) for frame in frames if "Scroll a line" in frame]
    assert seen
    for words in seen:
        assert words <= seen[-1]


async def test_help_lists_every_key(run: Path) -> None:
    async with opened(replay(run), size=(120, 90)) as (app, pilot):
        await pilot.press("question_mark")
        await until(pilot, lambda: "Keys" in shown(app))
        await until(pilot, lambda: "Scroll a line" in shown(app))
        text = " ".join(shown(app).split())
        for group in GROUPS:
            for keys, does in told_in_help(app.main.keymap, group):
                assert " ".join(f"{keys} {does}".split()[:4]) in text
        await pilot.press("escape")
        await until(pilot, lambda: "Scroll a line" not in shown(app))


async def test_the_palette_finds_commands_and_themes(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("ctrl+p")
        await pilot.press(*"theme paper")
        await until(pilot, lambda: "Theme: paper" in shown(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.theme == "paper")


async def test_what_a_theme_says_of_itself_is_no_markup(run: Path, tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('about = "[/] [b]loud[/b]"', encoding="utf-8")
    async with opened(replay(run), theme_folder=tmp_path) as (app, pilot):
        await pilot.press("ctrl+p", *"theme own")
        await until(pilot, lambda: "[/] [b]loud[/b]" in shown(app))


async def test_keys_are_remapped_everywhere(run: Path) -> None:
    async with opened(replay(run), keys={"buffered": "B", "tenth": "a,1,2,3,4,5,6,7,8,9"}) as (
        app,
        pilot,
    ):
        assert "B Buffered" in shown(app)
        await pilot.press("b")
        await pilot.pause()
        assert app.main.view is not None
        assert not app.main.view.options.buffered
        assert "token by token" in shown(app)
        await pilot.press("B")
        await until(pilot, lambda: "buffered" in shown(app))
        await pilot.press("a")
        assert app.main.session is not None
        assert app.main.session.player.position == 0


async def test_what_is_wrong_with_settings_is_said(run: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("name = ", encoding="utf-8")
    async with opened(
        replay(run), theme="nonsense", theme_folder=tmp_path, keys={"fly": "y"}, size=(100, 50)
    ) as (app, pilot):
        await until(pilot, lambda: "bad.toml" in shown(app))
        await until(pilot, lambda: "no theme 'nonsense'" in shown(app))
        await until(pilot, lambda: "no action 'fly'" in shown(app))
        assert app.theme == "dusk"


async def test_toasts_are_text_never_markup(run: Path) -> None:
    async with opened(replay(run)) as (app, pilot):
        app.main.say("HTTP 500 [/api] failed [bold red]x[/]\x1b[31m")
        await until(pilot, lambda: "[/api] failed" in shown(app))
        assert "\x1b" not in shown(app)


@pytest.mark.parametrize("name", PANES)
async def test_every_view_is_calm_when_empty(tmp_path: Path, name: str) -> None:
    empty = tmp_path / "empty.sse"
    empty.write_text(": transcript-tui recording 1 {}\n\n", encoding="utf-8")
    async with opened(replay(empty)) as (app, pilot):
        app.main.open_pane(name)
        await until(pilot, lambda: app.main.pane_order and app.main.pane_order[0].is_mounted)
        await pilot.pause()
        await pilot.press("j", "k", "G", "g", "enter", "pagedown", "up", "escape")
        assert name.capitalize() in shown(app) or not app.main.pane_order


@pytest.mark.parametrize("size", [(40, 10), (60, 20), (80, 24), (250, 70), (12, 4)])
@pytest.mark.parametrize("name", PANES)
async def test_every_view_fits(run: Path, name: str, size: tuple[int, int]) -> None:
    async with opened(replay(run), size=size) as (app, pilot):
        assert app.main.view is not None
        app.main.view.select(1)
        app.main.open_pane(name)
        await until(pilot, lambda: app.main.pane_order and app.main.pane_order[0].is_mounted)
        await pilot.pause()
        lines = shown(app).split("\n")
        assert len(lines) == size[1]
        await pilot.press("escape")
        assert not app.main.pane_order


async def test_resized_in_mid_stream(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = [RUN[0], RUN[2]]
    events += [{**RUN[3], "delta": f"word{number} "} for number in range(300)]
    session = replay(recording(tmp_path / "long.sse", events, 0.01), speed=1.0)
    app = TranscriptApp(session, ViewerOptions(theme="dusk"))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.main.view is not None)
        await pilot.press("i")
        for width, height in ((40, 10), (250, 70), (111, 22), (20, 5), (80, 24)):
            session.clock.advance(0.5)
            app.main.paint_soon()
            await pilot.resize_terminal(width, height)
            await pilot.pause()
        await pilot.press("escape")
        session.clock.advance(5)
        app.main.paint_soon()
        await until(pilot, lambda: "word299" in shown(app))


HOSTILE = "\x1b]0;owned\x07\x1b[31m\x9b31m\u202eevil\u2066 [bold]x[/nope] \x00\x7f\u200b"


async def test_nothing_hostile_is_shown(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = [
        {"type": "RUN_STARTED", "threadId": HOSTILE, "runId": HOSTILE},
        {"type": "STATE_SNAPSHOT", "snapshot": {HOSTILE: [HOSTILE, {HOSTILE: HOSTILE}]}},
        {"type": "STEP_STARTED", "stepName": HOSTILE},
        {"type": "CUSTOM", "name": HOSTILE, "value": HOSTILE},
        {"type": HOSTILE, "x": HOSTILE},
        {
            "type": "TEXT_MESSAGE_START",
            "messageId": HOSTILE,
            "role": "assistant",
            "name": HOSTILE,
            "metadata": {HOSTILE: HOSTILE},
        },
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": HOSTILE, "delta": HOSTILE, HOSTILE: 1},
        {"type": "TOOL_CALL_START", "toolCallId": HOSTILE, "toolCallName": HOSTILE},
        {"type": "TOOL_CALL_ARGS", "toolCallId": HOSTILE, "delta": HOSTILE},
        {"type": "TEXT_MESSAGE_END", "messageId": HOSTILE + "other"},
    ]
    path = recording(tmp_path / "hostile\x1b[31m.sse", events)
    async with opened(replay(path), size=(120, 40)) as (app, pilot):
        assert app.main.view is not None
        for key in (0, 3, 5):
            app.main.view.select(key)
            for name in PANES:
                app.main.open_pane(name)
                await until(pilot, lambda: app.main.pane_order[-1].is_mounted)
                await pilot.press("G", "enter")
                await pilot.pause()
                for char in shown(app):
                    assert char == "\n" or (char.isprintable() and char not in "\u202e\u2066\u200b")
                await pilot.press("escape", "escape")


async def test_an_unforeseen_error_is_a_sentence(run: Path) -> None:
    async def trip() -> TranscriptApp:
        async with opened(replay(run)) as (app, pilot):
            app.main.call_later(lambda: 1 / 0)
            await until(pilot, lambda: app.failure is not None)
        return app

    with pytest.raises(ZeroDivisionError):  # the pilot tells tests of it
        await trip()


async def test_no_traceback_is_printed(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = TranscriptApp(replay(run), ViewerOptions())

    async def trip(pilot: Pilot[None]) -> None:
        await until(pilot, lambda: app.main.is_mounted)
        app.main.call_later(lambda: 1 / 0)

    await app.run_async(headless=True, size=(80, 24), auto_pilot=trip)
    assert isinstance(app.failure, ZeroDivisionError)
    out = capsys.readouterr()
    assert "Traceback" not in out.out + out.err


async def test_no_color_takes_the_terminals_own(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(replay(run), theme="dusk") as (app, _):
        assert app.theme == "terminal"
        for strip in app.screen._compositor.render_strips():
            for segment in strip.apply_filter(app._filters[-1], app.screen.background_colors[1]):
                style = segment.style
                assert style is None or style.color is None or style.color.is_default


async def test_without_colour_matches_are_seen(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    async with opened(replay(run)) as (app, pilot):
        await pilot.press("slash", *"weather", "enter")

        def looks() -> list[tuple[bool | None, bool | None]]:
            return [
                (segment.style.reverse, segment.style.underline)
                for strip in app.screen._compositor.render_strips()
                for segment in strip
                if segment.text.lower() == "weather" and segment.style is not None
            ]

        await until(pilot, lambda: looks() == [(True, True), (None, True)])


async def test_nothing_is_done_while_nothing_happens(run: Path) -> None:
    """Nobody has set an alarm, so that nothing will be done until somebody asks for it."""
    async with opened(replay(run)) as (app, pilot):
        # The bars catch up with what they do not read at every frame; then all is done.
        await until(pilot, lambda: app.main._repainting._due is None, "rest")

        def alarms() -> list[str]:
            nodes = (app, *app.main.walk_children(with_self=True))
            timers = ((node, timer) for node in nodes for timer in node._timers)
            return [f"{node}: {timer}" for node, timer in timers if timer._active.is_set()]

        assert alarms() == []
        app.main.paint_soon()
        assert alarms(), "a painting would be one"
