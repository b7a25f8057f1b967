"""Counting over payloads and their times: a pass that can be interrupted and taken up again."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from transcript_tui.session.bursts import Bursts
from transcript_tui.transcript.statistics import Percentile
from transcript_tui.ui.views.payloads import type_of

RECENT: Final = 1.0
"""Seconds over which the pace of now is counted."""
LARGE: Final = 1 << 14
"""Bytes of a payload that takes its time."""
_EMPTY: Final = re.compile(rb'"delta"\s*:\s*""')


@dataclass(slots=True)
class Tally:
    """What was counted in the first ``count`` payloads. Times are seconds since the start."""

    count: int = 0
    size: int = 0
    """Bytes of all payloads."""
    kinds: Counter[str] = field(default_factory=Counter)
    first_text: float | None = None
    first_tool: float | None = None
    first_event: float | None = None
    last: float | None = None
    deltas: int = 0
    gaps: array[float] = field(default_factory=lambda: array("d"))
    """Between deltas, seconds."""
    longest: float = 0.0
    longest_at: int | None = None
    """The payload that ended the longest silence."""
    bursts: Bursts = field(default_factory=Bursts)
    _p95: Percentile = field(default_factory=lambda: Percentile(0.95), compare=False)
    _first_delta: float | None = None
    _last_delta: float | None = None

    @property
    def held_back(self) -> int:
        """Events that arrived in bursts though their timestamps lie apart."""
        return self.bursts.held_back

    def add(self, payload: bytes, at: float | None) -> None:
        """Count one more payload, which arrived at ``at``."""
        kind = type_of(payload)
        self.kinds[kind] += 1
        self.size += len(payload)
        if at is not None:
            self._time(kind, payload, at)
        self.count += 1

    def _time(self, kind: str, payload: bytes, at: float) -> None:
        gap = at - self.last if self.last is not None else 0.0
        if gap > self.longest:
            self.longest, self.longest_at = gap, self.count
        if self.first_event is None:
            self.first_event = at
        if self.first_text is None and kind in ("TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_CHUNK"):
            self.first_text = at
        if self.first_tool is None and kind in ("TOOL_CALL_START", "TOOL_CALL_CHUNK"):
            self.first_tool = at
        if kind.endswith(("_CONTENT", "_ARGS", "_CHUNK")) and not _EMPTY.search(payload):
            self.deltas += 1
            if self._last_delta is not None:
                self.gaps.append(at - self._last_delta)
                self._p95.add(at - self._last_delta)
            else:
                self._first_delta = at
            self._last_delta = at
        self.bursts.look(payload, gap)
        self.last = at

    def pace(self) -> float | None:
        """Deltas a second, over all the time between the first and the last."""
        total = (self._last_delta or 0.0) - (self._first_delta or 0.0)
        return len(self.gaps) / total if total > 0 else None

    def pace_now(self) -> float | None:
        """Deltas in the last second before the latest one, or on average where they span less;
        none where there was no delta for a second. As ``check`` has it."""
        if self._last_delta is None or self.last is None:
            return None
        if self.last - self._last_delta > RECENT:
            return 0.0
        ago, recent = 0.0, 0
        for gap in reversed(self.gaps):
            # A microsecond: times are sums of decimal fractions.
            if ago >= RECENT - 1e-6:
                return float(recent)
            recent, ago = recent + 1, ago + gap
        return self.pace() if ago < RECENT else float(recent)

    @property
    def gap_p95(self) -> float | None:
        """The gap between deltas that 95 % of them do not exceed."""
        return self._p95.value


def count_some(
    tally: Tally,
    position: int,
    payload: Callable[[int], bytes],
    time_of: Callable[[int], float | None],
    enough: Callable[[], bool],
) -> bool:
    """Count on towards ``position`` until ``enough()``; ``True`` while there is more."""
    while tally.count < position:
        number, arrived = tally.count, payload(tally.count)
        tally.add(arrived, time_of(number))
        # Most cost less than to ask.
        if (number % 64 == 63 or len(arrived) >= LARGE) and enough():
            break
    return tally.count < position
