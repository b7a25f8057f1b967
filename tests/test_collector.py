"""Garbage is looked for when nobody waits, and not where all lives on; drawing makes little."""

from __future__ import annotations

import ast
import asyncio
import gc
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.ui.transcript.harness import MadeSession, ViewApp, message, settle, started
from transcript_tui import collector
from transcript_tui.ui.layout.painter import Painter
from transcript_tui.ui.widgets.strips import Line


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """The collector as it was."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.enable()
    gc.set_debug(0)
    gc.garbage.clear()
    gc.set_threshold(*before)


def test_a_start_is_not_looked_through_neither_then_nor_later() -> None:
    collector.starting()
    assert not collector.looking()
    made = [[number] for number in range(1_000)]
    collector.started()
    assert collector.looking()
    assert gc.get_freeze_count() > len(made)
    assert not is_looked_through(made[0])


@pytest.mark.parametrize("fails", [False, True])
def test_undisturbed_ends_whatever_happens(fails: bool) -> None:
    with suppress(ZeroDivisionError), collector.undisturbed():
        assert not collector.looking()
        if fails:
            raise ZeroDivisionError
    assert collector.looking()


def test_what_arrived_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "SPARED", 100)
    arrived = collector.Arrived()
    first = [0]
    for length in range(0, 100, 10):
        arrived.grown(length)
    assert is_looked_through(first)
    arrived.grown(100)
    assert not is_looked_through(first)
    second = [0]
    arrived.grown(199)
    assert is_looked_through(second)
    arrived.grown(200)
    assert not is_looked_through(second)


def is_looked_through(made: object) -> bool:
    return any(one is made for one in gc.get_objects())


def test_nobody_else_steers_it() -> None:
    package = Path(collector.__file__).parent
    steering = [
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if (isinstance(node, ast.Import) and any(one.name == "gc" for one in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "gc")
    ]
    assert steering == ["collector.py"]


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
    monkeypatch.setattr(collector, "STILL", 0.01)
    monkeypatch.setattr(collector, "DUE", 0)
    passes: list[int] = []
    done = asyncio.Event()

    def collected(generation: int = 2) -> int:
        passes.append(generation)
        done.set()
        return 0

    monkeypatch.setattr(gc, "collect", collected)
    keeping = collector.Shown()
    keeping.painted()
    keeping.painted()
    assert not passes
    await asyncio.wait_for(done.wait(), 10)
    assert passes == [2]


async def test_nothing_is_looked_for_where_little_was_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(collector, "STILL", 0.0)
    monkeypatch.setattr(collector, "DUE", 10**6)
    monkeypatch.setattr(gc, "collect", lambda: pytest.fail("nothing is due"))
    keeping = collector.Shown()
    keeping.painted()
    while keeping.waiting:  # noqa: ASYNC110 - nobody tells
        await asyncio.sleep(0)
