"""Nothing from outside gets through the gate that a terminal would obey, or that hides."""

from __future__ import annotations

import json
import re
import sys
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from transcript_tui.text import TAB, clean, escaped, inert, inline, label, marked, safe

NASTY = st.sampled_from(
    ["\x1b[2J", "\x1b]0;title\x07", "\x9b31m", "\x00", "\x7f", "\x85", "\r", "\n", "\t", "\u202e",
     "\u2066", "\u200e", "\u2028", "\u2029", "\u200b", "\ufeff", "\u00ad", "\u200d", "\u200c",
     "\ufe0f", "\ufe0e", "\ud800", "\udc00", "\U000e0041", "\U000e0100", "👩", "❤", "🏴", "م", "क",
     "\u094d", "a", " ", "\u3164", "\u180e", "\u061c"]
)  # fmt: skip
TEXT = st.one_of(
    st.text(st.characters(exclude_categories=())), st.lists(NASTY, max_size=12).map("".join)
)
JOINERS = {"\u200c", "\u200d"}


def harmless(char: str) -> bool:
    category = unicodedata.category(char)
    if category in ("Cc", "Cs", "Zl", "Zp"):
        return False
    bidirectional = unicodedata.bidirectional(char) in (
        "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
    )  # fmt: skip
    return not bidirectional


@given(TEXT)
def test_no_control_comes_out(text: str) -> None:
    assert all(harmless(char) for char in safe(text) if char != "\n")
    assert all(harmless(char) for char in label(text, 20))


@given(TEXT)
def test_nothing_invisible_comes_out(text: str) -> None:
    for char in safe(text):
        if unicodedata.category(char) == "Cf":
            assert (
                char in JOINERS
                or char in "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd"
                or (
                    ord(char) in (0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD)
                    or 0xE0020 <= ord(char) <= 0xE007F
                    or 0x13430 <= ord(char) <= 0x1345F
                )
            )


@given(TEXT)
def test_what_passed_passes_unchanged(text: str) -> None:
    assert safe(safe(text)) == safe(text)
    assert inert(inert(text)) == inert(text)
    assert escaped(escaped(text)) == escaped(text)
    assert label(label(text)) == label(text)


@given(TEXT, st.integers(1, 30))
def test_a_label_is_one_line_of_so_many_characters(text: str, limit: int) -> None:
    assert "\n" not in label(text, limit)
    assert len(label(text, limit)) <= limit


@given(TEXT)
def test_clean_text_is_what_the_gate_leaves_alone(text: str) -> None:
    if clean(text):
        assert safe(text) == marked(text) == inert(text) == escaped(text) == text


IGNORED = "".join(
    map(
        chr,
        (
            0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810),
            *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164,
            *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFF9),
            *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000),
        ),
    )
)  # fmt: skip
"""Unicode's ``Default_Ignorable_Code_Point``: drawn as nothing where nothing is made of them."""


def test_screen_and_files_agree_about_every_code_point() -> None:
    chars = [chr(code) for code in range(sys.maxunicode + 1) if chr(code) not in "\n\r\t"]
    came = "".join(f"a{char}b\n" for char in chars)
    ways = (way(came).split("\n") for way in (safe, inert, escaped))
    untouched, touched = [], []
    for char, line, *ones in zip(chars, came.split("\n"), *ways, strict=False):
        if [line] * 3 == ones:
            untouched.append(char)
        else:
            touched.append((char, line, *ones))
    assert not set(IGNORED).intersection(untouched)
    assert [hex(ord(char)) for char in untouched if not harmless(char)] == []
    for char, line, seen, written, told in touched:
        # A sign in each, or nothing in each; JSON has its own word for it.
        assert line not in (seen, written, told), hex(ord(char))
        assert (seen == "ab") == (written == "ab"), hex(ord(char))
        assert (seen + written + told).isprintable(), hex(ord(char))
        assert json.loads(f'"{told}"') == line


@given(TEXT)
@example("\x08\u200c\u2029").via("signs are pictographs, or none")
def test_files_hold_what_the_screen_shows(text: str) -> None:
    """Only the signs differ."""
    written = re.sub("⟨U\\+([0-9A-F]+)⟩", lambda found: safe(chr(int(found[1], 16))), inert(text))
    assert written.expandtabs(TAB) == safe(text)


@given(TEXT)
def test_json_keeps_its_value(text: str) -> None:
    written = json.dumps({text: [text]}, ensure_ascii=False, indent=1)
    again = json.loads(escaped(written))
    assert again == json.loads(json.dumps({text: [text]}))
    assert all(harmless(char) for char in escaped(written) if char != "\n")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a\x1b[31mred\x07\x7f", "a␛[31mred␇␡"),
        ("csi\x9b0m next\x85line", "csi⟨U+009B⟩0m next⟨U+0085⟩line"),
        ("user\u202egpj.exe", "user⟨U+202E⟩gpj.exe"),
        ("a\tb\r\nc\rd", "a\tb\nc\nd"),
        ("line\u2028sep\u2029", "line⟨U+2028⟩sep⟨U+2029⟩"),
        ("half \ud83d", "half \ufffd"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("hid\U000e0068\U000e0069den", "hid⟦hi⟧den"),
        ("\u3164", "⟨U+3164⟩"),
    ],
)
def test_written(text: str, written: str) -> None:
    assert inert(text) == written
    assert inline(f" {text}\n\t") == " ".join(written.split())


def test_json_is_escaped_where_the_screen_shows_signs() -> None:
    text = '"\x7f\x9b\u202e\u200b\U000e0041 👩\u200d👧 \u05e9"'
    assert escaped(text) == r'"\u007f\u009b\u202e\u200b\udb40\udc41 ' + '👩\u200d👧 \u05e9"'
    assert escaped('{\r\n "a": 1}') == '{\n "a": 1}'


def test_no_text_hides_in_the_variants_of_letters() -> None:
    """Sixteen selectors behind each letter would be half a byte each."""
    assert safe("a\ufe00b\ufe0fc\ufe01") == "abc"
    assert inert("a\ufe00b\ufe0fc\ufe01") == "abc"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mred", "a␛[31mred"),
        ("bell\x07", "bell␇"),
        ("del\x7f", "del␡"),
        ("csi\x9b0m next\x85line", "csi␛0m next␤line"),
        ("user\u202egpj.exe", "user⇐gpj.exe"),
        ("a\tb", "a   b"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("line\u2028sep\u2029", "line↵sep¶"),
        ("page\x0c\x0b", "page␌␋"),
        ("half \ud83d and whole \ud83d\ude00", "half \ufffd and whole 😀"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("hid\U000e0068\U000e0069den", "hid⟦hi⟧den"),
        ("\u3164", "␣"),
    ],
)
def test_shown(text: str, shown: str) -> None:
    assert safe(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "👩\u200d👩\u200d👧 family",
        "🏳️\u200d🌈",
        "❤️ and ☁︎",
        "می\u200cخواهم",
        "ශ්\u200dරී",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
        "葛\U000e0100",
        "1️⃣",
        "שלום עולם",
        "braille ⠀⠁⠂",
    ],
)
def test_writing_stays(text: str) -> None:
    assert safe(text) == inert(text) == escaped(text) == text


def test_a_label_is_not_cut_within_a_grapheme() -> None:
    assert label("ab👩\u200d👩\u200d👧cd", 5) == "ab…"
    assert label("e\u0301" * 10, 4) == "e\u0301…"


def test_a_huge_label_costs_little() -> None:
    assert label("x" * 10_000_000, 10) == "xxxxxxxxx…"
