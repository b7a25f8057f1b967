"""Search that keeps finding: matches by entry, counted as the transcript is read and grows.

An entry is read once, and again only when it changed; of a text that grew only the end is
looked at again. Reading happens in slices of time, so that a search over 10,000 messages
answers at once and fills in its count afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from transcript_tui.ui.prefixsums import PrefixSums
from transcript_tui.ui.views.transcript.pattern import Pattern


@dataclass(frozen=True, slots=True)
class Hit:
    """A match in a text of an item."""

    name: str
    """Of the text within the item."""
    start: int
    end: int
    """In characters of the text as it reads."""
    said: str
    """What matched."""

    def stands_in(self, texts: Iterable[tuple[str, str]]) -> bool:
        """Whether it is what these (name, text) say at its place."""
        return any(
            name == self.name and text[self.start : self.end] == self.said for name, text in texts
        )


OVERLAP: Final = 2_000
"""Characters before the end of a text that are read again when it grows."""
KEPT: Final = 32
"""Entries with long texts without a match of which it is known how far they were read."""
WINDOW: Final = 16_000
"""Characters that are read at a time, so that no expression scans a megabyte for each of them."""


@dataclass(frozen=True, slots=True)
class SearchState:
    pattern: str
    count: int = 0
    index: int = 0
    """Which match the search stands on, from 1; 0 = none."""
    complete: bool = True
    """Everything there is has been looked through."""
    error: str | None = None
    """Why the pattern is taken as plain text rather than as a regular expression."""


class _Read:
    """What was found in one text."""

    __slots__ = ("hits", "text")

    def __init__(self) -> None:
        self.text = ""
        self.hits: list[tuple[int, int]] = []

    def read(self, text: str, pattern: Pattern) -> None:
        end = 0
        if self.text and len(text) >= len(self.text) and text.startswith(self.text):
            end = len(self.text)
        else:
            self.hits = []
        while True:
            start = self._again_from(text, end)
            end = min(len(text), end + WINDOW)
            while self.hits and self.hits[-1][1] > start:
                self.hits.pop()
            self.hits += pattern.spans(text, start, end)
            if end == len(text):
                break
        self.text = text

    def _again_from(self, text: str, end: int) -> int:
        """Where reading goes on at ``end``: at the start of a line, or a little before.

        A match that lies across that place is read again from its own beginning.
        """
        line = text.rfind("\n", max(0, end - OVERLAP), end) + 1
        start = line or max(0, end - OVERLAP)
        return min([start, *(first for first, last in self.hits[-8:] if first < start < last)])


class Search:
    """All matches of one pattern."""

    def __init__(
        self, pattern: str, texts: Callable[[int], Iterable[tuple[str, str]]], start: int, size: int
    ) -> None:
        self.text = pattern
        self.pattern = Pattern(pattern)
        self._texts = texts
        """(name, text) of an entry; nothing for one that is not shown."""
        self._counts = PrefixSums([0] * size)
        self._read: dict[int, dict[str, _Read]] = {}
        self._without: dict[int, dict[str, _Read]] = {}
        """Long texts without a match that were read lately: they may be growing."""
        # From where the reader is to the end, then from the beginning.
        self._ahead = [(start, size), (0, start)]
        self._again: set[int] = set()

    @property
    def count(self) -> int:
        return self._counts.total

    @property
    def error(self) -> str | None:
        return self.pattern.error

    @property
    def complete(self) -> bool:
        return not self._again and not any(first < last for first, last in self._ahead)

    def resize(self, size: int) -> None:
        """There are ``size`` entries now."""
        counts = self._counts
        if size < len(counts):
            counts.truncate(size)
            self._read = {key: read for key, read in self._read.items() if key < size}
            self._without.clear()
            self._again = {key for key in self._again if key < size}
            self._ahead = [(first, min(last, size)) for first, last in self._ahead]
            return
        if size > len(counts):
            self._ahead.append((len(counts), size))
            counts.extend([0] * (size - len(counts)))

    def changed(self, keys: Iterable[int]) -> None:
        """These entries are to be read again."""
        self._again.update(key for key in keys if key < len(self._counts))

    def step(self, enough: Callable[[], bool]) -> None:
        """Read on until it is ``enough`` or nothing is left."""
        while self._again:
            self._look(self._again.pop())
            if enough():
                return
        for index, (first, last) in enumerate(self._ahead):
            for key in range(first, last):
                self._look(key)
                if enough():
                    self._ahead[index] = (key + 1, last)
                    return
            self._ahead[index] = (last, last)
        self._ahead = []

    def _look(self, key: int) -> None:
        meant = self.pattern.error
        found: dict[str, _Read] = {}
        kept = self._read.get(key) or self._without.pop(key, {})
        for number, (name, text) in enumerate(self._texts(key)):
            slot = f"{number}:{name}"
            read = found[slot] = kept.get(slot) or _Read()
            read.read(text, self.pattern)
        if self.pattern.error != meant:
            self._begin_again()
            return
        total = sum(len(read.hits) for read in found.values())
        if total:
            self._read[key] = found
        else:
            self._read.pop(key, None)
            if any(len(read.text) > WINDOW for read in found.values()):
                self._keep(key, found)
        self._counts.set(key, total)

    def _keep(self, key: int, found: dict[str, _Read]) -> None:
        self._without[key] = found
        if len(self._without) > KEPT:
            del self._without[next(iter(self._without))]

    def _begin_again(self) -> None:
        """The pattern is another from now on: nothing that was found counts."""
        size = len(self._counts)
        self._counts.replace([0] * size)
        self._read.clear()
        self._without.clear()
        self._again = set(range(size))

    def hit(self, key: int, nth: int) -> Hit | None:
        """A match in an entry, in the order of its texts; ``None`` where there are fewer."""
        for slot, read in self._read.get(key, {}).items():
            if 0 <= nth < len(read.hits):
                start, end = read.hits[nth]
                return Hit(slot.partition(":")[2], start, end, read.text[start:end])
            nth -= len(read.hits)
        return None

    def bare_before(self, key: int, nth: int) -> int:
        """How many of the matches before a match of an entry are outside its texts."""
        bare = 0
        for slot, read in self._read.get(key, {}).items():
            if not slot.partition(":")[2]:
                bare += max(0, min(nth, len(read.hits)))
            nth -= len(read.hits)
        return bare

    def bare(self, key: int) -> bool:
        """Whether there is a match in an entry outside its texts (in a name, an error)."""
        read = self._read.get(key, {})
        return any(one.hits and not slot.partition(":")[2] for slot, one in read.items())

    def number(self, key: int, hit: int) -> int:
        """The number, from 1, of a match of an entry among all."""
        return self._counts.before(key) + hit + 1

    def find(self, key: int, hit: int) -> tuple[int, int] | None:
        """The match at or after match ``hit`` of entry ``key`` as (key, hit); going round."""
        total = self.count
        if not total:
            return None
        here = self._counts[key] if 0 <= key < len(self._counts) else 0
        if hit < here:
            return key, hit
        return self._counts.at(self._counts.before(key + 1) % total)

    def find_back(self, key: int, hit: int) -> tuple[int, int] | None:
        """The match before match ``hit`` of entry ``key``; going round."""
        total = self.count
        if not total:
            return None
        return self._counts.at((self._counts.before(key) + hit - 1) % total)
