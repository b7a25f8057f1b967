"""Other programs' logs: read whole, salvaged where they break off, and what was left out said."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import os
import tracemalloc
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.session.loopback import EVENTS, STREAM, text_of
from tests.strategies import BIG
from transcript_tui.cli.judging import Judge
from transcript_tui.errors import FileUnreadable
from transcript_tui.session.logs.foreign import mend
from transcript_tui.session.logs.har import HAR as HAR_READER
from transcript_tui.session.logs.registry import FOREIGN, recognise
from transcript_tui.session.session import Session
from transcript_tui.session.sources import reading
from transcript_tui.session.sources.file import FileSource, StdinSource
from transcript_tui.session.sources.reading import read_all
from transcript_tui.session.sources.registry import open_source
from transcript_tui.session.sources.source import Received
from transcript_tui.wire import jsontext
from transcript_tui.wire.frames import Frame, FrameTooLong, NewStream

RUN = [json.loads(event) for event in EVENTS]


def run(number: int) -> list[dict[str, Any]]:
    text = json.dumps(RUN)
    events: list[dict[str, Any]] = json.loads(
        text.replace('"m"', f'"m{number}"').replace('"r"', f'"r{number}"')
    )
    return events


def har_entry(body: str, **content: Any) -> dict[str, Any]:
    return {
        "startedDateTime": "2026-12-01T10:00:00.000Z",
        "request": {
            "method": "POST",
            "url": "https://u:p@agent.example/run?token=s3cr3t",
            "postData": {
                "text": '{"threadId":"t","messages":[{"id":"u","role":"user","content":"hi?"}]}'
            },
        },
        "response": {
            "status": 200,
            "content": {"mimeType": "text/event-stream", "text": body, **content},
        },
    }


HAR: dict[str, Any] = {
    "log": {
        "version": "1.2",
        "creator": {"name": "WebInspector"},
        "entries": [
            {"response": {"content": {"mimeType": "text/html", "text": "<html>"}}},
            har_entry(STREAM.decode()),
            har_entry(
                base64.b64encode(STREAM.replace(b'"r"', b'"r2"')).decode(), encoding="base64"
            ),
            har_entry(""),
        ],
    }
}
GENTUI: dict[str, Any] = {
    "format": "gentui-session",
    "version": 1,
    "target": "http://127.0.0.1:8000/",
    "items": [
        {"t": 0.0, "kind": "user", "text": "hi?"},
        *({"t": 0.5 + n, "kind": "event", "event": {"event": e}} for n, e in enumerate(run(1))),
        {"t": 8.0, "kind": "submit", "value": 1},
        {"t": 9.0, "kind": "user", "text": "and now?"},
        *({"t": 10.0 + n, "kind": "event", "event": e} for n, e in enumerate(run(2))),
        {"t": 20.0, "kind": "mystery"},
    ],
}
INSPECTOR: dict[str, Any] = {
    "version": 0,
    "session": {
        "exchanges": [
            {"id": "a", "startedAt": 1_796_119_200_000},
            {"id": "b", "startedAt": 1_796_119_205_000},
        ],
        "runs": [
            {"input": {"messages": [{"id": "u", "role": "user", "content": "hi?"}]}},
            {"input": {"messages": []}},
        ],
        "frames": [
            {
                "exchangeId": "a",
                "index": 0,
                "classification": "control",
                "envelope": ": ping\n\n",
                "offsetMs": 1,
            },
            *(
                {
                    "exchangeId": exchange,
                    "index": n + 1,
                    "classification": "data",
                    "envelope": f"data: {json.dumps(event)}\n\n",
                    "data": json.dumps(event),
                    "offsetMs": 100 * n,
                }
                for exchange in "ab"
                for n, event in enumerate(run(1 if exchange == "a" else 2))
            ),
            {
                "exchangeId": "b",
                "index": 99,
                "classification": "partial",
                "envelope": 'data: {"ty',
                "offsetMs": 900,
            },
        ],
    },
}
AIMOCK: dict[str, Any] = {
    "fixtures": [
        {"match": {"message": "hi?"}, "events": run(1), "delayMs": 250},
        {"match": {"message": "nothing"}, "events": []},
        {"match": {"message": "and now?"}, "events": run(2)},
    ]
}
LOGS = {"har": HAR, "gentui": GENTUI, "inspector": INSPECTOR, "aimock": AIMOCK}


async def opened(path: Path, content: str) -> Session:
    path.write_text(content)  # noqa: ASYNC240 - nothing else runs meanwhile
    session = Session(FileSource(path), kind="replay")
    await session.run()
    return session


@pytest.mark.parametrize("name", LOGS)
@pytest.mark.parametrize("indent", [None, 2])
async def test_each_is_recognised_and_read(name: str, indent: int | None, tmp_path: Path) -> None:
    session = await opened(tmp_path / "log", json.dumps(LOGS[name], indent=indent))
    assert session.error is None
    endings = [run.ending.now.kind for run in session.tape.transcript.runs if run.ending.now]
    assert endings == ["finished", "finished"]
    assert text_of(session).startswith("Zürich rain")
    first = session.tape.transcript.messages()[0]
    assert (first["role"], first["content"]) == ("user", "hi?")
    assert len(session.tape.streams) == 2
    assert "Read as" in session.notes[0]


@pytest.mark.parametrize("name", LOGS)
async def test_gzipped_they_are_the_same_from_a_file_and_a_pipe(name: str, tmp_path: Path) -> None:
    plain = await opened(tmp_path / "log", json.dumps(LOGS[name]))
    packed = tmp_path / "log.gz"
    content = gzip.compress(json.dumps(LOGS[name]).encode())
    packed.write_bytes(content)
    with packed.open("rb") as file:
        for source in (FileSource(packed), StdinSource(file.fileno())):
            session = Session(source, kind="replay")
            await session.run()
            assert session.tape.length == plain.tape.length > 0
            assert session.tape.transcript.messages() == plain.tape.transcript.messages()
            assert session.notes == plain.notes
    assert b"".join(_bytes_of(read_all(packed))) == b""


def _bytes_of(received: Iterable[Received]) -> Iterator[bytes]:
    """What is no log of another program comes as bytes."""
    return (one for one in received if isinstance(one, bytes))


async def test_what_unpacks_to_more_than_can_be_held_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("transcript_tui.session.sources.reading.FOREIGN", 1 << 20)
    packed = tmp_path / "log.gz"
    content = gzip.compress(json.dumps(HAR).encode() + b" " * (1 << 21))
    packed.write_bytes(content)
    session = Session(FileSource(packed), kind="replay")
    await session.run()
    assert "of more than 1 MiB" in str(session.error)


async def test_gzipped_and_cut_they_are_read_up_to_there(tmp_path: Path) -> None:
    packed = tmp_path / "log.gz"
    content = gzip.compress(json.dumps(GENTUI).encode())
    packed.write_bytes(content[:-40])
    session = Session(FileSource(packed), kind="replay")
    await session.run()
    assert session.tape.length > 0
    assert "breaks off" in session.notes[0]


async def test_har_says_what_was_left_out(tmp_path: Path) -> None:
    session = await opened(tmp_path / "log.har", json.dumps(HAR))
    assert "1 other request left out" in session.notes[0]
    assert "1 event stream whose body the browser did not save" in session.notes[0]
    assert session.tape.recording is not None
    assert session.tape.recording.url == "https://agent.example/run?token=…"


async def test_har_with_saved_messages_has_times(tmp_path: Path) -> None:
    entry = har_entry("")
    entry["_eventSourceMessages"] = [
        {"time": 1_796_119_200.0 + n, "data": event.decode()} for n, event in enumerate(EVENTS)
    ]
    session = await opened(tmp_path / "log.har", json.dumps({"log": {"entries": [entry]}}))
    assert session.tape.timing == "recorded"
    assert session.tape.duration == 5.0


async def test_gentui_keeps_times_and_what_the_user_said_in_between(tmp_path: Path) -> None:
    session = await opened(tmp_path / "log", json.dumps(GENTUI))
    assert session.tape.time(0) == 0.5
    assert session.tape.time(6) == 10.0
    said = [m["content"] for m in session.tape.transcript.messages() if m["role"] == "user"]
    assert said == ["hi?", "and now?"]
    assert "1 action of the user left out" in session.notes[0]
    assert "1 unknown item left out" in session.notes[0]


async def test_the_inspector_s_sessions_are_lossless(tmp_path: Path) -> None:
    session = await opened(tmp_path / "log", json.dumps(INSPECTOR))
    assert session.tape.time(1) == pytest.approx(0.1)
    assert session.tape.time(6) == pytest.approx(5.0)
    assert session.tape.streams[1].tail == b'data: {"ty'
    assert session.tape.started == 1_796_119_200.0


async def test_frames_of_an_unknown_kind_are_left_out_and_counted(tmp_path: Path) -> None:
    """A stream of its own for something that is no event would be a violation nobody made."""
    document = json.loads(json.dumps(INSPECTOR))
    stranger = {"exchangeId": "c", "index": 0, "classification": "mystery"}
    empty = {"exchangeId": "a", "index": 7, "classification": "data"}
    document["session"]["frames"][2:2] = [stranger, 42, empty]
    session = await opened(tmp_path / "log", json.dumps(document))
    whole = await opened(tmp_path / "whole", json.dumps(INSPECTOR))
    assert "3 unknown frames left out" in session.notes[0]
    assert len(session.tape.streams) == len(whole.tape.streams)
    assert session.tape.length == whole.tape.length


async def test_items_that_are_no_objects_are_counted_too(tmp_path: Path) -> None:
    gentui = {**GENTUI, "items": [*GENTUI["items"], "junk", 7]}
    session = await opened(tmp_path / "log", json.dumps(gentui))
    assert "3 unknown items left out" in session.notes[0]
    entry = har_entry("")
    message = {"time": 1_796_119_200.0, "data": EVENTS[0].decode()}
    entry["_eventSourceMessages"] = [message, 7, message, "junk"]
    har = {"log": {"entries": [7, entry, None]}}
    session = await opened(tmp_path / "log.har", json.dumps(har))
    assert session.tape.length == 2
    assert "2 other requests left out; 2 unknown messages left out" in session.notes[0]
    aimock = {"fixtures": [7, *AIMOCK["fixtures"]]}
    session = await opened(tmp_path / "fixture", json.dumps(aimock))
    assert "2 fixtures without events left out" in session.notes[0]


async def test_items_that_hold_no_event_are_left_out_and_counted(tmp_path: Path) -> None:
    """They are no event that anybody sent, and no reason to reject those around them."""
    empty: list[Any] = [None, "connected", {"note": 1}, {"event": None}, {"event": "x"}]
    items = [{"t": 1.0, "kind": "event", "event": event} for event in empty]
    gentui = {**GENTUI, "items": [*GENTUI["items"][:3], *items, *GENTUI["items"][3:]]}
    session = await opened(tmp_path / "log", json.dumps(gentui))
    whole = await opened(tmp_path / "whole", json.dumps(GENTUI))
    assert "6 unknown items left out" in session.notes[0]
    assert session.tape.length == whole.tape.length
    assert text_of(session) == text_of(whole)
    document = json.loads(json.dumps(INSPECTOR))
    data = {"exchangeId": "a", "index": 1.5, "classification": "data", "offsetMs": 0}
    document["session"]["frames"][2:2] = [
        {**data, "envelope": "event: ping\n\n"},
        {**data, "data": None},
    ]
    session = await opened(tmp_path / "session", json.dumps(document))
    whole = await opened(tmp_path / "whole", json.dumps(INSPECTOR))
    assert "2 unknown frames left out" in session.notes[0]
    assert session.tape.transcript.messages() == whole.tape.transcript.messages()


async def test_aimock_says_what_was_left_out(tmp_path: Path) -> None:
    session = await opened(tmp_path / "log", json.dumps(AIMOCK))
    assert "1 fixture without events left out" in session.notes[0]
    assert session.tape.time(2) == 0.5


# Salvage ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LOGS)
def test_cut_anywhere_it_is_read_up_to_there(name: str) -> None:
    text = json.dumps(LOGS[name])
    before = 0
    for end in range(40, len(text), 97):
        foreign = recognise(text[:end].encode())
        if foreign is None:
            continue
        try:
            received = foreign.read(text[:end].encode())
        except FileUnreadable:
            continue
        pieces = received[-1].pieces
        payloads = [piece.payload for piece in pieces if hasattr(piece, "payload")]
        for payload in payloads:
            assert json.loads(payload)["type"].isupper()
        assert len(payloads) >= before
        before = len(payloads)
        assert "breaks off" in received[1].text
    assert before > 0


BODY = [json.dumps({"type": "RAW", "event": event}) for event in ("a\\\\", '"\\"', "ü")]
BODY += [json.dumps({"type": "RAW", "event": "😀\\😀"}, ensure_ascii=False)] * 2


@pytest.mark.parametrize("encoded", [False, True])
def test_a_har_that_breaks_off_in_a_body_keeps_what_is_whole_of_it(encoded: bool) -> None:
    body = "".join(f"data: {payload}\n\n" for payload in BODY)
    if encoded:
        # How is told behind it: where it breaks off, it is not.
        entry = har_entry(base64.b64encode(body.encode()).decode(), encoding="base64")
    else:
        entry = har_entry(body)
    text = json.dumps({"log": {"entries": [har_entry(STREAM.decode()), entry]}})
    begins = text.rindex('"text": "') + len('"text": "')
    for end in range(begins, text.index('"', begins) if encoded else text.rindex('"}}}]}}')):
        [_, note, read] = HAR_READER.read(text[:end].encode())
        assert "breaks off" in note.text
        second = [number for number, one in enumerate(read.pieces) if isinstance(one, NewStream)]
        came = read.pieces[second[0] :] if second else []
        part = text[begins:end]
        if encoded:
            whole = base64.b64decode(part[: len(part) // 4 * 4]).count(b"\n\n")
        else:
            whole = part.count("\\n\\n")
        kept = [one.payload.decode() for one in came if isinstance(one, Frame)]
        # Only its blank line may be missing: such a frame counts, too, if its payload is whole.
        assert kept in (BODY[:whole], BODY[: whole + 1])


@given(
    items=st.lists(st.recursive(st.text() | st.integers(), lambda x: st.lists(x), max_leaves=4)),
    cut=st.integers(0, 400),
)
@settings(max_examples=examples(50))
def test_mending_gives_whole_items_only(items: list[Any], cut: int) -> None:
    text = json.dumps({"a": [1], "items": [{"v": item} for item in items], "z": "]}"})
    mended = mend(text[:cut], frozenset({"items"}))
    if mended is not None and cut < len(text):
        found = json.loads(mended)["items"]
        assert found == [{"v": item} for item in items][: len(found)]


@given(content=st.binary(max_size=200), number=st.integers(0, 3))
def test_no_content_breaks_a_reader(content: bytes, number: int) -> None:
    beginnings = (b'{"log":{', b'{"format":"gentui-session",', b'{"session":{', b'{"fixtures":[')
    whole = beginnings[number] + content
    foreign = recognise(whole)
    assert foreign is not None
    with suppress(FileUnreadable):
        foreign.read(whole)


WRONG = (7, None, "x", [], {}, [None, 3, "x", {"a": 1}], BIG, {"id": BIG}, [{"id": BIG}])


@pytest.mark.parametrize("wrong", WRONG, ids=range(len(WRONG)))
@pytest.mark.parametrize("foreign", FOREIGN, ids=lambda foreign: foreign.name)
def test_members_of_the_wrong_kind_are_passed_over(foreign: Any, wrong: Any) -> None:
    for document in (
        {"log": wrong},
        {"log": {"entries": wrong}},
        {
            "log": {
                "entries": [{"response": wrong, "_resourceType": "eventsource", "request": wrong}]
            }
        },
        {"items": wrong, "target": wrong},
        {"items": [{"kind": "event", "event": wrong}, {"kind": "user", "message": wrong}]},
        {"session": wrong},
        {"session": {"exchanges": wrong, "frames": wrong, "runs": wrong}},
        {"session": {"frames": [{"exchangeId": 1, "data": 1}], "runs": [{"exchangeId": wrong}]}},
        {"session": {"frames": [{"exchangeId": wrong, "offsetMs": wrong, "data": wrong}]}},
        {"fixtures": wrong},
        {"fixtures": [{"match": wrong, "events": wrong, "delayMs": wrong}]},
    ):
        foreign.read(jsontext.dumps(document).encode())


def test_a_bomb_is_no_log(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "FOREIGN", 2**21)
    [har] = [foreign for foreign in FOREIGN if "HAR" in foreign.name]
    bomb = gzip.compress(b'{"log":{"x":"' + b"x" * 2**26)
    tracemalloc.start()
    try:
        with pytest.raises(FileUnreadable, match="more than 2 MiB"):
            reading.read_foreign(har, bomb, "x.har.gz", 2**20)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 6 * 2**20


def test_events_are_nobody_s_log() -> None:
    for content in (STREAM, EVENTS[0], b'[{"type":"X"}]', b"", b'{"t":1,"event":{}}'):
        assert recognise(content) is None


# Times ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["9" * 400, "1e999", "-1e999"])
async def test_a_time_beyond_all_times_is_none(when: str, tmp_path: Path) -> None:
    lines = [f'{{"t":{when},"event":{json.dumps(event)}}}\n' for event in RUN]
    session = await opened(tmp_path / "log.jsonl", "".join(lines))
    assert text_of(session) == "Zürich rain"
    assert session.tape.timing is None
    message = {"time": 0.5, "data": EVENTS[0].decode()}
    entry = {**har_entry(""), "_eventSourceMessages": [message]}
    har = json.dumps({"log": {"entries": [entry]}}).replace("0.5", when)
    session = await opened(tmp_path / "log.har", har)
    assert session.tape.length == 1
    assert session.tape.timing is None


# The limit of a frame ------------------------------------------------------------------------

LONG = [*RUN[:2], {**RUN[3], "delta": "x" * 400}, *RUN[3:]]
SSE = "".join(f"data: {json.dumps(event)}\n\n" for event in LONG)

LONGEST = max(map(len, SSE.splitlines()))


def of_har(**content: Any) -> dict[str, Any]:
    return {"log": {"entries": [{**har_entry(SSE, **content), "request": {}}]}}


def of_eventsource(events: list[dict[str, Any]]) -> dict[str, Any]:
    messages = [{"data": json.dumps(event)} for event in events]
    entry = {**har_entry(""), "request": {}, "_eventSourceMessages": messages}
    return {"log": {"entries": [entry]}}


def of_inspector(key: str, events: list[str]) -> dict[str, Any]:
    held = [{"exchangeId": "a", "index": n, key: event} for n, event in enumerate(events)]
    return {"session": {"exchanges": [{"id": "a"}], "frames": held}}


HOLDING_LONG: dict[str, dict[str, Any]] = {
    "har": of_har(),
    "har-base64": of_har(text=base64.b64encode(SSE.encode()).decode(), encoding="base64"),
    "har-messages": of_eventsource(LONG),
    "inspector": of_inspector("envelope", SSE.splitlines(keepends=True)[::2]),
    "inspector-data": of_inspector("data", [json.dumps(event) for event in LONG]),
    "gentui": {"format": "gentui-session", "items": [{"kind": "event", "event": e} for e in LONG]},
    "aimock": {"fixtures": [{"events": LONG}]},
}


def verdict(path: Path, limit: int) -> tuple[Any, ...]:
    judge = Judge("", max_frame=limit)
    judge.read(read_all(path, limit))
    (stream,) = judge.judgement.streams
    found = stream.violation
    return found and (found.rule, found.event, found.message), stream.length


TEXTS = ("har", "har-base64", "inspector")
"""Hold the text of an event stream, whose lines are what is limited there."""


@pytest.mark.parametrize(
    ("name", "limit"),
    [(name, limit) for name in HOLDING_LONG for limit in (300, 2**20)]
    + [(name, limit) for name in TEXTS for limit in (20, 50, LONGEST - 1, LONGEST)],
)
async def test_a_frame_may_be_as_long_as_in_an_event_stream(
    name: str, limit: int, tmp_path: Path
) -> None:
    (tmp_path / "x.sse").write_text(SSE)
    log = tmp_path / "log"
    log.write_text(json.dumps(HOLDING_LONG[name]))
    whole = Session(FileSource(tmp_path / "x.sse"), kind="replay", max_frame=limit)
    await whole.run()
    assert verdict(log, limit) == verdict(tmp_path / "x.sse", limit)
    for source in (FileSource(log, max_frame=limit), open_source(str(log), limit)):
        session = Session(source, kind="replay", max_frame=limit)
        await session.run()
        assert session.tape.transcript.messages() == whole.tape.transcript.messages()
        assert session.tape.length == whole.tape.length == len(LONG)
        said = [note for note in session.notes if "longer than" in note]
        assert len(said) == len([note for note in whole.notes if "longer than" in note])
        assert bool(said) is (limit < LONGEST)
        marks = [mark for mark in session.tape.walk() if isinstance(mark, FrameTooLong)]
        assert [len(mark.head) <= limit for mark in marks] == [True] * len(said)


async def test_it_holds_for_what_comes_through_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    log = json.dumps(HOLDING_LONG["har"])
    writing = asyncio.create_task(asyncio.to_thread(path.write_text, log))
    session = Session(FileSource(path, max_frame=300), kind="replay", max_frame=300)
    await session.run()
    await writing
    assert any("longer than 300 bytes" in note for note in session.notes)
