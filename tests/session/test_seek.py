"""The law of seeking: what is shown at position n is what folding the first n comes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from tests.conftest import SHARED, examples, shared_path
from tests.strategies import payloads, streams
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.transcript.statistics import figures
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.wire.frames import Frame

Times = Callable[[int], float | None]
NAMES = sorted(path.name for path in (SHARED / "streams").glob("*.sse"))


def shown(transcript: Transcript, times: Times, position: int) -> tuple[Any, ...]:
    """Everything that depends on a position: transcript, state, statistics."""
    endings = [run.ending.at(position) for run in transcript.runs if run.started < position]
    return (
        transcript.messages(position),
        transcript.state_at(position),
        figures(transcript, times, position),
        [ending and (ending.kind, ending.message, ending.usage) for ending in endings],
        [entry.key for entry in transcript.held(position)],
    )


def check_law(tape: Tape, parts: Sequence[bytes], positions: Sequence[int]) -> None:
    """Seeks to ``positions``, which may go back and forth; folds forwards only once."""
    fresh, expected = Pipeline(), {}
    for position in range(len(parts) + 1):
        if position == len(parts):
            fresh.end(tape.streams[-1].tail)
        expected[position] = shown(fresh.transcript, tape.time, position)
        if position < len(parts):
            fresh.feed(parts[position])
    for position in positions:
        assert shown(tape.transcript, tape.time, position) == expected[position], position


@pytest.mark.parametrize("name", NAMES)
async def test_real_streams(name: str) -> None:
    session = Session(FileSource(shared_path("streams", name)), kind="replay")
    await session.run()
    tape = session.tape
    parts = tape.payloads(0, tape.length)
    backwards = range(tape.length, -1, -1)
    check_law(tape, parts, [*backwards, *range(tape.length + 1)])


def test_there_are_real_streams(shared: Path) -> None:
    assert sorted(path.name for path in (shared / "streams").glob("*.sse")) == NAMES
    assert NAMES


@given(streams().map(payloads))
@settings(max_examples=examples(50))
def test_generated_streams(parts: list[bytes]) -> None:
    tape = Tape()
    tape.take([Frame(part, number, 0, number / 10) for number, part in enumerate(parts)])
    tape.end()
    check_law(tape, parts, range(len(parts), -1, -1))
