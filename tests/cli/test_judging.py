"""What ``check`` makes of bytes is what the viewer makes of them, in the same words."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.session.loopback import FRAMES, STREAM
from transcript_tui.cli.judging import Judge
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.sources.reading import read_all


def entry(text: str) -> dict[str, object]:
    """An answer in a HAR file."""
    return {
        "startedDateTime": "2026-12-01T10:00:00Z",
        "request": {"method": "GET", "url": "http://agent/"},
        "response": {"status": 200, "content": {"mimeType": "text/event-stream", "text": text}},
    }


def stamped(*stamps: int | None) -> bytes:
    """The stream's events, each with its own time, in milliseconds."""
    return b"".join(
        frame if stamp is None else frame.replace(b"}", b',"timestamp":%d}' % stamp)
        for frame, stamp in zip(FRAMES, stamps, strict=False)
    )


RECORDED = b": transcript-tui recording 1 {}\n"
BYTES = {
    "plain": STREAM,
    "crlf": STREAM.replace(b"\n", b"\r\n"),
    "bom": b"\xef\xbb\xbf" + STREAM,
    "undelimited": STREAM[:-2],
    "cut": b"".join(FRAMES[:3]) + b"data: {",
    "nothing": b"",
    "too long": FRAMES[0] + b"data: " + b"x" * 999 + b"\n\n" + STREAM,
    "no events": b"prose\n" * 9,
    "a page": b"<html><title>Sign in</title></html>",
    "damaged gzip": gzip.compress(b"".join(FRAMES[:3]))[:-8],
    "gzip in gzip": gzip.compress(gzip.compress(STREAM)),
    "input": RECORDED + b': input {"messages":[{"id":"u","role":"user","content":"?"}]}\n' + STREAM,
    "malformed input": RECORDED + b': input {"messages":7}\n' + STREAM,
    "prose in a HAR file": json.dumps(
        {"log": {"entries": [entry("prose " * 9), entry(STREAM.decode())]}}
    ).encode(),
    "connections": RECORDED + FRAMES[0] + b": stream 1 +2\n\n" + STREAM,
    "stamps": stamped(None, 1_796_119_200_000, 1_796_119_201_500, None, 1_796_119_201_000, None),
    "stamps that come late": FRAMES[0] + b": \n" * 40_000 + stamped(*range(0, 6000, 1000)),
    "the same stamp": stamped(*(1_796_119_200_000,) * 6),
    "a recording without some times": RECORDED + FRAMES[0] + b": +2.5\n" + b"".join(FRAMES[1:]),
    "a recording of stamps": RECORDED + b": +1\n" + stamped(*range(0, 6000, 1000)),
}


@pytest.mark.parametrize("content", BYTES.values(), ids=BYTES)
async def test_check_and_the_viewer_agree(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(content)
    judge = Judge(str(path), max_frame=500)
    judge.read(read_all(path))
    judged = judge.judgement
    session = Session(FileSource(path), kind="replay", max_frame=500)
    await session.run()
    refolded = Session(FileSource(path), kind="replay", max_frame=500)
    await refolded.run()
    await refolded.read_on(False)
    assert judged.notes == session.notes
    told = judged.error and f"{path}: {judged.error}"
    assert told == (session.error and str(session.error))
    numbers = range(session.tape.length)
    assert judged.times.timing == session.tape.timing
    assert [*map(judged.times.at, numbers)] == [*map(session.tape.time, numbers)]
    for shown in (session, refolded):
        assert [
            (stream.violation, stream.warnings, stream.length, stream.tail)
            for stream in judged.pipeline.streams
        ] == [
            (stream.violation, stream.warnings, stream.length, stream.tail)
            for stream in shown.tape.pipeline.streams
        ]
        assert judged.pipeline.transcript.messages() == shown.tape.transcript.messages()
