"""Counting over payloads and their times, forward and back: a pass that can be interrupted and
taken up again."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from transcript_tui.session.bursts import Bursts
from transcript_tui.transcript.statistics import Percentile, TimeOf, rate
from transcript_tui.ui.views.payloads import type_of

RECENT: Final = 1.0
"""Seconds over which the pace of now is counted."""
LARGE: Final = 1 << 14
"""Bytes of a payload that takes its time."""
KEPT: Final = 256
"""Payloads of which at most so many are looked at again after going back."""
Payload = Callable[[int], bytes]
_EMPTY: Final = re.compile(rb'"delta"\s*:\s*""')


@dataclass(slots=True)
class Marks:
    """What the first ``count`` payloads were remarkable for: that cannot be taken back one by one.
    Times are seconds since the start."""

    count: int = 0
    first_text: float | None = None
    first_tool: float | None = None
    first_event: float | None = None
    last: float | None = None
    longest: float = 0.0
    longest_at: int | None = None
    """The payload that ended the longest silence."""
    bursts: Bursts = field(default_factory=Bursts)

    def look(self, kind: str, payload: bytes, at: float | None) -> None:
        """At one more payload, which arrived at ``at``."""
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
        self.bursts.look(payload, gap)
        self.last = at

    def again(self) -> Marks:
        """A copy to go on with."""
        return replace(self, bursts=replace(self.bursts))


@dataclass(slots=True)
class Tally:
    """What was counted in the first ``count`` payloads; it goes back as it goes forward."""

    count: int = 0
    size: int = 0
    """Bytes of all payloads."""
    kinds: Counter[str] = field(default_factory=Counter)
    marks: Marks = field(default_factory=Marks)
    _kept: list[Marks] = field(default_factory=lambda: [Marks()])
    """The marks as they were at every so many payloads."""
    _deltas: array[float] = field(default_factory=lambda: array("d"))
    """When each came, where that is known."""
    _p95: Percentile = field(default_factory=lambda: Percentile(0.95), compare=False)

    def add(self, payload: bytes, at: float | None) -> None:
        """Count one more payload, which arrived at ``at``."""
        kind = type_of(payload)
        self.kinds[kind] += 1
        self.size += len(payload)
        if at is not None and _is_delta(kind, payload):
            if self._deltas:
                self._p95.add(at - self._deltas[-1])
            self._deltas.append(at)
        self.marks.look(kind, payload, at)
        self.count += 1
        if self.count % KEPT == 0:
            self._kept.append(self.marks.again())

    def take_back(self, payload: bytes, at: float | None) -> None:
        """Count the last payload no longer; the marks are right again after :meth:`mark`."""
        kind = type_of(payload)
        self.kinds[kind] -= 1
        if not self.kinds[kind]:
            del self.kinds[kind]
        self.size -= len(payload)
        if at is not None and _is_delta(kind, payload):
            self._deltas.pop()
            if self._deltas:
                self._p95.remove(at - self._deltas[-1])
        self.count -= 1

    def mark(self, payload: Payload, time_of: TimeOf) -> None:
        """Look again at the last few payloads, after some were taken back."""
        if self.marks.count <= self.count:
            return
        del self._kept[self.count // KEPT + 1 :]
        self.marks = self._kept[-1].again()
        for number in range(self.marks.count, self.count):
            looked_at = payload(number)
            self.marks.look(type_of(looked_at), looked_at, time_of(number))

    @property
    def first_event(self) -> float | None:
        return self.marks.first_event

    @property
    def last(self) -> float | None:
        return self.marks.last

    @property
    def held_back(self) -> int:
        """Events that arrived in bursts though their timestamps lie apart."""
        return self.marks.bursts.held_back

    def pace(self) -> float | None:
        """Deltas a second, over all the time between the first and the last."""
        return rate(self._deltas)

    def pace_now(self) -> float | None:
        """Deltas in the last second before the latest one, or on average where they span less;
        none where there was no delta for a second. As ``check`` has it."""
        deltas, last = self._deltas, self.marks.last
        if not deltas or last is None:
            return None
        if last - deltas[-1] > RECENT:
            return 0.0
        # A microsecond: times are sums of decimal fractions.
        since = deltas[-1] - RECENT + 1e-6
        if deltas[0] > since:
            return self.pace()
        recent = next(n for n, at in enumerate(reversed(deltas)) if at <= since)
        return float(recent)

    @property
    def gap_p95(self) -> float | None:
        """The gap between deltas that 95 % of them do not exceed."""
        return self._p95.value


def _is_delta(kind: str, payload: bytes) -> bool:
    return kind.endswith(("_CONTENT", "_ARGS", "_CHUNK")) and not _EMPTY.search(payload)


def count_some(
    tally: Tally, position: int, payload: Payload, time_of: TimeOf, enough: Callable[[], bool]
) -> bool:
    """Count on, or back, towards ``position`` until ``enough()``; ``True`` while there is more."""
    while tally.count != position:
        back = tally.count > position
        number = tally.count - back
        arrived = payload(number)
        if back:
            tally.take_back(arrived, time_of(number))
        else:
            tally.mark(payload, time_of)
            tally.add(arrived, time_of(number))
        # Most cost less than to ask.
        if (number % 64 == 63 or len(arrived) >= LARGE) and enough():
            break
    if tally.count == position:
        tally.mark(payload, time_of)
    return tally.count != position
