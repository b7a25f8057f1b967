"""The demo's scenarios: each is what it says it is, over real HTTP."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from transcript_tui.cli.judging import Judge
from transcript_tui.errors import UsageError
from transcript_tui.server import scenarios
from transcript_tui.server.demo import demo_source
from transcript_tui.server.scenarios import DEFAULT, SCENARIOS, scenario
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.sources.reading import read_all
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.model import Message, MessageView

FOLDER = Path(scenarios.__file__).parent
ENDINGS = {
    "hello": ["finished"],
    "reopen": ["finished", "finished"],
    "interleaved": ["finished"],
    "chunks": ["finished"],
    "unicode": ["finished"],
    "violation": ["rejected"],
    "run-error": ["failed"],
    "truncated": ["truncated"],
    "long": ["finished"],
}


async def test_the_demo_asks_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    session = await shown("hello")
    assert session.tape.length > 0


async def shown(name: str, message: str | None = None) -> Session:
    session = Session(demo_source(name, message=message, speed=math.inf), kind="demo")
    await session.run()
    assert session.error is None
    return session


def views(session: Session, position: int = LATEST) -> list[MessageView]:
    held = session.tape.transcript.held(position)
    return [entry.at(position) for entry in held if isinstance(entry, Message)]


def test_a_file_each_and_a_line_each() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(SCENARIOS) == set(ENDINGS)
    assert DEFAULT in SCENARIOS
    for each in SCENARIOS.values():
        assert each.about.endswith(".")
        assert each.message


def test_an_unknown_scenario_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no scenario 'nope'") as raised:
        scenario("nope")
    assert "hello" in raised.value.hint


@pytest.mark.parametrize("name", SCENARIOS)
async def test_each_ends_as_it_should_and_shows_the_question(name: str) -> None:
    session = await shown(name)
    endings = [run.ending.now.kind for run in session.tape.transcript.runs if run.ending.now]
    assert endings == ENDINGS[name]
    first = views(session)[0]
    assert (first.role, first.content()) == ("user", SCENARIOS[name].message)
    rules = [warned.rule for warned in session.tape.pipeline.streams[0].warnings]
    assert rules == (["truncated"] if name == "truncated" else [])


@pytest.mark.parametrize("name", SCENARIOS)
async def test_a_scenario_is_a_log_that_replays(name: str) -> None:
    session = Session(FileSource(FOLDER / f"{name}.jsonl"), kind="replay")
    await session.run()
    endings = [run.ending.now.kind for run in session.tape.transcript.runs if run.ending.now]
    assert endings == ENDINGS[name]


@pytest.mark.parametrize("name", SCENARIOS)
def test_check_opens_it_too(name: str) -> None:
    judge = Judge(name)
    judge.read(read_all(FOLDER / f"{name}.jsonl"))
    (stream,) = judge.judgement.streams
    assert [run.ending.now.kind for run in stream.runs if run.ending.now] == ENDINGS[name]
    assert "envelopes" in judge.judgement.notes[0]


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_files_are_lines_of_seconds_and_events(name: str) -> None:
    for line in (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        assert set(entry) <= {"t", "event", "every"}
        assert entry["t"] >= 0
        assert entry["event"]["type"]
        assert ("every" not in entry) or entry["event"]["delta"]


async def test_the_user_s_own_words_are_shown() -> None:
    session = await shown("hello", "Where is the station?")
    assert views(session)[0].content() == "Where is the station?"


async def test_hello_shows_what_a_first_look_should() -> None:
    session = await shown("hello")
    messages = views(session)
    said = "\n".join(message.content() for message in messages)
    for sign in ("## ", "|---", "```python", "1. ", "](https://", "**"):
        assert sign in said or sign.replace("---", "-------") in said, sign
    names = {message.name for message in messages if message.role == "assistant"}
    assert len(names - {None}) == 2
    assert {"reasoning", "tool"} <= {message.role for message in messages}
    (call,) = [call for message in messages for call in message.tool_calls]
    assert call.state == "answered"
    seconds = sum(line.wait for run in SCENARIOS["hello"].load().runs for line in run.lines)
    assert 10 <= seconds <= 15


async def test_reopen_reopens_in_place_within_a_run_and_across() -> None:
    session = await shown("reopen")
    (notes,) = [message for message in views(session) if message.openings > 1]
    assert notes.openings == 3
    assert notes.key == min(m.key for m in views(session) if m.role == "assistant")
    assert all(word in notes.content() for word in ("Playback", "Search", "Recording"))


async def test_interleaved_has_three_open_at_once_and_a_subagent() -> None:
    session = await shown("interleaved")
    most = max(
        sum(message.open for message in views(session, position))
        for position in range(session.tape.length)
    )
    assert most == 3
    assert sum(message.owner is not None for message in views(session)) == 1


async def test_unicode_is_split_where_it_hurts() -> None:
    session = await shown("unicode")
    deltas = [
        json.loads(session.tape.payload(number)).get("delta", "")
        for number in range(session.tape.length)
    ]
    assert any(delta.startswith("\u0308") for delta in deltas)
    assert "\u200d" in deltas
    assert any("\ud800" <= delta[-1:] <= "\udbff" for delta in deltas)
    said = "".join(message.content() for message in views(session))
    assert "🚀" in said
    assert "שלום" in said


async def test_long_is_ten_thousand_tokens() -> None:
    session = await shown("long")
    deltas = sum(
        b"TEXT_MESSAGE_CONTENT" in session.tape.payload(n) for n in range(session.tape.length)
    )
    assert deltas >= 10_000
