"""Laws of reading: how the bytes are cut changes nothing, and nothing raises but a refusal."""

from __future__ import annotations

import gzip

from hypothesis import example, given
from hypothesis import strategies as st

from tests.wire.pieces import payloads, read
from transcript_tui.errors import FileUnreadable
from transcript_tui.wire import Piece

LINES = st.sampled_from(
    [
        b'data: {"type":"RAW"}',
        b"data: a",
        b"data:b",
        b"data",
        b"data: \xe2\x82",
        b": ping",
        b":",
        b"event: x",
        b"id: 1",
        b"dat",
        b"",
        b"",
        b"",
        b": transcript-tui recording 1 {}",
        b": +1.5",
        b": stream 1 +2",
        b": cut +3 YQ==",
        b": framing crlf",
        b": too-long 9",
        b": input {}",
        b'{"a":[1,"]"]}',
        b"[",
        b"]",
        b",",
        b'"\\',
        b"<html>",
        b"HTTP/1.1 200 OK",
        b"Content-Type: text/event-stream",
        b"\xef\xbb\xbf",
        b"x" * 30,
    ]
)
ENDS = st.sampled_from([b"\n", b"\n", b"\n\n", b"\n\n", b"\r\n", b"\r", b""])
TEXTS = st.lists(st.tuples(LINES, ENDS), max_size=12).map(
    lambda parts: b"".join(line + end for line, end in parts)
) | st.binary(max_size=60)
HINTS = st.sampled_from(["sse", "jsonl", "array", None])


def outcome(
    data: bytes, hint: str | None, cuts: list[int], limit: int
) -> tuple[list[Piece], str] | str:
    try:
        return read(data, hint, cuts=cuts, max_frame=limit), ""
    except FileUnreadable as error:
        return str(error).split(":")[0]


@given(TEXTS, HINTS, st.lists(st.integers(0, 200), max_size=8), st.sampled_from([16, 2**20]))
@example(b"\x1f\x8b", None, [], 16)
def test_any_split_gives_the_same_pieces(
    data: bytes, hint: str | None, cuts: list[int], limit: int
) -> None:
    whole = outcome(data, hint, [], limit)
    assert outcome(data, hint, cuts, limit) == whole
    assert outcome(data, hint, list(range(len(data))), limit) == whole


@given(TEXTS, st.lists(st.integers(0, 300), max_size=6))
def test_gzip_changes_nothing(data: bytes, cuts: list[int]) -> None:
    if not data.startswith(b"\x1f\x8b"):
        assert outcome(gzip.compress(data), None, cuts, 2**20) == outcome(data, None, [], 2**20)


@given(st.lists(st.sampled_from([b"{}", b'{"a":"\\n"}', b"x", b"[1]"]), max_size=8))
def test_the_formats_carry_the_same_payloads(texts: list[bytes]) -> None:
    sse = b"".join(b"data: " + text + b"\n\n" for text in texts)
    jsonl = b"".join(text + b"\n" for text in texts)
    array = b"[" + b", ".join(texts) + b"]"
    assert payloads(read(sse, "sse")) == payloads(read(jsonl, "jsonl")) == texts
    assert payloads(read(array, "array")) == texts
