"""Values that remember when they changed: the reason why seeking costs nothing.

Positions and stamps: *position n* is the transcript after the first n payloads of the
tape; a change made by payload number ``s`` (from 0) is stamped ``s`` and is visible at
every position n > s. Input that came before any payload is stamped ``BEFORE`` (-1).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from typing import Final, Generic, TypeVar

T = TypeVar("T")

BEFORE: Final = -1
"""Stamp of what was there before the first payload (the run's input)."""
LATEST: Final = 2**31 - 1
"""A position after everything."""


class History(Generic[T]):
    """A field with all its versions, oldest first; at least one."""

    __slots__ = ("_stamps", "_values")

    def __init__(self, value: T, stamp: int) -> None:
        self._stamps = [stamp]
        self._values = [value]

    @property
    def now(self) -> T:
        return self._values[-1]

    def set(self, value: T, stamp: int) -> None:
        """Make ``value`` current from ``stamp`` on; several in one payload leave the last."""
        if self._stamps[-1] == stamp:
            self._values[-1] = value
        else:
            self._stamps.append(stamp)
            self._values.append(value)

    def at(self, position: int) -> T:
        """The value at ``position``; the first one where the field did not exist yet."""
        index = bisect_left(self._stamps, position) - 1
        return self._values[max(index, 0)]

    def versions(self) -> list[tuple[int, T]]:
        """(stamp, value), oldest first."""
        return list(zip(self._stamps, self._values, strict=True))


class Text:
    """Text that grows by pieces, each stamped; reading never disturbs growing.

    Offsets are in characters (code points). Pieces are joined when somebody reads,
    never while the text grows, so a delta costs the same in a long text as in a short one.
    """

    __slots__ = ("_chunks", "_ends", "_joined", "_length", "_pending", "_stamps")

    _CHUNK: Final = 256
    """Pieces are folded together by this many, so that small strings do not pile up."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._pending: list[str] = []
        self._joined: str | None = None
        self._length = 0
        self._stamps = array("i")
        self._ends = array("I")

    @property
    def length(self) -> int:
        """Characters at the latest position."""
        return self._length

    def append(self, piece: str, stamp: int) -> None:
        if not piece:
            return
        self._pending.append(piece)
        self._length += len(piece)
        self._joined = None
        if len(self._pending) >= self._CHUNK:
            self._chunks.append("".join(self._pending))
            self._pending.clear()
        if self._stamps and self._stamps[-1] == stamp:
            self._ends[-1] = self._length
        else:
            self._stamps.append(stamp)
            self._ends.append(self._length)

    def length_at(self, position: int) -> int:
        """Characters visible at ``position``."""
        index = bisect_left(self._stamps, position)
        return self._ends[index - 1] if index else 0

    def read(self, start: int = 0, end: int | None = None) -> str:
        """The characters from ``start`` to ``end`` (default: all there are)."""
        if self._joined is None:
            if self._pending:
                self._chunks.append("".join(self._pending))
                self._pending.clear()
            if len(self._chunks) > 1:
                self._chunks = ["".join(self._chunks)]
            self._joined = self._chunks[0] if self._chunks else ""
        return self._joined if start == 0 and end is None else self._joined[start:end]

    def first_stamp(self) -> int | None:
        """The payload that brought the first character."""
        return self._stamps[0] if self._stamps else None

    def last_stamp(self, position: int = LATEST) -> int | None:
        """The payload that brought the last character visible at ``position``."""
        index = bisect_left(self._stamps, position)
        return self._stamps[index - 1] if index else None

    def pieces(self) -> int:
        """How many payloads brought text."""
        return len(self._stamps)
