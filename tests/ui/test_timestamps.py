"""Timestamps that the protocol allows and no calendar has: offsets stay, times of day are left out.

Legal are all integers in ±(2⁵³-1) milliseconds (``protocol.md``): 285,000 years either way.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.ui.screen import RUN, opened, replay, shown, until
from transcript_tui.wire.frames import Frame
from transcript_tui.wire.reader import open_reader

END = 2**53 - 1
MICROSECONDS = [1_764_600_000_000_000 + number * 250_000 for number in range(len(RUN))]
STAMPS = {
    "microseconds": MICROSECONDS,
    "the last": [END] * len(RUN),
    "the first": [-END] * len(RUN),
    "from the first to the last": [-END, *[END] * len(RUN)],
    "from the last to the first": [END, *[-END] * len(RUN)],
    "from now to the last": [1_764_600_000_000, *[END] * len(RUN)],
    "over the end of the calendar": [253_402_300_799_000 + 500 * n for n in range(len(RUN))],
}


def stamped(path: Path, stamps: list[int]) -> Path:
    events = ({**event, "timestamp": stamp} for event, stamp in zip(RUN, stamps, strict=False))
    path.write_text("".join(json.dumps(event) + "\n" for event in events), encoding="utf-8")
    return path


@pytest.mark.parametrize("stamps", STAMPS.values(), ids=STAMPS)
async def test_every_view_of_times_stands(
    stamps: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, target = stamped(tmp_path / "log.jsonl", stamps), tmp_path / "again.sse"
    monkeypatch.chdir(tmp_path)
    async with opened(replay(log), size=(130, 50)) as (app, pilot):
        await pilot.press("w")
        await pilot.press("i", "k")
        await until(pilot, lambda: "Inspector" in shown(app))
        await until(pilot, lambda: "arrived" in shown(app))
        for key, title in (("t", "Timeline"), ("S", "Statistics"), ("e", "Events")):
            await pilot.press(key)
            await until(pilot, lambda title=title: title in shown(app))
            await pilot.press("escape")
        await pilot.press("r")
        await until(pilot, lambda: "Record to" in shown(app))
        await pilot.press(*target.name, "enter")
        await until(pilot, lambda: "✓ saved again.sse" in shown(app))
    reader = open_reader()
    again = [*reader.feed(target.read_bytes()), *reader.end()]
    lines = log.read_bytes().splitlines()
    assert [piece.payload for piece in again if isinstance(piece, Frame)] == lines


async def test_what_is_no_date_is_said_with_its_likely_unit(tmp_path: Path) -> None:
    session = replay(stamped(tmp_path / "log.jsonl", MICROSECONDS))
    async with opened(session, size=(130, 50)) as (app, pilot):
        await until(pilot, lambda: "2025-12-01" in shown(app))
        assert session.tape.started is None
        assert session.tape.duration == 3500.0
