"""Painting at most once a frame, and not at all while nothing happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

INTERVAL: Final = 1 / 40
"""Seconds between two paintings: smooth enough for text, and leaves the processor alone."""
SHARE: Final = 4
"""A painting that is much work is not followed by another for so many times its duration, unless
the user asks: reading a large file, or a slow machine, then still gets most of the time. Its work
counts, not how long it waited for a processor that others use: that is no reason to wait longer."""
LONGEST: Final = 0.2
"""Seconds between two paintings at most, however long they take."""


SOON: Final = 0.001
"""Seconds: Textual divides by the interval of a timer, so it is never nothing."""


class Alarm(Protocol):
    """A timer that can be called off."""

    def stop(self) -> None: ...


class Repainting:
    """Collects wishes to paint: however many come, ``paint`` runs once an interval.

    ``now`` gives monotonic seconds, ``later(delay, call)`` starts an alarm, ``worked`` gives
    seconds of work (of the processor).
    """

    def __init__(
        self,
        paint: Callable[[], float | None],
        now: Callable[[], float],
        later: Callable[[float, Callable[[], None]], Alarm],
        worked: Callable[[], float],
    ) -> None:
        self._paint = paint
        self._now = now
        self._later = later
        self._worked = worked
        self._began = float("-inf")
        self._rested = float("-inf")
        """When the last painting would have begun, had it been a short one."""
        self._due: float | None = None
        self._alarm: Alarm | None = None

    def request(self, delay: float = 0.0, *, urgent: bool = False) -> None:
        """Paint in ``delay`` seconds, or as soon after as the interval allows; ``urgent``: the
        user waits for it."""
        now = self._now()
        due = max(now + delay, (self._began if urgent else self._rested) + INTERVAL)
        if self._due is not None:
            if self._due <= due:
                return
            if self._alarm is not None:
                self._alarm.stop()
        self._due = due
        self._alarm = self._later(max(SOON, due - now), self._run)

    def _run(self) -> None:
        self._due = None
        self._alarm = None
        self._began, before = self._now(), self._worked()
        wait = self._paint()
        took = self._worked() - before
        self._rested = self._began + max(0.0, min(SHARE * took, LONGEST) - INTERVAL)
        if wait is not None:
            self.request(wait)
