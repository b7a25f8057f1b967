"""Time, handed in: nothing in a session asks the machine itself, so that tests never sleep."""

from __future__ import annotations

import time
from datetime import datetime, tzinfo
from typing import Protocol

__all__ = ["Clock", "RealClock", "moment"]


class Clock(Protocol):
    """What a session knows of time."""

    def now(self) -> float:
        """Seconds on a clock that never goes back; its zero means nothing."""
        ...

    def wall(self) -> float:
        """Seconds since the epoch."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class RealClock:
    """The machine's clocks."""

    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        import asyncio  # ``check`` needs a date and no event loop, which is dear to import

        await asyncio.sleep(seconds)


def moment(seconds: float, zone: tzinfo | None = None) -> datetime | None:
    """The date and time so many seconds after the epoch, in ``zone`` or here.

    ``None`` where the calendar has no such year: a legal timestamp may lie 285,000 of them away.
    """
    try:
        return datetime.fromtimestamp(seconds, zone)
    except (ValueError, OverflowError, OSError):
        return None
