"""The index of heights equals adding heights up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from transcript_tui.ui.views.transcript.heights import Heights

HEIGHTS = st.lists(st.integers(0, 9), max_size=40)


@given(HEIGHTS, st.data())
@settings(max_examples=examples(150))
def test_prefix_sums_whatever_is_appended_and_set(heights: list[int], data: st.DataObject) -> None:
    index = Heights(heights[: len(heights) // 2])
    for height in heights[len(heights) // 2 :]:
        index.append(height)
    expected = list(heights)
    for _ in range(data.draw(st.integers(0, 10)) if expected else 0):
        key = data.draw(st.integers(0, len(expected) - 1))
        expected[key] = data.draw(st.integers(0, 9))
        index.set(key, expected[key])
    assert [index[key] for key in range(len(index))] == expected
    assert [index.before(key) for key in range(len(expected) + 1)] == [
        sum(expected[:key]) for key in range(len(expected) + 1)
    ]


@given(HEIGHTS)
def test_every_line_is_found_in_its_entry(heights: list[int]) -> None:
    index = Heights(heights)
    lines = [(key, line) for key, height in enumerate(heights) for line in range(height)]
    assert [index.at(number) for number in range(len(lines))] == lines
    assert index.at(len(lines)) == (len(heights), 0)


@given(HEIGHTS)
def test_neighbours_skip_what_is_not_shown(heights: list[int]) -> None:
    index = Heights(heights)
    shown = [key for key, height in enumerate(heights) if height]
    for key in range(len(heights)):
        assert index.after(key) == next((one for one in shown if one > key), len(heights))
        assert index.previous(key) == next((one for one in reversed(shown) if one < key), -1)
