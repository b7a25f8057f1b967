"""When each payload is due in playback: a pure function of the tape's times."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from typing import Literal

from transcript_tui.session.pacing import pace
from transcript_tui.session.tape import Tape

__all__ = ["PlaybackTiming", "Schedule"]

PlaybackTiming = Literal["auto", "original", "paced"]
"""``auto``: the tape's own times where it has any, else an invented rhythm."""


class Schedule:
    """Playing time of each payload, in seconds from 0: gaps capped, or a rhythm invented.

    Grows with the tape (:meth:`extend`), each payload looked at once.
    """

    __slots__ = ("_at", "_before", "_idle_cap", "_paced", "_tape", "_timing", "_total")

    def __init__(self, tape: Tape, timing: PlaybackTiming, idle_cap: float) -> None:
        self._tape = tape
        self._timing = timing
        self._idle_cap = idle_cap
        self._at = array("d")
        self._before = 0.0
        """Time of the payload looked at last, uncapped."""
        self._total = 0.0
        self._paced = self.should_pace()

    @property
    def total(self) -> float:
        return self._total

    def extend(self) -> bool:
        """Take in what the tape has got; true where earlier times changed too."""
        anew = self.should_pace() != self._paced
        if anew:
            self._paced = not self._paced
            self._at, self._before, self._total = array("d"), 0.0, 0.0
        start, end = len(self._at), self._tape.length
        if start < end:
            self._extend_paced(start, end) if self._paced else self._extend_timed(start, end)
        return anew

    def time(self, position: int) -> float:
        """Playing time at which ``position`` is reached."""
        return self._at[position - 1] if position > 0 else 0.0

    def position_at(self, seconds: float) -> int:
        """The position at playing time ``seconds``."""
        return bisect_right(self._at, seconds)

    def should_pace(self) -> bool:
        """Is the rhythm to be invented, as far as the tape is known?"""
        return self._timing == "paced" or (self._timing == "auto" and self._tape.timing is None)

    def _extend_timed(self, start: int, end: int) -> None:
        total, before, cap = self._total, self._before, self._idle_cap
        append = self._at.append
        for at in self._tape.times(start, end):
            if not math.isnan(at):
                total += min(at - before, cap)
                before = at
            append(total)
        self._total, self._before = total, before

    def _extend_paced(self, start: int, end: int) -> None:
        for payload in self._tape.payloads(start, end):
            self._total += pace(payload)
            self._at.append(self._total)
