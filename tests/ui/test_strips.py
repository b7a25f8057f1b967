"""Lines on their way to the terminal."""

from __future__ import annotations

import pytest
from rich.console import Console
from rich.segment import Segment
from rich.style import Style

from transcript_tui.ui.widgets.strips import Line

CONSOLE = Console(color_system="truecolor", force_terminal=True)


@pytest.mark.parametrize("text", ["plain", "größer │ ● 日本語", "→ „quoted“ ❯"])
def test_what_all_terminals_agree_on_is_written_as_it_is(text: str) -> None:
    assert Line([Segment(text)]).render(CONSOLE) == text


@pytest.mark.parametrize("text", ["❤️ heart", "👍🏽", "क्षत्रिय", "e\u0301", "1️⃣"])
def test_what_they_disagree_on_moves_nothing_beside_it(text: str) -> None:
    """Blanked first, then written without the blanks at its end; the cursor stands behind the
    line by its own length, whatever the terminal made of it."""
    ground = Style(bgcolor="red")
    line = Line([Segment(text), Segment("   ", ground)])
    blank = Line([Segment(" " * line.cell_length, ground)]).render(CONSOLE)
    assert line.render(CONSOLE) == f"\x1b7{blank}\x1b8{text}\x1b8\x1b[{line.cell_length}C"
