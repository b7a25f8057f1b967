"""Newline-delimited JSON."""

from __future__ import annotations

import pytest

from tests.wire.pieces import read, read_bytewise
from transcript_tui.wire import Bom, Cut, Frame, FrameTooLong, Piece


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b"{}\n", [Frame(b"{}", 1, 0)]),
        (b"{}", [Frame(b"{}", 1, 0)]),
        (b"{}\r\n{}\r\n", [Frame(b"{}", 1, 0), Frame(b"{}", 2, 4)]),
        (b"{}\n\n \t\n\r\nx\n", [Frame(b"{}", 1, 0), Frame(b"x", 5, 9)]),
        (b" {}\n", [Frame(b" {}", 1, 0)]),
        (b"{}\nnull", [Frame(b"{}", 1, 0), Cut(b"null", 2, 3)]),
        (b'{}\n{"a', [Frame(b"{}", 1, 0), Cut(b'{"a', 2, 3)]),
        (b"{}\n  ", [Frame(b"{}", 1, 0)]),
        (b"\xef\xbb\xbf{}\n", [Bom(), Frame(b"{}", 1, 3)]),
        ("{\u2028}\n".encode(), [Frame("{\u2028}".encode(), 1, 0)]),
    ],
)
def test_lines_are_payloads(data: bytes, expected: list[Piece]) -> None:
    assert read(data, "jsonl") == expected
    assert read_bytewise(data, "jsonl") == expected


def test_a_line_over_the_limit_is_skipped_and_reading_goes_on() -> None:
    data = b"0123456789\n{}\n"
    long = FrameTooLong(b"01234567", 1, 0, 8)
    expected = [long, Frame(b"{}", 2, 11)]
    assert read(data, "jsonl", max_frame=8) == expected
    assert read_bytewise(data, "jsonl", max_frame=8) == expected
    assert "line 1 is longer than 8 bytes" in long.sentence


def test_an_overlong_line_that_never_ends_is_said_once() -> None:
    data = b"x" * 100
    assert read_bytewise(data, "jsonl", max_frame=8) == [FrameTooLong(b"x" * 8, 1, 0, 8)]
