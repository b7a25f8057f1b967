"""When the terminal is told that a run is over."""

from __future__ import annotations

from dataclasses import replace

import pytest

from transcript_tui.ui.announcer import Announcer
from transcript_tui.ui.bars.facts import Facts
from transcript_tui.ui.options import ViewerOptions

RUNNING = Facts(label="a", connection="open", run="running", length=5, position=5)
OVER = replace(RUNNING, run="finished", length=9, position=9)


@pytest.mark.parametrize(
    ("before", "now", "rings"),
    [
        pytest.param(RUNNING, OVER, True, id="the connection stays open"),
        pytest.param(
            RUNNING, replace(OVER, live=False, connection="ended"), True, id="it ends with the run"
        ),
        pytest.param(RUNNING, replace(OVER, run="interrupted"), True, id="it asks"),
        pytest.param(OVER, replace(OVER, length=10, position=10), False, id="it was over before"),
        pytest.param(OVER, replace(RUNNING, length=10, position=10), False, id="the next began"),
        pytest.param(
            replace(RUNNING, run="running", length=20, position=20),
            replace(OVER, live=False, length=20),
            False,
            id="gone back to the end of a run",
        ),
        pytest.param(
            replace(RUNNING, live=False), replace(OVER, live=False), False, id="on the tape"
        ),
        pytest.param(
            replace(RUNNING, replay=True), replace(OVER, replay=True), False, id="of a log"
        ),
    ],
)
def test_a_run_that_ends_rings_and_notifies(before: Facts, now: Facts, rings: bool) -> None:
    wrote: list[str] = []
    rang: list[bool] = []
    options = ViewerOptions(bell=True, notify=True, title=False)
    Announcer(options, wrote.append, lambda: rang.append(True)).tell(before, now)
    assert bool(rang) == rings
    assert len(wrote) == rings
    assert all("\x1b]9;a: " in each for each in wrote)
