"""Colours for a terminal that has 256: the nearest of them.

Rich's own rule goes by saturation, and takes the dark greys of a theme that have a tint for
a full navy or maroon.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache
from typing import Final

from rich.color import Color, ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as TextualColor
from textual.filter import LineFilter

_LEVELS: Final = (0, 95, 135, 175, 215, 255)
"""Of each channel in the cube of 6 × 6 × 6 colours, which begins at number 16."""
_GREYS: Final = tuple(range(8, 239, 10))
"""They begin at number 232."""

RGB = tuple[int, int, int]


class EightBit(LineFilter):
    """Paints with the 256 colours only."""

    def apply(self, segments: list[Segment], background: TextualColor) -> list[Segment]:
        return [
            Segment(text, None if style is None else _mapped(style), control)
            for text, style, control in segments
        ]


@lru_cache(4096)
def _mapped(style: Style) -> Style:
    return style + Style(color=_taken(style.color), bgcolor=_taken(style.bgcolor))


def _taken(color: Color | None) -> Color | None:
    if color is None or color.type is not ColorType.TRUECOLOR or color.triplet is None:
        return color
    red, green, blue = color.triplet
    return Color.from_ansi(nearest((red, green, blue)))


def nearest(color: RGB) -> int:
    """The number, 16 to 255, of the colour that is nearest to ``color``."""
    red, green, blue = (_closest(_LEVELS, channel) for channel in color)
    grey = _closest(_GREYS, sum(color) // 3)
    cube = _LEVELS[red], _LEVELS[green], _LEVELS[blue]
    if _distance(color, (_GREYS[grey],) * 3) < _distance(color, cube):
        return 232 + grey
    return 16 + 36 * red + 6 * green + blue


def _closest(levels: tuple[int, ...], value: int) -> int:
    index = bisect_left(levels, value)
    near = [one for one in (index - 1, index) if 0 <= one < len(levels)]
    return min(near, key=lambda one: abs(levels[one] - value))


def _distance(one: RGB, other: RGB) -> int:
    """As the eye has it, roughly: green counts most, blue least."""
    red, green, blue = (a - b for a, b in zip(one, other, strict=True))
    return 3 * red * red + 4 * green * green + 2 * blue * blue
