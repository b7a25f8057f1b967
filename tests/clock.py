"""A clock that moves only when a test says so."""

from __future__ import annotations

import asyncio
import heapq
import itertools

__all__ = ["FakeClock"]


class FakeClock:
    """Stands still until told to go on; whoever sleeps wakes when it passes."""

    def __init__(self, now: float = 0.0, wall: float = 1_796_119_200.0) -> None:
        self._now = now
        self._wall = wall - now
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._order = itertools.count()
        self._changed = asyncio.Event()
        """Somebody began to sleep, or sleeps no more."""

    def now(self) -> float:
        return self._now

    def wall(self) -> float:
        return self._wall + self._now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waker = asyncio.get_running_loop().create_future()
        waker.add_done_callback(lambda _: self._changed.set())
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), waker))
        self._changed.set()
        await waker

    @property
    def sleeping(self) -> int:
        """How many wait for this clock to move."""
        return sum(not waker.done() for _, _, waker in self._sleepers)

    @property
    def next_in(self) -> float:
        """Seconds until the first of them wakes."""
        return min(at - self._now for at, _, waker in self._sleepers if not waker.done())

    async def asleep(self, *, somebody: bool = True) -> None:
        """Wait until somebody waits for this clock, or nobody does any more."""
        async with asyncio.timeout(20):
            while bool(self.sleeping) != somebody:
                self._changed.clear()
                await self._changed.wait()

    def advance(self, seconds: float) -> None:
        """Move on, and wake those whose time has come, in the order of their times."""
        self._now += seconds
        while self._sleepers and self._sleepers[0][0] <= self._now:
            _, _, waker = heapq.heappop(self._sleepers)
            if not waker.done():
                waker.set_result(None)
