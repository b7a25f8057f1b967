"""All about the selected item: what it is, when it came, and its raw events in order."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.widgets import Static

from transcript_tui.ui.amounts import count
from transcript_tui.ui.views.entryfacts import facts_of
from transcript_tui.ui.views.lines import Lines
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.payloads import brief, family_style, glance
from transcript_tui.ui.views.rowlist import RowList
from transcript_tui.ui.views.styledcells import Cells
from transcript_tui.ui.views.verdicts import verdict_of

if TYPE_CHECKING:
    from transcript_tui.session.session import Session


NOTHING: Final = "Nothing to inspect so far"


class InspectorPane(Pane):
    """Facts above, events below; Enter on an event goes to it."""

    DEFAULT_CSS = """
    InspectorPane Lines { height: 1fr; }
    InspectorPane RowList { height: 40%; border-top: solid $rule; }
    InspectorPane #inspector-empty { display: none; }
    InspectorPane.-empty #inspector-empty { display: block; }
    InspectorPane.-empty Lines, InspectorPane.-empty RowList { display: none; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "inspector")
        self.border_title = "Inspector"
        self._key: int | None = None
        self._events = array("I")
        self._scanned = 0
        self._generation = session.tape.generation

    def compose(self) -> ComposeResult:
        yield Lines()
        yield RowList(self._cells)
        yield Static(NOTHING, id="inspector-empty", classes="empty", markup=False)

    def moves(self) -> Moves:
        rows = self.query_one(RowList)
        return rows if rows.has_focus else self.query_one(Lines)

    def cursor(self) -> Moves | None:
        rows = self.query_one(RowList)
        return rows if rows.has_focus else None

    def selected(self, key: int | None) -> None:
        if key != self._key:
            self._key = key
            self._events = array("I")
            self._scanned = 0
            self.query_one(RowList).set_count(0)
            self.show_at(self.position)

    def show_at(self, position: int) -> None:
        self.position = position
        entries = self.session.tape.transcript.entries
        there = self._key is not None and self._key < len(entries)
        self.set_class(not there, "-empty")
        if self._key is None or not there:
            self.border_subtitle = ""
            self._tell_how(any(True for _ in self.session.tape.transcript.held(position)))
            return
        self._collect(self._key)
        facts = facts_of(entries[self._key], self.session, position)
        self.query_one(Lines).show_lines(facts)
        self.query_one(RowList).set_count(len(self._events))
        self.border_subtitle = count(len(self._events), "event")

    def _tell_how(self, anything: bool) -> None:
        """How an item is selected, where there is one."""
        keys = self.keys.named("next_item", "previous_item")
        how = f"{keys}, or a click" if keys else "a click"
        words = f"Select an item: {how}" if anything else NOTHING
        empty = self.query_one("#inspector-empty", Static)
        if empty.content != words:
            empty.update(words)

    def _collect(self, key: int) -> None:
        """The payloads that touched the entry; only new ones are looked at."""
        transcript = self.session.tape.transcript
        if self._generation != self.session.tape.generation:
            self._generation = self.session.tape.generation
            self._events, self._scanned = array("I"), 0
        # Nothing touches an entry before the event that made it.
        start, end = max(self._scanned, transcript.entries[key].born), transcript.length
        self._events.extend(transcript.payloads_of(key, start, end))
        self._scanned = end

    def _cells(self, row: int) -> Cells:
        number = self._events[row]
        tape = self.session.tape
        look = glance(tape.payload(number))
        verdict = verdict_of(tape, number)
        at = tape.time(number)
        kind = "dim" if number >= self.position else family_style(look.type)
        return [
            (f"{number:>6,} ", "dim"),
            (f"+{at:.3f} " if at is not None else "", "dim"),
            (f"{verdict.sign} ", verdict.style),
            (f"{brief(look.type):<18} ", kind),
            (look.content, "dim"),
        ]

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        message.stop()
        if not message.gone:
            self.post_message(self.Sought(self._events[message.index], self._key))
