"""Times, rates, events by kind, tools and token usage, at the position shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.widgets import Static

from transcript_tui.text import label
from transcript_tui.transcript.statistics import usage_by_model
from transcript_tui.ui.amounts import duration
from transcript_tui.ui.tokens import token_words
from transcript_tui.ui.views.lines import Lines
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.slicedwork import SlicedWork
from transcript_tui.ui.views.styledcells import Cells
from transcript_tui.ui.views.tally import Tally, count_some
from transcript_tui.ui.views.throttle import Throttle
from transcript_tui.ui.views.tooltimes import ToolTimes

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

REST: Final = 0.5
"""Seconds between two layings out while events stream in, at least."""
SHARE: Final = 20
"""Times the last laying out took: so long there is no other, however many events there are."""


class StatisticsPane(Pane):
    """Numbers; what is not known is left out."""

    DEFAULT_CSS = """
    StatisticsPane #statistics-empty { display: none; }
    StatisticsPane.-empty #statistics-empty { display: block; }
    StatisticsPane.-empty Lines { display: none; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "statistics")
        self.border_title = "Statistics"
        self._tally = Tally()
        self._called = ToolTimes(session.tape)
        self._counting = SlicedWork(self, self._count, tell=self._tell, finish=self.show_again)
        self._throttle = Throttle(self, self.show_again, times=SHARE, least=REST)
        self._told_for = (-1, -1, -1)

    def compose(self) -> ComposeResult:
        yield Lines()
        yield Static("Nothing to count so far", id="statistics-empty", classes="empty")

    def moves(self) -> Moves:
        return self.query_one(Lines)

    def show_at(self, position: int) -> None:
        self.position = position
        tape = self.session.tape
        self.set_class(position == 0, "-empty")
        if position < self._tally.count - position:
            # Nearer to the start than to where it is.
            self._tally = Tally()
        wanted = (position, tape.generation, tape.transcript.revision)
        if self._counting.going or wanted == self._told_for or self._throttle.resting():
            return
        began = time.perf_counter()
        if self._counting.go_on():
            return
        self._told_for = wanted
        self.border_subtitle = f"{position:,} events"
        self.query_one(Lines).show_lines(list(self._lines()))
        self._throttle.shown(began)

    def _count(self, enough: Callable[[], bool]) -> bool:
        tape = self.session.tape
        return count_some(
            self._tally, self.position, tape.payload, tape.time, enough
        ) or self._called.go_to(self.position, enough)

    def _tell(self) -> None:
        self.border_subtitle = f"counting {self._counted():.0%}"

    def _counted(self) -> float:
        """How much of it is, 0 to 1."""
        entries = self.session.tape.transcript.count_at(self.position)
        ahead = abs(self.position - self._tally.count) + max(0, entries - self._called.read)
        return 1.0 - min(1.0, ahead / max(1, self.position + entries))

    def _lines(self) -> Iterable[Cells]:
        yield from self._times()
        yield from self._tools()
        yield from self._usage()
        yield from self._kinds()

    def _times(self) -> Iterable[Cells]:
        tally = self._tally
        yield _title("Times")
        if not self.session.tape.timing:
            yield [("the log has no times", "dim")]
        yield from _fact("first byte", duration(self.session.first_byte))
        yield from _fact("first event", duration(tally.first_event))
        yield from _fact("first text", duration(tally.marks.first_text))
        yield from _fact("first tool call", duration(tally.marks.first_tool))
        if tally.first_event is not None and tally.last is not None:
            yield from _fact("in all", duration(tally.last - tally.first_event))
        pace, now = tally.pace(), tally.pace_now()
        if pace:
            at_last = f"{now:,.1f} now, " if now is not None else ""
            yield from _fact("tokens a second", f"{at_last}{pace:,.1f} on average")
        yield from _fact("token gap, p95", duration(tally.gap_p95))
        if tally.marks.longest_at is not None:
            where = f"{duration(tally.marks.longest)} before event {tally.marks.longest_at:,}"
            yield from _fact("longest stall", where)
        yield from _fact("bytes of events", f"{tally.size:,}")
        if tally.held_back:
            yield [
                (
                    f"⚠ {tally.held_back:,} events came in bursts though their timestamps lie "
                    "apart: a proxy or the server seems to buffer",
                    "warning",
                )
            ]

    def _tools(self) -> Iterable[Cells]:
        tools = self._called.tools()
        if tools:
            yield []
            yield _title("Tools")
        for name, number, took in tools:
            said = f"{number:,}×"
            if len(took) == 1:
                said += f"  {duration(took[0])}"
            elif took:
                said += f"  median {duration(_middle(took))}  max {duration(took[-1])}"
            yield from _fact(label(name, 24), said)

    def _usage(self) -> Iterable[Cells]:
        """Totals by provider and model; an absent count is not zero."""
        totals = usage_by_model(self.session.tape.transcript.runs, self.position)
        if totals:
            yield []
            yield _title("Tokens, as the producer counts them")
        for (provider, model), total in totals.items():
            name = " ".join(one for one in (provider, model) if one) or "unnamed"
            counted = "  ".join(token_words(total))
            yield from _fact(label(name, 32), counted or "not counted")

    def _kinds(self) -> Iterable[Cells]:
        yield []
        yield _title("Events by kind")
        for kind, number in self._tally.kinds.most_common(40):
            yield [(f"{number:>9,}  ", "foreground"), (label(kind, 40), "dim")]


def _middle(ordered: list[float]) -> float:
    """The median of values in order; sorting thousands again would take its time."""
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def _title(text: str) -> Cells:
    return [(text, "accent bold")]


def _fact(name: str, value: str) -> Iterable[Cells]:
    if value:
        yield [(f"{name:<16} ", "dim"), (value, "foreground")]
