"""Work that takes long: done beside everything else, told how far it is, stopped by a key."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

__all__ = ["Work"]

SHORT: Final = 0.2
"""Seconds of work that nobody needs to be told of."""
APART: Final = 0.1
"""Seconds between two tellings."""


@dataclass(slots=True)
class Work:
    """Something that goes on until it is done or stopped."""

    what: str
    """``Copying the transcript``."""
    tell: Callable[[], None]
    """Called when ``said`` has changed."""
    tell_at: float = field(default_factory=lambda: time.monotonic() + SHORT)
    """When there is next to be told of it, monotonic seconds."""
    said: str = ""
    """``Copying the transcript 45 %``; nothing while it is as good as done."""

    def done(self, share: float) -> None:
        """``share``: 0 to 1."""
        now = time.monotonic()
        if now < self.tell_at:
            return
        self.tell_at = now + APART
        self.said = f"{self.what} {min(share, 1.0):.0%}"
        self.tell()
