"""How tall every entry is, and where it therefore begins: a Fenwick tree over entry keys.

Heights are lines; 0 = not shown. What was never laid out stands in with an estimate, which
is replaced when the entry comes into view. Every operation is O(log entries).
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable


class Heights:
    """Heights by entry key (from 0), with prefix sums."""

    __slots__ = ("_heights", "_tree")

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = array("i")
        self._tree = array("q", (0,))
        self.replace(heights)

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, key: int) -> int:
        return self._heights[key]

    def replace(self, heights: Iterable[int]) -> None:
        """Start over with these, in O(their number)."""
        self._heights = array("i", heights)
        tree = self._tree = array("q", (0,))
        tree.extend(array("q", self._heights))
        size = len(tree)
        for index in range(1, size):
            parent = index + (index & -index)
            if parent < size:
                tree[parent] += tree[index]

    def append(self, height: int) -> None:
        tree = self._tree
        index = len(tree)
        total, child = height, index - 1
        stop = index - (index & -index)
        while child > stop:
            total += tree[child]
            child -= child & -child
        self._heights.append(height)
        tree.append(total)

    def truncate(self, size: int) -> None:
        """Keep the first ``size`` entries."""
        del self._heights[size:]
        del self._tree[size + 1 :]

    def set(self, key: int, height: int) -> None:
        difference = height - self._heights[key]
        if not difference:
            return
        self._heights[key] = height
        tree, index = self._tree, key + 1
        size = len(tree)
        while index < size:
            tree[index] += difference
            index += index & -index

    def before(self, key: int) -> int:
        """Lines above the entry: the sum of the heights of all keys below ``key``."""
        tree, total = self._tree, 0
        while key > 0:
            total += tree[key]
            key -= key & -key
        return total

    def at(self, line: int) -> tuple[int, int]:
        """(key, line within it) of the entry that line ``line`` (from 0) falls into.

        Entries without height are skipped. Past the end: (number of entries, lines past it).
        """
        tree, index = self._tree, 0
        step = 1 << (len(tree).bit_length() - 1)
        while step:
            following = index + step
            if following < len(tree) and tree[following] <= line:
                line -= tree[following]
                index = following
            step >>= 1
        return index, line

    def after(self, key: int) -> int:
        """The next shown key above ``key`` in number; the number of entries where there is none."""
        return self.at(self.before(key + 1))[0]

    def previous(self, key: int) -> int:
        """The nearest shown key below ``key`` in number; -1 where there is none."""
        above = self.before(key)
        return self.at(above - 1)[0] if above else -1
