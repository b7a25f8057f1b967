"""Sums of the first numbers equal adding them up."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from transcript_tui.ui.prefixsums import PrefixSums
from transcript_tui.ui.views.transcript.heights import Heights

NUMBERS = st.lists(st.integers(0, 9), max_size=40)


@given(NUMBERS, st.data())
@settings(max_examples=examples(150))
def test_sums_whatever_is_put_and_taken_away(numbers: list[int], data: st.DataObject) -> None:
    made = PrefixSums(numbers)
    expected = list(numbers)
    for _ in range(data.draw(st.integers(0, 10))):
        match data.draw(st.sampled_from(["set", "append", "extend", "truncate", "replace"])):
            case "set" if expected:
                index = data.draw(st.integers(0, len(expected) - 1))
                expected[index] = data.draw(st.integers(0, 9))
                made.set(index, expected[index])
            case "append":
                expected.append(data.draw(st.integers(0, 9)))
                made.append(expected[-1])
            case "extend":
                more = data.draw(NUMBERS)
                expected += more
                made.extend(more)
            case "truncate":
                del expected[data.draw(st.integers(0, 40)) :]
                made.truncate(len(expected))
            case "replace":
                expected = data.draw(NUMBERS)
                made.replace(expected)
    assert [made[index] for index in range(len(made))] == expected
    assert [made.before(count) for count in range(len(expected) + 1)] == [
        sum(expected[:count]) for count in range(len(expected) + 1)
    ]


@given(NUMBERS)
def test_every_place_is_found_in_its_number(numbers: list[int]) -> None:
    made = PrefixSums(numbers)
    places = [(index, place) for index, number in enumerate(numbers) for place in range(number)]
    assert [made.at(place) for place in range(len(places))] == places
    assert made.at(len(places)) == (len(numbers), 0)


@given(NUMBERS)
def test_neighbours_skip_what_is_not_shown(heights: list[int]) -> None:
    index = Heights(heights)
    shown = [key for key, height in enumerate(heights) if height]
    for key in range(len(heights)):
        assert index.after(key) == next((one for one in shown if one > key), len(heights))
        assert index.previous(key) == next((one for one in reversed(shown) if one < key), -1)
