"""``export``: places, redaction, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import FINISH, SAY, START, Cli
from tests.conftest import shared_path

Log = Callable[..., Path]


@pytest.mark.parametrize(
    ("at", "said"), [("1", None), ("2", "hello"), ("message:m", "hello"), ("", "hello")]
)
def test_up_to_a_place(cli: Cli, log: Log, at: str, said: str | None) -> None:
    answer = cli("export", log(START, *SAY, FINISH), "--format", "json", "--at", at)
    assert answer.status == 0
    contents = [message.get("content") or None for message in json.loads(answer.out)["messages"]]
    assert contents == [said]


def test_up_to_a_time(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    events = [START, *SAY, FINISH]
    file.write_text("".join(f'{{"t":{n},"event":{event}}}\n' for n, event in enumerate(events)))
    answer = cli("export", file, "--format", "txt", "--at", "1.5s")
    assert answer.out == "assistant: [still being written]\n"
    assert "hello" in cli("export", file, "--format", "txt", "--at", "0:02").out


@pytest.mark.parametrize("at", ["99", "3s", "message:none"])
def test_a_place_that_is_nowhere_is_said(cli: Cli, log: Log, at: str) -> None:
    answer = cli("export", log(START, *SAY, FINISH), "--format", "txt", "--at", at)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err


def test_redacted_and_said_what(cli: Cli) -> None:
    source = shared_path("streams", "pydantic-ai-2.68-weather.sse")
    answer = cli("export", source, "--format", "md", "--redact")
    assert answer.status == 0
    for word in ("Zürich", "jacket", "rain", "user wants"):
        assert word not in answer.out
    assert "get_weather" in answer.out
    assert "removed: TEXT_MESSAGE_CONTENT /delta: 44 values, 209 characters\n" in answer.err
    assert len(answer.out) == len(cli("export", source, "--format", "md").out)


def test_the_input_of_a_recording_is_redacted_too(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.sse"
    told = '{"threadId":"t","runId":"r","messages":[{"id":"q","role":"user","content":"secret"}]}'
    file.write_text(
        ": transcript-tui recording 1 {}\n"
        f": input {told}\n"
        + "".join(f"data: {event}\n\n" for event in (START, *SAY))
        + ": cut +1.0 eyJzZWNyZXQ=\n\n"
    )
    assert "secret" in cli("export", file, "--format", "json").out
    answer = cli("export", file, "--format", "json", "--redact")
    assert "secret" not in answer.out
    messages = json.loads(answer.out)["messages"]
    assert [(one["id"], one["content"]) for one in messages] == [("q", "xxxxxx"), ("m", "xxxxx")]


def test_the_theme_of_a_page(cli: Cli, log: Log) -> None:
    page = cli("export", log(START, *SAY, FINISH), "--format", "html", "--theme", "paper")
    assert "background: #fbf7ef;" in page.out
    assert cli("export", log(START), "--format", "html", "--theme", "none").status == 2


def test_nothing_is_overwritten_unasked(cli: Cli, log: Log, tmp_path: Path) -> None:
    out = tmp_path / "out.md"
    assert cli("export", log(START, *SAY), "-o", out).status == 0
    assert cli("export", log(START, *SAY), "-o", out).status == 2
    assert cli("export", log(START, *SAY), "-o", out, "--force").status == 0
