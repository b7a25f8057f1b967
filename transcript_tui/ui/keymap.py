"""Which key does what, once the settings have had their say. Nothing here knows Textual.

Keys have two spellings: *written* ones (``?``, ``ctrl+u``, ``comma``) in the table and the
settings, and *names* (``question_mark``) that Textual gives to what is pressed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from transcript_tui.ui.actions import ACTIONS, BY_ID, ActionRow

_SHOWN: Final = {
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "home": "Home",
    "end": "End",
    "enter": "Enter",
    "escape": "Esc",
    "space": "Space",
    "tab": "Tab",
    "comma": ",",
    "backspace": "Backspace",
    "delete": "Del",
    "insert": "Ins",
}
_NAMES: Final = {
    " ": "space",
    "/": "slash",
    "\\": "backslash",
    "_": "underscore",
    "-": "minus",
    "+": "plus",
}
"""Where Textual's name of a character is not its Unicode name."""
_MODIFIERS: Final = ("ctrl", "shift", "alt", "meta", "super", "hyper")
_WRITTEN: Final = {shown.lower(): name for name, shown in _SHOWN.items() if len(shown) > 1}
"""Names as the help shows them, which people copy: ``esc``, ``pgup``."""
_FUNCTION_KEYS: Final = frozenset(f"f{number}" for number in range(1, 25))
_PRESSED: Final = frozenset([*_SHOWN, *_FUNCTION_KEYS])
"""Keys with a name that is no character's."""


def key_name(written: str) -> str:
    """Textual's name of a key as somebody wrote it: ``?`` → ``question_mark``."""
    *modifiers, key = written.split("+") if len(written) > 1 else [written]
    if not key:
        key, modifiers = "+", [part for part in modifiers if part]
    if len(key) == 1 and not key.isalnum():
        key = _NAMES.get(key) or unicodedata.name(key, key).lower().replace("-", "_").replace(
            " ", "_"
        )
    return "+".join([*modifiers, key])


def key_shown(written: str) -> str:
    """A key as it is shown to people: ``ctrl+u`` → ``Ctrl+U``."""
    *modifiers, key = written.split("+") if len(written) > 1 else [written]
    capital = key in _FUNCTION_KEYS or (modifiers and len(key) == 1)
    shown = _SHOWN.get(key, key.upper() if capital else key)
    return "+".join([*(part.capitalize() for part in modifiers), shown])


@dataclass(frozen=True, slots=True)
class Complaint:
    """What is wrong with the keys that were set for an action."""

    action: str
    text: str


@dataclass(frozen=True, slots=True)
class Keymap:
    """Every action's keys, as written."""

    keys: Mapping[str, tuple[str, ...]]
    """``""`` holds the place of a key that a numbered action lost."""
    complaints: tuple[Complaint, ...] = field(default=())
    """What was wrong with the settings."""

    @property
    def in_short(self) -> str:
        """One line for all that was wrong; nothing where all is well."""
        if len(self.complaints) < 2:
            return "".join(f"Keys: {one.text}" for one in self.complaints)
        return f"{len(self.complaints)} keys are set in vain: see `transcript-tui config show`"

    def shown(self, action: str, limit: int = 2) -> str:
        """An action's keys for people: ``g Home``."""
        row = BY_ID[action]
        keys = [key for key in self.keys[action] if key]
        if row.numbered and len(keys) > 2:
            return f"{key_shown(keys[0])}–{key_shown(keys[-1])}"
        return " ".join(key_shown(key) for key in keys[:limit])

    def named(self, *actions: str) -> str:
        """The keys of some actions, for a sentence: ``j and k``; empty where none has a key."""
        return " and ".join(filter(None, (self.shown(one, 1) for one in actions)))

    def way_to(self, action: str) -> str:
        """How to do it, for a sentence: its key, or where the palette has it: ``Ctrl+P Export``;
        empty where there is no way."""
        row, palette = BY_ID[action], self.named("palette")
        return self.named(action) or (
            f"{palette} {row.label}" if row.in_palette and palette else ""
        )


def keymap(overrides: Mapping[str, str]) -> Keymap:
    """The table's keys with the user's in place of them.

    An unknown action, a key given twice or an unusable one is a complaint; the rest holds.
    A key that the user gives to one action is taken from the one that had it.
    """
    complaints: list[Complaint] = []
    chosen: dict[str, tuple[str, ...]] = {}
    for action, written in overrides.items():
        row = BY_ID.get(action)
        if row is None:
            complaints.append(Complaint(action, f"there is no action {action!r}.{_meant(action)}"))
            continue
        wanted = tuple(_split(written))
        unknown = next((key for key in wanted if not _can_be_pressed(key)), None)
        if unknown is not None:
            complaints.append(Complaint(action, f"there is no key {unknown!r}."))
            continue
        if row.numbered and len(wanted) != len(row.keys):
            complaints.append(Complaint(action, f"{action} needs {len(row.keys)} keys."))
            continue
        chosen[action] = wanted
    complaints += _doubles(chosen)
    taken = {key_name(key) for keys in chosen.values() for key in keys}
    keys = {row.id: chosen[row.id] if row.id in chosen else _left(row, taken) for row in ACTIONS}
    return Keymap(keys, tuple(complaints))


def _meant(action: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(action, BY_ID, 1)
    return f" Did you mean {near[0]}?" if near else " `transcript-tui config keys` lists them."


def _split(written: str) -> Iterable[str]:
    """The keys in a setting; a comma alone is the key, between others it parts them."""
    if written.strip() == ",":
        return ["comma"]
    return [_as_in_the_table(part) for part in map(str.strip, written.split(",")) if part]


def _as_in_the_table(written: str) -> str:
    """``Ctrl+Q`` and ``PgUp``, as people copy them from the help, in the table's spelling."""
    if len(written) == 1:
        return written
    *modifiers, key = written.split("+")
    if not key:  # the key is the plus itself
        *modifiers, key = [*(part for part in modifiers if part), "+"]
    key = _WRITTEN.get(key.lower(), key.lower() if len(key) > 1 or modifiers else key)
    return "+".join([*map(str.lower, modifiers), key])


def _can_be_pressed(written: str) -> bool:
    *modifiers, key = key_name(written).split("+")
    if not all(one in _MODIFIERS for one in modifiers):
        return False
    return len(key) == 1 or len(written) == 1 or key in _PRESSED or key in _character_names()


@cache
def _character_names() -> frozenset[str]:
    return frozenset(key_name(chr(code)) for code in range(32, 127))


def _doubles(chosen: Mapping[str, tuple[str, ...]]) -> list[Complaint]:
    owners: dict[str, str] = {}
    complaints = []
    for action, keys in chosen.items():
        for key in keys:
            owner = owners.setdefault(key_name(key), action)
            if owner != action:
                both = f"{key_shown(key)} is given to {owner} and to {action}."
                complaints.append(Complaint(action, both))
    return complaints


def _left(row: ActionRow, taken: set[str]) -> tuple[str, ...]:
    """What is left of a row's own keys; a numbered row keeps its places."""
    return tuple(
        "" if key_name(key) in taken else key
        for key in row.keys
        if row.numbered or key_name(key) not in taken
    )
