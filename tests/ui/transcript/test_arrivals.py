"""What is counted below is what came or changed there, is an item, and was not passed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.ui.views.transcript.arrivals import Arrivals

STEPS = st.lists(
    st.tuples(st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20)), st.integers(-1, 30)),
    max_size=8,
)


@given(STEPS)
def test_it_counts_items_below(steps: list[tuple[set[int], set[int], int]]) -> None:
    arrivals = Arrivals()
    expected: set[int] = set()
    for size, (changed, hidden, edge) in enumerate(steps, 21):
        arrivals.take(changed, [size], {*range(21)}.difference(hidden).__contains__)
        expected = {*(expected - changed), *(changed - hidden), size}
        assert len(arrivals) == len(expected)
        arrivals.passed(edge)
        expected = {key for key in expected if key > edge}
        assert len(arrivals) == len(expected)
    arrivals.clear()
    assert len(arrivals) == 0
