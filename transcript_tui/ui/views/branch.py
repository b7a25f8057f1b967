"""An open object or list of a tree: rows for its members, and what they were before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress, count
from operator import is_not
from typing import Any, Final

from transcript_tui.ui.prefixsums import PrefixSums

__all__ = ["NO_VALUE", "Branch", "Path", "differ", "has_members"]

Path = tuple[str, ...]
NO_VALUE: Final = object()
"""What was not there before."""


class Branch:
    """An open object or list: a row for each member or as many as that has, then one for each
    that was taken out."""

    __slots__ = ("before", "gone", "inner", "names", "path", "rows", "value")

    def __init__(self, path: Path, value: Any, before: Any) -> None:
        self.path = path
        self.value = value
        self.before = before if type(before) is type(value) else value
        """What to compare with; ``value`` itself where nothing in it is to be marked."""
        self.names: list[str] = []
        """An object's members; a list has numbers."""
        self.gone: list[str] = []
        self.rows = PrefixSums([1] * len(value))
        self.inner: dict[int, Branch] = {}
        """The members that are open, by their place."""
        if isinstance(value, dict):
            self.names = list(value)
        self.note_gone()

    @property
    def height(self) -> int:
        """Rows below its own."""
        return self.rows.total

    def name(self, place: int) -> str:
        size = len(self.value)
        if place >= size:
            return self.gone[place - size]
        return self.names[place] if self.names else str(place)

    def member(self, place: int) -> Any:
        return self.value[self.names[place] if self.names else place]

    def earlier(self, place: int) -> Any:
        """The member as it was before; ``NO_VALUE`` where it was not there."""
        before = self.before
        if isinstance(before, dict):
            return before.get(self.name(place), NO_VALUE)
        number = int(self.name(place))
        return before[number] if number < len(before) else NO_VALUE

    def differing(self) -> Iterator[int]:
        """Places of members that are not the very same as before."""
        value, before = self.value, self.before
        if value is before:
            return
        if isinstance(value, list):
            yield from compress(count(), map(is_not, value, before))
            yield from range(len(before), len(value))
        elif self.names == list(before):
            yield from compress(count(), map(is_not, value.values(), before.values()))
        else:
            for place, name in enumerate(self.names):
                if value[name] is not before.get(name, NO_VALUE):
                    yield place

    def place(self, name: str) -> int | None:
        """Where a member stands."""
        if not self.names:
            return int(name) if int(name) < len(self.value) else None
        return self.names.index(name) if name in self.value else None

    # Another value -------------------------------------------------------------------------

    def become(self, value: Any) -> Iterator[int]:
        """Hold another value; members that stay keep their branches. The places of those that
        are new come one by one, each when it has its row."""
        size = len(self.value)
        names = list(value) if isinstance(value, dict) else []
        stays = len(value) >= size and names[:size] == self.names[:size]
        self.value = value
        if not stays:
            self._move(names)
            size = len(value)
        self.names = names
        for place in range(size, len(value)):
            self.rows.append(1)
            yield place

    def _move(self, names: list[str]) -> None:
        """Members went, or stand in another order."""
        size = len(self.value)
        if names:
            places = {name: place for place, name in enumerate(names)}
            found = [(places.get(self.names[at], size), one) for at, one in self.inner.items()]
        else:
            found = list(self.inner.items())
        self.inner = {place: one for place, one in found if place < size}
        self.rows.replace([1] * size)

    def note_gone(self) -> None:
        """Rows for what was taken out."""
        value, before = self.value, self.before
        self.gone = []
        if value is not before and isinstance(value, dict):
            if not before.keys() <= value.keys():
                self.gone = [name for name in before if name not in value]
        elif value is not before:
            self.gone = [str(place) for place in range(len(value), len(before))]
        self.rows.extend([1] * len(self.gone))

    # Heights -------------------------------------------------------------------------------

    def settle(self, place: int) -> None:
        """Room for a member and what is open of it."""
        inner = self.inner.get(place)
        self.rows.set(place, 1 + (inner.height if inner is not None else 0))

    def measure(self) -> None:
        """The same for all members, from the innermost out."""
        for place, inner in self.inner.items():
            inner.measure()
            self.settle(place)

    def close(self, place: int) -> None:
        del self.inner[place]
        self.settle(place)


def has_members(value: Any) -> bool:
    """Whether it has members."""
    return isinstance(value, dict | list) and bool(value)


def differ(value: Any, before: Any) -> bool:
    """Whether two values are not the same JSON."""
    if value is before:
        return False
    if type(value) is not type(before) or value != before:
        return True
    # Equal for Python, which takes 1 for 1.0 and for true, anywhere within.
    if isinstance(value, dict):
        return any(differ(one, before[name]) for name, one in value.items())
    if isinstance(value, list):
        return any(map(differ, value, before))
    return False
