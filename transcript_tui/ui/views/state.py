"""The shared state as a tree, what the last change did marked, walked through its changes."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any, Final

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from transcript_tui.text import label
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.rowlist import RowList
from transcript_tui.ui.views.styledcells import Cells
from transcript_tui.ui.views.tree import Change, Tree
from transcript_tui.wire.jsontext import dumps

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

_SIGNS: Final[dict[Change, tuple[str, str]]] = {
    "": ("  ", "dim"),
    "added": ("+ ", "success bold"),
    "changed": ("~ ", "warning bold"),
    "removed": ("- ", "error bold"),
}


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
        self._tree = Tree()
        self._stamp: int | None = None
        self._generation = -1

    def compose(self) -> ComposeResult:
        yield RowList(self._cells)
        yield Static("Nothing has set the state so far", id="state-empty", classes="empty")

    def moves(self) -> Moves:
        return self.query_one(RowList)

    def show_at(self, position: int) -> None:
        self.position = position
        state, generation = self.session.tape.transcript.state, self.session.tape.generation
        stamps = state.stamps()
        index = bisect_left(stamps, position) - 1
        stamp = stamps[max(index, 0)]
        self._say_where(index, len(stamps))
        if stamp == self._stamp and generation == self._generation:
            return
        jump = self._stamp is not None
        self._stamp, self._generation = stamp, generation
        value = state.at(position)
        self._tree.show(value, state.at(stamp) if index > 0 else value)
        change = self._tree.reveal() if jump else None
        rows = self.query_one(RowList)
        rows.set_count(self._tree.count)
        if change is not None:
            rows.put_cursor(change)

    def _say_where(self, index: int, changes: int) -> None:
        # The first version is what was there before any event, so it is no change.
        where = f"change {max(0, index):,} of {changes - 1:,}" if changes > 1 else ""
        keys = [self.keys.named(action) for action in ("previous_change", "next_change")]
        walk = f" · {' '.join(keys)} walk" if where and all(keys) else ""
        self.border_subtitle = Content(where + walk)
        empty = changes <= 1 and self.session.tape.transcript.state_at() in ({}, None)
        self.set_class(empty, "-empty")

    def _cells(self, row: int) -> Cells:
        node = self._tree.row(row)
        sign, style = _SIGNS[node.change]
        struck = " strike" if node.change == "removed" else ""
        mark = "  " if node.open is None else "▾ " if node.open else "▸ "
        return [
            (sign, style),
            ("  " * len(node.path), ""),
            (mark, "dim"),
            (f"{label(node.path[-1])} " if node.path else "", f"json-key{struck}"),
            *_value_cells(node.value, struck),
        ]

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        message.stop()
        if not message.gone:
            self._tree.toggle(message.index)
            self.query_one(RowList).set_count(self._tree.count)

    def walk(self, steps: int) -> None:
        """Go to the next or previous change: the whole viewer goes there."""
        stamps = self.session.tape.transcript.state.stamps()
        index = bisect_left(stamps, self.position, lo=1) - 1 + steps
        if 1 <= index < len(stamps):
            self.post_message(self.Sought(stamps[index]))
        elif index < 1 < len(stamps):
            self.post_message(self.Sought(stamps[1] - 1))


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
