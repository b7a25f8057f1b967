"""Whether somebody on the way holds events back: bursts whose own timestamps lie apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Bursts"]

TOGETHER: Final = 0.01
"""Seconds: what arrives closer than this arrives as one burst."""
BURST: Final = 8
"""Events that make a burst worth looking at."""
APART: Final = 0.5
"""Seconds that a burst's own timestamps must span for it to look held back."""

_STAMP: Final = re.compile(rb'"timestamp"\s*:\s*(\d{12,14})[,}\s]')


@dataclass(slots=True)
class Bursts:
    """Looks at payloads in order; what has no timestamp says nothing."""

    held_back: int = 0
    """Events that arrived in bursts though their timestamps lie apart."""
    _count: int = 0
    _low: int = 0
    _high: int = 0

    def look(self, payload: bytes, gap: float) -> None:
        """``gap``: seconds since the payload before arrived."""
        match = _STAMP.search(payload)
        if match is None:
            return
        stamp = int(match.group(1))
        if gap > TOGETHER or not self._count:
            self._count, self._low, self._high = 1, stamp, stamp
            return
        self._count += 1
        self._low, self._high = min(self._low, stamp), max(self._high, stamp)
        if self._count >= BURST and self._high - self._low >= 1000 * APART:
            self.held_back += 1 if self._count > BURST else BURST
