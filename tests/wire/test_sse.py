"""SSE framing, byte for byte (``protocol.md``, "Framing")."""

from __future__ import annotations

import pytest

from tests.wire.pieces import payloads, read, read_bytewise
from transcript_tui.wire import (
    Bom,
    Cut,
    Frame,
    FrameTooLong,
    FramingCr,
    FramingEnd,
    NotEvents,
    Piece,
)

NO_LINE_ENDS = "a\u2028b\u2029c\u0085d\x0be\x0cf".encode()
A = Frame(b'{"a":1}', 1, 0)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", []),
        (b'data: {"a":1}\n\n', [A]),
        (b'data:{"a":1}\n\n', [A]),
        (b'data:  {"a":1}\n\n', [Frame(b' {"a":1}', 1, 0)]),
        (b"data: a\ndata: b\n\n", [Frame(b"a\nb", 1, 0)]),
        (b"data: a\ndata\ndata: b\n\n", [Frame(b"a\n\nb", 1, 0)]),
        (b"data\n\n", [Frame(b"", 1, 0)]),
        (b"data:\n\n", [Frame(b"", 1, 0)]),
        (b"data: \n\n", [Frame(b"", 1, 0)]),
        (b": ping\n\n", []),
        (b": ping\n\ndata: a\n\n", [Frame(b"a", 3, 8)]),
        (b": ping\ndata: a\n\n", [Frame(b"a", 2, 7)]),
        (b"data: a\n: ping\ndata: b\n\n", [Frame(b"a\nb", 1, 0)]),
        (b"event: x\nid: 7\nretry: 9\ndata: a\n\n", [Frame(b"a", 1, 0)]),
        (b"id: 7\n\ndata: a\n\n", [Frame(b"a", 3, 7)]),
        (b"event: error\nid: 1\n\n", []),
        (b"\n\n\ndata: a\n\n\n\ndata: b\n\n", [Frame(b"a", 4, 3), Frame(b"b", 8, 14)]),
        (b"data: a\n\ndata: b\n\n", [Frame(b"a", 1, 0), Frame(b"b", 3, 9)]),
        (b"dataless: a\ndata: b\n\n", [Frame(b"b", 1, 0)]),
        (b"data: " + NO_LINE_ENDS + b"\n\n", [Frame(NO_LINE_ENDS, 1, 0)]),
        (b"data: \xff\xfe\n\n", [Frame(b"\xff\xfe", 1, 0)]),
        (b"\xef\xbb\xbfdata: a\n\n", [Bom(), Frame(b"a", 1, 3)]),
    ],
)
def test_frames_of_lf_streams(data: bytes, expected: list[Piece]) -> None:
    assert read(data, "sse") == expected
    assert read_bytewise(data, "sse") == expected


@pytest.mark.parametrize("end", [b"\r\n", b"\r"])
def test_cr_and_crlf_are_line_ends_and_said_once(end: bytes) -> None:
    data = end.join([b"data: a", b"", b": x", b"data: b", b"data: c", b"", b""])
    size = len(end)
    expected = [FramingCr(), Frame(b"a", 1, 0), Frame(b"b\nc", 4, 10 + 3 * size)]
    assert read(data, "sse") == expected
    assert read_bytewise(data, "sse") == expected


def test_line_ends_may_mix() -> None:
    data = b"data: a\n\r\ndata: b\r\rdata: c\r\n\ndata: d\n\n"
    expected = [
        Frame(b"a", 1, 0),
        FramingCr(),
        Frame(b"b", 3, 10),
        Frame(b"c", 5, 19),
        Frame(b"d", 7, 29),
    ]
    assert read(data, "sse") == expected
    assert payloads(read(data, "sse")) == [b"a", b"b", b"c", b"d"]
    assert read(data, "sse") == read_bytewise(data, "sse")


def test_a_cr_at_the_end_of_a_chunk_takes_the_lf_of_the_next() -> None:
    pieces = read(b"data: a\r\n\r\ndata: b\r\n\r\n", "sse", cuts=[8, 10])
    assert pieces == [FramingCr(), Frame(b"a", 1, 0), Frame(b"b", 3, 11)]


def test_an_undelimited_object_is_the_last_event() -> None:
    for rest in (b'data: {"a":1}', b'data: {"a":1}\n', b'data: {"a":\ndata: 1}'):
        frame, mark = read(rest, "sse")
        assert isinstance(frame, Frame)
        assert mark == FramingEnd()


@pytest.mark.parametrize(
    ("rest", "tail"),
    [
        (b'data: {"a', b'data: {"a'),
        (b"data: [1]\n", b"data: [1]\n"),
        (b"event: x\ndat", b"event: x\ndat"),
        (b"da", b"da"),
        (b"data: {}{}\n", b"data: {}{}\n"),
    ],
)
def test_any_other_rest_is_a_cut_tail(rest: bytes, tail: bytes) -> None:
    data = b'data: {"a":1}\n\n' + rest
    assert read(data, "sse") == [A, Cut(tail, 3, 15)]
    assert read_bytewise(data, "sse") == [A, Cut(tail, 3, 15)]


@pytest.mark.parametrize("rest", [b": ping", b": ping\n", b"event: x\nid: 1\n", b"\n", b":"])
def test_a_rest_without_data_is_nothing(rest: bytes) -> None:
    assert read(b'data: {"a":1}\n\n' + rest, "sse") == [A]


@pytest.mark.parametrize(
    "body",
    [b"<!doctype html><html></html>", b"<!doctype html>\n<html>\n", b'{"error":"x"}\n', b"hello"],
)
def test_a_body_without_any_frame_is_no_event_stream(body: bytes) -> None:
    assert read(body, "sse") == read_bytewise(body, "sse") == [NotEvents(body.split(b"\n")[0])]


def test_a_frame_over_the_limit_is_skipped_and_reading_goes_on() -> None:
    data = b"data: 0123456789\n\ndata: a\n\n"
    expected = [FrameTooLong(b"012345", 1, 0, 12), Frame(b"a", 3, 18)]
    assert read(data, "sse", max_frame=12) == expected
    assert read_bytewise(data, "sse", max_frame=12) == expected


def test_the_head_of_a_frame_that_is_too_long_stands_for_it() -> None:
    long = FrameTooLong(b"{", 3, 9, 1, 0.5)
    assert long.frame == Frame(b"{", 3, 9, 0.5)


def test_the_limit_holds_for_the_lines_of_a_frame_together() -> None:
    data = b": x\ndata: 01\ndata: 23\ndata: 45\n\ndata: a\n\n"
    expected = [FrameTooLong(b"01\ndata", 2, 4, 13), Frame(b"a", 6, 32)]
    assert read(data, "sse", max_frame=13) == expected
    assert read_bytewise(data, "sse", max_frame=13) == expected


def test_a_comment_over_the_limit_is_skipped_too() -> None:
    data = b":" + b"x" * 20 + b"\n\ndata: a\n\n"
    expected = [FrameTooLong(b":xxxxxxxxxxx", 1, 0, 12), Frame(b"a", 3, 23)]
    assert read(data, "sse", max_frame=12) == read_bytewise(data, "sse", max_frame=12) == expected


def test_an_overlong_frame_that_never_ends_is_said_once() -> None:
    data = b"data: " + b"x" * 100
    assert read_bytewise(data, "sse", max_frame=12) == [FrameTooLong(b"xxxxxx", 1, 0, 12)]


def test_many_lines_without_a_blank_one_are_not_kept() -> None:
    data = b": ping\n" * 20_000 + b"data: a\n\n"
    assert read(data, "sse", cuts=range(0, len(data), 5000)) == [Frame(b"a", 20_001, 140_000)]


def test_many_crlf_frames_in_one_piece() -> None:
    frame = b"data: 0123\r\n\r\n"
    for odd in (b"", b"event: x\r\n", b"data: x\n\n", b"\r\n", b"data: " + b"9" * 50 + b"\r\n\r\n"):
        data = frame * 3 + odd + frame * 3
        pieces = read(data, "sse", cuts=[20], max_frame=40)
        assert pieces == read_bytewise(data, "sse", max_frame=40)
        assert payloads(pieces).count(b"0123") == 6
