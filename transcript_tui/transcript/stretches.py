"""Which entries payloads changed, however many payloads: listed once a stretch, and then kept."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

from transcript_tui.transcript.model import MANY, NOTHING

STRETCH: Final = 4_096
"""Payloads whose changes are kept together."""


class Stretches:
    """Reads what the fold keeps of each payload."""

    __slots__ = ("_groups", "_kept", "_touched")

    def __init__(self, touched: array[int], groups: Mapping[int, frozenset[int]]) -> None:
        """``touched`` and ``groups`` are the transcript's, and grow."""
        self._touched = touched
        self._groups = groups
        self._kept: dict[int, Sequence[int] | None] = {}

    def changed(self, start: int, end: int, count: int) -> set[int] | None:
        """The keys below ``count`` that payloads from ``start`` to before ``end`` changed;
        ``None``: more than are listed."""
        found: set[int] = set()
        while start < end:
            stop = min(end, start - start % STRETCH + STRETCH)
            keys = self._keys(start, stop)
            if keys is None:
                return None
            found.update(keys[: bisect_left(keys, count)])
            start = stop
        return found

    def _keys(self, start: int, end: int) -> Sequence[int] | None:
        # What the last payload changed is not settled: the bytes may end there.
        if end - start < STRETCH or end >= len(self._touched):
            return self._listed(start, end)
        number = start // STRETCH
        if number not in self._kept:
            self._kept[number] = self._listed(start, end)
        return self._kept[number]

    def _listed(self, start: int, end: int) -> Sequence[int] | None:
        """In ascending order."""
        stretch = self._touched[start:end]
        keys = set(stretch)
        keys.discard(NOTHING)
        if MANY in keys:
            keys.discard(MANY)
            for number, touched in enumerate(stretch, start):
                if touched == MANY:
                    group = self._groups.get(number)
                    if group is None:
                        return None
                    keys |= group
        return array("i", sorted(keys))
