"""Work in slices: what gives way, and how."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from transcript_tui.session import turns
from transcript_tui.session.turns import Turns


async def test_work_that_nobody_waits_for_rests_between_slices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [0.0]
    rests: list[float] = []

    async def sleep(seconds: float) -> None:
        rests.append(seconds)

    monkeypatch.setattr(turns, "asyncio", SimpleNamespace(sleep=sleep))
    monkeypatch.setattr(turns, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    slices = Turns()
    slices.begin()
    for _ in range(6):
        now[0] += 0.001
        await slices.rest()
    # Two milliseconds of work, then most of the time to everything else.
    assert rests == [turns._REST] * 2
