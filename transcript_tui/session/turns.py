"""Work in slices: between two of them the event loop serves everything else."""

from __future__ import annotations

import asyncio
import gc
import time
from typing import Final

__all__ = ["Spared", "Turns"]

_SLICE: Final = 0.002
"""Seconds of work between two turns of the event loop."""
_SPARED: Final = 20_000
"""Payloads after which what is there is no longer looked through for garbage."""


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


class Spared:
    """What arrived lives to the end: looking through all of it for garbage again and again
    would stop everything for a third of a second in some 300,000 events."""

    def __init__(self) -> None:
        self._length = 0

    def look(self, length: int) -> None:
        """``length`` payloads have arrived."""
        if length - self._length >= _SPARED:
            self._length = length
            gc.collect(1)
            gc.freeze()
