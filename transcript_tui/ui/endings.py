"""One sign for each way in which a run can end, the same wherever it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    # Not when the program runs: the first frame waits for this module, and not for that one.
    from transcript_tui.transcript.model import Ending

__all__ = ["ENDING_SIGNS"]

ENDING_SIGNS: Final[dict[Ending, str]] = {
    "finished": "✓",
    "interrupted": "?",
    "cancelled": "⊘",
    "failed": "✗",
    "truncated": "✂",
    "rejected": "⚑",
}
"""Each differs from the others without colour."""
