"""Work in slices: between two of them the event loop serves everything else."""

from __future__ import annotations

import asyncio
import time
from typing import Final

__all__ = ["Turns"]

_SLICE: Final = 0.002
"""Seconds of work between two turns of the event loop."""
_REST: Final = 0.01
"""Seconds for which work that nobody waits for rests between two slices."""


class Turns:
    """Gives the event loop its turn when a slice is over."""

    def __init__(self) -> None:
        self._began = 0.0

    def begin(self) -> None:
        """A slice begins."""
        self._began = time.perf_counter()

    @property
    def over(self) -> bool:
        return time.perf_counter() - self._began > _SLICE

    async def give(self) -> None:
        await asyncio.sleep(0)
        self.begin()

    async def rest(self) -> None:
        """Leave most of the time to everything else, where a slice of work that nobody waits for
        is over."""
        if self.over:
            await asyncio.sleep(_REST)
            self.begin()
