"""What is read never moves, and what is in view is what the heights say."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from transcript_tui.ui.views.transcript.heights import Heights
from transcript_tui.ui.views.transcript.viewport import Placed, Viewport


@dataclass
class World:
    """Entries with true heights; the index begins with guesses."""

    true: list[int]
    guesses: list[int]
    rows: int
    measured: set[int] = field(default_factory=set)

    def viewport(self) -> Viewport:
        viewport = Viewport(Heights(self.guesses), self.measure)
        viewport.rows = self.rows
        return viewport

    def measure(self, key: int) -> int:
        self.measured.add(key)
        return self.true[key]

    def lines(self) -> list[tuple[int, int]]:
        return [(key, line) for key, height in enumerate(self.true) for line in range(height)]


def seen(placed: list[Placed], rows: int) -> list[tuple[int, int]]:
    return [
        (one.key, line) for one in placed for line in range(one.height) if 0 <= one.y + line < rows
    ]


@st.composite
def worlds(draw: st.DrawFn) -> World:
    true = draw(st.lists(st.integers(1, 7), min_size=1, max_size=30))
    guesses = draw(st.lists(st.integers(1, 9), min_size=len(true), max_size=len(true)))
    return World(true, guesses, draw(st.integers(1, 20)))


@given(worlds())
def test_the_end_is_at_the_bottom(world: World) -> None:
    placed = world.viewport().place_end()
    assert seen(placed, world.rows) == world.lines()[-world.rows :]


@given(worlds())
def test_at_the_end_only_what_is_in_view_is_measured(world: World) -> None:
    """Each measuring may lay out a text: what grows just out of sight costs nothing."""
    placed = world.viewport().place_end()
    if world.rows <= len(world.lines()):
        assert world.measured == {one.key for one in placed}


@given(worlds(), st.lists(st.integers(-12, 12), max_size=8))
@settings(max_examples=examples(200))
def test_scrolling_moves_by_exactly_that_many_lines(world: World, steps: list[int]) -> None:
    viewport = world.viewport()
    lines = world.lines()
    viewport.place_end()
    top = max(0, len(lines) - world.rows)
    for step in steps:
        viewport.scroll(step)
        placed = viewport.place()
        top = max(0, min(top + step, len(lines) - world.rows))
        assert seen(placed, world.rows) == lines[top : top + world.rows]
        assert viewport.at_end == (top + world.rows >= len(lines))


@given(worlds(), st.data())
@settings(max_examples=examples(200))
def test_growth_elsewhere_never_moves_what_is_read(world: World, data: st.DataObject) -> None:
    viewport = world.viewport()
    viewport.place_end()
    viewport.scroll(-data.draw(st.integers(1, 30)))
    before = seen(viewport.place(), world.rows)
    if viewport.at_end:
        return
    above = data.draw(st.integers(0, max(0, before[0][0] - 1)))
    if above < before[0][0]:
        world.true[above] += data.draw(st.integers(1, 5))
        viewport.heights.set(above, world.true[above])
    world.true.append(3)
    viewport.heights.append(9)
    assert seen(viewport.place(), world.rows) == before


def test_only_what_is_in_view_is_measured() -> None:
    world = World([3] * 10_000, [5] * 10_000, 40)
    viewport = world.viewport()
    viewport.place_end()
    viewport.scroll_to(viewport.total // 2)
    viewport.place()
    assert len(world.measured) < 60


def test_what_is_gone_gives_way_to_the_next() -> None:
    world = World([2, 2, 2, 2, 2], [2] * 5, 3)
    viewport = world.viewport()
    viewport.anchor(2)
    viewport.place()
    world.true[2] = 0
    viewport.heights.set(2, 0)
    assert viewport.place()[0].key == 3


def test_nothing_at_all() -> None:
    world = World([0, 0], [0, 0], 5)
    viewport = world.viewport()
    assert viewport.place() == viewport.place_end() == []
