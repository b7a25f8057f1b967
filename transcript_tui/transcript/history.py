"""Values that remember when they changed: the reason why seeking costs nothing.

Positions and stamps: *position n* is the transcript after the first n payloads of the
tape; a change made by payload number ``s`` (from 0) is stamped ``s`` and is visible at
every position n > s. Input that came before any payload is stamped ``BEFORE`` (-1).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, Generic, TypeVar

from transcript_tui.text import is_whole, mended

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


class Openings:
    """When an item was opened and closed, and which closings were cuts (its run ended)."""

    __slots__ = ("_closed", "_cut", "_opened")

    def __init__(self) -> None:
        # Lists: mostly of one stamp each, and made twice as fast as arrays.
        self._opened: list[int] = []
        self._closed: list[int] = []
        self._cut: list[int] | None = None

    def open(self, stamp: int) -> None:
        self._opened.append(stamp)

    def close(self, stamp: int, *, cut: bool = False) -> None:
        """One opening ends; ``cut``: not by an END, its run ended with it open."""
        if cut:
            self._cut = [*(self._cut or ()), len(self._closed)]
        self._closed.append(stamp)

    def count(self, position: int = LATEST) -> int:
        """Times it was opened."""
        return bisect_left(self._opened, position)

    def since(self, position: int = LATEST) -> int | None:
        """Stamp of the opening that lasts at ``position``; ``None`` = closed there."""
        closed = bisect_left(self._closed, position)
        return self._opened[closed] if closed < self.count(position) else None

    def ended(self, position: int = LATEST) -> int | None:
        """Stamp of the last closing; ``None`` = open or never opened."""
        closed = bisect_left(self._closed, position)
        return self._closed[closed - 1] if closed and closed == self.count(position) else None

    def cut(self, position: int = LATEST) -> bool:
        """Whether it is closed only because its run ended."""
        if self._cut is None:
            return False
        closed = bisect_left(self._closed, position)
        return closed == self.count(position) and closed - 1 in self._cut


HALF: Final = "\ud800", "\udbff"
"""The first halves of surrogate pairs: an emoji may be split across two deltas."""


class Text:
    """Text that grows by pieces, each stamped; reading never disturbs growing.

    Offsets are in characters (code points). Pieces are joined when somebody reads,
    never while the text grows, so a delta costs the same in a long text as in a short one.

    Text at an earlier position is always a prefix of text at a later one. Therefore the
    first half of a surrogate pair at the end is held back until its second half comes, or
    until the item closes: then it stands as U+FFFD.
    """

    __slots__ = ("_chunks", "_ends", "_half", "_joined", "_length", "_lost", "_pending", "_stamps")

    _CHUNK: Final = 256
    """Pieces are folded together by this many, so that small strings do not pile up."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._pending: list[str] = []
        self._joined: str | None = None
        self._length = 0
        self._stamps = array("i")
        self._ends = array("I")
        self._half = ""
        self._lost = ""

    @property
    def length(self) -> int:
        """Characters at the latest position."""
        return self._length

    def append(self, piece: str, stamp: int) -> None:
        if self._half or not piece.isascii():
            piece = self._whole(piece)
        if not piece:
            return
        pending = self._pending
        pending.append(piece)
        self._length = length = self._length + len(piece)
        self._joined = None
        self._stamps.append(stamp)
        self._ends.append(length)
        if len(pending) >= self._CHUNK:
            self._chunks.append("".join(pending))
            pending.clear()

    def extend(self, pieces: list[str], stamp: int) -> None:
        """Append several pieces, of which each next one has the next stamp."""
        joined = "".join(pieces)
        if len(pieces) == 1 or self._half or not all(pieces) or not is_whole(joined):
            for offset, piece in enumerate(pieces):
                self.append(piece, stamp + offset)
            return
        ends = list(accumulate(map(len, pieces), initial=self._length))
        self._ends.fromlist(ends[1:])
        self._stamps.fromlist(list(range(stamp, stamp + len(pieces))))
        self._pending.append(joined)
        self._length += len(joined)
        self._joined = None

    def close(self, stamp: int) -> None:
        """Nothing follows for now: a half that waited stands as U+FFFD, pieces become one."""
        if self._half:
            self._lost, self._half = self._half, ""
            self.append("\ufffd", stamp)
        self.read()

    def reopened(self) -> Text:
        """What to go on with: itself, or, where a half was given up, a copy in which it waits."""
        if not self._lost:
            return self
        again = Text()
        again._chunks = [self.read()[:-1]]
        again._length = self._length - 1
        again._stamps, again._ends = self._stamps[:-1], self._ends[:-1]
        again._half = self._lost
        return again

    def length_at(self, position: int) -> int:
        """Characters visible at ``position``."""
        index = bisect_left(self._stamps, position)
        return self._ends[index - 1] if index else 0

    def read(self, start: int = 0, end: int | None = None) -> str:
        """The characters from ``start`` to ``end`` (default: all there are)."""
        joined = self._joined
        if joined is None:
            joined = self._joined = "".join([*self._chunks, *self._pending])
            self._chunks = [joined]
            self._pending.clear()
        if start == 0 and (end is None or end >= self._length):
            return joined
        return joined[start:end]

    def first_stamp(self) -> int | None:
        """The payload that brought the first character."""
        return self._stamps[0] if self._stamps else None

    def last_stamp(self, position: int = LATEST) -> int | None:
        """The payload that brought the last character visible at ``position``."""
        index = bisect_left(self._stamps, position)
        return self._stamps[index - 1] if index else None

    def stamps(self, position: int = LATEST) -> Sequence[int]:
        """The payloads that brought the text visible at ``position``, in order."""
        return self._stamps[: bisect_left(self._stamps, position)]

    def pieces(self, position: int = LATEST) -> int:
        """How many payloads brought the text visible at ``position``."""
        return bisect_left(self._stamps, position)

    def _whole(self, piece: str) -> str:
        """``piece`` without halves: joined with one that waited, its own last one held back."""
        text, self._half = self._half + piece, ""
        if text and HALF[0] <= text[-1] <= HALF[1]:
            text, self._half = text[:-1], text[-1]
        return mended(text)
