"""The recording format of ``check.md``: what is written reads back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.wire.pieces import read, read_bytewise
from transcript_tui.wire import (
    Cut,
    Frame,
    FrameTooLong,
    FramingCr,
    Input,
    NewStream,
    Recording,
    recording,
)

STARTED = "2026-12-01T10:00:00.000Z"
URL = "http://127.0.0.1:8000/"

LOG = "\n".join(
    [
        recording.header_line(STARTED, URL, "POST"),
        recording.input_line({"threadId": "t", "messages": [{"content": "Zürich?"}]}),
        recording.framing_line(),
        recording.offset_line(0.4123),
        'data: {"type":"RUN_STARTED"}',
        "",
        recording.offset_line(0.5),
        "data: {",
        "data: }",
        "",
        recording.stream_line(1, 12.3),
        recording.offset_line(12.311),
        "data: x",
        "",
        recording.cut_line(13.02, b'{"type":"\xc3'),
        "",
    ]
).encode()


def test_a_recording_reads_back() -> None:
    expected = [
        Recording(STARTED, URL, "POST"),
        Input({"threadId": "t", "messages": [{"content": "Zürich?"}]}),
        FramingCr(),
        Frame(b'{"type":"RUN_STARTED"}', 5, LOG.index(b"data: {"), 0.412),
        Frame(b"{\n}", 8, LOG.index(b"data: {\n"), 0.5),
        NewStream(1, 12.3),
        Frame(b"x", 13, LOG.index(b"data: x"), 12.311),
        Cut(b'{"type":"\xc3', 15, LOG.index(b": cut"), 13.02),
    ]
    assert read(LOG) == expected
    assert read_bytewise(LOG) == expected


def test_the_lines_are_those_of_the_contract() -> None:
    assert recording.header_line(STARTED, None, None) == (
        ': transcript-tui recording 1 {"started":"2026-12-01T10:00:00.000Z"}'
    )
    assert recording.offset_line(0.412) == ": +0.412"
    assert recording.stream_line(1, 12.3) == ": stream 1 +12.300"
    assert recording.cut_line(13.02, b'{"type":"') == ": cut +13.020 eyJ0eXBlIjoi"
    assert recording.framing_line() == ": framing crlf"
    assert recording.too_long_line(1000) == ": too-long 1000"


def test_the_contracts_example_opens() -> None:
    text = b"""\
: transcript-tui recording 1 {"started":"2026-12-01T10:00:00.000Z","url":"http://h/"}
: input {"threadId":"t","runId":"r","messages":[]}
: +0.412
data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}

: stream 1 +12.300
: +12.311
data: {}

: cut +13.020 eyJ0eXBlIjoi
"""
    kinds = [type(piece) for piece in read(text)]
    assert kinds == [Recording, Input, Frame, NewStream, Frame, Cut]


def test_frames_that_are_not_all_alike() -> None:
    head = recording.header_line(STARTED, None, None).encode() + b"\n\n"
    for rest in (b": +1\ndata: a\ndata: b\n\n", b": +1x\ndata: a\n\n", b": +1\ndata:a\n\n"):
        data = head + rest + b": +2\ndata: c\n\n"
        *_, last = read(data)
        assert last == Frame(b"c", data.count(b"\n") - 1, len(data) - 9, 2.0)
        assert read(data) == read_bytewise(data)


def test_a_frame_below_its_limit_is_the_head_of_one_that_was_too_long() -> None:
    head = recording.header_line(STARTED, None, None).encode() + b"\n"
    data = head + b": +0.4\n: too-long 9\ndata: {\ndata: a\n\n: +0.5\ndata: b\n\n"
    long, after = read(data)[1:]
    assert long == FrameTooLong(b"{\na", 4, len(head) + 20, 9, 0.4)
    assert after == Frame(b"b", 8, len(data) - 9, 0.5)
    assert read(data) == read_bytewise(data)


def test_a_limit_that_no_frame_follows_is_that_of_none() -> None:
    head = recording.header_line(STARTED, None, None).encode() + b"\n"
    pieces = read(head + b": too-long 9\n\ndata: a\n\n: too-long x\ndata: b\n\n")
    assert [type(piece) for piece in pieces] == [Recording, Frame, Frame]


def test_comments_mean_something_only_in_a_recording() -> None:
    assert read(b": +0.4\n: stream 1 +2\n: framing crlf\ndata: a\n\n") == [Frame(b"a", 4, 36)]


def test_comments_of_a_recording_that_say_nothing_we_know() -> None:
    head = recording.header_line(STARTED, None, None).encode() + b"\n"
    rest = b": input {\n: cut +1 !!!\n: cut +1 eyJ\n: +x\n: keep-alive\n:\ndata: a\n\n"
    pieces = read(head + rest)
    assert [type(piece) for piece in pieces] == [Recording, Frame]


def test_headers_that_are_not_whole() -> None:
    for facts in (b"", b" {]}", b' {"url": 7}'):
        line = b": transcript-tui recording 1" + facts
        assert recording.read_header(line) == Recording(None, None, None)
    assert recording.read_header(b": something else") is None


@given(
    st.lists(
        st.tuples(
            st.integers(0, 10**6), st.sampled_from([b"{}", b'{"a":"b"}', b"x", b"", b"a\nb"])
        ),
        max_size=8,
    )
)
def test_what_is_recorded_replays(frames: list[tuple[int, bytes]]) -> None:
    lines = [recording.header_line(STARTED, None, None).encode()]
    for millis, payload in frames:
        lines.append(recording.offset_line(millis / 1000).encode())
        lines += [b"data: " + line for line in payload.split(b"\n")]
        lines.append(b"")
    data = b"\n".join(lines) + b"\n"
    replayed = [(piece.at, piece.payload) for piece in read(data) if isinstance(piece, Frame)]
    assert replayed == [(millis / 1000, payload) for millis, payload in frames]
    assert read(data) == read_bytewise(data)


def test_numbers_beyond_all_times_are_comments_like_any_other() -> None:
    long = b"9" * 5000
    log = (
        recording.header_line(STARTED, None, None).encode()
        + b"\n: +"
        + long
        + b"\ndata: {}\n\n"
        + b": stream "
        + long
        + b"\n: stream 1 +"
        + long
        + b"\n: cut +"
        + long
        + b" eyJ0\n"
    )
    assert [type(piece) for piece in read(log)] == [Recording, Frame]
    assert [piece.at for piece in read(log) if isinstance(piece, Frame)] == [None]
    assert read_bytewise(log) == read(log)
