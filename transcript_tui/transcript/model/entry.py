"""What all entries share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from transcript_tui.transcript.history import LATEST

NEVER: Final = LATEST
NOTHING: Final = -1
MANY: Final = -2
"""In place of the key of the one entry that a payload changed: it changed none, or several."""


@dataclass(slots=True, eq=False)
class Entry:
    """One thing in the transcript's order. Subclasses are the closed union ``AnyEntry``."""

    key: int
    born: int
    """Stamp of the payload that made it."""
    dropped: int = field(default=NEVER, kw_only=True)
    """Stamp of the snapshot that left it out; ``NEVER`` while it is held."""

    def held(self, position: int) -> bool:
        return self.born < position <= self.dropped
