"""Text of a pane, selected with the mouse."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from textual.events import MouseMove
from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from tests.ui.screen import RUN, opened, recording, replay, shown, until
from transcript_tui.text import safe
from transcript_tui.ui.views.lines import Fact, Lines, wrap
from transcript_tui.ui.views.rows import Cells

LONG = "The booking service did not answer within thirty seconds, and it was asked three times."


def laid_out(lines: list[Cells], width: int) -> Lines:
    made = Lines()
    made._width = width
    for line in lines:
        made._take(line)
    return made


@given(st.lists(st.text(max_size=60).map(safe).map(lambda text: text.replace("\n", " "))),
       st.integers(12, 60))  # fmt: skip
def test_wrapped_lines_are_copied_whole(texts: list[str], width: int) -> None:
    """Blanks at which they were broken apart."""
    lines: list[Cells] = [[(text, "")] for text in texts]
    copied = laid_out(lines, width).get_selection(SELECT_ALL)
    assert copied is not None
    assert "".join(copied[0].split()) == "".join("".join(texts).split())
    whole = [line for line in lines if len(wrap(line, width)) > 0]
    assert len(copied[0].rstrip("\n").split("\n")) <= max(1, len(whole))


def test_a_fact_is_copied_in_one_line() -> None:
    lines: list[Cells] = [Fact([("message      ", "dim"), (LONG, "foreground")]), [("end", "")]]
    made = laid_out(lines, 40)
    assert made.get_selection(SELECT_ALL) == (f"message      {LONG}\nend", "\n")
    part = Selection(Offset(17, 0), Offset(24, 1))
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
