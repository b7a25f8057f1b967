"""Text of a pane, selected with the mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.style import Style
from textual.events import MouseMove
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from tests.ui.screen import RUN, opened, recording, replay, shown, until
from transcript_tui.text import label, safe
from transcript_tui.ui.styles import Styles
from transcript_tui.ui.views.lines import Fact, Lines, Row, rows_of
from transcript_tui.ui.views.styledcells import Cells, strip_of

LONG = "The booking service did not answer within thirty seconds, and it was asked three times."


def laid_out(lines: list[Cells], width: int) -> Lines:
    made = Lines()
    made._width = width
    for line in lines:
        made._rows += rows_of(line, width)
    return made


@given(st.lists(st.text(max_size=60).map(safe).map(lambda text: text.replace("\n", " "))),
       st.integers(12, 60))  # fmt: skip
@example(["", " "], 12)
def test_wrapped_lines_are_copied_whole(texts: list[str], width: int) -> None:
    """With the blanks at which they were broken apart."""
    copied = laid_out([[(text, "")] for text in texts], width).get_selection(SELECT_ALL)
    assert copied is not None
    assert copied[0] == "\n".join(text.rstrip(" ") for text in texts).rstrip("\n")


@given(st.text(max_size=300).map(label), st.integers(4, 40), st.integers(10, 60))
def test_a_long_line_is_wrapped_bit_by_bit_as_at_once(text: str, width: int, step: int) -> None:
    line = Fact([("name ", "dim"), (text, "foreground")])
    at_once = [(told(row), row.joint, row.indent) for row in rows_of(line, width)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.ui.views.lines.STEP", step)
        assert [(told(row), row.joint, row.indent) for row in rows_of(line, width)] == at_once


CLUSTERS = st.sampled_from(
    ["🇩🇪", "🇨🇭", "👩\u200d👩\u200d👧", "👍🏽", "❤️", "e\u0301", "한", "日", "a", "b", " ", "नि"]
)


@given(st.lists(st.lists(CLUSTERS, max_size=20), min_size=1, max_size=3), st.integers(4, 30),
       st.booleans())  # fmt: skip
def test_no_grapheme_is_cut_in_half(texts: list[list[str]], width: int, fact: bool) -> None:
    """Not by the end of a row, and not where a line of a list has no more room."""
    written: Cells = [("".join(text), "") for text in texts]
    line = Fact(written) if fact else written
    ends, at = {0}, 0
    for cluster in [cluster for text in texts for cluster in text]:
        at += len(cluster)
        ends.add(at)
    at = 0
    for row in rows_of(line, width):
        at += len(row.joint or "")
        assert at in ends
        at += len(told(row)) - row.indent
        assert at in ends
    assert at >= len("".join(map("".join, texts)).rstrip(" "))
    strip = strip_of(line, Styles({}), width, Style())
    assert strip.cell_length == width
    shortened = strip.text.rstrip(" ").removesuffix("…")
    assert len(shortened) in ends


def told(row: Row) -> str:
    return "".join([text for text, _ in row.cells])


def test_a_fact_is_copied_in_one_line() -> None:
    lines: list[Cells] = [Fact([("message      ", "dim"), (LONG, "foreground")]), [("end", "")]]
    made = laid_out(lines, 40)
    assert made.get_selection(SELECT_ALL) == (f"message      {LONG}\nend", "\n")
    part = Selection(Offset(17, 0), Offset(19, 1))
    assert made.get_selection(part) == ("booking service did not answer", "\n")


async def test_text_of_the_inspector_is_copied(tmp_path: Path) -> None:
    failed = {"type": "RUN_ERROR", "message": LONG}
    run = recording(tmp_path / "run.sse", [*RUN[:-1], failed])
    async with opened(replay(run), size=(120, 30)) as (app, pilot):
        await pilot.press("k", "i")
        await until(
            pilot, lambda: "The booking service did not" in shown(app).split("Inspector")[1]
        )
        lines = shown(app).splitlines()
        y = next(y for y, line in enumerate(lines) if "│ message " in line)
        x = lines[y].index("The booking")
        await pilot.mouse_down(offset=(x, y))
        await pilot._post_mouse_events([MouseMove], offset=(x + 20, y + 3), button=1)
        await pilot.mouse_up(offset=(x + 20, y + 3))
        keys = " Ctrl+C Copy text  Esc Close"
        await until(pilot, lambda: shown(app).splitlines()[-1].startswith(keys))
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "Copied the selection" in shown(app))
        assert app.clipboard.startswith(LONG)
        # Selected in the transcript, it is no longer selected here; and the other way round.
        assert app.main.view is not None
        await pilot.click(app.main.view, offset=(7, 3), times=2)
        await until(pilot, lambda: not app.screen.selections)
        assert await app.main.view.selected_text() == "weather"
        await pilot.mouse_down(offset=(x, y))
        await pilot._post_mouse_events([MouseMove], offset=(x + 20, y), button=1)
        await pilot.mouse_up(offset=(x + 20, y))
        await until(pilot, lambda: not app.main.view.text_is_selected)  # type: ignore[union-attr]  # it is there
        await pilot.press("escape")
        await until(pilot, lambda: "Inspector" not in shown(app))
        assert not app.screen.selections
