"""Values that grow by amendments: metadata that merges, JSON that is patched.

Both keep what amended them instead of every result, so that an amendment costs in
proportion to itself, whatever the value has become; a result is made when it is read.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Final

from transcript_tui.protocol.shapes import Metadata
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.patch import Patched, PatchFailed, apply_again, apply_patch


class MetadataLog:
    """Metadata merged key by key, last write wins, no recursion (basic/metadata)."""

    __slots__ = ("_merged", "_parts", "_read", "_stamps")

    def __init__(self) -> None:
        self._stamps = array("i")
        self._parts: list[Metadata] = []
        self._read = 0
        self._merged: Metadata = {}

    def merge(self, part: Metadata, stamp: int) -> None:
        self._stamps.append(stamp)
        self._parts.append(part)

    def at(self, position: int = LATEST) -> Metadata | None:
        """The merged value; ``None`` = no event carried any. Never mutated afterwards."""
        wanted = bisect_left(self._stamps, position)
        if wanted == 0:
            return None
        if wanted < self._read:
            self._read, self._merged = 0, {}
        if wanted > self._read:
            merged = dict(self._merged)
            for part in self._parts[self._read : wanted]:
                merged.update(part)
            self._read, self._merged = wanted, merged
        return self._merged


class JsonHistory:
    """A JSON value, replaced or patched, that can be had as it was at any position.

    Kept are the values that replaced it and the patches between them, and every
    ``CHECKPOINT`` patches a whole value (which shares structure with its neighbours), or less often
    where its own containers are large: no patch costs more memory than ``CHECKPOINT`` entries. A
    patch copies the containers on its way once between two readings.
    """

    CHECKPOINT: Final = 64

    __slots__ = ("_changes", "_current", "_read", "_stamps", "_weight", "_wholes")

    def __init__(self, value: Any, stamp: int) -> None:
        self._stamps = array("i", [stamp])
        self._changes: list[Any] = [value]
        self._wholes = array("i", [0])
        self._current = Patched(value)
        self._read: list[tuple[int, Any]] = [(0, value)]
        """What was read last, and before that, each with its place among the changes."""
        self._weight = 0
        """Entries that a whole value would hold of its own."""

    @property
    def now(self) -> Any:
        """The value at the latest position; never mutated after it was handed out."""
        return self._current.share()

    def set(self, value: Any, stamp: int) -> None:
        self._wholes.append(len(self._changes))
        self._stamps.append(stamp)
        self._changes.append(value)
        self._current = Patched(value)
        self._weight = 0

    def patch(self, operations: list[dict[str, Any]], stamp: int, kind: type[Any] = object) -> None:
        """Apply an RFC 6902 patch, all or nothing; raises :class:`PatchFailed`, also where the
        outcome would be no ``kind``."""
        before = len(self._changes)
        try:
            apply_patch(self._current, operations, kind)
        except PatchFailed as failure:
            if failure.spent:
                grown = self._current.grown
                self._current = Patched(self._rebuilt(before - 1))
                # What was copied before is still there: nobody gets round the limits by failing.
                self._current.grown = grown
            raise
        self._stamps.append(stamp)
        self._weight = max(self._weight, self._current.weight)
        if before - self._wholes[-1] >= max(self.CHECKPOINT, self._weight // self.CHECKPOINT):
            self._wholes.append(before)
            self._changes.append(self._current.share())
            self._weight = 0
        else:
            self._changes.append(operations)

    def at(self, position: int = LATEST) -> Any:
        """The value at ``position``; the first one where there was none yet. Never mutated."""
        index = max(bisect_left(self._stamps, position) - 1, 0)
        for place, value in self._read:
            if place == index:
                return value
        last = index == len(self._changes) - 1
        value = self._current.share() if last else self._rebuilt(index)
        # Two: whoever compares a version with the one before asks for both, step by step.
        self._read = [(index, value), self._read[0]]
        return value

    def stamps(self) -> Sequence[int]:
        """The payloads that changed it, in order; it grows, and is not to be held on to."""
        return self._stamps

    def last_stamp(self, position: int = LATEST) -> int:
        """The payload that made the value at ``position``."""
        return self._stamps[max(bisect_left(self._stamps, position) - 1, 0)]

    def _rebuilt(self, index: int) -> Any:
        base = self._wholes[_last_at_most(self._wholes, index)]
        value = Patched(self._changes[base])
        for operations in self._changes[base + 1 : index + 1]:
            apply_again(value, operations)
        return value.share()


def _last_at_most(ordered: array[int], value: int) -> int:
    return bisect_left(ordered, value + 1) - 1
