"""The player: which position of the tape is shown now. Nothing here sleeps or asks the time.

Whoever draws calls :meth:`Player.tick` with the time, and :meth:`Player.due` says when to
call it again. While a source is live the player follows its end; any step back makes it an
ordinary player over what has arrived, until it catches up or is told to go live.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from typing import Final

from transcript_tui.session.schedule import PlaybackTiming, Schedule
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import Entry, Message

__all__ = ["IDLE_CAP", "MAX_SPEED", "SPEEDS", "Player"]

MAX_SPEED: Final = math.inf
SPEEDS: Final = (0.1, 0.25, 0.5, 1.0, 1.5, 2.0, 4.0, 10.0, 25.0, 50.0, 100.0, MAX_SPEED)
IDLE_CAP: Final = 2.0
"""Seconds that a gap in the tape takes at most, at speed 1."""
LOOP_PAUSE: Final = 2.0
"""Seconds that the end stays on the screen before a loop begins again."""


class Player:
    """A position that moves over a tape."""

    def __init__(
        self,
        tape: Tape,
        *,
        timing: PlaybackTiming = "auto",
        idle_cap: float = IDLE_CAP,
        speed: float = 1.0,
        loop: bool = False,
        live: bool = False,
        playing: bool = True,
    ) -> None:
        """``live``: the source delivers as things happen; ``speed`` may be ``MAX_SPEED``."""
        self._tape = tape
        self._schedule = Schedule(tape, timing, idle_cap)
        self._source_is_live = live
        self._anchor: tuple[float, float] | None = None
        """(now, playing time then), from which the present playing time follows."""
        self._begin_again: float | None = None
        """When the loop begins again, once the end is reached."""
        self.idle_cap = idle_cap
        self.position = 0
        self.playing = playing
        self.live = live and playing
        self.speed = max(speed, SPEEDS[0])
        self.loop = loop

    # What is shown beside the position ------------------------------------------------------

    @property
    def length(self) -> int:
        return self._tape.length

    @property
    def ahead(self) -> int:
        """Payloads that have arrived beyond the position."""
        return self._tape.length - self.position

    @property
    def at_end(self) -> bool:
        """Everything has been shown and nothing more will come."""
        return self._tape.complete and self.position >= self._tape.length

    @property
    def can_go_live(self) -> bool:
        return self._source_is_live and not self._tape.complete

    @property
    def paced(self) -> bool:
        """The rhythm is invented: the log has no times of its own."""
        return self._schedule.should_pace() and not self._source_is_live

    def elapsed(self, position: int | None = None) -> float | None:
        """Seconds on the tape's own clock (uncapped) at ``position``; paced: playing time, and
        ``None`` where that was not looked at yet, or the log has no times and plays without."""
        position = self.position if position is None else position
        if self.paced:
            return self._schedule.time(position) if position <= self._schedule.length else None
        if self._tape.timing is None:
            return None
        return (self._tape.time(position - 1) or 0.0) if position > 0 else 0.0

    @property
    def total(self) -> float | None:
        """``elapsed`` at the end of what has arrived; ``None`` while that was not looked at."""
        if not self.paced:
            return self._tape.duration
        return self._schedule.total if self._schedule.whole else None

    def fraction(self, position: int) -> float:
        """Where ``position`` is on the progress bar, 0 to 1: by playing time, else by number."""
        if self._schedule.whole and self._schedule.total > 0:
            return min(1.0, self._schedule.time(position) / self._schedule.total)
        return min(1.0, position / self.length) if self.length else 0.0

    # Time passes ---------------------------------------------------------------------------

    def look_ahead(self) -> bool:
        """Look at some more of what has arrived; whether there is still more.

        The bar is by time once all of it was looked at.
        """
        self._renew()
        self._schedule.look_ahead()
        return not self._schedule.whole

    def _renew(self) -> None:
        if self._schedule.renew():
            self._anchor = None

    def tick(self, now: float) -> bool:
        """Move to where ``now`` (seconds of the session's clock) asks to be; true if that moved."""
        self.look_ahead()
        if not self.playing:
            return False
        before = self.position
        if self.live or self.speed == MAX_SPEED:
            self.position = self.length
        else:
            self.position = max(before, self._schedule.position_at(self._playing_time(now)))
        if self.position >= self.length:
            self._reach_end(now)
        return self.position != before

    def due(self, now: float) -> float | None:
        """Seconds until the next payload is due; ``None``: only a command or an arrival moves."""
        self._renew()
        if not self.playing:
            return None
        if self._begin_again is not None:
            return max(0.0, self._begin_again - now)
        if self.position >= self.length:
            return 0.0 if self._tape.complete else None
        if self.live or self.speed == MAX_SPEED:
            return 0.0
        left = self._schedule.time(self.position + 1) - self._playing_time(now)
        return max(0.0, left / self.speed)

    def _playing_time(self, now: float) -> float:
        if self._anchor is None:
            self._anchor = (now, self._schedule.time(self.position))
        then, at = self._anchor
        return at + (now - then) * self.speed

    def _reach_end(self, now: float) -> None:
        if not self._tape.complete:
            # Caught up: follow what is live, and never run ahead of what is still being read.
            self.live = self._source_is_live
            self._anchor = None
        elif not self.loop or not self.length:
            self.live = self.playing = False
        elif self._begin_again is None:
            self.live = False
            self._begin_again = now + LOOP_PAUSE
        elif now >= self._begin_again:
            self._move(0)

    # Commands ------------------------------------------------------------------------------

    def play(self) -> None:
        """Play on; from the beginning where the end was reached."""
        if self.at_end:
            self._move(0)
        self.playing = True
        self._anchor = None

    def pause(self) -> None:
        self.playing = self.live = False
        self._anchor = self._begin_again = None

    def toggle(self) -> None:
        self.pause() if self.playing else self.play()

    def seek(self, position: int) -> None:
        """Show ``position`` (clamped); goes on playing from there if it played."""
        self._renew()
        self.live = False
        self._move(position)

    def seek_time(self, seconds: float) -> None:
        """Show what had arrived at ``seconds`` of the tape's own clock (as ``elapsed`` counts)."""
        self._renew()
        by = self._schedule if self.paced else self._tape
        self.seek(by.position_at(seconds))

    def seek_fraction(self, fraction: float) -> None:
        """Show the place at ``fraction`` (0 to 1) of the progress bar."""
        self.look_ahead()
        if fraction >= 1:
            self.seek(self.length)
        elif self._schedule.whole and self._schedule.total > 0:
            self.seek(
                self._schedule.position_at(fraction * self._schedule.total) if fraction > 0 else 0
            )
        else:
            self.seek(int(fraction * self.length))

    def step_events(self, count: int) -> None:
        """``count`` events forwards, or back where negative; pauses."""
        self.pause()
        self.seek(self.position + count)

    def step_messages(self, count: int) -> None:
        """``count`` messages forwards, or back where negative; pauses.

        It stops where the next message is about to begin: what came before it is whole.
        """
        self.pause()
        for _ in range(abs(count)):
            self.seek(self._next_start() if count > 0 else self._previous_start())

    def faster(self) -> None:
        self.set_speed(next((speed for speed in SPEEDS if speed > self.speed), MAX_SPEED))

    def slower(self) -> None:
        self.set_speed(next((speed for speed in reversed(SPEEDS) if speed < self.speed), SPEEDS[0]))

    def set_speed(self, speed: float) -> None:
        """From ``SPEEDS[0]`` on; ``MAX_SPEED`` shows everything at once."""
        self.speed = max(speed, SPEEDS[0])
        self._anchor = None

    def toggle_loop(self) -> None:
        self.loop = not self.loop
        self._begin_again = None

    def go_live(self) -> None:
        """Show the newest, and follow it while the source is live."""
        self._move(self.length)
        self.live = self.can_go_live
        self.playing = self.live

    def _move(self, position: int) -> None:
        self.position = min(max(position, 0), self.length)
        self._anchor = self._begin_again = None

    def _next_start(self) -> int:
        entries = self._tape.transcript.entries
        for index in range(bisect_right(entries, self.position, key=_born), len(entries)):
            if isinstance(entries[index], Message):
                return entries[index].born
        return self.length

    def _previous_start(self) -> int:
        entries = self._tape.transcript.entries
        for index in range(bisect_left(entries, self.position, key=_born) - 1, -1, -1):
            if isinstance(entries[index], Message):
                return max(0, entries[index].born)
        return 0


def _born(entry: Entry) -> int:
    return entry.born
