"""One message of a megabyte in the view: how long any step of it holds the event loop.

    python -m tests.benchmarks.huge

CPU milliseconds at 100 × 40: the most that one turn of the event loop spends (keys wait so long
at most), and what all of them spend, from an action until everything is laid out. Beside them what
a minimal app spends on one line, in the same run. The least of some tries.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.events import Resize
from textual.geometry import Size
from textual.pilot import Pilot
from textual.widgets import Static

from tests.benchmarks.layout import TEXTS
from tests.benchmarks.measuring import head, judge, say
from tests.benchmarks.screen import MARKDOWN, SIZE, MinimalApp
from tests.ui.transcript.harness import MadeSession, ViewApp, opened, said, settle, started
from transcript_tui.ui.layout import Mode

MEGABYTE: Final = 1_000_000
HELD: Final = 30.0
"""Milliseconds that one step may take."""
TRIES: Final = 3
QUIET: Final = 0.1
"""Seconds without work after which an action is over."""
WORK: Final = 0.0003
"""Seconds that a turn with work in it takes at least."""
KINDS: Final[dict[str, tuple[Mode, Callable[[int], str]]]] = {
    "many small blocks": ("markdown", lambda size: MARKDOWN * (size // len(MARKDOWN))),
    **TEXTS,
}
Spent = tuple[float, float]
"""The longest turn, and all of them."""


async def spent(act: Callable[[], object]) -> Spent:
    """What an action and all that follows it take, milliseconds of CPU."""
    gc.collect()
    longest = whole = 0.0
    before = time.process_time()
    act()
    last = time.perf_counter()
    while time.perf_counter() - last < QUIET:
        await asyncio.sleep(0)
        now = time.process_time()
        if now - before > WORK:
            longest, whole = max(longest, now - before), whole + now - before
            last = time.perf_counter()
        before = now
    return longest * 1000, whole * 1000


@asynccontextmanager
async def app_with(
    text: str, mode: Mode, *, following: bool
) -> AsyncIterator[tuple[ViewApp, Pilot[None]]]:
    """A view whose message is about to be shown."""
    session = MadeSession([started(), opened("a"), said("a", "begun\n\n")])
    app = ViewApp(session, markdown=mode == "markdown")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.view.following = following
        session.tape.add(said("a", text))
        yield app, pilot


async def costs_of(text: str, mode: Mode) -> dict[str, Spent]:
    costs: dict[str, Spent] = {}
    async with app_with(text, mode, following=False) as (app, _):
        costs["opened at its start"] = await spent(lambda: _show(app))
    async with app_with(text, mode, following=True) as (app, pilot):
        view = app.view
        costs["opened at its end"] = await spent(lambda: _show(app))
        costs["a page up"] = await spent(lambda: view.scroll_pages(-1))
        costs["the middle"] = await spent(lambda: _middle(app))
        costs["the end"] = await spent(view.go_last)
        costs["resized"] = await spent(lambda: _resize(pilot))
        costs["grown"] = await spent(lambda: _grow(app))
        costs["selected and copied"] = await spent(lambda: _copy(app))
        costs["another theme"] = await spent(lambda: _theme(app))
    return costs


def _show(app: ViewApp) -> None:
    app.view.show(app.session.tape.length)


def _middle(app: ViewApp) -> None:
    viewport = app.view.stage.viewport
    viewport.scroll_to(viewport.total // 2)
    app.view._arrive()


def _grow(app: ViewApp) -> None:
    app.session.tape.add(said("a", " and more"))
    _show(app)


def _resize(pilot: Pilot[None]) -> None:
    size = Size(SIZE[0] - 1, SIZE[1])
    driver = pilot.app._driver
    assert isinstance(driver, HeadlessDriver)
    driver._size = size
    pilot.app.post_message(Resize(size, size))


def _copy(app: ViewApp) -> None:
    pointer, view = app.view._pointer, app.view
    view.go_first()
    pointer.press(2, 0)
    view.go_last()
    pointer.drag(2, SIZE[1] - 1)
    pointer.release(SIZE[1] - 1)
    view.run_worker(view.selected_text())


def _theme(app: App[Any]) -> None:
    app.theme = "nord"


async def minimal() -> Spent:
    app = MinimalApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        line = app.query_one("#line", Static)
        return await spent(lambda: line.update("a token"))


async def report() -> None:
    floor = min([await minimal() for _ in range(TRIES)])
    head(f"One message of 1 MB, 100 × 40 (CPU; a minimal app's turn: {floor[0]:.1f} ms)")
    for kind, (mode, make) in KINDS.items():
        tries = [await costs_of(make(MEGABYTE), mode) for _ in range(TRIES)]
        say(kind, "longest turn")
        for name in tries[0]:
            longest, whole = map(min, zip(*(one[name] for one in tries), strict=True))
            judge(f"  {name} ({whole:.0f} ms in all)", longest, HELD, " ms")


def main() -> None:
    asyncio.run(report())


if __name__ == "__main__":
    main()
