"""The nearest of 256 colours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as TextualColor

from transcript_tui.ui.eightbit import EightBit, nearest

CHANNEL = st.integers(0, 255)


def rgb(number: int) -> tuple[int, int, int]:
    return tuple(Color.from_ansi(number).get_truecolor())


def distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    weights = zip((3, 4, 2), one, other, strict=True)
    return sum(weight * (a - b) ** 2 for weight, a, b in weights)


@pytest.mark.parametrize("number", range(16, 256))
def test_a_colour_that_there_is_stays(number: int) -> None:
    assert rgb(nearest(rgb(number))) == rgb(number)


@given(st.tuples(CHANNEL, CHANNEL, CHANNEL))
def test_none_of_the_others_is_much_nearer(color: tuple[int, int, int]) -> None:
    best = min(distance(color, rgb(number)) for number in range(16, 256))
    assert distance(color, rgb(nearest(color))) <= best * 1.5 + 200


def test_a_dark_grey_with_a_tint_is_no_navy() -> None:
    assert nearest((31, 34, 51)) == 235


def test_only_colours_change() -> None:
    style = Style.parse("bold #1f2233 on #ffffff")
    plain = Style.parse("italic red")
    segments = [Segment("a", style), Segment("b", plain), Segment("c")]
    first, second, third = EightBit().apply(segments, TextualColor(0, 0, 0))
    assert first.style is not None
    assert first.style.color is not None
    assert (first.style.bold, first.style.color.type) == (True, ColorType.EIGHT_BIT)
    assert (second, third) == (segments[1], segments[2])
