"""Counting over payloads and their times: a pass that can be interrupted and taken up again."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from transcript_tui.ui.views.payloads import type_of

TOGETHER: Final = 0.01
"""Seconds: what arrives closer than this arrives as one burst."""
BURST: Final = 8
"""Events that make a burst worth looking at."""
APART: Final = 0.5
"""Seconds that a burst's own timestamps must span for it to look held back."""

_STAMP: Final = re.compile(rb'"timestamp"\s*:\s*(\d{12,14})[,}\s]')


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
    held_back: int = 0
    """Events that arrived in bursts though their timestamps lie apart."""
    _last_delta: float | None = None
    _burst: int = 0
    _burst_stamps: tuple[int, int] | None = None

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
        if kind.endswith(("_CONTENT", "_ARGS", "_CHUNK")):
            self.deltas += 1
            if self._last_delta is not None:
                self.gaps.append(at - self._last_delta)
            self._last_delta = at
        self._watch_bursts(payload, gap)
        self.last = at

    def _watch_bursts(self, payload: bytes, gap: float) -> None:
        match = _STAMP.search(payload)
        if match is None:
            return
        stamp = int(match.group(1))
        if gap > TOGETHER or self._burst_stamps is None:
            self._burst, self._burst_stamps = 1, (stamp, stamp)
            return
        low, high = self._burst_stamps
        self._burst += 1
        self._burst_stamps = (min(low, stamp), max(high, stamp))
        spans = (self._burst_stamps[1] - self._burst_stamps[0]) / 1000
        if self._burst >= BURST and spans >= APART:
            self.held_back += 1 if self._burst > BURST else BURST

    def pace(self) -> float | None:
        """Deltas a second, over all the time between the first and the last."""
        total = sum(self.gaps)
        return len(self.gaps) / total if total > 0 else None

    def gap_at(self, share: float) -> float | None:
        """The gap between deltas that ``share`` of them stay below (0.95 = p95)."""
        if not self.gaps:
            return None
        return sorted(self.gaps)[min(len(self.gaps) - 1, int(share * len(self.gaps)))]


def count_some(
    tally: Tally,
    position: int,
    payload: Callable[[int], bytes],
    time_of: Callable[[int], float | None],
    enough: Callable[[], bool],
) -> bool:
    """Count on towards ``position`` until ``enough()``; ``True`` while there is more."""
    while tally.count < position:
        number = tally.count
        tally.add(payload(number), time_of(number))
        if number % 64 == 63 and enough():
            break
    return tally.count < position
