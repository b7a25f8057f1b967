"""When each payload of a source came, as the viewer and ``check`` know it."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, Literal

from transcript_tui.session.pacing import timestamp
from transcript_tui.wire.frames import Frame

__all__ = ["UNKNOWN", "Times", "Timing"]

Timing = Literal["recorded", "arrival", "timestamps"]
"""Where times come from: a recording's offsets, the moment of arrival, the events' own stamps."""

UNKNOWN: Final = math.nan


class Times:
    """Seconds since time 0, one a payload; they never decrease, and unknown ones stand only at the
    start. Where they come from shows with the first that are known; what has none of that kind
    takes its predecessor's."""

    def __init__(self, *, trust_offsets: bool = True) -> None:
        """``trust_offsets``: those in the bytes outrank the moment of arrival."""
        self.all = array("d")
        self.last = 0.0
        self.first_stamp: int | None = None
        """The stamp that is time 0, where times come from the events; in milliseconds."""
        self._trust_offsets = trust_offsets
        self._source: Timing | None = None
        self._distinct = False
        """The stamps are not all the same."""

    @property
    def timing(self) -> Timing | None:
        """Where the times come from; ``None``: there are none, or all are the same stamp."""
        if self._source == "timestamps" and not self._distinct:
            return None
        return self._source

    def at(self, number: int) -> float | None:
        """When payload ``number`` came; ``None``: not known, as for what was there before (-1)."""
        value = self.all[number] if 0 <= number < len(self.all) else UNKNOWN
        return None if math.isnan(value) else value

    def known(self, start: int, end: int) -> array[float]:
        """The times of payloads ``start`` to ``end``, but for the first ones that are not known."""
        if self.timing is None:
            return array("d")
        first = bisect_left(self.all, True, start, end, key=lambda at: not math.isnan(at))
        return self.all[first:end]

    def of_mark(self, offset: float | None, arrival: float | None) -> float | None:
        """When something came that is no payload, by the same rules."""
        at = arrival if self._by_arrival(arrival, offset is not None) else offset
        return None if at is None else max(self.last, at)

    def take(self, frames: Sequence[Frame], arrival: float | None, *, stamped: bool) -> None:
        """``arrival`` is that of all, for a source that is live; ``stamped``: some payload may
        hold a ``"timestamp"``."""
        offsets = [frame.at for frame in frames].count(None) < len(frames)
        if self._by_arrival(arrival, offsets):
            assert arrival is not None
            self._source = self._source or "arrival"
            self.last = max(self.last, arrival)
        elif offsets or stamped:
            self.all.fromlist([self._time_of(frame) for frame in frames])
            return
        known = self._source is not None
        self.all.extend(array("d", (self.last if known else UNKNOWN,)) * len(frames))

    def _by_arrival(self, arrival: float | None, has_offset: bool) -> bool:
        return arrival is not None and not (has_offset and self._trust_offsets)

    def _time_of(self, frame: Frame) -> float:
        if frame.at is not None:
            self._source = "recorded"
            self.last = max(self.last, frame.at)
        elif self._source in (None, "timestamps"):
            self._read_stamp(frame.payload)
        return self.last if self._source is not None else UNKNOWN

    def _read_stamp(self, payload: bytes) -> None:
        stamp = timestamp(payload)
        if stamp is None:
            return
        if self.first_stamp is None:
            self.first_stamp = stamp
            self._source = "timestamps"
        elif stamp > self.first_stamp:
            self._distinct = True
            self.last = max(self.last, (stamp - self.first_stamp) / 1000)
