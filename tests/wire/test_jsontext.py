"""JSON as ``JSON.parse`` takes it, and text of it again."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.wire import jsontext
from transcript_tui.wire.jsontext import (
    MAX_DEPTH,
    MAX_DIGITS,
    NotJson,
    dumps,
    is_json,
    is_object,
    parse,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b' \t\r\n{"a": 1}\n', {"a": 1}),
        (b'{"a":1,"a":2}', {"a": 2}),
        (b"-0", 0),
        (b"1.0", 1.0),
        (b"1e999", math.inf),
        (b"-1e999", -math.inf),
        (b"123456789012345678901234567890", 123456789012345678901234567890),
        (b'"\\ud83d"', "\ud83d"),
        (b'"\\ud83d\\ude00"', "😀"),
        (b'"\\ude00\\ud83d"', "\ude00\ud83d"),
        (b'"\xff"', "\ufffd"),
        (b'"\xe2\x82"', "\ufffd"),
        (b'"\x7f\xc2\x80"', "\x7f\x80"),
        (b'"\xe2\x80\xa8"', "\u2028"),
        (b'{"\\ud800": 1}', {"\ud800": 1}),
    ],
)
def test_legal_texts(text: bytes, value: Any) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"NaN",
        b"[Infinity]",
        b"-Infinity",
        b"01",
        b"1.",
        b".5",
        b"+1",
        b"[1,]",
        b"{'a':1}",
        b'"a\nb"',
        b'"\x00"',
        b'"\\x"',
        b"\xef\xbb\xbf{}",
        b"\x0b{}",
        b"\xc2\xa0{}",
        b"{} {}",
        b"undefined",
        b'{"a"}',
        b"tru",
        b'"',
        b'"\\u12"',
    ],
)
def test_illegal_texts(text: bytes) -> None:
    with pytest.raises(NotJson):
        parse(text)
    assert not is_object(text)


def test_integers_are_exact_at_any_length_up_to_a_documented_one() -> None:
    digits = b"7" * 5000
    assert parse(b"[-" + digits + b"]")[0] % 10**6 == -777777 % 10**6
    assert parse(digits).bit_length() > 16_000
    with pytest.raises(NotJson, match=f"^an integer of {MAX_DIGITS + 1} digits, more than"):
        parse(b"1" * (MAX_DIGITS + 1))


def test_long_integers_have_an_end_together() -> None:
    half = b"1" * (MAX_DIGITS // 2)
    assert len(parse(b"[%b,-%b]" % (half, half))) == 2
    with pytest.raises(NotJson, match=f"^long integers of, together, {MAX_DIGITS + 4301} digits"):
        parse(b"[%b,-%b,%b]" % (half, half, b"1" * 4301))
    # Each payload has its own.
    assert parse(half) == parse(half)
    assert len(parse(b"[%b]" % b",".join([b"1" * 4300] * 100))) == 100


@given(st.integers(1, 3), st.integers(4250, 9000), st.booleans())
def test_halves_make_the_whole(first: int, count: int, negative: bool) -> None:
    digits = str(first) + "0" * (count // 2) + "7" * count
    value = parse(("-" * negative + digits).encode())
    assert value == int(Decimal(digits)) * (-1 if negative else 1)


@pytest.mark.parametrize(("open_", "close"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_nesting_has_a_documented_limit(open_: bytes, close: bytes) -> None:
    inner = b"1" if close == b"}" else b""
    parse(open_ * MAX_DEPTH + inner + close * MAX_DEPTH)
    for depth in (MAX_DEPTH + 1, 1000, 100_000):
        with pytest.raises(NotJson, match="nested deeper"):
            parse(open_ * depth + inner + close * depth)


def test_deep_nesting_with_a_lone_surrogate_is_refused_in_words() -> None:
    with pytest.raises(NotJson, match="nested deeper"):
        parse(b'["\\ud800",' + b"[" * 100_000 + b"]" * 100_001)


def test_many_brackets_are_not_deep() -> None:
    assert len(parse(b"[" + b"[]," * 1000 + b'"' + b"[" * 1000 + b'"]')) == 1001


def big() -> int:
    """A function: Hypothesis looks into lambdas and values, and cannot print such a number."""
    return -(10**4999)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.builds(big),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(json_values)
def test_what_is_written_reads_back(value: Any) -> None:
    assert parse(dumps(value).encode()) == value


@given(json_values)
def test_the_fast_decoder_says_what_json_says(value: Any) -> None:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=True).encode("utf-8", "replace")
    except ValueError:
        # An integer of more digits than ``json`` writes.
        return
    if b"Infinity" not in text:
        assert parse(text) == json.loads(text)


@given(st.binary(max_size=40))
def test_any_bytes_have_a_value_or_a_reason(data: bytes) -> None:
    try:
        reason = str(parse(data)) or "empty text"
    except NotJson as error:
        reason = str(error)
    assert reason


def test_numbers_that_json_refuses_are_written_all_the_same() -> None:
    big = int("9" * 1000) ** 5
    value = {"\ue0001": ["\ue000-1", math.inf, -math.inf, big, True], "lone": "\ud83d"}
    text = dumps(value)
    assert "\\ud83d" in text
    assert parse(text.encode()) == value
    assert parse(dumps(value, indent=2).encode()) == value
    assert parse(dumps(value, ascii=True).encode("ascii")) == value


def test_a_long_number_is_put_into_digits_once() -> None:
    big, before = 7**9000, jsontext._written.cache_info()
    assert len({dumps({"shown": [big]}) for _ in range(5)}) == 1
    after = jsontext._written.cache_info()
    assert (after.misses - before.misses, after.hits - before.hits) == (1, 4)


@given(json_values)
def test_ascii_is_what_json_makes_of_it(value: Any) -> None:
    try:
        text = json.dumps(value)
    except ValueError:
        return
    assert "Infinity" in text or dumps(value, ascii=True) == text


def test_is_json() -> None:
    assert all(map(is_json, ["{}", "[1]", "7", '"\ud83d"']))
    assert not any(map(is_json, ["", "{", "words"]))


def test_is_object() -> None:
    assert is_object(b"{}")
    assert not is_object(b"[]")
