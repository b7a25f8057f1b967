"""A JSON value as rows of a tree, beside the value it was before.

A row is made when it is drawn. Another value costs what differs: values share what a change
left alone, so whatever is the same object is passed by, and of what is folded only as much is
looked at as is in view. Containers are compared member by member in C.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from transcript_tui.ui.views.branch import NO_VALUE, Branch, Path, differ, has_members

__all__ = ["Change", "Node", "Path", "Tree"]

Change = Literal["", "added", "changed", "removed"]

OPENED: Final = 1_000
"""Rows up to which everything is open; of more, only what is on top."""
DEEPEST: Final = 100
"""Levels that are opened; what is nested deeper shows as its size."""


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


class Tree:
    """The rows of a value."""

    def __init__(self) -> None:
        self._value: Any = None
        self._before: Any = None
        self._root: Branch | None = None
        self._chosen: dict[Path, bool] = {}
        """What was opened or folded by hand."""
        self._revealed: list[Branch] = []
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
        if not has_members(value) or self._chosen.get(()) is False:
            self._root = None
        elif root is None or type(root.value) is not type(value):
            self._root = None
            self._root = self._grown((), value, before)
        else:
            self._renew(root, value, before)

    def _grown(self, path: Path, value: Any, before: Any) -> Branch:
        """A branch, and in it what there is room for, the upper levels first."""
        top = Branch(path, value, before)
        room = OPENED - (self._root.height if self._root is not None else 0) - top.height
        level = [top]
        while level:
            below: list[Branch] = []
            for branch in level:
                for place in range(min(len(branch.value), OPENED)):
                    member = branch.member(place)
                    chosen = self._chosen.get((*branch.path, branch.name(place)))
                    size = len(member) if isinstance(member, dict | list) else 0
                    if chosen or (chosen is None and 0 < size <= room):
                        room -= size
                        below += self._open(branch, place)
            level = below
        top.measure()
        return top

    def _open(self, branch: Branch, place: int) -> list[Branch]:
        """The member's branch; none where it cannot be opened. Heights are the caller's."""
        member, path = branch.member(place), (*branch.path, branch.name(place))
        if not has_members(member) or len(path) >= DEEPEST:
            return []
        earlier = branch.earlier(place) if branch.value is not branch.before else member
        inner = branch.inner[place] = Branch(path, member, earlier)
        return [inner]

    def _renew(self, branch: Branch, value: Any, before: Any) -> None:
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
            if not has_members(member) or type(member) is not type(inner.value):
                branch.close(place)
                continue
            self._renew(inner, member, member if value is before else branch.earlier(place))
            branch.settle(place)
        branch.note_gone()

    def _rename(self, branch: Branch, value: Any) -> None:
        for place in branch.become(value):
            member = branch.member(place)
            if has_members(member) and self.count + len(member) <= OPENED:
                path = (*branch.path, branch.name(place))
                branch.inner[place] = self._grown(path, member, member)

    # Rows ----------------------------------------------------------------------------------

    def row(self, index: int) -> Node:
        if index == 0 or self._root is None:
            opened = self._root is not None if has_members(self._value) else None
            return Node((), self._value, self._change(self._value, self._before, opened), opened)
        branch, index = self._root, index - 1
        while True:
            place, index = branch.rows.at(index)
            if index == 0:
                return self._node(branch, place)
            branch, index = branch.inner[place], index - 1

    def _node(self, branch: Branch, place: int) -> Node:
        path = (*branch.path, branch.name(place))
        if place >= len(branch.value):
            return Node(path, branch.earlier(place), "removed", None)
        member = branch.member(place)
        opened = place in branch.inner if has_members(member) and len(path) < DEEPEST else None
        same = branch.value is branch.before
        change = "" if same else self._change(member, branch.earlier(place), opened)
        return Node(path, member, change, opened)

    def _change(self, value: Any, before: Any, opened: bool | None) -> Change:
        if value is before:
            return ""
        if before is NO_VALUE:
            return "added"
        if type(value) is type(before) and isinstance(value, dict | list):
            # Of what is open, the members are marked themselves.
            return "changed" if not opened and self._differ(value, before) else ""
        return "" if type(value) is type(before) and value == before else "changed"

    def _differ(self, value: Any, before: Any) -> bool:
        key = id(value), id(before)
        if key not in self._compared:
            self._compared[key] = differ(value, before)
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
            branch.close(place)
        else:
            marked = branch.value is not branch.before
            earlier = branch.earlier(place) if marked else node.value
            branch.inner[place] = self._grown(node.path, node.value, earlier)
        _settle(line)

    def _line_to(self, index: int) -> list[tuple[Branch, int]]:
        """The branches that a row stands in, and the place in each."""
        assert self._root is not None
        branch, index = self._root, index - 1
        line: list[tuple[Branch, int]] = []
        while True:
            place, index = branch.rows.at(index)
            line.append((branch, place))
            if index == 0:
                return line
            branch, index = branch.inner[place], index - 1

    # The change ----------------------------------------------------------------------------

    def reveal(self) -> int | None:
        """The row of the first change, opening what it is folded in unless that was done by
        hand."""
        if self._root is None or self.row(0).change:
            return 0 if self.row(0).change else None
        line: list[tuple[Branch, int]] = []
        if not self._find(self._root, line):
            return None
        _settle(line)
        row = 0
        for branch, place in line:
            row += 1 + branch.rows.before(place)
        return row

    def _find(self, branch: Branch, line: list[tuple[Branch, int]]) -> bool:
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

    def _fold(self, one: Branch) -> None:
        """Fold a branch where it still stands, unless it was opened by hand since."""
        if one.path in self._chosen:
            return
        line: list[tuple[Branch, int]] = []
        branch = self._root
        for name in one.path:
            place = branch.place(name) if branch is not None else None
            if branch is None or place is None:
                return
            line.append((branch, place))
            branch = branch.inner.get(place)
        if branch is one:
            inmost, place = line[-1]
            inmost.close(place)
            _settle(line)


def _settle(line: list[tuple[Branch, int]]) -> None:
    """Heights along a line, from the innermost out."""
    for branch, place in reversed(line):
        branch.settle(place)
