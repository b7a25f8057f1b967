"""Time, handed in: nothing in a session asks the machine itself, so that tests never sleep."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol

__all__ = ["Clock", "RealClock"]


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
        await asyncio.sleep(seconds)
