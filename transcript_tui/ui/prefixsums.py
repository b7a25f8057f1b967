"""Numbers in order, and the sums of the first ones: where each row, hit or entry begins.

A Fenwick tree: to change a number, to sum, and to find what a place falls into takes
O(log numbers). The numbers are never negative.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate

__all__ = ["PrefixSums"]


class PrefixSums:
    """Numbers at the end of which some are taken away and others put; sums of the first ones."""

    __slots__ = ("_tree", "_values")

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values: list[int] = []
        self._tree: list[int] = [0]
        self.extend(list(values))

    def __len__(self) -> int:
        return len(self._values)

    @property
    def total(self) -> int:
        return self.before(len(self._values))

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def replace(self, values: Iterable[int]) -> None:
        """Start over with these, in O(their number)."""
        self.truncate(0)
        self.extend(list(values))

    def append(self, value: int) -> None:
        self._values.append(value)
        index = len(self._values)
        total, step = value, 1
        low = index & -index
        while step < low:
            total += self._tree[index - step]
            step *= 2
        self._tree.append(total)

    def extend(self, values: list[int]) -> None:
        if len(values) < len(self._values):
            for value in values:
                self.append(value)
            return
        self._values += values
        sums = [0, *accumulate(self._values)]
        self._tree = [0, *(sums[at] - sums[at & (at - 1)] for at in range(1, len(sums)))]

    def truncate(self, length: int) -> None:
        """Keep the first ``length``."""
        del self._values[length:]
        del self._tree[length + 1 :]

    def set(self, index: int, value: int) -> None:
        change = value - self._values[index]
        if not change:
            return
        self._values[index] = value
        index += 1
        while index < len(self._tree):
            self._tree[index] += change
            index += index & -index

    def before(self, count: int) -> int:
        """The sum of the first ``count``."""
        total = 0
        while count > 0:
            total += self._tree[count]
            count &= count - 1
        return total

    def at(self, offset: int) -> tuple[int, int]:
        """The index of the number within which ``offset`` (from 0) lies, and how far into it.

        Zeros are skipped. Past the end: (how many numbers there are, how far past it).
        """
        tree, index = self._tree, 0
        step = 1 << (len(tree).bit_length() - 1)
        while step:
            following = index + step
            if following < len(tree) and tree[following] <= offset:
                offset -= tree[following]
                index = following
            step >>= 1
        return index, offset
