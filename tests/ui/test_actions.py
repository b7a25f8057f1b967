"""The table of actions: whole, without clashes, and each row has its method."""

from __future__ import annotations

from collections import Counter

import pytest

from transcript_tui.ui.actions import ACTIONS, BY_ID, GROUPS, ActionRow
from transcript_tui.ui.keymap import key_name, key_shown, keymap
from transcript_tui.ui.screens.help import told_in_help
from transcript_tui.ui.screens.main import MainScreen


def test_no_key_is_given_twice() -> None:
    keys = Counter(key_name(key) for row in ACTIONS for key in row.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_ids_are_unique_and_groups_known() -> None:
    assert len({row.id for row in ACTIONS}) == len(ACTIONS)
    assert {row.group for row in ACTIONS} == set(GROUPS)


@pytest.mark.parametrize("row", ACTIONS, ids=lambda row: row.id)
def test_every_row_has_its_method(row) -> None:
    assert callable(getattr(MainScreen, f"action_{row.id}", None))


def test_every_key_of_the_product_is_there(shared) -> None:
    """``keys.md`` names a key in backquotes, at the start of each row of its table."""
    import re

    named = {"PgUp": "pageup", "PgDn": "pagedown", "Esc": "escape", "↑": "up", "↓": "down"}
    have = {key_name(key) for row in ACTIONS for key in row.keys}
    missing = []
    for line in (shared / "keys.md").read_text(encoding="utf-8").splitlines():
        cells = line.split("|")
        if len(cells) < 4 or not cells[1].strip().startswith("`"):
            continue
        for written in re.findall(r"`([^`]+)`", cells[1]):
            name = key_name(named.get(written, written if len(written) == 1 else written.lower()))
            if name not in have:
                missing.append(written)
    assert missing == []


def test_every_row_says_what_it_does() -> None:
    assert all(row.text and row.label for row in ACTIONS)


def test_the_help_tells_every_key() -> None:
    """In the default table, and where both of a pair or one of it have no key."""
    for keys in (keymap({}), keymap({"scroll_up": "", "scroll_down": "J", "page_up": ""})):
        told = "\n".join(
            f"{shown} {text}" for group in GROUPS for shown, text in told_in_help(keys, group)
        )
        for row in ACTIONS:
            shown = keys.shown(row.id, 1)
            assert shown in told
            assert row.pair in told if row.pair else row.text in told or _second(row)


def test_what_has_no_key_is_told_with_the_way_to_it() -> None:
    def told(**keys: str) -> list[tuple[str, str]]:
        return [row for row in told_in_help(keymap(keys), "Taking along") if "a file" in row[1]]

    text = BY_ID["export"].text
    assert told() == [("–", f"{text} (Ctrl+P Export)")]
    assert told(palette="") == [("–", text)]
    assert told(export="X") == [("X", text)]


def test_no_way_is_told_that_is_none() -> None:
    told = dict(told_in_help(keymap({"quit": "q,escape", "palette": ""}), "Program"))
    assert not any("(" in text for text in told.values() if "endpoint" not in text)
    assert keymap({"quit": "escape"}).way_to("back") == ""


def _second(row: ActionRow) -> bool:
    """Whether the row before tells of this one, too."""
    return ACTIONS[ACTIONS.index(row) - 1].pair != ""


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("?", "question_mark"),
        ("/", "slash"),
        (":", "colon"),
        (".", "full_stop"),
        ("comma", "comma"),
        (",", "comma"),
        ("<", "less_than_sign"),
        (">", "greater_than_sign"),
        ("[", "left_square_bracket"),
        ("{", "left_curly_bracket"),
        ("+", "plus"),
        ("-", "minus"),
        ("ctrl+u", "ctrl+u"),
        ("G", "G"),
        ("0", "0"),
        ("space", "space"),
    ],
)
def test_names_of_keys_are_textuals(written: str, name: str) -> None:
    from textual.keys import _character_to_key

    assert key_name(written) == name
    if len(written) == 1:
        assert _character_to_key(written) == name


def test_keys_as_shown() -> None:
    assert key_shown("ctrl+u") == "Ctrl+U"
    assert key_shown("f1") == "F1"
    assert key_shown("shift+f12") == "Shift+F12"
    assert key_shown("f") == "f"
    assert key_shown("pageup") == "PgUp"
    assert key_shown("comma") == ","
    assert key_shown("G") == "G"


def test_a_key_given_away_is_taken_from_its_owner() -> None:
    keys = keymap({"buffered": "e, ctrl+b"})
    assert keys.keys["buffered"] == ("e", "ctrl+b")
    assert keys.keys["events"] == ()
    assert not keys.complaints


def test_broken_settings_are_complaints_and_the_rest_holds() -> None:
    keys = keymap({"nonsense": "a", "buffered": "B", "markdown": "B", "tenth": "1,2"})
    assert keys.keys["buffered"] == ("B",)
    assert len(keys.complaints) == 3
    assert keys.keys["tenth"] == tuple("0123456789")


@pytest.mark.parametrize(
    ("written", "keys"),
    [
        ("Ctrl+Q", ("ctrl+q",)),
        ("PgUp, Esc", ("pageup", "escape")),
        ("Q,F5", ("Q", "f5")),
        ("ctrl++", ("ctrl++",)),
        ("question_mark", ("question_mark",)),
        ("ctrl+_, ä, ↑", ("ctrl+_", "ä", "↑")),
    ],
)
def test_keys_may_be_written_as_the_help_shows_them(written: str, keys: tuple[str, ...]) -> None:
    made = keymap({"quit": written})
    assert made.keys["quit"] == keys
    assert not made.complaints


@pytest.mark.parametrize("written", ["ctlr+q", "escpae", "q,ctrl+nothing", "F99", "strg+q"])
def test_a_key_that_is_none_leaves_the_action_its_own(written: str) -> None:
    made = keymap({"quit": written})
    assert made.keys["quit"] == ("q",)
    assert "there is no key" in made.complaints[0].text


def test_every_key_of_the_table_can_be_set() -> None:
    for row in ACTIONS:
        made = keymap({row.id: ",".join(row.keys)})
        assert made.keys[row.id] == row.keys
        assert not made.complaints


def test_a_comma_can_be_a_key() -> None:
    assert keymap({"play": ","}).keys["play"] == ("comma",)
    assert keymap({"play": ","}).keys["previous_event"] == ()


def test_a_numbered_action_keeps_its_places() -> None:
    keys = keymap({"buffered": "3"})
    assert keys.keys["tenth"][3] == ""
    assert keys.keys["tenth"][4] == "4"
