"""Themes: whole, readable, and broken ones harm nobody."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from transcript_tui.ui.textualtheme import textual_theme
from transcript_tui.ui.themes import SECTIONS, SHIPPED, load_themes, shipped_folder

BACKGROUNDS = ("background", "surface", "panel", "code-background", "selection-background")
TEXTS = (
    "foreground",
    "dim",
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "heading",
    "link",
    "quote",
    "list-marker",
    "code-foreground",
    "selection-foreground",
)
PREFIXES = ("role-", "ending-", "syntax-", "json-")


def luminance(color: str) -> float:
    parts = [int(color[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


COLOURED = [name for name in SHIPPED if not load_themes()[0][name].ansi]
"""Where the terminal chooses the colours there is nothing to measure."""


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", COLOURED)
def test_text_can_be_read(name: str) -> None:
    theme = load_themes()[0][name]
    colors = theme.colors
    wanted = 7.0 if name == "contrast" else 4.5
    texts = [key for key in colors if key in TEXTS or key.startswith(PREFIXES)]
    pairs = [(text, back) for text in texts for back in BACKGROUNDS]
    pairs += [
        (f"search-{hit}-foreground", f"search-{hit}-background") for hit in ("match", "current")
    ]
    poor = [
        (text, back, round(contrast(colors[text], colors[back]), 2))
        for text, back in pairs
        if contrast(colors[text], colors[back]) < wanted
    ]
    assert poor == []


@pytest.mark.parametrize("name", COLOURED)
def test_textuals_own_widgets_can_be_read(name: str) -> None:
    """What Textual derives itself must not fall below our own measure."""
    theme = load_themes()[0][name]
    made = textual_theme(theme).to_color_system().generate()
    for text, back in (
        ("text", "surface"),
        ("text-muted", "panel"),
        ("block-cursor-foreground", "block-cursor-background"),
        ("footer-key-foreground", "footer-background"),
        ("footer-description-foreground", "footer-background"),
        ("input-selection-foreground", "input-selection-background"),
        ("screen-selection-foreground", "screen-selection-background"),
    ):
        assert contrast(made[text], made[back]) >= 4.5, (text, back)


def test_every_theme_has_every_color() -> None:
    themes, complaints = load_themes()
    assert complaints == []
    assert list(themes) == list(SHIPPED)
    names = {name: set(theme.colors) for name, theme in themes.items()}
    assert all(found == names["dusk"] for found in names.values()), names


def test_the_kinds_of_themes() -> None:
    themes = load_themes()[0].values()
    colored = [theme for theme in themes if not theme.ansi and theme.name != "contrast"]
    assert sum(theme.dark for theme in colored) >= 2
    assert sum(not theme.dark for theme in colored) >= 2
    assert any(theme.ansi for theme in themes)


def test_the_registry_names_every_file() -> None:
    assert {path.stem for path in shipped_folder().glob("*.toml")} == set(SHIPPED)
    for name in SHIPPED:
        document = tomllib.loads((shipped_folder() / f"{name}.toml").read_text(encoding="utf-8"))
        assert document["name"] == name
        assert set(document) - {"name", "about", "dark", "ansi"} == set(SECTIONS)


def test_a_users_theme_extends_a_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\ndark = false\n[roles]\nuser = "#112233"\n', encoding="utf-8"
    )
    themes, complaints = load_themes(tmp_path)
    assert complaints == []
    assert themes["mine"].colors["role-user"] == "#112233"
    assert themes["mine"].colors["background"] == themes["paper"].colors["background"]
    assert not themes["mine"].dark


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("name = ", "broken.toml:1"),
        ('name = "No Good"', "lower-case"),
        ('name = "x"\nextends = "nothing"', "extends"),
        ('[base]\nacent = "#ffffff"', "base.acent"),
        ("[colors]", "colors"),
        ('author = "me"', "author"),
        ('name = "x"\ndark = "yes"', "dark"),
        ('name = "x"\nabout = 3', "about"),
        ('name = "x"\n[roles]\nuser = "blue-ish"', "roles.user"),
        ('name = "x"\nroles = 3', "table"),
        ('name = "x"\n[roles]\nuser = "ansi_nonsense"', "roles.user"),
    ],
)
def test_a_broken_theme_is_reported(tmp_path: Path, content: str, word: str) -> None:
    (tmp_path / "broken.toml").write_text(content, encoding="utf-8")
    themes, complaints = load_themes(tmp_path)
    assert list(themes) == list(SHIPPED)
    assert len(complaints) == 1
    assert "broken.toml" in str(complaints[0])
    assert word in str(complaints[0])


def test_bytes_that_are_no_text_are_reported(tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_bytes(b"\xff\xfe\x00")
    assert len(load_themes(tmp_path)[1]) == 1


def test_no_folder_is_no_theme(tmp_path: Path) -> None:
    assert load_themes(tmp_path / "nowhere")[1] == []
