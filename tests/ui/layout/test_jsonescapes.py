"""Letters that were spelled as escapes are read; what they mean to JSON stays as it is."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.ui.layout import readable, readable_json, spelled_length


def test_letters_stand_for_themselves() -> None:
    assert readable(json.dumps("Zürich 東京 👨‍👩‍👧 é")) == '"Zürich 東京 👨‍👩‍👧 é"'
    assert readable_json(' [\n "\\u00FC"]') == ' [\n "ü"]'
    assert readable_json("\\u00fc [") == "\\u00fc ["


def test_what_cannot_be_seen_stays_an_escape() -> None:
    for text in (
        r'"\u001b[31m"',
        r'"\u202e"',
        r'"\ud83d"',
        r'"\u0041\u0022"',
        r'"\\u00fc"',
        r'"\u00',
    ):
        assert readable(text) == text


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_it_stays_the_same_json(value: object) -> None:
    assert json.loads(readable(json.dumps(value))) == value


@given(st.lists(st.text("aü東😀\\\n"), min_size=1))
def test_how_far_it_is_spelled(value: list[str]) -> None:
    text = json.dumps(value)
    shown = readable(text)
    for end in range(len(shown) + 1):
        assert readable(text[: spelled_length(text, end)]) == shown[:end]
