"""A JSON array, element by element."""

from __future__ import annotations

import pytest

from tests.wire.pieces import payloads, read, read_bytewise
from transcript_tui.wire import Bom, Cut, Frame, FrameTooLong, Piece


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"[]", []),
        (b" [\n]\n", []),
        (b"[{}]", [Frame(b"{}", 1, 1)]),
        (
            b'[\n  {"a": [1, 2]},\n  {"b": "],}{"}\n]\n',
            [Frame(b'{"a": [1, 2]}', 2, 4), Frame(b'{"b": "],}{"}', 3, 21)],
        ),
        (
            b'["\\"", "a\\\\", 1, null]',
            [
                Frame(b'"\\""', 1, 1),
                Frame(b'"a\\\\"', 1, 7),
                Frame(b"1", 1, 14),
                Frame(b"null", 1, 17),
            ],
        ),
        (b"[{}", [Frame(b"{}", 1, 1)]),
        (b'[{},{"a', [Frame(b"{}", 1, 1), Cut(b'{"a', 1, 4)]),
        (b"[{}, ", [Frame(b"{}", 1, 1)]),
        (b"[{},]", [Frame(b"{}", 1, 1), Frame(b"", 1, 4)]),
        (b"[{}] {}", [Frame(b"{}", 1, 1), Frame(b"{}", 1, 5)]),
        (b"[{}] x, [", [Frame(b"{}", 1, 1), Frame(b"x, [", 1, 5)]),
        (b"\xef\xbb\xbf[{}]", [Bom(), Frame(b"{}", 1, 4)]),
    ],
)
def test_elements_are_payloads(data: bytes, expected: list[Piece]) -> None:
    assert read(data, "array") == expected
    assert read_bytewise(data, "array") == expected


def test_an_element_over_the_limit_is_skipped_and_reading_goes_on() -> None:
    data = b'[\n"0123456789",\n{}]'
    expected = [FrameTooLong(b'"0123456', 2, 2, 8), Frame(b"{}", 3, 16)]
    assert read(data, "array", max_frame=8) == expected
    assert payloads(read_bytewise(data, "array", max_frame=8)) == [b"{}"]


def test_an_overlong_element_that_never_ends_is_said_once() -> None:
    pieces = read_bytewise(b'["' + b"x" * 100, "array", max_frame=8)
    assert pieces == [FrameTooLong(b'"xxxxxxx', 1, 1, 8)]


def test_objects_of_any_depth() -> None:
    deep = b'{"a": [{"b": [[{"c": "]}\\"[{"}]]}, "x"]}'
    data = b"[" + b", ".join([deep, b"{}", deep, b'{"s": "}"}', b"[[]]", b"1", deep]) + b"]"
    assert payloads(read(data, "array")) == [deep, b"{}", deep, b'{"s": "}"}', b"[[]]", b"1", deep]
    assert read(data, "array") == read_bytewise(data, "array")
