"""Looking for garbage while nobody waits.

A full pass of Python's collector over what the screen keeps takes as long as a painting does.
Left alone it comes in the middle of one, every dozen seeks; here it comes when the screen has
been still for a moment, and in between only ten times as rarely.
"""

from __future__ import annotations

import asyncio
import gc
from typing import Final

STILL: Final = 0.5
"""Seconds without a painting after which nobody waits."""
DUE: Final = 10
"""Passes over the younger objects after which a full one is due (Python's own measure)."""


class Garbage:
    """Call :meth:`painted` after each painting; it sleeps while nothing is painted."""

    def __init__(self) -> None:
        self._painted_at = 0.0
        self.waiting = False
        """A look is due in a moment."""
        gc.set_threshold(*gc.get_threshold()[:2], 10 * DUE)

    def painted(self) -> None:
        self._painted_at = asyncio.get_running_loop().time()
        if not self.waiting:
            self._wait(STILL)

    def _wait(self, seconds: float) -> None:
        self.waiting = True
        asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self.waiting = False
        left = self._painted_at + STILL - asyncio.get_running_loop().time()
        if left > 0:
            self._wait(left)
        elif gc.get_count()[2] >= DUE:
            gc.collect()
