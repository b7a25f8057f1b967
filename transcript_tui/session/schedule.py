"""When each payload is due in playback: a pure function of the tape's times."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from itertools import accumulate
from typing import Final, Literal

from transcript_tui.session.pacing import paces
from transcript_tui.session.tape import Tape

__all__ = ["PlaybackTiming", "Schedule"]

PlaybackTiming = Literal["auto", "original", "paced"]
"""``auto``: the tape's own times where it has any, else an invented rhythm."""


_AT_ONCE: Final = 2_048
"""Payloads looked at in one go: half a millisecond."""


class Schedule:
    """Playing time of each payload, in seconds from 0: gaps capped, or a rhythm invented.

    Each payload is looked at once, when it is asked about: whoever plays from the beginning of a
    long log, or shows only its end, does not wait for what lies between.
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
        """Playing time of what was looked at; of the whole tape where that is ``whole``."""
        return self._total

    @property
    def length(self) -> int:
        """Payloads that were looked at."""
        return len(self._at)

    @property
    def whole(self) -> bool:
        """Everything that has arrived was looked at."""
        return len(self._at) == self._tape.length

    def renew(self) -> bool:
        """Begin anew where the log turned out to have times, or none; whether that was so."""
        anew = self.should_pace() != self._paced
        if anew:
            self._paced = not self._paced
            self._at, self._before, self._total = array("d"), 0.0, 0.0
        return anew

    def look_ahead(self) -> None:
        """Look at some more of what has arrived."""
        start = len(self._at)
        end = min(self._tape.length, start + _AT_ONCE)
        if start < end:
            self._extend_paced(start, end) if self._paced else self._extend_timed(start, end)

    def time(self, position: int) -> float:
        """Playing time at which ``position`` is reached."""
        while len(self._at) < position:
            self.look_ahead()
        return self._at[position - 1] if position > 0 else 0.0

    def position_at(self, seconds: float) -> int:
        """The position at playing time ``seconds``."""
        while self._total <= seconds and not self.whole:
            self.look_ahead()
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
        waits = paces(self._tape.payloads(start, end))
        self._at.fromlist(list(accumulate(waits, initial=self._total))[1:])
        self._total = self._at[-1]
