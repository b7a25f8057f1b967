"""The events as they arrived: every frame, with its place, time, type, ids, size and verdict."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Resize
from textual.widgets import Static

from transcript_tui.text import label
from transcript_tui.transcript.model import NOTHING
from transcript_tui.ui.amounts import count, seconds
from transcript_tui.ui.views.eventfilter import EventFilter
from transcript_tui.ui.views.jsonlines import payload_lines
from transcript_tui.ui.views.lines import Line, Lines
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.payloads import Glance, brief, family_style, glance
from transcript_tui.ui.views.problemlist import problems_at
from transcript_tui.ui.views.rowlist import RowList
from transcript_tui.ui.views.slicedwork import SlicedWork
from transcript_tui.ui.views.styledcells import Cells
from transcript_tui.ui.views.verdicts import verdict_of

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

BESIDE: Final = 90
"""Cells from which a payload is shown beside the list instead of over it."""


class EventsPane(Pane):
    """A row a payload; Enter shows it whole."""

    DEFAULT_CSS = """
    EventsPane Horizontal { height: 1fr; }
    EventsPane #events-detail { display: none; border-left: solid $rule; }
    EventsPane.-detail #events-detail { display: block; }
    EventsPane.-detail.-over RowList { display: none; }
    EventsPane.-detail.-over #events-detail { border-left: none; }
    EventsPane #events-empty { display: none; }
    EventsPane.-empty #events-empty { display: block; }
    EventsPane.-empty Horizontal { display: none; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "events")
        self.border_title = "Events"
        self.filter_text = ""
        self._filter = EventFilter()
        self._matches = array("I")
        self._scanned = 0
        self._scanning = SlicedWork(self, self._scan, tell=self._tell, finish=self.show_again)
        self._generation = session.tape.generation
        self._shown: int | None = None
        self._quiet = False
        self._glance = lru_cache(maxsize=512)(self._look)

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield RowList(self._cells)
            yield Lines(id="events-detail")
        yield Static("", id="events-empty", classes="empty", markup=False)

    @property
    def _rows(self) -> RowList:
        return self.query_one(RowList)

    @property
    def _detail(self) -> Lines:
        return self.query_one(Lines)

    def moves(self) -> Moves:
        return self._detail if self._detail.has_focus else self._rows

    # Rows ---------------------------------------------------------------------------------------

    def _number(self, row: int) -> int:
        """The payload's number in a row."""
        return self._matches[row] if self._filter else row

    def _row(self, number: int) -> int:
        """The row of a payload, or of the next one that is listed."""
        return bisect_left(self._matches, number) if self._filter else number

    def _look(self, number: int) -> Glance:
        return glance(self.session.tape.payload(number))

    def _cells(self, row: int) -> Cells:
        tape = self.session.tape
        number = self._number(row)
        look = self._glance(number)
        verdict = verdict_of(tape, number)
        ahead = number >= self.position
        text = "dim" if ahead else "foreground"
        at = tape.time(number)
        when = f"+{at:.3f}" if at is not None else f"@{tape.offset(number):,}"
        kind = "dim" if ahead else verdict.style if verdict.bad else family_style(look.type)
        wide = self._rows.size.width >= 70
        return [
            (f"{number:>7,} ", "dim"),
            (f"{when:>10} " if wide else "", "dim"),
            (f"{verdict.sign} ", verdict.style),
            (f"{look.type:<25} " if wide else f"{brief(look.type):<18} ", kind),
            (f"{look.size:>7,} B  " if wide else "", "dim"),
            (f"{look.ids}  " if look.ids else "", text),
            (look.content, "dim"),
        ]

    def show_at(self, position: int) -> None:
        tape = self.session.tape
        moved = position != self.position
        follows = self._at_position()
        self.position = position
        anew = tape.generation != self._generation
        if anew:
            self._generation = tape.generation
            self._start_filter()
        self._scanning.go_on()
        rows = self._rows
        count = len(self._matches) if self._filter else tape.length
        rows.set_count(count, changed=moved or anew)
        self._say_counts()
        if moved and follows:
            self._put_cursor(position - 1)

    def _at_position(self) -> bool:
        """Whether the cursor stands at the newest event shown: then it goes along."""
        rows = self._rows
        return not rows.count or rows.cursor >= self._row(self.position - 1) - 1

    def _say_counts(self) -> None:
        tape, rows = self.session.tape, self._rows
        self.set_class(rows.count == 0, "-empty")
        if self._filter and tape.length:
            scanned = f", {self._scanned:,} looked at" if self._scanned < tape.length else ""
            self.border_subtitle = f"{rows.count:,} of {tape.length:,}{scanned}"
            words = "No event matches the filter" if not scanned else "Looking…"
        else:
            self.border_subtitle = count(tape.length, "event")
            words = "Nothing has arrived yet" if self.session.receiving else "No event arrived"
        # It fills the pane, so other words need no other layout: this is asked in each frame.
        self.query_one("#events-empty", Static).update(words, layout=False)

    # Filter -------------------------------------------------------------------------------------

    def set_filter(self, written: str) -> str:
        """List what matches; returns a word for the prompt."""
        self.filter_text = written.strip()
        self._filter = EventFilter.parse(written)
        # As content: a plain string would be read as markup.
        kept = f" · {label(self.filter_text)}" if self._filter else ""
        self.border_title = Content(f"Events{kept}")
        number = self._number(self._rows.cursor) if self._rows.count and not self._filter else None
        self._start_filter()
        self._rows.refresh()
        self.show_at(self.position)
        if number is not None:
            self._put_cursor(number)
        return f"{self._rows.count:,}" if self._filter else ""

    def _start_filter(self) -> None:
        self._matches = array("I")
        self._scanned = 0
        self._glance.cache_clear()

    def _scan(self, enough: Callable[[], bool]) -> bool:
        """Look at some more payloads; ``True`` while there are others."""
        if not self._filter:
            return False
        tape = self.session.tape
        while self._scanned < tape.length:
            number = self._scanned
            if self._filter.matches(tape.payload(number), verdict_of(tape, number).word):
                self._matches.append(number)
            self._scanned += 1
            if number % 64 == 0 and enough():
                break
        return self._scanned < tape.length

    def _tell(self) -> None:
        self._rows.set_count(len(self._matches))
        self._say_counts()

    # Selection ----------------------------------------------------------------------------------

    def selected(self, key: int | None) -> None:
        """The transcript's selection: go to the event that made it."""
        if key is None or self._quiet:
            return
        entries = self.session.tape.transcript.entries
        if key < len(entries) and entries[key].born >= 0:
            row = self._rows.cursor
            touched = self.session.tape.transcript.touched
            if self._rows.count and touched[self._number(row)] == key:
                return
            self._put_cursor(entries[key].born)

    def _put_cursor(self, number: int) -> None:
        if self._rows.count:
            self._rows.put_cursor(self._row(max(0, number)))
            self._update_detail()

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        self._update_detail()
        key = NOTHING if message.gone else self._item(self._number(message.index))
        if key >= 0:
            self._quiet = True
            self.post_message(self.Picked(key))
            self.call_after_refresh(self._speak_again)

    def _item(self, number: int) -> int:
        """The item that an event made or changed, where it stands now; looking through a list
        moves nobody in time."""
        transcript = self.session.tape.transcript
        key = transcript.touched[number] if number < self.position else NOTHING
        return key if key >= 0 and transcript.entries[key].held(self.position) else NOTHING

    def _speak_again(self) -> None:
        self._quiet = False

    # Detail -------------------------------------------------------------------------------------

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        message.stop()
        if self.has_class("-detail"):
            self.close_inner()
        else:
            self._open_detail()

    def _open_detail(self) -> None:
        self.add_class("-detail")
        self._update_detail()
        if self.has_class("-over"):
            self._detail.focus()

    def _update_detail(self) -> None:
        if not self.has_class("-detail") or not self._rows.count:
            return
        number = self._number(self._rows.cursor)
        if number == self._shown:
            return
        self._shown = number
        self._detail.show_lines(self._lines(number), keep_place=False)

    def _lines(self, number: int) -> list[Line]:
        tape = self.session.tape
        verdict = verdict_of(tape, number)
        at = tape.time(number)
        head = [
            (f"{verdict.sign} {verdict.word}", f"{verdict.style} bold"),
            (f"   event {number:,}", "foreground"),
            (f" · {seconds(at)}" if at is not None else "", "dim"),
            (f" · line {tape.line(number):,} · byte {tape.offset(number):,}", "dim"),
        ]
        return [head, *self._said(number), [], payload_lines(tape.payload(number))]

    def _said(self, number: int) -> list[Cells]:
        """What is wrong with an event, a sentence each."""
        if self.session.tape.event(number) is None:
            return [[("It holds no event and is left out: no rule is applied to it.", "dim")]]
        return [
            [(f"{problem.found.rule}: ", "warning"), (label(problem.found.message), "foreground")]
            for problem in problems_at(self.session, number)
        ]

    def close_inner(self) -> bool:
        if self.has_class("-detail"):
            self.remove_class("-detail")
            self._shown = None
            self._rows.focus()
            return True
        if self.filter_text:
            self.set_filter("")
            return True
        return False

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < BESIDE, "-over")
