"""How many tokens a second came lately."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape

WINDOW: Final = 2.0
"""Seconds of the tape over which tokens are counted."""
SHORTEST: Final = 0.2
"""Seconds over which they must have come for a rate to mean anything."""
SAMPLE: Final = 2_000
"""Payloads looked at for that: where more came, the others are taken to be like them."""


def token_rate(tape: Tape, position: int) -> float | None:
    """Deltas a second in the last seconds of the tape before ``position``."""
    end = tape.time(position - 1) if position else None
    if end is None or not tape.timing:
        return None
    start = bisect_left(range(position), end - WINDOW, key=lambda i: tape.time(i) or 0.0)
    first = tape.time(start)
    if first is None or end - first < SHORTEST:
        return None
    # What came with the first came before the time that is measured.
    start += 1
    looked_at = tape.payloads(max(start, position - SAMPLE), position)
    # A STATE_DELTA has one, too, and it is no text.
    deltas = sum(b'"delta"' in one and b'_DELTA"' not in one for one in looked_at)
    return deltas / len(looked_at) * (position - start) / (end - first)
