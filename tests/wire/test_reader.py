"""Any source, by content."""

from __future__ import annotations

import codecs
import gzip

import pytest

from tests.wire.pieces import payloads, read, read_bytewise
from transcript_tui.errors import FileUnreadable
from transcript_tui.wire import Cut, Frame, open_reader
from transcript_tui.wire.reader import READERS

SSE = b'data: {"a":1}\n\ndata: {"b":2}\n\n'
JSONL = b'{"a":1}\n{"b":2}\n'
ARRAY = b'[{"a":1}, {"b":2}]'
BOTH = [b'{"a":1}', b'{"b":2}']
FORMATS = {"sse": SSE, "jsonl": JSONL, "array": ARRAY}


def test_every_format_has_a_sample() -> None:
    assert set(FORMATS) == set(READERS)


@pytest.mark.parametrize("name", READERS)
def test_formats_are_told_by_content(name: str) -> None:
    reader = open_reader()
    pieces = reader.feed(FORMATS[name]) + reader.end()
    assert payloads(pieces) == BOTH
    assert reader.format == name
    assert read_bytewise(FORMATS[name]) == pieces


@pytest.mark.parametrize("name", READERS)
def test_formats_are_told_inside_gzip(name: str) -> None:
    packed = gzip.compress(FORMATS[name])
    assert read(packed) == read(FORMATS[name])
    assert read_bytewise(packed) == read(FORMATS[name])
    assert read(packed + packed, cuts=[len(packed)]) == read(FORMATS[name] * 2)
    assert read_bytewise(packed + packed) == read(FORMATS[name] * 2)
    assert read(packed + b"\0" * 8) == read(FORMATS[name])


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"\xef\xbb\xbf" + SSE, "sse"),
        (b"\n \n" + SSE, "sse"),
        (b": ping\n\n" + SSE, "sse"),
        (b"event: x\ndata: {}\n\n", "sse"),
        (b"data\n\n", "sse"),
        (b"garbage\n" + SSE, "sse"),
        (b"garbage\n" + JSONL, "jsonl"),
        (b"\xef\xbb\xbf" + ARRAY, "array"),
        (b"", "jsonl"),
        (b"\n\n", "jsonl"),
    ],
)
def test_beginnings(data: bytes, name: str) -> None:
    reader = open_reader()
    reader.feed(data)
    reader.end()
    assert reader.format == name


def test_a_status_of_many_digits_is_none() -> None:
    head = b"HTTP/1.1 " + b"9" * 5000 + b" OK\r\n\r\n"
    assert [piece.payload for piece in read(head + SSE) if isinstance(piece, Frame)]


def test_blank_lines_above_an_array_count() -> None:
    assert read(b"\n\n" + ARRAY)[0] == Frame(b'{"a":1}', 3, 3)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<!doctype html><html><body>Sign in</body></html>", "HTML"),
        (b"<?xml version='1.0'?><a/>", "markup"),
        (b"\x7fELF\x02\x01\x01\0\0\0", "binary"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "binary"),
        (codecs.BOM_UTF16_LE + SSE.decode().encode("utf-16-le"), "UTF-16"),
        (codecs.BOM_UTF16_BE + SSE.decode().encode("utf-16-be"), "UTF-16"),
        (gzip.compress(SSE.decode().encode("utf-16")), "UTF-16"),
        (b"hello world", "neither"),
        (b"x" * 100_000, "neither"),
        (gzip.compress(gzip.compress(SSE)), "gzip inside gzip"),
        (b"HTTP/1.1 200 OK\nContent-Type: text/event", "inside its headers"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 2**21, "inside its headers"),
        (b"HTTP/1.1 500 Oops\r\nContent-Type: text/plain\r\n\r\nboom", "status 500"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>", "web page"),
        (
            b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"error":1}',
            "application/json",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.ag-ui.event+proto\r\n\r\n\0\0\0\1",
            "binary encoding",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else f"{len(value)} bytes",
)
def test_what_is_no_log_is_refused_in_a_sentence(data: bytes, words: str) -> None:
    for cuts in ((), range(0, min(len(data), 100))):
        with pytest.raises(FileUnreadable, match=words) as caught:
            read(data, cuts=cuts)
        assert caught.value.hint


@pytest.mark.parametrize(
    "head",
    [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
        b"HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\n",
        b"HTTP/2 200 \r\ncontent-type: text/event-stream; charset=utf-8\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n\r\n",
        b"HTTP/1.1\r\nContent-Type: text/event-stream\r\n\r\n",
    ],
)
def test_response_headers_may_stand_on_top(head: bytes) -> None:
    first = Frame(b'{"a":1}', head.count(b"\n") + 1, len(head))
    for pieces in (read(head + SSE), read_bytewise(head + SSE)):
        assert pieces[0] == first
        assert payloads(pieces) == BOTH


def test_response_headers_on_top_of_gzip_and_of_nothing() -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n\r\n"
    assert payloads(read(head + gzip.compress(SSE))) == BOTH
    assert payloads(read_bytewise(head + gzip.compress(SSE))) == BOTH
    assert read(head) == []


@pytest.mark.parametrize("name", READERS)
def test_a_truncated_gzip_opens_up_to_where_it_breaks(name: str) -> None:
    data = FORMATS[name][:-1] + b" " * 0
    many = {"sse": SSE * 500, "jsonl": JSONL * 500, "array": b"[" + b",".join(BOTH * 500) + b"]"}
    packed = gzip.compress(many[name])
    reader = open_reader()
    pieces = reader.feed(packed[: len(packed) * 9 // 10]) + reader.end()
    assert len(payloads(pieces)) > 5
    assert reader.cut_short
    assert data


def test_a_damaged_gzip_opens_up_to_the_damage() -> None:
    # Numbers without a pattern, so that half of the packed bytes hold half of the events.
    events = [b'{"a":%d}' % (number * 2654435761 % 2**32) for number in range(2000)]
    packed = bytearray(gzip.compress(b"".join(b"data: " + event + b"\n\n" for event in events)))
    packed[len(packed) // 2 :] = b"\xff" * (len(packed) - len(packed) // 2)
    reader = open_reader()
    pieces = reader.feed(bytes(packed)) + reader.feed(b"more") + reader.end()
    assert reader.cut_short
    found = payloads(pieces)
    assert len(found) > 500
    # Of what stands right before the damage nobody can say whether it is damage.
    assert found[:-5] == events[: len(found) - 5]


def test_a_whole_gzip_is_not_cut_short() -> None:
    reader = open_reader()
    reader.feed(gzip.compress(SSE))
    reader.end()
    assert not reader.cut_short
    assert not open_reader().cut_short


def test_the_tail_is_kept() -> None:
    reader = open_reader()
    reader.feed(SSE + b'data: {"c')
    assert reader.end() == [Cut(b'data: {"c', 5, len(SSE))]
    assert reader.tail == b'data: {"c'


@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_what_gzip_begins_with_and_nothing_more_is_cut_short(head: bytes) -> None:
    reader = open_reader()
    assert reader.feed(head + b"\x1f\x8b") + reader.end() == []
    assert reader.cut_short


def test_gzip_of_nothing_and_of_html() -> None:
    assert read(gzip.compress(b"")) == []
    with pytest.raises(FileUnreadable, match="HTML"):
        read(gzip.compress(b"<html></html>"))


def test_a_small_gzip_cannot_become_a_large_buffer() -> None:
    bomb = gzip.compress(b'{"a":"' + b"x" * 20_000_000 + b'"}\n')
    pieces = read(bomb, max_frame=1000)
    assert len(pieces) == 1
    assert payloads(pieces) == []


def test_a_damaged_beginning_may_be_long() -> None:
    assert payloads(read(b"x" * 2000 + b"\n" + JSONL, cuts=[1500])) == [b"x" * 2000, *BOTH]


@pytest.mark.parametrize("then", [b"", SSE])
def test_white_space_without_end_is_not_kept(then: bytes) -> None:
    data = b"\n" * 65_537 + then
    with pytest.raises(FileUnreadable, match="white space"):
        read(data)
    with pytest.raises(FileUnreadable, match="white space"):
        read(data, cuts=list(range(1000, len(data), 1000)))
    assert payloads(read(b"\n" * 65_536 + SSE)) == BOTH


def test_blank_lines_before_an_answer_are_skipped() -> None:
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: {}\n\n"
    assert payloads(read(b"HTTP/1.1 100 Continue\r\n\r\n\r\n\r\n" + answer)) == [b"{}"]
