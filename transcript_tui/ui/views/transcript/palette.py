"""The view's styles, read off the theme's variables; defaults where a theme lacks one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from rich.color import Color as RichColor
from rich.style import Style
from textual.color import Color, ColorParseError

from transcript_tui.ui.styles import secondary

Speaker = Literal[
    "user", "assistant", "system", "developer", "tool", "reasoning", "activity", "subagent"
]

SIGNS: Final[Mapping[Speaker, str]] = {
    "user": "❯",
    "assistant": "●",
    "system": "■",
    "developer": "◆",
    "tool": "↩",
    "reasoning": "∴",
    "activity": "◫",
    "subagent": "↳",
}
"""What tells speakers apart where there is no colour; one cell each."""

_DEFAULTS: Final[Mapping[str, str]] = {
    "foreground": "#d8dee9",
    "background": "#11151c",
    "surface": "#1a2029",
    "panel": "#232b36",
    "success": "#8fbf7f",
    "warning": "#e0b25c",
    "error": "#e57373",
    "accent": "#c099e8",
    "primary": "#7fb0e8",
    "role-user": "#7fb0e8",
    "role-assistant": "#8fcf9f",
    "role-system": "#c0a080",
    "role-developer": "#d0a0d0",
    "role-tool": "#e0b25c",
    "role-reasoning": "#9aa4b5",
    "role-activity": "#6fc7c7",
    "role-subagent": "#c099e8",
    "selection-background": "#2d3a4d",
    "selection-foreground": "#eef1ff",
    "search-match-background": "#6b5a1e",
    "search-match-foreground": "#ffffff",
    "search-current-background": "#e0b25c",
    "search-current-foreground": "#000000",
}


@dataclass(frozen=True, slots=True)
class Palette:
    """Rich styles, each complete with the background, so that cells need no blending."""

    base: Style
    dim: Style
    """Secondary text."""
    rule: Style
    """Lines, not text."""
    strong: Style
    success: Style
    warning: Style
    danger: Style
    accent: Style
    selected: Style
    """Laid over the label of the selected item."""
    selected_lines: Style | None
    """The same over lines that are drawn, so that they stay calm; ``None``: no other."""
    marked: Style
    """Laid over text selected with the mouse."""
    match: Style
    current: Style
    """The match that search stands on."""
    speakers: Mapping[Speaker, Style] = field(default_factory=dict)
    endings: Mapping[str, Style] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict, repr=False)
    """What it was read from."""

    @classmethod
    def read(cls, variables: Mapping[str, str], *, colors: bool = True) -> Palette:
        """From a theme's variables, without ``$``; a value that is no colour counts as absent.

        Without ``colors`` (``NO_COLOR``) what lies over text is told by attributes.
        """
        look = _Look(variables)
        base = Style(color=look("foreground"), bgcolor=look("background"))
        ink = {name: base + Style(color=look(name)) for name in ("success", "warning", "error")}
        accent = base + Style(color=look("accent"))
        return cls(
            base=base,
            dim=base + look.dim(),
            rule=base + look.rule(),
            strong=base + Style(bold=True),
            success=ink["success"],
            warning=ink["warning"],
            danger=ink["error"],
            accent=accent,
            selected=look.pair("selection") if colors else Style(bold=True),
            selected_lines=look.pair("selection") + look.dim() if colors else None,
            marked=look.pair("selection") if colors else Style(reverse=True),
            match=look.pair("search-match") if colors else Style(underline=True),
            current=(look.pair("search-current") if colors else Style(reverse=True))
            + Style(bold=True),
            speakers={name: base + Style(color=look(f"role-{name}"), bold=True) for name in SIGNS},
            endings=_endings(look, base, accent),
            variables=dict(variables),
        )


def _endings(look: _Look, base: Style, accent: Style) -> dict[str, Style]:
    """By how a run ended; a theme that lacks one has its nearest relative."""
    asks = look.find("ending-interrupted")
    return {
        "finished": base + Style(color=look.find("ending-finished", "success")),
        "interrupted": base + Style(color=asks) if asks else accent,
        "cancelled": base + Style(color=look.find("ending-cancelled", "foreground")),
        "failed": base + Style(color=look.find("ending-failed", "error"), bold=True),
        "truncated": base + Style(color=look.find("ending-truncated", "warning")),
        "rejected": base + Style(color=look.find("ending-rejected", "error"), bold=True),
    }


class _Look:
    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def find(self, *names: str) -> RichColor | None:
        for name in names:
            value = self._variables.get(name, "")
            if value and not value.startswith("auto"):
                try:
                    return Color.parse(value).rich_color
                except ColorParseError:
                    continue
        return None

    def __call__(self, name: str) -> RichColor:
        return self.find(name) or Color.parse(_DEFAULTS.get(name, "#808080")).rich_color

    def pair(self, name: str) -> Style:
        return Style(color=self(f"{name}-foreground"), bgcolor=self(f"{name}-background"))

    def dim(self) -> Style:
        found = self.find("dim")
        return Style(color=self._between(0.35)) if found is None else secondary(found)

    def rule(self) -> Style:
        found = self.find("rule")
        return Style(color=found) if found else Style(color=self._between(0.65))

    def _between(self, share: float) -> RichColor:
        """The foreground, faded into the background by ``share``; itself where it is ANSI."""
        ink, paper = self("foreground"), self("background")
        if ink.triplet is None or paper.triplet is None:
            return ink
        return Color.from_rich_color(ink).blend(Color.from_rich_color(paper), share, 1).rich_color
