"""Themes: one TOML file each, shipped ones and the user's own.

A file has a table ``base`` and, as far as it wants, ``roles``, ``endings``, ``search``,
``code``, ``markdown``, ``syntax`` and ``json``; ``themes/dusk.toml`` shows them all. What a
user's theme leaves out comes from the shipped theme it ``extends`` (default: ``dusk`` where it
is dark, ``paper`` where it is light). A broken file is reported and never stops the viewer.

Nothing here knows Textual; :mod:`transcript_tui.ui.colors` makes its themes from these values.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from transcript_tui.errors import SettingsError

SHIPPED: Final = ("dusk", "ember", "paper", "daylight", "contrast", "terminal")
"""Names of the themes that come with the program, a file each, in the order of the picker."""

SECTIONS: Final[Mapping[str, str]] = {
    "base": "",
    "roles": "role-",
    "endings": "ending-",
    "search": "search-",
    "code": "code-",
    "markdown": "",
    "syntax": "syntax-",
    "json": "json-",
}
"""Table in the file → what is put before its keys to name the variable."""

KEYS: Final = ("name", "about", "dark", "ansi", "extends")
"""What a file may say besides its tables."""

_COLOR: Final = re.compile(
    r"#[0-9a-fA-F]{6}"
    r"|ansi_(default|(bright_)?(black|red|green|yellow|blue|magenta|cyan|white))"
)
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


@dataclass(frozen=True, slots=True)
class ThemeColors:
    """One theme, complete."""

    name: str
    about: str
    """What it is like, in a few words; may be empty."""
    dark: bool
    ansi: bool
    """Made of the terminal's own colours."""
    colors: Mapping[str, str]
    """Variable name (``role-user``) → ``#rrggbb`` or ``ansi_…``."""


def shipped_folder() -> Path:
    """Where the shipped files are: inside the package when installed, beside it in a checkout."""
    inside = Path(__file__).parent / "themes"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "themes"


def load_themes(user_folder: Path | None = None) -> tuple[dict[str, ThemeColors], list[str]]:
    """All themes by name, and a sentence for each file of the user's that cannot be used."""
    themes: dict[str, ThemeColors] = {}
    for name in SHIPPED:
        path = shipped_folder() / f"{name}.toml"
        themes[name] = read_theme(path, {})
    shipped = dict(themes)
    complaints = []
    for path in _user_files(user_folder):
        try:
            theme = read_theme(path, shipped)
        except SettingsError as error:
            complaints.append(str(error))
        else:
            themes[theme.name] = theme
    return themes, complaints


def _user_files(folder: Path | None) -> Iterable[Path]:
    if folder is None:
        return []
    try:
        return sorted(path for path in folder.glob("*.toml") if path.is_file())
    except OSError:
        return []


def read_theme(path: Path, bases: Mapping[str, ThemeColors]) -> ThemeColors:
    """The theme in a file; raises :class:`SettingsError` with the file and what is wrong.

    ``bases`` are the themes it may extend; without any it must be complete by itself.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"Theme {path.name} cannot be read: {error}") from error
    name = document.get("name", path.stem)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SettingsError(f"Theme {path.name}: `name` must be lower-case letters, digits and -")
    about = document.get("about", "")
    if not isinstance(about, str):
        raise SettingsError(f"Theme {path.name}: `about` must be a text")
    base = _base(path, document, bases)
    told = _colors(path, document)
    if base is not None:
        _refuse_unknown(path, document, base.colors)
    colors = {**(base.colors if base else {}), **told}
    dark = _flag(path, document, "dark", base.dark if base else True)
    ansi = _flag(path, document, "ansi", base.ansi if base else False)
    return ThemeColors(name, about, dark, ansi, colors)


def _base(
    path: Path, document: Mapping[str, Any], bases: Mapping[str, ThemeColors]
) -> ThemeColors | None:
    if not bases:
        return None
    wanted = document.get("extends", "dusk" if document.get("dark", True) else "paper")
    if not isinstance(wanted, str) or wanted not in bases:
        raise SettingsError(
            f"Theme {path.name}: `extends` must name one of {', '.join(sorted(bases))}"
        )
    return bases[wanted]


def _refuse_unknown(path: Path, document: Mapping[str, Any], known: Mapping[str, str]) -> None:
    """A name that sets nothing is a slip, and would be looked for long on the screen."""
    unknown = [key for key in document if key not in KEYS and key not in SECTIONS]
    unknown += [
        f"{section}.{key}"
        for section, prefix in SECTIONS.items()
        for key in document.get(section, {})
        if prefix + key not in known
    ]
    if unknown:
        raise SettingsError(
            f"Theme {path.name}: `{unknown[0]}` is nothing that can be set; "
            "themes/dusk.toml shows all that can"
        )


def _flag(path: Path, document: Mapping[str, Any], key: str, default: bool) -> bool:
    value = document.get(key, default)
    if not isinstance(value, bool):
        raise SettingsError(f"Theme {path.name}: `{key}` must be true or false")
    return value


def _colors(path: Path, document: Mapping[str, Any]) -> dict[str, str]:
    colors: dict[str, str] = {}
    for section, prefix in SECTIONS.items():
        table = document.get(section, {})
        if not isinstance(table, dict):
            raise SettingsError(f"Theme {path.name}: `{section}` must be a table of colours")
        for key, value in table.items():
            if not isinstance(value, str) or not _COLOR.fullmatch(value):
                raise SettingsError(
                    f"Theme {path.name}: `{section}.{key}` must be a colour such as #8fb0ff"
                )
            colors[prefix + key] = value
    return colors
