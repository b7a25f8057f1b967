"""What CUSTOM and RAW last said before a bad ending: that is shown unasked."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Final

from transcript_tui.transcript.model import AnyEntry, Cut, Passthrough, Rejection, RunEnd, RunStart

BAD: Final = ("failed", "truncated", "rejected")


class LastWords:
    """The last CUSTOM and the last RAW of a run before each of its endings, good or bad: which
    one it is may depend on the position."""

    def __init__(self, entries: list[AnyEntry]) -> None:
        self._entries = entries
        self._read = 0
        """Entries that were looked at."""
        self._last: dict[str, int] = {}
        """Keys of the last of each since the run began."""
        self._before: dict[int, tuple[int, ...]] = {}
        """By ending: the last words before it."""
        self._after: dict[int, list[int]] = {}
        """By last word: the endings that it stands before."""
        self._words: dict[str, list[int]] = {"CUSTOM": [], "RAW": []}
        """The last words, in order."""

    def read(self, size: int) -> set[int]:
        """Look at entries up to the first ``size``; the last words before endings among them."""
        new = range(self._read, size)
        self._read = max(self._read, size)
        for key in new:
            entry = self._entries[key]
            if isinstance(entry, Passthrough):
                self._last[entry.kind] = key
            elif isinstance(entry, RunStart):
                self._last.clear()
            elif isinstance(entry, RunEnd | Rejection | Cut):
                self._end(key)
        return self.before(new)

    def _end(self, key: int) -> None:
        for kind, word in self._last.items():
            if word not in self._after:
                self._words[kind].append(word)
            self._after.setdefault(word, []).append(key)
        self._before[key] = tuple(self._last.values())

    def across(self, size: int) -> Iterator[int]:
        """The last words among the first ``size`` entries before an ending that is not."""
        for words in self._words.values():
            index = bisect_left(words, size)
            if index and self._after[words[index - 1]][-1] >= size:
                yield words[index - 1]

    def before(self, keys: Iterable[int]) -> set[int]:
        """The last words before those of the entries that are endings."""
        return {word for key in keys for word in self._before.get(key, ())}

    def shown(self, key: int, position: int) -> bool:
        """Whether a CUSTOM or RAW stands last before what is a bad ending at ``position``."""
        return any(self._bad(ending, position) for ending in self._after.get(key, ()))

    def _bad(self, key: int, position: int) -> bool:
        entry = self._entries[key]
        if not entry.held(position):
            return False
        if not isinstance(entry, RunEnd):
            return True
        ending = entry.run.ending.at(position)
        return ending is not None and ending.kind in BAD
