"""The timeline's axis: ticks that can be told apart, whatever the log's length."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.ui.views.lanes import ticks


@given(st.floats(0.001, 10**6), st.integers(10, 300))
def test_ticks_stand_apart_and_within(total: float, width: int) -> None:
    columns = [column for column, _ in ticks(total, width)]
    assert columns[0] == 0
    assert columns[-1] < width
    assert all(after - before >= 9 for before, after in pairwise(columns))
    assert len({label for _, label in ticks(total, width)}) == len(columns)


@pytest.mark.parametrize(
    ("total", "labels"),
    [
        (0.31, ["0", "50 ms", "100 ms", "150 ms", "200 ms", "250 ms", "300 ms"]),
        (40.0, ["0", "5 s", "10 s", "15 s", "20 s", "25 s", "30 s", "35 s", "40 s"]),
        (150.0, ["0", "30 s", "1:00", "1:30", "2:00", "2:30"]),
        (20_000.0, ["0", "1:00:00", "2:00:00", "3:00:00", "4:00:00", "5:00:00"]),
    ],
)
def test_ticks_are_round(total: float, labels: list[str]) -> None:
    assert [label for _, label in ticks(total, 90)] == labels


def test_without_time_there_are_none() -> None:
    assert ticks(0.0, 80) == []
    assert ticks(5.0, 0) == []
