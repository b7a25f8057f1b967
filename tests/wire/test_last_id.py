"""The last event id: what the next connection is asked with (WHATWG HTML, 9.2.6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.wire import open_reader

FRAME = b'data: {"a":1}\n\n'


def last_id(data: bytes, *cuts: int, end: bool = True, **options: int) -> str | None:
    reader = open_reader("sse", **options)
    for start, after in zip((0, *cuts), (*cuts, len(data)), strict=True):
        reader.feed(data[start:after])
    if end:
        reader.end()
    return reader.last_id


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (FRAME, None),
        (b"id: 1234\n" + FRAME, "1234"),
        (b"id:1234\n" + FRAME, "1234"),
        (b"id:  a \n" + FRAME, " a "),
        (b'data: {"a":1}\nid: 7\n\n', "7"),
        (b"id: 1\nid: 2\n" + FRAME, "2"),
        (b"id: 1\n" + FRAME + FRAME, "1"),
        (b"id: 1\n" + FRAME + b"id: 2\n" + FRAME, "2"),
        # A frame without data, which is no event, says an id too.
        (b"id: 9\n\n", "9"),
        # Of what has not ended, the id does not count.
        (b"id: 1\n" + FRAME + b"id: 2\n", "1"),
        (b"id: 1\n" + FRAME + b'id: 2\ndata: {"a":', "1"),
        (b"id: 1\n" + FRAME + b'id: 2\ndata: {"a":1}', "2"),
        (b"id: 1\n" + FRAME + b'data: {"a":1}\nid: 2', "1"),
        # Empty: there is none any more.
        (b"id: 1\n" + FRAME + b"id\n" + FRAME, ""),
        (b"id: 1\n" + FRAME + b"id:\n" + FRAME, ""),
        (b"id: 1\n" + FRAME + b"id: 2\x003\n" + FRAME, "1"),
        (b"ids: 1\nID: 2\n id: 3\nid : 4\n: id: 5\n" + FRAME, None),
        (b"data: id: 1\n\n", None),
        (b"\xef\xbb\xbfid: 1\n" + FRAME, "1"),
        (b"id: 1\r\n" + FRAME + b"id: 2\r" + FRAME, "2"),
        ("id: Zürich\n".encode() + FRAME, "Zürich"),
        (b"id: \xff\n" + FRAME, "\ufffd"),
    ],
)
def test_last_id(data: bytes, said: str | None) -> None:
    assert last_id(data) == said
    assert last_id(data, *range(1, len(data))) == said
    for cut in range(1, len(data)):
        assert last_id(data, cut) == said


def test_it_is_known_before_the_bytes_have_ended() -> None:
    assert last_id(b"id: 1\n" + FRAME + b"id: 2\n", end=False) == "1"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"id: 1\ndata: 0123456789abcdef\n\n", "1"),
        (b"data: 0123456789abcdef\nid: 1\n\n", "1"),
        (b"data: 0123456789abcdef\nidle\n\n", None),
        # An id that is too long itself, be it read at once or in pieces.
        (b"data: 0123456789abcdef\nid: 0123456789abcdef\n\n", None),
        (b"id: 0123456789abcdef\n\n", None),
    ],
)
def test_of_a_frame_that_is_too_long(data: bytes, said: str | None) -> None:
    assert last_id(data, max_frame=16) == said
    assert last_id(data, *range(1, len(data)), max_frame=16) == said


LINES = st.sampled_from(
    [b"id: 1", b"id: 22", b"id", b"id: \0", b"data: {}", b"data: x", b": c", b"", b"", b"x" * 20]
)


@given(
    st.lists(st.tuples(LINES, st.sampled_from([b"\n", b"\r\n", b"\r"])), max_size=10),
    st.sets(st.integers(1, 100), max_size=6),
    st.sampled_from([16, 2**20]),
)
def test_any_split_gives_the_same(
    lines: list[tuple[bytes, bytes]], cuts: set[int], limit: int
) -> None:
    data = b"".join(line + end for line, end in lines)
    whole = last_id(data, max_frame=limit)
    assert last_id(data, *sorted(cut for cut in cuts if cut < len(data)), max_frame=limit) == whole
    assert last_id(data, *range(1, len(data)), max_frame=limit) == whole


def test_what_is_no_event_stream_says_none() -> None:
    reader = open_reader("jsonl")
    reader.feed(b'{"id": "1"}\n')
    assert reader.last_id is None
    assert open_reader().last_id is None
