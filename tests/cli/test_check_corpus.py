"""The corpus on the command line: the answers are those of the pipeline, which the corpus' own
tests check key by key."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.conformance.test_corpus import EXCLUDED, FATAL, FIXTURES, consumed, expected, fixture
from tests.pipelines import as_jsonl, as_sse
from transcript_tui.session.sources import reading

SUFFIXES = {"sse": as_sse, "jsonl": as_jsonl, "bytes": as_sse}


@pytest.mark.parametrize("spelling", SUFFIXES)
@pytest.mark.parametrize("name", [name for name in FIXTURES if name not in EXCLUDED])
def test_fixture(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, spelling: str
) -> None:
    if spelling == "bytes":
        monkeypatch.setattr(reading, "read_piece", lambda file, name, size=1: file.read(1))
    found = fixture(name)
    file, given = tmp_path / "stream", tmp_path / "input.json"
    file.write_bytes(SUFFIXES[spelling]([json.dumps(event).encode() for event in found["stream"]]))
    options: list[str | Path] = ["check", "--format", "json", "--events", "full"]
    if "input" in found:
        given.write_text(json.dumps(found["input"]), "utf-8")
        options += ["--input", given]
    answer = cli(*options, file)
    one = json.loads(answer.out)
    stream = consumed(found, spelling).stream
    assert one["verdict"] == stream.verdict
    assert one["events"] == json.loads(json.dumps(stream.events()))
    assert one["messages"] == stream.transcript.messages()
    assert one["state"] == stream.transcript.state_at()
    warned = [(each["rule"], each["message"], each["count"]) for each in one["warnings"]]
    assert warned == [(each.rule, each.message, each.count) for each in stream.warnings]
    violation = one["violation"] and (one["violation"]["rule"], one["violation"]["event"])
    assert violation == (stream.violation and (stream.violation.rule, stream.violation.event))
    if expected(found)["outcome"] == "failed":
        assert answer.status == (1 if name in FATAL else 4)
    else:
        failed = any(run["ending"] == "failed" for run in one["runs"])
        assert answer.status == (3 if failed else 0)
