"""Pictures of every kind of item in every state, at three widths, dark and light."""

from __future__ import annotations

from typing import Any

import pytest
from textual.pilot import Pilot

from tests.ui.transcript.gallery import GALLERIES
from tests.ui.transcript.harness import ViewApp, settle

HEIGHTS = {"speakers": 60, "tools": 62, "structure": 44, "endings": 48, "truncated": 14}


async def _ready(pilot: Pilot[None]) -> None:
    await settle(pilot)
    assert isinstance(pilot.app, ViewApp)
    pilot.app.view.go_first()
    await settle(pilot)


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light"])
@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("name", GALLERIES)
def test_items(snap_compare: Any, name: str, width: int, theme: str) -> None:
    app = ViewApp(GALLERIES[name](), tools="full", passthrough=True, times="offset")
    app.theme = theme
    assert snap_compare(app, terminal_size=(width, HEIGHTS[name]), run_before=_ready)


@pytest.mark.parametrize("name", ["speakers", "tools"])
def test_folded(snap_compare: Any, name: str) -> None:
    app = ViewApp(GALLERIES[name](), tools="folded", buffered=True, markdown=False)
    assert snap_compare(app, terminal_size=(80, 40), run_before=_ready)
