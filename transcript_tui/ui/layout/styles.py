"""The styles that laid-out text is drawn with, read off a theme's variables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from rich.color import Color, ColorParseError
from rich.style import Style

from transcript_tui.ui.styles import secondary

SYNTAX: Final = (
    "keyword", "string", "number", "comment", "function", "type", "operator", "name", "literal",
)  # fmt: skip
"""Kinds of words in code that a theme colours."""
JSON: Final = ("key", "string", "number", "literal", "punctuation")


@dataclass(frozen=True, slots=True)
class DocumentStyles:
    """Styles by role. ``text`` is complete (colour and background); the rest is laid over it."""

    text: Style = field(default_factory=Style)
    muted: Style = field(default_factory=lambda: Style(dim=True))
    """Signs that are not part of the text: continuation marks, labels of code, "more"."""
    rule: Style = field(default_factory=lambda: Style(dim=True))
    heading: Style = field(default_factory=Style)
    strong: Style = field(default_factory=lambda: Style(bold=True))
    emphasis: Style = field(default_factory=lambda: Style(italic=True))
    strike: Style = field(default_factory=lambda: Style(strike=True))
    code: Style = field(default_factory=lambda: Style(bold=True))
    """Code within a line."""
    block: Style = field(default_factory=Style)
    """Code in a block of its own."""
    link: Style = field(default_factory=lambda: Style(underline=True))
    quote: Style = field(default_factory=lambda: Style(italic=True))
    marker: Style = field(default_factory=Style)
    """Bullets, numbers, boxes of lists."""
    table_rule: Style = field(default_factory=lambda: Style(dim=True))
    syntax: Mapping[str, Style] = field(default_factory=dict)
    """By the names in ``SYNTAX``."""
    json: Mapping[str, Style] = field(default_factory=dict)
    """By the names in ``JSON``."""

    @property
    def framed(self) -> bool:
        """Whether code needs a line at its side, as no background tells it from text."""
        ground = self.block.bgcolor
        return ground is None or ground.is_default or ground == self.text.bgcolor

    def heading_at(self, level: int) -> Style:
        """Levels differ without colour, too: underlined, bold, italic."""
        if level <= 1:
            return self.heading + Style(bold=True, underline=True)
        if level == 2:
            return self.heading + Style(bold=True)
        return self.heading + Style(bold=level == 3, italic=True)

    def plain(self) -> DocumentStyles:
        """The same without the colours of code, which cost more than all the rest."""
        return replace(self, syntax={})

    def on(self, text: Style) -> DocumentStyles:
        """The same roles over another style of plain text (dimmed reasoning, for example)."""
        return replace(self, text=text, heading=text, quote=text + Style(italic=True))

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> DocumentStyles:
        """From a theme's variables, names without ``$``; what is no colour counts as absent."""

        def ink(*names: str) -> Color | None:
            return _color(variables, *names)

        base = Style(color=ink("foreground"), bgcolor=ink("background"))
        grey = ink("dim", "text-muted")
        dim = secondary(grey) if grey is not None else None
        rule = Style(color=ink("rule")) if ink("rule") else dim
        faint = Style(dim=True)
        ground = ink("code-background", "surface")
        if ground is not None and ground.is_default:
            ground = None
        plain = ink("code-foreground")
        return cls(
            text=base,
            muted=dim or faint,
            rule=rule or faint,
            heading=Style(color=ink("heading", "primary")),
            code=Style(color=plain or ink("secondary"), bgcolor=ground, bold=ground is None),
            block=Style(color=plain, bgcolor=ground),
            link=Style(color=ink("link", "primary"), underline=True),
            quote=Style(color=ink("quote"), italic=True),
            marker=Style(color=ink("list-marker", "accent")),
            table_rule=Style(color=ink("table-rule", "rule")) if rule else faint,
            syntax=_inks(variables, "syntax-", SYNTAX),
            json=_inks(variables, "json-", JSON),
        )


def _color(variables: Mapping[str, str], *names: str) -> Color | None:
    for name in names:
        value = variables.get(name, "")
        if value.startswith(("#", "ansi_")):
            try:
                return Color.parse(value.removeprefix("ansi_"))
            except ColorParseError:
                continue
    return None


def _inks(variables: Mapping[str, str], prefix: str, names: tuple[str, ...]) -> dict[str, Style]:
    styles = {}
    for name in names:
        color = _color(variables, prefix + name)
        if color is not None:
            styles[name] = Style(color=color, italic=True if name == "comment" else None)
    return styles
