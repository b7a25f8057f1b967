"""How tall every entry is, and where it therefore begins."""

from __future__ import annotations

from collections.abc import Iterable

from transcript_tui.ui.prefixsums import PrefixSums


class Heights(PrefixSums):
    """Heights in lines by entry key (from 0); 0 = not shown.

    What was never laid out stands in with an estimate, which is replaced when the entry comes
    into view. Of all the entries :attr:`known` the first so many are there: going back in time
    takes none away, and going on again brings them at once.
    """

    __slots__ = ("_size",)

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._size = 0
        super().__init__(values)
        self._size = self.known

    def __len__(self) -> int:
        return self._size

    @property
    def known(self) -> int:
        return len(self._values)

    @property
    def total(self) -> int:
        return self.before(self._size)

    def show(self, size: int) -> None:
        """The first ``size`` of all that are known are there."""
        self._size = size

    def shown(self, first: int) -> list[int]:
        """The keys from ``first`` on that are shown."""
        heights = self._values[first : self._size]
        return [key for key, height in enumerate(heights, first) if height]

    def replace(self, values: Iterable[int]) -> None:
        super().replace(values)
        self._size = self.known

    def truncate(self, length: int) -> None:
        super().truncate(length)
        self._size = min(self._size, length)

    def at(self, offset: int) -> tuple[int, int]:
        if self._size < self.known and offset >= self.total:
            return self._size, offset - self.total
        return super().at(offset)

    def after(self, key: int) -> int:
        """The next shown key above ``key`` in number; the number of entries where there is none."""
        return self.at(self.before(key + 1))[0]

    def previous(self, key: int) -> int:
        """The nearest shown key below ``key`` in number; -1 where there is none."""
        above = self.before(key)
        return self.at(above - 1)[0] if above else -1
