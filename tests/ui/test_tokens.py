"""Token usage: every count that was reported is told, wherever it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import fields

from tests.ui.screen import opened, replay, shown, until
from transcript_tui.cli.app import run as check
from transcript_tui.protocol.shapes import TokenUsage

COUNTS = [one.encode_name for one in fields(TokenUsage) if one.encode_name.endswith("Tokens")]
USAGE = {name: 1001 + number for number, name in enumerate(COUNTS)}
RUN = [
    {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
    {"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "usage": [{"model": "m", **USAGE}]},
]


def log(folder: Path) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(event) + "\n" for event in RUN))
    return path


async def test_each_count_is_told_by_the_views(tmp_path: Path) -> None:
    told = [f"{number:,}" for number in USAGE.values()]
    assert len(told) == 6
    async with opened(replay(log(tmp_path)), size=(160, 40)) as (app, pilot):
        await pilot.press("i", "k")
        await until(pilot, lambda: "tokens" in shown(app) and "m: " in shown(app))
        assert [number for number in told if number not in shown(app)] == []
        await pilot.press("i", "S")
        await until(pilot, lambda: "as the producer counts them" in shown(app))
        assert [number for number in told if number not in shown(app)] == []
        assert "1,001 in + 1,002 out tokens" in shown(app)


def test_each_count_is_told_by_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(["check", str(log(tmp_path))])
    out = capsys.readouterr().out
    assert all(f"{name} {number}" in out for name, number in USAGE.items())
