"""What came or changed below what is in view: that is counted in its hint."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable


class Arrivals:
    """Keys of items, in order: counting them at each line that is scrolled costs nothing."""

    def __init__(self) -> None:
        self._keys: list[int] = []

    def __len__(self) -> int:
        return len(self._keys)

    def clear(self) -> None:
        self._keys.clear()

    def take(
        self, changed: Iterable[int], new: Iterable[int], shown: Callable[[int], bool]
    ) -> None:
        """Entries ``changed``, which are items where they are ``shown``; ``new`` items, in order,
        came behind all others."""
        keys = self._keys
        for key in changed:
            index = bisect_left(keys, key)
            known = keys[index : index + 1] == [key]
            keys[index : index + known] = [key] if shown(key) else []
        keys += new

    def passed(self, key: int) -> None:
        """The reader saw what stands up to there."""
        del self._keys[: bisect_right(self._keys, key)]
