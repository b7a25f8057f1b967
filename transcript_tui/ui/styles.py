"""Styles by the name of a theme variable, for widgets that draw their own lines."""

from __future__ import annotations

from collections.abc import Mapping

from rich.color import Color, ColorParseError
from rich.style import Style


def color(value: str) -> Color:
    """A theme's colour for Rich: ``#8fb0ff`` or ``ansi_bright_blue``."""
    try:
        return Color.parse(value.removeprefix("ansi_"))
    except ColorParseError:
        return Color.default()


def secondary(ink: Color) -> Style:
    """Secondary text in a theme's ``dim``.

    The terminal's own colour has no lighter shade that is sure to be readable; an attribute has.
    """
    return Style(color=ink, dim=ink.is_default or None)


class Styles:
    """Styles of one theme, made when first asked for.

    A name is ``foreground``, ``foreground/background`` (variables of the theme), each with
    ``bold``, ``italic``, ``underline``, ``reverse`` or ``strike`` behind it: ``error bold``.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._made: dict[str, Style] = {}

    def __getitem__(self, name: str) -> Style:
        style = self._made.get(name)
        if style is None:
            style = self._made[name] = self._make(name)
        return style

    def _make(self, name: str) -> Style:
        colors, *attributes = name.split(" ")
        foreground, _, background = colors.partition("/")
        style = Style(
            color=self._color(foreground),
            bgcolor=self._color(background),
            **dict.fromkeys(attributes, True),  # type: ignore[arg-type]  # words above
        )
        ink = style.color
        return style + secondary(ink) if foreground == "dim" and ink is not None else style

    def _color(self, variable: str) -> Color | None:
        value = self._variables.get(variable) if variable else None
        return color(value) if value and value.startswith(("#", "ansi_")) else None
