"""The shared state as a tree, what the last change did marked, walked through its changes."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from transcript_tui.ui.text import label
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.rows import Cells, RowList
from transcript_tui.wire.jsontext import dumps

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

Change = Literal["", "added", "changed", "removed"]

MOST_ROWS: Final = 20_000
"""A state with more is shown up to here, and says so."""
DEEPEST: Final = 100
"""Levels that are opened; what is nested deeper shows as its size."""
_NO_VALUE: Final = object()
_SIGNS: Final[dict[Change, tuple[str, str]]] = {
    "": ("  ", "dim"),
    "added": ("+ ", "success bold"),
    "changed": ("~ ", "warning bold"),
    "removed": ("- ", "error bold"),
}


@dataclass(frozen=True, slots=True)
class Node:
    """One row of the tree."""

    path: tuple[str, ...]
    name: str
    value: Any
    change: Change
    inner: bool
    """An object or a list."""


class StatePane(Pane):
    """Enter folds; ← and → walk through the changes."""

    DEFAULT_CSS = """
    StatePane #state-empty { display: none; }
    StatePane.-empty #state-empty { display: block; }
    StatePane.-empty RowList { display: none; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "state")
        self.border_title = "State"
        self._tree: list[Node] = []
        self._folded: set[tuple[str, ...]] = set()
        self._stamp: int | None = None
        self._generation = -1

    def compose(self) -> ComposeResult:
        yield RowList(self._cells)
        yield Static("Nothing has set the state so far", id="state-empty", classes="empty")

    def moves(self) -> Moves:
        return self.query_one(RowList)

    def show_at(self, position: int) -> None:
        self.position = position
        state = self.session.tape.transcript.state
        stamps = state.stamps()
        index = bisect_left(stamps, position) - 1
        stamp = stamps[index] if index >= 0 else None
        self._say_where(index, len(stamps))
        if stamp == self._stamp and self._generation == self.session.tape.generation:
            return
        jump = self._stamp is not None
        self._stamp, self._generation = stamp, self.session.tape.generation
        self._read()
        if jump:
            self._go_to_change()

    def _say_where(self, index: int, changes: int) -> None:
        # The first version is what was there before any event, so it is no change.
        where = f"change {max(0, index):,} of {changes - 1:,}" if changes > 1 else ""
        keys = [self.keys.named(action) for action in ("previous_change", "next_change")]
        walk = f" · {' '.join(keys)} walk" if where and all(keys) else ""
        self.border_subtitle = Content(where + walk)
        self.set_class(changes <= 1 and self._value(self.position) in ({}, None), "-empty")

    def _value(self, position: int) -> Any:
        return self.session.tape.transcript.state_at(position)

    def _read(self) -> None:
        value = self._value(self.position)
        first = self._stamp is None or self._stamp < 0
        before = value if first else self._value(self._stamp or 0)
        self._tree = list(_limited(nodes(value, before, self._folded)))
        self.query_one(RowList).set_count(len(self._tree))

    def _go_to_change(self) -> None:
        for row, node in enumerate(self._tree):
            if node.change:
                self.query_one(RowList).put_cursor(row)
                return

    def _cells(self, row: int) -> Cells:
        node = self._tree[row]
        sign, style = _SIGNS[node.change]
        struck = " strike" if node.change == "removed" else ""
        folded = node.path in self._folded
        mark = ("▸ " if folded else "▾ ") if node.inner else "  "
        return [
            (sign, style),
            ("  " * (len(node.path) - 1 if node.path else 0), ""),
            (mark, "dim"),
            (f"{node.name} " if node.name else "", f"json-key{struck}"),
            *_value_cells(node.value, struck),
        ]

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        message.stop()
        node = self._tree[message.index]
        if node.inner:
            self._folded ^= {node.path}
            self._read()

    def walk(self, steps: int) -> None:
        """Go to the next or previous change: the whole viewer goes there."""
        changes = self.session.tape.transcript.state.stamps()[1:]
        index = bisect_left(changes, self.position) - 1 + steps
        if 0 <= index < len(changes):
            self.post_message(self.Sought(changes[index]))
        elif index < 0 and changes:
            self.post_message(self.Sought(changes[0] - 1))


def _value_cells(value: Any, struck: str) -> Cells:
    match value:
        case dict():
            return [(f"{{{len(value):,}}}", f"json-punctuation{struck}")]
        case list():
            return [(f"[{len(value):,}]", f"json-punctuation{struck}")]
        case str():
            return [(label(dumps(value[:400])), f"json-string{struck}")]
        case bool() | None:
            return [(dumps(value), f"json-literal{struck}")]
        case _:
            return [(dumps(value), f"json-number{struck}")]


def _limited(found: Iterator[Node]) -> Iterator[Node]:
    for count, node in enumerate(found):
        if count >= MOST_ROWS:
            yield Node(("",), f"… the first {MOST_ROWS:,} rows", "", "", False)
            return
        yield node


def nodes(
    value: Any,
    before: Any,
    folded: set[tuple[str, ...]],
    path: tuple[str, ...] = (),
    name: str = "",
) -> Iterator[Node]:
    """The tree's rows, with what differs from ``before`` marked."""
    inner = isinstance(value, (dict, list)) and bool(value) and len(path) < DEEPEST
    change = _change(value, before)
    yield Node(path, name, value, change, inner)
    now, then = _members(value), _members(before)
    if inner and path not in folded:
        for key, child in now.items():
            # Within what is new as a whole, nothing is marked again.
            previous = child if change else then.get(key, _NO_VALUE)
            yield from nodes(child, previous, folded, (*path, key), label(key))
    if path not in folded and not change:
        for key in then.keys() - now.keys():
            yield Node((*path, key), label(key), then[key], "removed", False)


def _change(value: Any, before: Any) -> Change:
    if before is _NO_VALUE:
        return "added"
    if value is before or (isinstance(value, (dict, list)) and type(value) is type(before)):
        return ""
    return "" if type(value) is type(before) and value == before else "changed"


def _members(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if isinstance(value, list):
        return {str(index): item for index, item in enumerate(value)}
    return {}
