"""The view, driven by hand: what is shown is what is asserted."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

import pytest
from textual import events
from textual.events import MouseMove

from tests.ui.transcript.gallery import endings, speakers, structure, tools
from tests.ui.transcript.harness import (
    MadeSession,
    ViewApp,
    call,
    closed,
    finished,
    message,
    opened,
    read_through,
    result,
    said,
    screen_text,
    search,
    settle,
    show,
    started,
    thought,
)
from transcript_tui.ui.cells import width_of
from transcript_tui.ui.views.transcript import Filter, SearchState, ViewOptions
from transcript_tui.ui.views.transcript.widget import ItemWidget


def many(number: int, first: int = 0) -> list[dict[str, object]]:
    return [
        event
        for index in range(first, first + number)
        for event in message(f"m{index}", f"message number {index} says something")
    ]


async def test_waits_in_words() -> None:
    app = ViewApp(MadeSession())
    async with app.run_test(size=(60, 12)) as pilot:
        assert "Waiting for events" in await show(pilot)
        app.session.connection = "ended"
        assert "No events" in await show(pilot)
        app.session.connection = "connecting"
        assert "Connecting…" in await show(pilot)
        app.session.kind = "replay"
        assert "Waiting for events…" in await show(pilot)


async def test_roles_differ_without_colour() -> None:
    events = [started()]
    for role in ("user", "assistant", "system", "developer"):
        events += message(role, f"said by {role}", role)
    events += thought("t", "a thought")
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(80, 40)) as pilot:
        text = await show(pilot)
    for label in ("❯ user", "● assistant", "■ system", "◆ developer", "∴ reasoning"):
        assert label in text
    assert text.count("said by") == 4


async def test_grows_token_by_token() -> None:
    app = ViewApp(MadeSession([started(), opened("a", name="bot")]))
    async with app.run_test(size=(60, 20)) as pilot:
        assert "● assistant bot ▌ writing" in await show(pilot)
        words = ["one", "two", "three", "four", "five", "six", "seven"]
        for index, word in enumerate(words):
            app.session.tape.add(said("a", word + " "))
            assert " ".join(words[: index + 1]) in await show(pilot)
        app.session.tape.add(closed("a"))
        assert "writing" not in await show(pilot)


async def test_buffered_waits_for_the_end_and_toggles_without_loss() -> None:
    session = MadeSession([started(), *message("a", "first part. "), opened("a")])
    app = ViewApp(session, buffered=True)
    async with app.run_test(size=(60, 20)) as pilot:
        session.tape.add(said("a", "second part."))
        text = await show(pilot)
        assert "first part." in text
        assert "second" not in text
        assert "writing… 12 chars" in text
        assert "reopened" in text
        app.view.set_buffered(False)
        await settle(pilot)
        assert screen_text(app).count("first part. second part.") == 1
        app.view.set_buffered(True)
        await settle(pilot)
        assert "second" not in screen_text(app)
        session.tape.add(closed("a"))
        assert (await show(pilot)).count("first part. second part.") == 1


async def test_reopened_more_than_once_says_how_often() -> None:
    events = [started(), *message("a", "x"), *message("a", "y"), *message("a", "z")]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 20)) as pilot:
        text = await show(pilot)
    assert "reopened ×2" in text
    assert "xyz" in text


async def test_a_result_is_in_its_card_and_nowhere_else() -> None:
    events = [
        started(),
        *message("a", "let me see"),
        *call("c", "get_weather", '{"city": "Zürich"}', "a"),
        result("c", json.dumps({"temp": 7})),
        result("gone", "nobody called"),
        finished(),
    ]
    app = ViewApp(MadeSession(events), tools="full")
    async with app.run_test(size=(80, 40)) as pilot:
        text = await show(pilot)
    assert "⚙ get_weather" in text
    assert "✓ answered · 750 ms" in text
    assert '"city": "Zürich"' in text
    assert text.count('"temp"') == 1
    assert text.count("tool result") == 1
    assert "nobody called" in text


@pytest.mark.parametrize(
    ("events", "state"),
    [
        ([{"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"}], "streaming"),
        (call("c", "f", "{}"), "waiting"),
        ([*call("c", "f", "{}"), result("c", "ok")], "answered"),
        ([*call("c", "f", "{}"), finished()], "pending"),
        (
            [
                {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "f"},
                {"type": "RUN_ERROR", "message": "boom"},
            ],
            "cut off",
        ),
    ],
)
async def test_the_states_of_a_call(events: list[dict[str, object]], state: str) -> None:
    app = ViewApp(MadeSession([started(), *events]), tools="full")
    async with app.run_test(size=(80, 20)) as pilot:
        assert state in await show(pilot)
    app = ViewApp(MadeSession([started(), *events]), tools="folded")
    async with app.run_test(size=(50, 20)) as pilot:
        assert state in await show(pilot)


async def test_long_results_are_folded_until_enter() -> None:
    lines = "\n".join(f"line {number}" for number in range(40))
    events = [started(), *call("c", "f", "{}"), result("c", lines)]
    app = ViewApp(MadeSession(events), tools="full")
    async with app.run_test(size=(80, 60)) as pilot:
        text = await show(pilot)
        assert "… 28 more lines" in text
        assert "line 39" not in text
        app.view.select_next()
        assert app.view.toggle_fold()
        await settle(pilot)
        assert "line 39" in screen_text(app)
        assert app.view.toggle_fold()
        await settle(pilot)
        assert "line 0" not in screen_text(app).replace("⚙ f {} → line 0", "")


async def test_reasoning_is_one_line_that_grows() -> None:
    session = MadeSession([started(), *thought("t", "first I think of this", end=False)])
    app = ViewApp(session)
    async with app.run_test(size=(90, 20)) as pilot:
        text = await show(pilot)
        assert "∴ reasoning ▌ writing · 21 chars · first I think of this" in text
        session.tape.add(
            {"type": "REASONING_MESSAGE_CONTENT", "messageId": "t", "delta": " and then of that"}
        )
        assert "38 chars" in await show(pilot)
        app.view.set_reasoning_mode("full")
        await settle(pilot)
        assert "\n▎ first I think of this and then of that" in screen_text(app)
        app.view.set_reasoning_mode("hidden")
        await settle(pilot)
        assert "reasoning" not in screen_text(app)


async def test_encrypted_values_are_named_and_never_shown() -> None:
    events = [
        started(),
        *thought("t", ""),
        {
            "type": "REASONING_ENCRYPTED_VALUE",
            "subtype": "message",
            "entityId": "t",
            "encryptedValue": "c2VjcmV0",
        },
    ]
    app = ViewApp(MadeSession(events), reasoning="full")
    async with app.run_test(size=(80, 20)) as pilot:
        text = await show(pilot)
    assert "encrypted" in text
    assert "c2VjcmV0" not in text


ENDINGS = {
    "run finished": [finished()],
    "run interrupted": [
        finished(
            outcome={
                "type": "interrupt",
                "interrupts": [{"id": "i", "reason": "confirm", "message": "Really delete it?"}],
            }
        )
    ],
    "run cancelled": [finished(outcome={"type": "cancelled"})],
    "run failed": [{"type": "RUN_ERROR", "message": "too hot", "code": "E1"}],
    "the stream was rejected here": [said("nobody", "x")],
}


async def test_what_a_failed_run_leaves_behind_waits_for_nothing() -> None:
    left_open = [
        started(),
        {"type": "STEP_STARTED", "stepName": "book"},
        {"type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "scout"},
        *call("c", "book_seat", "{}"),
    ]
    app = ViewApp(MadeSession(left_open))
    async with app.run_test(size=(80, 30)) as pilot:
        text = await show(pilot)
        assert "… open" in text
        assert "… running" in text
        assert "waiting for the result" in text
        app.session.tape.add({"type": "RUN_ERROR", "message": "gone"})
        text = await show(pilot)
        assert text.count("never finished") == 2
        assert "no result came" in text
        assert "waiting" not in text


@pytest.mark.parametrize("words", ENDINGS)
async def test_endings_are_never_confused(words: str) -> None:
    app = ViewApp(MadeSession([started(), *ENDINGS[words]]))
    async with app.run_test(size=(80, 20)) as pilot:
        text = await show(pilot)
    assert words in text
    assert not [other for other in ENDINGS if other != words and other in text]
    assert ("Really delete it?" in text) == (words == "run interrupted")
    assert ("too hot" in text) == (words == "run failed")


async def test_truncation_shows_its_tail() -> None:
    session = MadeSession([started(), opened("a"), said("a", "half a sen")])
    session.tape.end(b'{"type":"TEXT_MESS')
    app = ViewApp(session)
    async with app.run_test(size=(80, 20)) as pilot:
        text = await show(pilot)
    assert "the bytes end here, in mid-run" in text
    assert "TEXT_MESS" in text
    assert "cut off" in text
    assert "run finished" not in text


async def test_passthrough_is_hidden_but_for_the_last_word_before_a_failure() -> None:
    events = [
        started(),
        {"type": "CUSTOM", "name": "progress", "value": 1},
        {"type": "CUSTOM", "name": "trouble", "value": "disk full"},
        {"type": "RUN_ERROR", "message": "boom"},
    ]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(80, 20)) as pilot:
        text = await show(pilot)
        assert "CUSTOM trouble" in text
        assert "progress" not in text
        app.view.set_passthrough(True)
        await settle(pilot)
        assert "CUSTOM progress" in screen_text(app)
        app.view.set_passthrough(False)
        assert "CUSTOM" not in await show(pilot, 3)


async def test_the_last_of_custom_and_the_last_of_raw_are_shown_before_each_bad_ending() -> None:
    failed = {"type": "RUN_ERROR", "message": "boom"}
    events = [
        started(),
        {"type": "CUSTOM", "name": "first", "value": 1},
        {"type": "CUSTOM", "name": "second", "value": 1},
        {"type": "RAW", "source": "below", "event": 1},
        failed,
        started(),
        {"type": "RAW", "source": "later", "event": 1},
        failed,
    ]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(80, 30)) as pilot:
        text = await show(pilot)
        for shown in ("CUSTOM second", "RAW below", "RAW later"):
            assert shown in text
        assert "CUSTOM first" not in text
        text = await show(pilot, 7)
        assert "CUSTOM second" in text
        assert "RAW later" not in text
        text = await show(pilot, 4)
        assert "CUSTOM" not in text
        assert "RAW" not in text
        assert "RAW later" in await show(pilot)


async def test_subagents_are_indented_under_their_invocation() -> None:
    events = [
        started(),
        {"type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "researcher"},
        *message("a", "looking", subagentRunId="s1"),
        {
            "type": "SUBAGENT_STARTED",
            "subagentRunId": "s2",
            "name": "critic",
            "parentSubagentRunId": "s1",
        },
        *message("b", "doubting", subagentRunId="s2"),
        {"type": "SUBAGENT_FINISHED", "subagentRunId": "s2"},
    ]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(80, 30)) as pilot:
        text = await show(pilot)
    assert "\n▎ ↳ subagent researcher … running" in text
    assert "\n│ ▎ ● researcher · assistant" in text
    assert "\n│ ▎ ↳ subagent critic · under researcher ✓ finished" in text
    assert "\n│ │ ▎ ● critic · assistant" in text


# Following and scrolling


async def test_follows_the_end_until_the_reader_scrolls() -> None:
    session = MadeSession([started(), *many(30)])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        assert "message number 29" in await show(pilot)
        app.view.scroll_lines(-5)
        await settle(pilot)
        assert not app.view.following
        before = screen_text(app).splitlines()
        session.tape.add(*many(3, 30))
        after = (await show(pilot)).splitlines()
        assert after[:-1] == before[:-1]
        assert "3 new" in after[-1]
        assert app.view.below == 3
        app.view.go_last()
        await settle(pilot)
        assert app.view.following
        assert app.view.below == 0
        assert "message number 32" in screen_text(app)


async def test_scrolling_back_to_the_end_follows_again() -> None:
    app = ViewApp(MadeSession([started(), *many(30)]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.scroll_pages(-1)
        assert not app.view.following
        app.view.scroll_pages(1)
        assert app.view.following


async def test_growth_above_does_not_move_what_is_read() -> None:
    session = MadeSession([started(), *many(40)])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.scroll_lines(-20)
        await settle(pilot)
        before = screen_text(app)
        session.tape.add(opened("m1"), said("m1", "\n\nmuch\n\nmore\n\nlines"), closed("m1"))
        assert await show(pilot) == before


async def test_follows_the_start_of_the_newest_message() -> None:
    session = MadeSession([started(), *many(10), opened("long")])
    app = ViewApp(session, follow="start")
    async with app.run_test(size=(60, 12)) as pilot:
        await show(pilot)
        for number in range(30):
            session.tape.add(said("long", f"row {number}\n\n"))
            text = await show(pilot)
        assert app.view.following
        assert "● assistant ▌ writing" in text.splitlines()[0]
        assert "row 0" in text
        app.view.set_follow_mode("end")
        await settle(pilot)
        assert "row 29" in screen_text(app)


async def test_only_a_window_is_mounted() -> None:
    app = ViewApp(MadeSession([started(), *many(2_000)]))
    async with app.run_test(size=(80, 24)) as pilot:
        await show(pilot)
        for _ in range(20):
            app.view.scroll_pages(-1)
            await settle(pilot)
        app.view.go_first()
        await settle(pilot)
        assert "message number 0 " in screen_text(app)
        assert len(app.query(ItemWidget)) <= 24


async def test_widgets_are_no_taller_than_what_is_in_view() -> None:
    """Textual's work for a widget grows with its height."""
    app = ViewApp(MadeSession([started(), *message("a", long_text(500)), *many(2)]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        for lines in (0, -3, -200):
            app.view.scroll_lines(lines)
            await settle(pilot)
            heights = [widget.size.height for widget in app.query(ItemWidget) if widget.region]
            assert sum(heights) == 20


async def test_seeking_back_and_forth_shows_each_position() -> None:
    session = MadeSession([started(), *many(20), finished()])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        whole = await show(pilot)
        middle = await show(pilot, 31)
        assert "message number 9 " in middle
        assert "message number 10" not in middle
        assert await show(pilot) == whole
        assert f"{app.session.tape.length} events follow" in await show(pilot, 0)
        assert await show(pilot, 31) == middle


@pytest.mark.parametrize("size", [(40, 10), (61, 17), (120, 50), (250, 70)])
async def test_every_size(size: tuple[int, int]) -> None:
    session = MadeSession([started(), *many(30), opened("z")])
    app = ViewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await show(pilot)
        await pilot.resize_terminal(*size)
        session.tape.add(said("z", "still here"))
        text = await show(pilot)
    assert "still here" in text
    lines = text.splitlines()
    assert len(lines) <= size[1]
    assert all(len(line) <= size[0] for line in lines)


# The selection cursor


async def test_the_cursor_goes_from_item_to_item() -> None:
    app = ViewApp(MadeSession([started(), *many(30)]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.select_previous()
        last = app.view.selected
        assert last is not None
        app.view.select_previous()
        assert app.view.selected == last - 1
        await settle(pilot)
        marked = [line for line in screen_text(app).splitlines() if line.startswith("█")]
        assert any("message number 28" in line for line in marked)
        for _ in range(28):
            app.view.select_previous()
        await settle(pilot)
        assert "message number 0 " in screen_text(app)
        assert not app.view.following


async def test_a_long_item_scrolls_first() -> None:
    long = "\n\n".join(f"row {number}" for number in range(30))
    app = ViewApp(MadeSession([started(), *message("a", long), *many(3)]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.go_first()
        app.view.select_next()
        app.view.select_next()
        selected = app.view.selected
        seen = set()
        for _ in range(4):
            await settle(pilot)
            seen |= {line for line in screen_text(app).splitlines() if "row" in line}
            app.view.select_next()
        assert len(seen) == 30
        assert app.view.selected is not None
        assert selected is not None
        assert app.view.selected > selected


async def test_enter_folds_a_message() -> None:
    app = ViewApp(MadeSession([started(), *message("a", "alpha\n\nbeta\n\ngamma")]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.select_previous()
        assert app.view.toggle_fold()
        await settle(pilot)
        assert "● assistant alpha beta gamma" in screen_text(app)
        assert app.view.toggle_fold()
        await settle(pilot)
        assert "\n█ gamma" in screen_text(app)


# Filter and search


async def test_the_filter_hides_the_rest() -> None:
    events = [*message("u", "question", "user"), *message("a", "answer", name="Bob Ross")]
    app = ViewApp(MadeSession([started(), *events, finished()]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.set_filter(Filter.parse("role:user"))
        await settle(pilot)
        text = screen_text(app)
        assert "question" in text
        assert "answer" not in text
        assert app.view.hidden_count == 3
        for name in ("speaker:bob", 'speaker:"bob ross"'):
            app.view.set_filter(Filter.parse(name))
            await settle(pilot)
            assert "answer" in screen_text(app)
            assert "question" not in screen_text(app)
        app.view.set_filter(Filter.parse("nothing has these words"))
        await settle(pilot)
        assert "matches the filter" in screen_text(app)
        app.view.set_filter(None)
        await settle(pilot)
        assert "question" in screen_text(app)


@pytest.mark.parametrize("words", ["breeze", "breeze's", "advocate", '"breeze\'s advocate"'])
async def test_a_speaker_is_found_by_each_word_of_the_name(words: str) -> None:
    events = [*message("b", "young", name="Breeze's advocate"), *message("a", "old", name="Anvil")]
    app = ViewApp(MadeSession([started(), *events]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.set_filter(Filter.parse(f"speaker:{words}"))
        await settle(pilot)
        assert "young" in screen_text(app)
        assert "old" not in screen_text(app)


async def test_what_the_filter_hides_is_not_selected() -> None:
    events = [started(), *message("u", "question", "user"), *message("a", "answer")]
    app = ViewApp(MadeSession([*events, finished()]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.select(1)
        app.view.set_filter(Filter.parse("role:user"))
        await settle(pilot)
        assert app.view.selected == 1
        app.view.set_filter(Filter.parse("role:assistant"))
        await settle(pilot)
        assert app.view.selected is None


async def test_what_the_filter_hides_is_counted_at_every_position() -> None:
    tool = {"type": "CUSTOM", "name": "note", "value": 1}
    events = [started(), *message("u", "question", "user"), tool, *message("a", "an answer"),
              *call("c", "look", "{}"), result("c", "found"), finished()]  # fmt: skip
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        for words in ("role:user", "kind:tool", "answer"):
            for position in (*range(len(events), -1, -1), *range(len(events) + 1)):
                app.view.set_filter(None)
                await show(pilot, position)
                shown = app.view.stage.shown
                everything = {key for key in range(app.view.stage.size) if shown(key)}
                app.view.set_filter(Filter.parse(words))
                assert app.view.hidden_count == sum(not shown(key) for key in everything)
            for position in (3, len(events), 0, len(events)):
                app.view.show(position)
                hidden = app.view.hidden_count
                app.view.stage.reread()
                assert app.view.hidden_count == hidden


async def test_search_counts_goes_round_and_opens_folds() -> None:
    events = [started(), *many(50), *thought("t", "a needle in thought"), *many(50, 50)]
    events += message("n", "needle and Needle")
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.go_first()
        state: SearchState | None = await search(pilot, "needle")
        assert state is not None
        assert (state.count, state.index, state.complete) == (3, 1, True)
        assert "\n█ a needle in thought" in screen_text(app)
        state = app.view.search_next()
        assert state is not None
        assert state.index == 2
        await settle(pilot)
        assert "needle and Needle" in screen_text(app)
        app.view.search_next()
        state = app.view.search_next()
        assert state is not None
        assert state.index == 1
        state = app.view.search_previous()
        assert state is not None
        assert state.index == 3
        assert (await search(pilot, "Needle")).count == 1
        app.view.clear_search()
        assert app.view.search_state is None


@pytest.mark.parametrize(
    ("conversation", "words"),
    [
        (structure, ["researcher", "climate", "PLAN", "answer", "critic", "write", "progress"]),
        (structure, ["done.*0.5", "gateway", "ping", "E42"]),
        (endings, ["thread|t1", "book_flight", "ZRH", "Shall I", "confirm", "529", "overloaded"]),
        (endings, ["ok.: true", "not-open"]),
        (tools, ["get_weather", "Zürich", "thin", "file 19", "sold out"]),
        (tools, ["image/png", "example.org"]),
        (speakers, ["ada", "metric", "thought just", "wind"]),
    ],
)
async def test_search_finds_all_that_is_shown(
    conversation: Callable[[], MadeSession], words: list[str]
) -> None:
    app = ViewApp(conversation(), passthrough=True, tools="folded")
    async with app.run_test(size=(80, 40)) as pilot:
        await show(pilot)
        for word in words:
            assert (await search(pilot, word)).count, word
            assert re.search(word, screen_text(app), re.IGNORECASE), word


async def test_letters_written_as_escapes_are_shown_and_found() -> None:
    asked, answered = json.dumps({"wo": "Zürich, dann 東京 im Jahr 20"}), json.dumps(["京都 東京"])
    custom = b'{"type":"CUSTOM","name":"where","value":"\\u6771\\u4eac"}'
    session = MadeSession([started(), *call("c", "look", asked), result("c", answered)])
    session.tape.add(custom)
    app = ViewApp(session, passthrough=True)
    async with app.run_test(size=(70, 20)) as pilot:
        text = await show(pilot)
        assert '{"wo": "Zürich, dann 東京 im Jahr 20"}' in text
        assert '["京都 東京"]' in text
        assert 'CUSTOM where "東京"' in text
        for word, count in (("東京", 3), ("20", 1), ("u6771", 0)):
            assert (await search(pilot, word)).count == count
        await search(pilot, "東京")
        item = app.view.stage.item(1)
        ((y, start, end),) = item.overlay.current
        assert item.content(y).crop(start, end).text == "東京"


@pytest.mark.parametrize("sign", ["🇩🇪", "❤️", "1️⃣", "👩\u200d👧", "é"])
async def test_a_match_is_marked_whole_however_many_code_points_it_has(sign: str) -> None:
    app = ViewApp(MadeSession([started(), *message("m", f"to {sign} and on")]))
    async with app.run_test(size=(40, 10)) as pilot:
        await show(pilot)
        await search(pilot, sign)
        item = app.view.stage.item(1)
        ((y, first, last),) = item.overlay.current
        line = item.content(y).text
        assert (first, last) == (width_of(line[: line.index(sign)]), first + width_of(sign))


def written_texts(seed: int, number: int) -> list[str]:
    """Arguments and results that are JSON, nearly so, or not at all, with escapes or letters."""
    chance = random.Random(seed)
    bits = ("東京", "ü東", "u6771", "\\", '"', "\n", "😀", " and ", "é", "[", "}", "\u202e")

    def value(depth: int) -> object:
        if depth and chance.random() < 0.6:
            inner = [value(depth - 1) for _ in range(chance.randrange(4))]
            return inner if chance.random() < 0.5 else {str(value(0)): one for one in inner}
        return "".join(chance.choices(bits, k=chance.randrange(8)))

    texts = []
    for _ in range(number):
        text = json.dumps([value(3)], ensure_ascii=chance.random() < 0.8)
        match chance.randrange(5):
            case 0:
                text = text[: chance.randrange(1, len(text))]
            case 1:
                text = text.replace('"', "'", 1) + chance.choice(("]", "", " oops"))
            case 2:
                text = f"see {text}"
        texts.append(text)
    return texts


@pytest.mark.parametrize("markdown", [True, False])
async def test_what_is_highlighted_is_what_was_searched(markdown: bool) -> None:
    session = MadeSession([started(), *message("m", "reads it")])
    for number, text in enumerate(written_texts(383, 8)):
        id = f"c{number}"
        session.tape.add(*call(id, "look", text), result(id, text))
        if not markdown:
            session.tape.add(*message(f"m{number}", text))
        try:
            value = json.loads(text)
        except ValueError:
            continue
        for carrier in ({"type": "CUSTOM", "name": "n", "value": value},
                        {"type": "RAW", "event": value}):  # fmt: skip
            session.tape.add(json.dumps(carrier).encode())
    app = ViewApp(session, passthrough=True, markdown=markdown)
    async with app.run_test(size=(90, 30)) as pilot:
        await show(pilot)
        for needle in ("東京", "u6771", "ü", " and "):
            state = await search(pilot, needle)
            assert state.count > 3
            for _ in range(min(state.count, 12)):
                app.view.search_next()
                await pilot.pause()
                item = app.view.stage.item(app.view.selected)
                cells = [item.content(y).crop(start, end).text for y, start, end in
                         item.overlay.current]  # fmt: skip
                shown = "".join("".join(cells).split())
                assert shown == needle.replace(" ", ""), (item.key, cells)


async def test_a_match_whose_call_is_gone_by_now_is_none_where_the_reader_is() -> None:
    session = MadeSession([started(), *call("c", "look", '{"a": "needle"}'), *message("m", "x")])
    app = ViewApp(session)
    async with app.run_test(size=(60, 12)) as pilot:
        await show(pilot)
        await search(pilot, "needle")
        await show(pilot, 2)
        snapshot = {"type": "MESSAGES_SNAPSHOT",
                    "messages": [{"id": "c", "role": "assistant", "content": "y"}]}  # fmt: skip
        session.tape.add(snapshot)
        text = await show(pilot, 2)
        assert "look" in text
        assert app.view.stage.item(1).overlay.current == ()
        app.view.search_next()
        await settle(pilot)


@pytest.mark.parametrize("end", ["oops", "]"])
async def test_a_match_in_what_never_became_json_is_gone_to(end: str) -> None:
    """While it grew it was shown as JSON, its letters as letters."""
    events = call("c", "look", "")
    events[1:-1] = [
        {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": delta}
        for delta in (r'["\u6771 ', r'and \u6771 needle"', end)
    ]
    session = MadeSession([started(), *events, *message("m", "later")])
    app = ViewApp(session)
    async with app.run_test(size=(60, 12)) as pilot:
        for position in (4, session.tape.length):
            await show(pilot, position)
            await search(pilot, "needle")
            item = app.view.stage.item(1)
            ((y, first, last),) = item.overlay.current
            assert item.content(y).crop(first, last).text == "needle"
        await show(pilot, 4)
        for y, first, last in app.view.stage.item(1).overlay.current:
            assert app.view.stage.item(1).content(y).crop(first, last).text == "needle"


async def test_a_match_in_content_parts_is_highlighted() -> None:
    parts = [{"type": "text", "text": "a needle"}]
    events = [started(), *call("c", "look", "{}"), result("c", parts), result("alone", parts)]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        await search(pilot, "needle")
        for key in (1, 3):
            await settle(pilot)
            assert app.view.selected == key
            assert app.view.stage.item(key).overlay.current
            app.view.search_next()


async def test_a_folded_line_says_that_more_follows() -> None:
    app = ViewApp(MadeSession([started(), *thought("t", "I think of many words " * 9)]))
    async with app.run_test(size=(60, 12)) as pilot:
        (line,) = [line for line in (await show(pilot)).splitlines() if "reasoning" in line]
        assert line.endswith("…")
        assert len(line) >= 57


async def test_custom_and_raw_show_what_they_carry() -> None:
    events = [
        started(),
        {"type": "CUSTOM", "name": "progress", "value": {"done": [0.5, "x"]}},
        {"type": "RAW", "event": "ping", "source": "gateway"},
    ]
    app = ViewApp(MadeSession(events), passthrough=True)
    async with app.run_test(size=(60, 12)) as pilot:
        text = await show(pilot)
        assert '⋯ CUSTOM progress {"done": [0.5, "x"]}' in text
        assert '⋯ RAW gateway "ping"' in text
        assert app.view.source_of(1) == json.dumps(events[1])


async def test_a_match_far_down_in_a_fold_is_in_view_at_each_letter() -> None:
    text = "\n".join(f"line {number}" for number in range(200)) + "\na needle"
    events = [started(), *call("c", "look", "{}"), result("c", text), *many(3)]
    app = ViewApp(MadeSession(events), tools="folded")
    async with app.run_test(size=(60, 40)) as pilot:
        await show(pilot)
        app.view.go_first()
        for typed in ("ee", "eed", "eedl", "eedle", "needle"):
            await search(pilot, typed)
            assert "a needle" in screen_text(app)


async def test_leaving_a_match_folds_what_was_opened_for_it() -> None:
    events = [started(), *thought("t", "a needle in thought"), *message("n", "a needle")]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.go_first()
        app.view.select(1)
        for typed in ("n", "ne", "needle"):
            await search(pilot, typed)
        assert "\n█ a needle in thought" in screen_text(app)
        app.view.search_next()
        await settle(pilot)
        assert "· a needle in thought" in screen_text(app)
        assert app.view.selected == 2


async def test_search_goes_on_finding_while_it_grows() -> None:
    session = MadeSession([started(), opened("a"), said("a", "x marks it")])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        assert (await search(pilot, "marks")).count == 1
        session.tape.add(said("a", ", and x marks it again"))
        await show(pilot)
        state = app.view.search_state
        assert state is not None
        assert state.count == 2


async def test_jumps_by_run() -> None:
    events = [started("r1"), *many(20), finished("r1"), started("r2"), *many(20, 20)]
    events += [{"type": "RUN_ERROR", "message": "boom"}, started("r3"), *many(20, 40)]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        assert app.view.jump_run(-1)
        await settle(pilot)
        assert "run r3" in screen_text(app)
        assert app.view.jump_run(-1)
        assert app.view.jump_run(-1)
        await settle(pilot)
        assert "run r1" in screen_text(app)
        assert not app.view.jump_run(-1)


async def test_what_is_not_there_yet_is_sought() -> None:
    session = MadeSession([started(), *many(40)])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot, 10)
        app.view.jump_to(30)
        await settle(pilot)
        assert len(app.posted) == 1
        assert app.view.selected == 30


async def test_a_change_is_at_the_end_of_what_is_taller_than_the_view() -> None:
    long = "\n\n".join(f"line {number}" for number in range(40))
    app = ViewApp(MadeSession([started(), *message("m", long), *many(40)]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.jump_to(1)
        await settle(pilot)
        assert "line 0\n" in screen_text(app)
        app.view.jump_to_change(1)
        await settle(pilot)
        assert "line 39\n" in screen_text(app)
        assert not app.view.following
        app.view.jump_to_change(2)
        await settle(pilot)
        assert "line 39\n" in screen_text(app), "the start of what fits"


async def test_what_a_snapshot_took_away_is_not_gone_back_to() -> None:
    kept = [{"id": f"m{number}", "role": "user", "content": f"{number}."} for number in range(40)]
    without = {"type": "MESSAGES_SNAPSHOT", "messages": [*kept[:5], *kept[6:]]}
    events = [started(), {"type": "MESSAGES_SNAPSHOT", "messages": kept}, without]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        touched = app.session.tape.transcript.touched[2]
        app.view.jump_to_change(touched)
        await settle(pilot)
        assert not app.posted
        assert app.view.position == 3
        assert " 6." in screen_text(app), "what stands where it was"
        assert " 5." not in screen_text(app)


# The mouse


async def test_wheel_and_click() -> None:
    app = ViewApp(MadeSession([started(), *many(30)]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        await pilot._post_mouse_events([events.MouseScrollUp], app.view, offset=(5, 5))
        await settle(pilot)
        assert not app.view.following
        await pilot.click(app.view, offset=(5, 5))
        await settle(pilot)
        assert app.view.selected is not None


async def test_selected_text_goes_across_messages() -> None:
    app = ViewApp(MadeSession([started(), *message("a", "alpha beta"), *message("b", "gamma")]))
    async with app.run_test(size=(60, 20)) as pilot:
        text = await show(pilot)
        lines = text.splitlines()
        first = next(y for y, line in enumerate(lines) if "alpha" in line)
        last = next(y for y, line in enumerate(lines) if "gamma" in line)
        await pilot.mouse_down(app.view, offset=(8, first))
        await pilot._post_mouse_events([events.MouseMove], app.view, offset=(4, last), button=1)
        await pilot.mouse_up(app.view, offset=(4, last))
        await settle(pilot)
        assert await app.view.selected_text() == "beta\n\n● assistant\ngam"
        app.view.clear_text_selection()
        assert await app.view.selected_text() is None


async def test_the_mouse_is_given_back_though_the_selection_ended_before() -> None:
    app = ViewApp(MadeSession([started(), *message("a", "alpha beta")]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        await pilot.mouse_down(app.view, offset=(8, 3))
        assert app.mouse_captured is app.view
        app.view.clear_text_selection()
        await pilot.mouse_up(app.view, offset=(8, 3))
        assert app.mouse_captured is None


async def test_selected_cards_are_copied_without_their_lines() -> None:
    events = [started(), *message("a", "Look."), *call("c", "find", '{"n": 1}', "a")]
    events += [result("c", "one"), *message("b", "End.")]
    app = ViewApp(MadeSession(events), times="offset")
    async with app.run_test(size=(60, 20)) as pilot:
        lines = (await show(pilot)).splitlines()
        first = next(y for y, line in enumerate(lines) if "run r1" in line)
        last = next(y for y, line in enumerate(lines) if "End." in line)
        await pilot.mouse_down(app.view, offset=(0, first))
        await pilot._post_mouse_events([MouseMove], app.view, offset=(9, last), button=1)
        await pilot.mouse_up(app.view, offset=(9, last))
        assert (await app.view.selected_text() or "").splitlines() == [
            "run r1  +0:00.0",
            "",
            "● assistant  +0:00.5",
            "Look.",
            "⚙ find  ✓ answered · 750 ms",
            '{"n": 1}',
            "result",
            "one",
            "",
            "● assistant  +0:02.2",
            "End.",
        ]


# Options


async def test_times_beside_each_item() -> None:
    app = ViewApp(MadeSession([started(), *message("a", "hello")]), times="offset")
    async with app.run_test(size=(60, 20)) as pilot:
        assert "+0:00.5" in await show(pilot)
        assert app.view.cycle_times() == "none"
        await settle(pilot)
        assert "+0:00" not in screen_text(app)


async def test_options_can_change_together() -> None:
    app = ViewApp(MadeSession([started(), *message("a", "**bold**"), *thought("t", "hm")]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.set_options(ViewOptions(markdown=False, reasoning="hidden"))
        await settle(pilot)
        text = screen_text(app)
        assert "**bold**" in text
        assert "reasoning" not in text


async def test_controls_and_markup_are_harmless() -> None:
    evil = "\x1b]0;title\x07[red]x[/red]\x1b[2J\u202e"
    events = [
        started(f"r{evil}"),
        *message("a", evil, name=evil),
        *call("c", evil, evil),
        {"type": "CUSTOM", "name": evil, "value": evil},
        {"type": "STEP_STARTED", "stepName": evil},
        {"type": "RUN_ERROR", "message": evil, "code": evil},
    ]
    app = ViewApp(MadeSession(events), tools="full", passthrough=True)
    async with app.run_test(size=(90, 60)) as pilot:
        text = await show(pilot)
    assert not [char for char in text if ord(char) < 32 and char != "\n"]
    assert "\u202e" not in text
    assert "[red]x[/red]" in text


# Very long texts


def long_text(paragraphs: int) -> str:
    return "\n\n".join(
        f"paragraph {number} " + "with some more words in it " * (number % 7)
        for number in range(paragraphs)
    )


async def test_a_long_text_scrolls_line_by_line_though_it_was_never_laid_out() -> None:
    session = MadeSession([started(), *message("a", long_text(3_000)), *many(2)])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        await read_through(pilot)
        app.view.stage.viewport.scroll_to(app.view.stage.viewport.total // 2)
        app.view.scroll_lines(0)
        await settle(pilot)
        before = screen_text(app).splitlines()
        for _ in range(60):
            app.view.scroll_lines(-1)
            await settle(pilot)
            after = screen_text(app).splitlines()
            assert after[1:] == before[:-1]
            before = after
        for _ in range(60):
            app.view.scroll_lines(1)
            await settle(pilot)
            after = screen_text(app).splitlines()
            assert after[:-1] == before[1:]
            before = after


async def test_resizing_keeps_the_place_in_a_long_text() -> None:
    app = ViewApp(MadeSession([started(), *message("a", long_text(2_000))]))
    async with app.run_test(size=(80, 20)) as pilot:
        await show(pilot)
        await read_through(pilot)
        app.view.search("paragraph 1000 ")
        await settle(pilot)
        assert "paragraph 1000 " in screen_text(app)
        for width in (60, 45, 100, 80):
            await pilot.resize_terminal(width, 20)
            await settle(pilot)
            assert "paragraph 1000 " in screen_text(app)


async def test_growing_below_does_not_move_a_long_text() -> None:
    session = MadeSession([started(), opened("a"), said("a", long_text(1_500))])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        await read_through(pilot)
        app.view.search("paragraph 700 ")
        await settle(pilot)
        before = screen_text(app).splitlines()
        for number in range(10):
            session.tape.add(said("a", f"\n\nmore {number}"))
            after = (await show(pilot)).splitlines()
            assert after[1:-1] == before[1:-1]
        assert app.view.below == 1


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Very long texts are read further only after a while."""
    monkeypatch.setattr("transcript_tui.ui.views.transcript.canvas.PAUSE", 0.3)
    monkeypatch.setattr("transcript_tui.ui.views.transcript.canvas.SLICE", 0.5)


@pytest.mark.usefixtures("slowly")
async def test_a_very_long_text_shows_its_end_at_once_and_is_read_meanwhile() -> None:
    session = MadeSession([started(), *many(3), opened("a"), said("a", long_text(3_000))])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        at_once = await show(pilot)
        assert not app.view.stage.whole
        assert "paragraph 2999 " in at_once
        await read_through(pilot)
        assert screen_text(app) == at_once
        assert app.view.following


@pytest.mark.usefixtures("slowly")
async def test_what_is_read_stays_while_a_very_long_text_is_read_further() -> None:
    session = MadeSession([started(), *message("a", long_text(6_000)), *many(2)])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show(session.tape.length)
        for _ in range(3):
            app.view.scroll_pages(-1)
        await settle(pilot)
        before = screen_text(app)
        assert "paragraph 59" in before
        assert not app.view.stage.whole
        assert not app.view.following
        await read_through(pilot)
        assert screen_text(app) == before


async def test_a_very_long_text_is_not_read_on_while_the_reader_waits() -> None:
    session = MadeSession([started(), *message("a", long_text(6_000))])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show(session.tape.length)
        app.view.give_way()
        item = app.view.stage.item(1)
        before = item.version
        for _ in range(20):
            await settle(pilot)
        assert item.version == before
        assert not app.view.stage.whole
        await show(pilot)
        await read_through(pilot)


async def test_a_place_that_was_not_read_yet_is_shown_when_it_was() -> None:
    session = MadeSession([started(), *message("a", long_text(6_000))])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        viewport = app.view.stage.viewport
        app.view.show(session.tape.length)
        viewport.scroll_to(viewport.total // 2)
        app.view._arrive()
        strips = app.view.stage.item(1).strips(viewport.line, viewport.line + 18)
        said = [strip.text.strip() for strip in strips]
        assert any(re.fullmatch(r"▎ ⋯ reading, \d+ %", row) for row in said)
        assert all(row == "▎" or "reading" in row for row in said)
        await read_through(pilot)
        assert "reading" not in screen_text(app)
        number = int(re.findall(r"paragraph (\d+)", screen_text(app))[0])
        assert 2_000 < number < 4_000


async def test_a_match_in_what_was_not_read_yet_comes_into_view() -> None:
    session = MadeSession([started(), *message("a", "x " * 40_000 + long_text(6_000))])
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show(session.tape.length)
        app.view.search("paragraph 3000 ")
        while (state := app.view.search_state) is None or not state.complete:
            await pilot.pause()
        await read_through(pilot)
        assert "paragraph 3000 " in screen_text(app)


async def test_another_theme_keeps_the_place_in_a_long_text() -> None:
    app = ViewApp(MadeSession([started(), *message("a", long_text(1_500)), *many(5)]))
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.search("paragraph 700 ")
        await read_through(pilot)
        app.view.clear_search()
        for lines in (0, 1, -2, 7):
            app.view.scroll_lines(lines)
            await settle(pilot)
            before = screen_text(app)
            app.theme = "nord" if app.theme == "dusk" else "dusk"
            await settle(pilot)
            assert screen_text(app) == before


async def test_a_wrapped_match_is_highlighted_whole() -> None:
    text = "word " * 11 + "needle in a haystack"
    app = ViewApp(MadeSession([started(), *message("a", text)]))
    async with app.run_test(size=(64, 20)) as pilot:
        await show(pilot)
        state = app.view.search("needle in a haystack")
        assert state.count == 1
        await settle(pilot)
        style = app.view.stage.scene.palette.current
        painted = [
            segment.text + " "
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style is not None and segment.style.bgcolor == style.bgcolor
        ]
    assert "".join(painted).split() == ["needle", "in", "a", "haystack"]


async def test_folding_anew_stays_at_the_place() -> None:
    events = [started(), *many(30), said("nobody", "x"), *many(5, 30)]
    session = MadeSession(events)
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        await show(pilot)
        app.view.go_first()
        app.view.scroll_lines(7)
        before = await show(pilot)
        session.tape = type(session.tape)(events, keep_going=True)
        assert await show(pilot) == before
        app.view.go_last()
        await settle(pilot)
        assert "message number 34" in screen_text(app)
        assert "after a violation" in screen_text(app)


async def test_a_message_that_goes_on_after_a_violation_says_so() -> None:
    events = [started(), *message("a", "before")[:2], said("nobody", "x"), said("a", " after")]
    session = MadeSession(events)
    session.tape = type(session.tape)(events, keep_going=True)
    app = ViewApp(session)
    async with app.run_test(size=(60, 20)) as pilot:
        assert "after a violation" not in await show(pilot, 4)
        text = await show(pilot)
        assert "before after" in text
        assert "┊ goes on after a violation" in text


@pytest.mark.parametrize("theme", ["ansi-dark", "nord", "solarized-light"])
async def test_every_theme_can_be_chosen_at_any_moment(theme: str) -> None:
    app = ViewApp(MadeSession([started(), *many(30), finished()]), times="clock")
    async with app.run_test(size=(60, 20)) as pilot:
        before = await show(pilot)
        app.theme = theme
        await settle(pilot)
        assert screen_text(app) == before


async def test_a_rejection_opens_to_the_event_that_was_rejected() -> None:
    app = ViewApp(MadeSession([started(), said("nobody", "the lost words")]))
    async with app.run_test(size=(60, 20)) as pilot:
        assert "the lost words" not in await show(pilot)
        app.view.select(len(app.session.tape.transcript.entries) - 1)
        assert app.view.folding() == "open"
        assert app.view.toggle_fold()
        await settle(pilot)
        assert "the lost words" in screen_text(app)
        assert app.view.folding() == "fold"
        app.view.toggle_fold()
        await settle(pilot)
        assert "the lost words" not in screen_text(app)


async def test_what_a_snapshot_brought_late_says_so() -> None:
    listed = [
        {"id": "q", "role": "user", "content": "The question."},
        {"id": "a", "role": "assistant", "content": "The answer, restated."},
        {"id": "n", "role": "user", "content": "The next."},
    ]
    events = [started(), *message("a", "The answer.")]
    events += [{"type": "MESSAGES_SNAPSHOT", "messages": listed}]
    app = ViewApp(MadeSession(events))
    async with app.run_test(size=(60, 30)) as pilot:
        text = await show(pilot)
        assert "The answer, restated." in text
        labels = [line.strip("▎ ") for line in text.splitlines() if "❯" in line or "●" in line]
        assert labels == ["● assistant", "❯ user · brought late by a snapshot", "❯ user"]


async def test_what_is_opened_at_the_end_stays_where_it_is() -> None:
    lines = "\n".join(f"line {number}" for number in range(60))
    events = [started(), *many(20), *message("a", "Look."), *call("c", "find", "{}", "a")]
    app = ViewApp(MadeSession([*events, result("c", lines)]))
    async with app.run_test(size=(60, 24)) as pilot:
        before = (await show(pilot)).splitlines()
        row = next(y for y, line in enumerate(before) if "line 11" in line)
        app.view.select(21)
        app.view.toggle_fold()
        await settle(pilot)
        assert "line 11" in screen_text(app).splitlines()[row]
        assert not app.view.following
        app.view.toggle_fold()
        await settle(pilot)
        app.view.go_last()
        assert app.view.following
