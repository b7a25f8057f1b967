"""A call that is waited for comes, however busy the machine is."""

from __future__ import annotations

import asyncio
import time

import pytest
from textual import timer
from textual.app import App

from tests.ui.screen import PATIENCE
from transcript_tui.ui.timers import after


async def test_a_call_comes_though_its_time_was_over_before_it_was_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As when another thread takes the processor just then."""
    looked: set[object] = set()

    def held_up() -> float:
        task = asyncio.current_task()
        late = task in looked
        looked.add(task)
        return time.monotonic() + late

    came: list[str] = []
    ours = asyncio.Event()
    app = App[None]()
    async with app.run_test() as pilot:
        monkeypatch.setattr(timer._time, "get_time", held_up)
        app.set_timer(0.001, lambda: came.append("Textual's"))
        after(app, 0.001, ours.set)
        await asyncio.wait_for(ours.wait(), PATIENCE)
        await pilot.pause()
        assert not came, "Textual does not need our help any more"
