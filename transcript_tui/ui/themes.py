"""Themes: one TOML file each, shipped ones and the user's own.

A file has a table ``base`` and, as far as it wants, ``roles``, ``endings``, ``search``,
``code``, ``markdown``, ``syntax`` and ``json``; ``themes/dusk.toml`` shows them all. What a
user's theme leaves out comes from the shipped theme it ``extends`` (default: ``dusk`` where it
is dark, ``paper`` where it is light). A broken file is reported and never stops the viewer.

Nothing here knows Textual; :mod:`textualtheme` makes its themes from these values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from transcript_tui.config import DEFAULT_THEME
from transcript_tui.errors import SettingsError, UsageError
from transcript_tui.toml import line_of, parse_toml, read_text

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


@dataclass(frozen=True, slots=True)
class BrokenTheme:
    """A file of the user's that cannot be used; as text, a sentence with the place and what to
    do."""

    path: Path
    why: SettingsError

    def __str__(self) -> str:
        return self.why.in_full


def shipped_folder() -> Path:
    """Where the shipped files are: inside the package when installed, beside it in a checkout."""
    inside = Path(__file__).parent / "themes"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "themes"


def load_themes(
    user_folder: Path | None = None,
) -> tuple[dict[str, ThemeColors], list[BrokenTheme]]:
    """All themes by name, and the files of the user's that cannot be used."""
    themes: dict[str, ThemeColors] = {}
    for name in SHIPPED:
        path = shipped_folder() / f"{name}.toml"
        themes[name] = read_theme(path, {})
    shipped = dict(themes)
    broken = []
    for path in _user_files(user_folder):
        try:
            theme = read_theme(path, shipped)
        except SettingsError as error:
            broken.append(BrokenTheme(path, error))
        else:
            themes[theme.name] = theme
    return themes, broken


def check_theme(name: str, user_folder: Path | None) -> None:
    """Raises ``UsageError`` where no theme has this name: says which there are, or what is wrong
    with the file that would be it."""
    if name not in (DEFAULT_THEME, *SHIPPED):
        theme_named(name, user_folder)


def theme_named(name: str, user_folder: Path | None) -> ThemeColors:
    """The theme of this name; raises as :func:`check_theme` does."""
    themes, broken = load_themes(user_folder)
    if name in themes:
        return themes[name]
    own = [str(one) for one in broken if one.path.stem == name]
    hint = own[0] if own else f"There are {', '.join((DEFAULT_THEME, *themes))}."
    raise UsageError(f"There is no theme {name!r}.", hint)


def broken_in_short(broken: Sequence[BrokenTheme]) -> str:
    """One line for all files that cannot be used; nothing where there is none."""
    if not broken:
        return ""
    one = len(broken) == 1
    which = f"Theme {broken[0].path.name} is" if one else f"{len(broken)} theme files are"
    return f"{which} not usable: see `transcript-tui themes`"


def _user_files(folder: Path | None) -> Iterable[Path]:
    if folder is None:
        return []
    try:
        return sorted(path for path in folder.glob("*.toml") if path.is_file())
    except OSError:
        return []


@dataclass(frozen=True, slots=True)
class _File:
    """A theme's file, as it was read."""

    path: Path
    text: str
    document: Mapping[str, Any]

    def fault(self, name: str, should: str, hint: str = "") -> SettingsError:
        """What is wrong with ``name`` (``base.accent``), with its line."""
        table, _, key = name.rpartition(".")
        line = line_of(self.text, key, table)
        return SettingsError(f"{self.path}:{line}: `{name}` {should}.", hint)


def read_theme(path: Path, bases: Mapping[str, ThemeColors]) -> ThemeColors:
    """The theme in a file; raises :class:`SettingsError` with the place and what is wrong.

    ``bases`` are the themes it may extend; without any it must be complete by itself.
    """
    file = _open(path)
    name = file.document.get("name", path.stem)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise file.fault("name", "must be lower-case letters, digits and -")
    about = file.document.get("about", "")
    if not isinstance(about, str):
        raise file.fault("about", "must be a text")
    base = _base(file, bases)
    told = _colors(file)
    if base is not None:
        _refuse_unknown(file, base.colors)
    colors = {**(base.colors if base else {}), **told}
    dark = _flag(file, "dark", base.dark if base else True)
    ansi = _flag(file, "ansi", base.ansi if base else False)
    return ThemeColors(name, about, dark, ansi, colors)


def _open(path: Path) -> _File:
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise SettingsError(f"{path} is not there.") from None
    return _File(path, text, parse_toml(path, text))


def _base(file: _File, bases: Mapping[str, ThemeColors]) -> ThemeColors | None:
    if not bases:
        return None
    wanted = file.document.get("extends", "dusk" if file.document.get("dark", True) else "paper")
    if not isinstance(wanted, str) or wanted not in bases:
        raise file.fault("extends", f"must name one of {', '.join(bases)}")
    return bases[wanted]


def _refuse_unknown(file: _File, known: Mapping[str, str]) -> None:
    """A name that sets nothing is a slip, and would be looked for long on the screen."""
    unknown = [key for key in file.document if key not in KEYS and key not in SECTIONS]
    unknown += [
        f"{section}.{key}"
        for section, prefix in SECTIONS.items()
        for key in file.document.get(section, {})
        if prefix + key not in known
    ]
    if unknown:
        raise file.fault(unknown[0], "is nothing that can be set", _meant(unknown[0]))


def _meant(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [*KEYS, *_all_names()], 1, 0.7)
    if near:
        return f"Did you mean `{near[0]}`?"
    return f"{shipped_folder() / 'dusk.toml'} shows all that can."


def _all_names() -> Iterable[str]:
    """All that a file can set in its tables: ``roles.user``."""
    whole = _open(shipped_folder() / "dusk.toml").document
    return (f"{section}.{key}" for section in SECTIONS for key in whole.get(section, {}))


def _flag(file: _File, key: str, default: bool) -> bool:
    value = file.document.get(key, default)
    if not isinstance(value, bool):
        raise file.fault(key, "must be true or false")
    return value


def _colors(file: _File) -> dict[str, str]:
    colors: dict[str, str] = {}
    for section, prefix in SECTIONS.items():
        table = file.document.get(section, {})
        if not isinstance(table, dict):
            raise file.fault(section, "must be a table of colours")
        for key, value in table.items():
            if not isinstance(value, str) or not _COLOR.fullmatch(value):
                raise file.fault(f"{section}.{key}", "must be a colour such as #8fb0ff")
            colors[prefix + key] = value
    return colors
