"""Exit statuses, a contract with scripts (``check.md``)."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final

__all__ = ["Status", "worst"]


class Status(IntEnum):
    OK = 0
    """All accepted and finished, interrupted or cancelled."""
    REJECTED = 1
    """A stream was rejected; with ``--strict`` also: a warning."""
    UNUSABLE = 2
    """Usage, or a source that cannot be read or reached."""
    FAILED = 3
    """A run failed by its own account."""
    TRUNCATED = 4
    """Truncated, or no event."""
    UNFORESEEN = 70
    """An error of this program, BSD's ``EX_SOFTWARE``: it says nothing of any stream."""
    INTERRUPTED = 130
    """Stopped by Ctrl+C; what arrived is flushed first."""
    CLOSED = 141
    """Nobody reads our output any more, as a shell reports it for any program in a pipe."""


_WORST_FIRST: Final = (Status.UNUSABLE, Status.REJECTED, Status.TRUNCATED, Status.FAILED)


def worst(statuses: Iterable[Status]) -> Status:
    """The worst of several, in the order 2, 1, 4, 3."""
    seen = set(statuses)
    return next((status for status in _WORST_FIRST if status in seen), Status.OK)
