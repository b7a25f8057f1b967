"""Textual's themes, made of ours."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

from transcript_tui.ui.themes import ThemeColors

_OWN = (
    "primary",
    "secondary",
    "warning",
    "error",
    "success",
    "accent",
    "foreground",
    "background",
    "surface",
    "panel",
)
"""Colours that Textual has a field for; the others travel as variables."""


def textual_theme(theme: ThemeColors) -> Theme:
    """The theme as Textual takes it; every colour is a variable of its stylesheets too."""
    colors = theme.colors
    own = {name: colors[name] for name in _OWN}
    return Theme(
        name=theme.name,
        dark=theme.dark,
        ansi=theme.ansi,
        boost=colors["panel"],
        variables={**_widgets(colors, theme.ansi), **colors},
        **own,  # type: ignore[arg-type]  # ``dark`` and ``ansi`` are not among these
    )


def _widgets(colors: Mapping[str, str], ansi: bool) -> dict[str, str]:
    """Colours of Textual's own widgets, so that they too keep their contrast."""
    return {
        "ansi-background": colors["background"],
        "ansi-foreground": colors["foreground"],
        "text": colors["foreground"],
        "text-muted": colors["dim"],
        "text-disabled": colors["dim"],
        "block-cursor-foreground": colors["selection-foreground"],
        "block-cursor-background": colors["selection-background"],
        "block-cursor-text-style": "bold",
        "block-cursor-blurred-foreground": colors["foreground"],
        "block-cursor-blurred-background": colors["panel"],
        "block-hover-background": colors["panel"],
        "border": colors["primary"],
        "border-blurred": colors["rule"],
        "footer-background": colors["panel"],
        "footer-foreground": colors["foreground"],
        "footer-key-foreground": colors["accent"],
        "footer-description-foreground": colors["dim"],
        "input-cursor-background": colors["foreground"],
        "input-cursor-foreground": "ansi_black" if ansi else colors["background"],
        "input-cursor-text-style": "reverse" if ansi else "none",
        "input-selection-background": colors["selection-background"],
        "input-selection-foreground": colors["selection-foreground"],
        "screen-selection-background": colors["selection-background"],
        "screen-selection-foreground": colors["selection-foreground"],
        "link-color": colors["link"],
        "link-color-hover": colors["link"],
        "link-background-hover": colors["panel"],
        "scrollbar": colors["rule"],
        "scrollbar-hover": colors["dim"] if not ansi else colors["primary"],
        "scrollbar-active": colors["primary"],
        "scrollbar-background": colors["background"],
        "scrollbar-background-hover": colors["background"],
        "scrollbar-background-active": colors["background"],
        "scrollbar-corner-color": colors["background"],
    }
