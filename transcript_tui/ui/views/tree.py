"""A JSON value as rows of a tree, beside the value it was before.

A row is made when it is drawn. Another value costs what differs: values share what a change
left alone, so whatever is the same object is passed by, and of what is folded only as much is
looked at as is in view. Containers are compared member by member in C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import compress, count
from operator import is_not
from typing import Any, Final, Literal

from transcript_tui.ui.sums import Sums

__all__ = ["Change", "Node", "Path", "Tree"]

Change = Literal["", "added", "changed", "removed"]
Path = tuple[str, ...]

OPENED: Final = 1_000
"""Rows up to which everything is open; of more, only what is on top."""
DEEPEST: Final = 100
"""Levels that are opened; what is nested deeper shows as its size."""
_NO_VALUE: Final = object()


@dataclass(frozen=True, slots=True)
class Node:
    """One row."""

    path: Path
    """Names on the way, that of the row last; ``()`` = the whole value."""
    value: Any
    change: Change
    """What the last change did; of something folded, also what it did within."""
    open: bool | None
    """Whether its members have rows; ``None``: it has none."""


class _Branch:
    """An open object or list: a row for each member or as many as that has, then one for each
    that was taken out."""

    __slots__ = ("before", "gone", "inner", "names", "path", "rows", "value")

    def __init__(self, path: Path, value: Any, before: Any) -> None:
        self.path = path
        self.value = value
        self.before = before
        """What to compare with; ``value`` itself where nothing in it is to be marked."""
        self.names: list[str] = []
        """An object's members; a list has numbers."""
        self.gone: list[str] = []
        self.rows = Sums([1] * len(value))
        self.inner: dict[int, _Branch] = {}
        """The members that are open, by their place."""
        if isinstance(value, dict):
            self.names = list(value)

    @property
    def height(self) -> int:
        """Rows below its own."""
        return self.rows.before(len(self.rows))

    def name(self, place: int) -> str:
        size = len(self.value)
        if place >= size:
            return self.gone[place - size]
        return self.names[place] if self.names else str(place)

    def member(self, place: int) -> Any:
        return self.value[self.names[place] if self.names else place]

    def earlier(self, place: int) -> Any:
        """The member as it was before; ``_NO_VALUE`` where it was not there."""
        before = self.before
        if isinstance(before, dict):
            return before.get(self.name(place), _NO_VALUE)
        number = int(self.name(place))
        return before[number] if number < len(before) else _NO_VALUE

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
                if value[name] is not before.get(name, _NO_VALUE):
                    yield place


class Tree:
    """The rows of a value."""

    def __init__(self) -> None:
        self._value: Any = None
        self._before: Any = None
        self._root: _Branch | None = None
        self._chosen: dict[Path, bool] = {}
        """What was opened or folded by hand."""
        self._revealed: list[_Branch] = []
        """What was opened to show a change, outermost first: folded again when that is past."""
        self._compared: dict[tuple[int, int], bool] = {}

    @property
    def count(self) -> int:
        return 1 + (self._root.height if self._root is not None else 0)

    # Another value -------------------------------------------------------------------------

    def show(self, value: Any, before: Any) -> None:
        """Show ``value``, marked where it differs from ``before``."""
        self._compared.clear()
        self._fold_revealed()
        self._value, self._before = value, before
        root = self._root
        if not _inner(value) or self._chosen.get(()) is False:
            self._root = None
        elif root is None or type(root.value) is not type(value):
            self._root = None
            self._root = self._grown((), value, before)
        else:
            self._renew(root, value, before)

    def _grown(self, path: Path, value: Any, before: Any) -> _Branch:
        """A branch, and in it what there is room for, the upper levels first."""
        top = self._branch(path, value, before)
        room = OPENED - (self._root.height if self._root is not None else 0) - top.height
        level = [top]
        while level:
            below: list[_Branch] = []
            for branch in level:
                for place in range(min(len(branch.value), OPENED)):
                    member = branch.member(place)
                    chosen = self._chosen.get((*branch.path, branch.name(place)))
                    size = len(member) if isinstance(member, dict | list) else 0
                    if chosen or (chosen is None and 0 < size <= room):
                        room -= size
                        below += self._open(branch, place)
            level = below
        self._measure(top)
        return top

    def _branch(self, path: Path, value: Any, before: Any) -> _Branch:
        branch = _Branch(path, value, before if type(before) is type(value) else value)
        self._note_gone(branch)
        return branch

    def _open(self, branch: _Branch, place: int) -> list[_Branch]:
        """The member's branch; none where it cannot be opened. Heights are the caller's."""
        member, path = branch.member(place), (*branch.path, branch.name(place))
        if not _inner(member) or len(path) >= DEEPEST:
            return []
        earlier = branch.earlier(place) if branch.value is not branch.before else member
        inner = branch.inner[place] = self._branch(path, member, earlier)
        return [inner]

    def _measure(self, branch: _Branch) -> None:
        for place, inner in branch.inner.items():
            self._measure(inner)
            branch.rows.set(place, 1 + inner.height)

    def _renew(self, branch: _Branch, value: Any, before: Any) -> None:
        """Let a branch show another value of its kind."""
        before = before if type(before) is type(value) else value
        if branch.value is value and branch.before is before:
            return
        branch.rows.truncate(len(branch.value))
        if branch.value is not value:
            self._rename(branch, value)
        branch.before = before
        for place, inner in list(branch.inner.items()):
            member = branch.member(place)
            if not _inner(member) or type(member) is not type(inner.value):
                self._close(branch, place)
                continue
            self._renew(inner, member, member if value is before else branch.earlier(place))
            branch.rows.set(place, 1 + inner.height)
        self._note_gone(branch)

    def _rename(self, branch: _Branch, value: Any) -> None:
        """The members of another value: those that stay keep their branches."""
        size = len(branch.value)
        names = list(value) if isinstance(value, dict) else []
        stays = len(value) >= size and names[:size] == branch.names[:size]
        branch.value = value
        if not stays:
            self._move(branch, names)
            size = len(value)
        branch.names = names
        for place in range(size, len(value)):
            branch.rows.append(1)
            member = branch.member(place)
            if _inner(member) and self.count + len(member) <= OPENED:
                branch.inner[place] = self._grown(
                    (*branch.path, branch.name(place)), member, member
                )

    def _move(self, branch: _Branch, names: list[str]) -> None:
        """Members went, or stand in another order."""
        count = len(branch.value)
        if names:
            places = {name: place for place, name in enumerate(names)}
            found = [(places.get(branch.names[at], count), one) for at, one in branch.inner.items()]
        else:
            found = list(branch.inner.items())
        branch.inner = {place: one for place, one in found if place < count}
        branch.rows.replace([1] * count)

    def _note_gone(self, branch: _Branch) -> None:
        value, before = branch.value, branch.before
        branch.gone = []
        if value is not before and isinstance(value, dict):
            if not before.keys() <= value.keys():
                branch.gone = [name for name in before if name not in value]
        elif value is not before:
            branch.gone = [str(place) for place in range(len(value), len(before))]
        for _ in branch.gone:
            branch.rows.append(1)

    # Rows ----------------------------------------------------------------------------------

    def row(self, index: int) -> Node:
        if index == 0 or self._root is None:
            opened = self._root is not None if _inner(self._value) else None
            return Node((), self._value, self._change(self._value, self._before, opened), opened)
        branch, index = self._root, index - 1
        while True:
            place, index = branch.rows.at(index)
            if index == 0:
                return self._node(branch, place)
            branch, index = branch.inner[place], index - 1

    def _node(self, branch: _Branch, place: int) -> Node:
        path = (*branch.path, branch.name(place))
        if place >= len(branch.value):
            return Node(path, branch.earlier(place), "removed", None)
        member = branch.member(place)
        opened = place in branch.inner if _inner(member) and len(path) < DEEPEST else None
        same = branch.value is branch.before
        change = "" if same else self._change(member, branch.earlier(place), opened)
        return Node(path, member, change, opened)

    def _change(self, value: Any, before: Any, opened: bool | None) -> Change:
        if value is before:
            return ""
        if before is _NO_VALUE:
            return "added"
        if type(value) is type(before) and isinstance(value, dict | list):
            # Of what is open, the members are marked themselves.
            return "changed" if not opened and self._differ(value, before) else ""
        return "" if type(value) is type(before) and value == before else "changed"

    def _differ(self, value: Any, before: Any) -> bool:
        key = id(value), id(before)
        if key not in self._compared:
            self._compared[key] = _differ(value, before)
        return self._compared[key]

    # Folding -------------------------------------------------------------------------------

    def toggle(self, index: int) -> None:
        """Open or fold a row by hand."""
        node = self.row(index)
        if node.open is None:
            return
        self._chosen[node.path] = not node.open
        if not node.path:
            self.show(self._value, self._before)
            return
        line = self._line_to(index)
        branch, place = line[-1]
        if node.open:
            self._close(branch, place)
        else:
            marked = branch.value is not branch.before
            earlier = branch.earlier(place) if marked else node.value
            branch.inner[place] = self._grown(node.path, node.value, earlier)
        self._settle(line)

    def _line_to(self, index: int) -> list[tuple[_Branch, int]]:
        """The branches that a row stands in, and the place in each."""
        assert self._root is not None
        branch, index = self._root, index - 1
        line: list[tuple[_Branch, int]] = []
        while True:
            place, index = branch.rows.at(index)
            line.append((branch, place))
            if index == 0:
                return line
            branch, index = branch.inner[place], index - 1

    def _settle(self, line: list[tuple[_Branch, int]]) -> None:
        """Heights along a line, from the innermost out."""
        for branch, place in reversed(line):
            inner = branch.inner.get(place)
            branch.rows.set(place, 1 + (inner.height if inner is not None else 0))

    def _close(self, branch: _Branch, place: int) -> None:
        del branch.inner[place]
        branch.rows.set(place, 1)

    # The change ----------------------------------------------------------------------------

    def reveal(self) -> int | None:
        """The row of the first change, opening what it is folded in unless that was done by
        hand."""
        if self._root is None or self.row(0).change:
            return 0 if self.row(0).change else None
        line: list[tuple[_Branch, int]] = []
        if not self._find(self._root, line):
            return None
        self._settle(line)
        row = 0
        for branch, place in line:
            row += 1 + branch.rows.before(place)
        return row

    def _find(self, branch: _Branch, line: list[tuple[_Branch, int]]) -> bool:
        for place in branch.differing():
            node = self._node(branch, place)
            line.append((branch, place))
            if node.open is False and node.change == "changed" and node.path not in self._chosen:
                self._revealed += self._open(branch, place)
                node = self._node(branch, place)
            if node.change or (node.open and self._find(branch.inner[place], line)):
                return True
            line.pop()
        if branch.gone:
            line.append((branch, len(branch.value)))
        return bool(branch.gone)

    def _fold_revealed(self) -> None:
        for one in reversed(self._revealed):
            self._fold(one)
        self._revealed = []

    def _fold(self, one: _Branch) -> None:
        """Fold a branch where it still stands, unless it was opened by hand since."""
        if one.path in self._chosen:
            return
        line: list[tuple[_Branch, int]] = []
        branch = self._root
        for name in one.path:
            place = _place(branch, name) if branch is not None else None
            if branch is None or place is None:
                return
            line.append((branch, place))
            branch = branch.inner.get(place)
        if branch is one:
            self._close(*line[-1])
            self._settle(line)


def _place(branch: _Branch, name: str) -> int | None:
    if not branch.names:
        return int(name) if int(name) < len(branch.value) else None
    return branch.names.index(name) if name in branch.value else None


def _inner(value: Any) -> bool:
    """Whether it has members."""
    return isinstance(value, dict | list) and bool(value)


def _differ(value: Any, before: Any) -> bool:
    """Whether two values are not the same JSON."""
    if value is before:
        return False
    if type(value) is not type(before) or value != before:
        return True
    # Equal for Python, which takes 1 for 1.0 and for true, anywhere within.
    if isinstance(value, dict):
        return any(_differ(one, before[name]) for name, one in value.items())
    if isinstance(value, list):
        return any(map(_differ, value, before))
    return False
