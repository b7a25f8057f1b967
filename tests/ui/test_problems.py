"""Problems: what the list holds is what jumping reaches."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.ui.screen import opened, recording, replay, shown, until
from transcript_tui.ui.views.problemlist import ProblemList
from transcript_tui.ui.views.rowlist import RowList

Event = dict[str, Any]


def spoken(number: int, **more: Any) -> list[Event]:
    name = f"m{number}"
    return [
        {"type": "TEXT_MESSAGE_START", "messageId": name, "role": "assistant"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": f"number {number}", **more},
        {"type": "TEXT_MESSAGE_END", "messageId": name},
    ]


def run(number: int) -> Event:
    return {"type": "RUN_STARTED", "threadId": "t", "runId": f"r{number}"}


EVENTS: list[Event] = [
    run(1),
    *(event for number in range(12) for event in spoken(number)),
    *spoken(12, surplus=1, excess=2),
    *(event for number in range(13, 24) for event in spoken(number)),
    {"type": "RUN_ERROR", "message": "boom", "code": "E1"},
    run(2),
    *spoken(30, surplus=1),
    {"type": "NO_SUCH_KIND"},
    *(event for number in range(31, 40) for event in spoken(number)),
    {"type": "TEXT_MESSAGE_END", "messageId": "nobody"},
]


async def test_jumps_reach_what_the_list_holds_and_no_more(tmp_path: Path) -> None:
    session = replay(recording(tmp_path / "run.sse", EVENTS))
    async with opened(session, size=(100, 24)) as (app, pilot):
        listed = ProblemList(session)
        listed.go_to(session.tape.length)
        assert [each.found.rule for each in listed].count("failed") == 1
        numbers = [each.payload for each in listed]
        await pilot.press("g")
        seen: list[str] = []
        for at in range(len(listed)):
            await pilot.press("}")
            words = f"Problem {at + 1} of {len(listed)}: "
            await until(pilot, lambda words=words: words in shown(app))
            seen += [line.split(words)[1] for line in shown(app).splitlines() if words in line]
            assert app.main.view is not None
            assert app.main.view.selected is not None
        assert [each.partition(": ")[0] for each in seen] == [each.found.rule for each in listed]
        assert numbers == sorted(numbers, key=lambda number: number or 0)
        await pilot.press("}")
        await until(pilot, lambda: "There is no later problem" in shown(app))
        for at in reversed(range(len(listed) - 1)):
            await pilot.press("{")
            await until(pilot, lambda at=at: f"Problem {at + 1} of" in shown(app))
        await pilot.press("{")
        await until(pilot, lambda: "There is no earlier problem" in shown(app))


async def test_jumps_begin_where_one_stands_and_the_list_follows(tmp_path: Path) -> None:
    session = replay(recording(tmp_path / "run.sse", EVENTS))
    async with opened(session, size=(100, 40)) as (app, pilot):
        view = app.main.view
        assert view is not None
        await pilot.press("G", "{")
        await until(pilot, lambda: "Problem 5 of 5: not-open" in shown(app))
        view.jump_to(20)
        await pilot.press("{")
        await until(pilot, lambda: "number 12" in shown(app))
        await pilot.press("p", "}")
        await until(pilot, lambda: "failed: boom (E1)" in shown(app))
        rows = app.main.pane_order[-1].query_one(RowList)
        await until(pilot, lambda: rows.cursor == 2)
        assert "✗" in shown(app)


async def test_a_problem_that_the_filter_hides_is_told_all_the_same(tmp_path: Path) -> None:
    session = replay(recording(tmp_path / "run.sse", EVENTS))
    async with opened(session, size=(120, 40)) as (app, pilot):
        await pilot.press("f", *"role:user", "enter", "g", "}")
        await until(pilot, lambda: "Problem 1 of 5 (hidden by the filter, Esc" in shown(app))


async def test_the_names_of_rules_stand_in_a_column(tmp_path: Path) -> None:
    session = replay(recording(tmp_path / "run.sse", EVENTS))
    async with opened(session, size=(120, 40)) as (app, pilot):
        await pilot.press("p")
        await until(pilot, lambda: "1 violation, 1 failed run" in shown(app))
        lines = shown(app).splitlines()
        first = next(y for y, line in enumerate(lines) if "Problems" in line) + 1
        rules = [re.match(r"│. *[\d,]+  (\S+(?: ×\d)?) +", line) for line in lines[first:][:5]]
        assert all(rules)
        assert len({found.end() for found in rules if found}) == 1
