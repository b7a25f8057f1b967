"""What is drawn no longer goes at once, and a full look for garbage waits for a still screen."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterator

import pytest

from tests.ui.transcript.harness import MadeSession, ViewApp, message, settle, started
from transcript_tui.ui import garbage
from transcript_tui.ui.garbage import Garbage
from transcript_tui.ui.layout.painter import Painter
from transcript_tui.ui.widgets.strips import Line


@pytest.fixture(autouse=True)
def collector() -> Iterator[None]:
    """The collector as it was."""
    before = gc.get_threshold()
    yield
    gc.enable()
    gc.set_debug(0)
    gc.garbage.clear()
    gc.set_threshold(*before)


async def test_drawing_makes_no_circles() -> None:
    texts = (message(f"m{number}", f"some **text** {number}\n\n- one") for number in range(200))
    session = MadeSession([started(), *(event for one in texts for event in one)])
    app = ViewApp(session)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        gc.collect()
        gc.disable()
        for position in (100, 30, 400, 220, 10):
            app.view.show(position)
            await settle(pilot)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        assert not [one for one in gc.garbage if isinstance(one, Line | Painter)]


async def test_full_passes_wait_until_nothing_is_painted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "STILL", 0.01)
    monkeypatch.setattr(garbage, "DUE", 0)
    passes: list[int] = []
    done = asyncio.Event()

    def collected(generation: int = 2) -> int:
        passes.append(generation)
        done.set()
        return 0

    monkeypatch.setattr(gc, "collect", collected)
    keeping = Garbage()
    keeping.painted()
    keeping.painted()
    assert not passes
    await asyncio.wait_for(done.wait(), 10)
    assert passes == [2]


async def test_nothing_is_looked_for_where_little_was_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(garbage, "STILL", 0.0)
    monkeypatch.setattr(garbage, "DUE", 10**6)
    monkeypatch.setattr(gc, "collect", lambda: pytest.fail("nothing is due"))
    keeping = Garbage()
    keeping.painted()
    while keeping.waiting:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)
