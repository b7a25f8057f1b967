"""The list of problems: notes about the source, then what went wrong, by event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.events import Resize
from textual.widgets import Static

from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.protocol.rules import RULES
from transcript_tui.text import label, safe
from transcript_tui.ui.amounts import count
from transcript_tui.ui.endings import ENDING_SIGNS
from transcript_tui.ui.views.jsonlines import payload_lines
from transcript_tui.ui.views.lines import Line, Lines
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.problemcursor import entry_of
from transcript_tui.ui.views.problemlist import Problem, ProblemList
from transcript_tui.ui.views.rowlist import RowList
from transcript_tui.ui.views.styledcells import Cells

if TYPE_CHECKING:
    from transcript_tui.session.session import Session


MEASURED: Final = 200
"""Rows that the column of the rules is measured by."""


NONE: Final = "No problems: no run failed, nothing broke the protocol so far"


class ProblemsPane(Pane):
    """Enter goes to the item and its event; what is selected is explained beside."""

    DEFAULT_CSS = """
    ProblemsPane Horizontal { height: 1fr; }
    ProblemsPane Lines { border-left: solid $rule; }
    ProblemsPane.-over Horizontal { layout: vertical; }
    ProblemsPane.-over Lines { border-left: none; border-top: solid $rule; }
    ProblemsPane #problems-empty { display: none; }
    ProblemsPane.-empty #problems-empty { display: block; }
    ProblemsPane.-empty Horizontal { display: none; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session, "problems")
        self.border_title = "Problems"
        self._problems = ProblemList(session)
        self._names = 0
        """Cells of the rules' column."""
        self._read_for: tuple[object, ...] = ()
        self._explained: Problem | None = None
        self._room: int | None = None
        """Rows that the list may take at most."""

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield RowList(self._cells)
            yield Lines()
        yield Static(NONE, id="problems-empty", classes="empty", markup=False)

    def moves(self) -> Moves:
        lines = self.query_one(Lines)
        return lines if lines.has_focus else self.query_one(RowList)

    def show_at(self, position: int) -> None:
        self.position = position
        tape, notes = self.session.tape, self.session.notes
        streams = len(tape.pipeline.streams)
        # An end may bring problems without an event; playing back may find thousands of them.
        read_for = (
            position, tape.length, tape.generation, tape.complete, streams, len(notes),
            self.session.error,
        )  # fmt: skip
        if read_for == self._read_for:
            return
        self._read_for = read_for
        problems = self._problems
        first = not len(problems)
        problems.go_to(position)
        rows = self.query_one(RowList)
        shown = (problems[row] for row in range(min(len(problems), MEASURED)))
        self._names = max((len(_named(one)) for one in shown), default=0)
        rows.set_count(len(problems))
        if first:
            rows.put_cursor(problems.first_violation)
        self._explain()
        self.set_class(not len(problems), "-empty")
        if not len(problems):
            self.query_one("#problems-empty", Static).update(self._none())
        self._share_room()
        self.border_subtitle = _counted(problems)

    def _none(self) -> str:
        """What there is instead of problems in the stream: maybe no stream."""
        error = self.session.error
        return safe(f"✕ {error}") if error is not None else NONE

    def _cells(self, row: int) -> Cells:
        problem = self._problems[row]
        found = problem.found
        fatal = isinstance(found, Violation)
        # Where it is narrow a long name pushes its own message rather than all.
        name, room = _named(problem), max(18, self.size.width // 3)
        event = f"{problem.payload:>7,}" if problem.payload is not None else "      –"
        sign, style = ("⚑", "error") if fatal else ("⚠", "warning")
        sign, style = ("·", "accent") if problem.remark else (sign, style)
        if problem.ending is not None:
            sign, style = ENDING_SIGNS[problem.ending], f"ending-{problem.ending}"
        return [
            (f"{sign} ", style),
            (f"{event}  ", "dim"),
            (f"{name:<{min(self._names, room)}}  ", f"{style} bold" if fatal else style),
            (label(found.message), "foreground"),
        ]

    def _explain(self) -> None:
        row = self.query_one(RowList).cursor
        problem = self._problems[row] if row < len(self._problems) else None
        if problem is not None and problem != self._explained:
            self._explained = problem
            lines = explained(problem, self._event(problem))
            self.query_one(Lines).show_lines(lines, keep_place=False)

    def _event(self, problem: Problem) -> list[Line]:
        """The event that is at fault, whole."""
        tape, number = self.session.tape, problem.payload
        if number is None or number >= tape.length:
            return []
        where = f"event {number:,} · line {tape.line(number):,} · byte {tape.offset(number):,}"
        return [[], [(where, "dim")], payload_lines(tape.payload(number))]

    def on_row_list_moved(self, message: RowList.Moved) -> None:
        message.stop()
        self._explain()

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        message.stop()
        if message.gone:
            return
        problem = self._problems[message.index]
        if problem.payload is not None:
            key = entry_of(self.session.tape.transcript, problem)
            self.post_message(self.Sought(problem.payload, key))

    def point_at(self, problem: Problem) -> None:
        """Put the cursor on a problem, where it is listed."""
        row = next((row for row, one in enumerate(self._problems) if one == problem), None)
        if row is not None:
            self.query_one(RowList).put_cursor(row)
            self._explain()

    def on_resize(self, event: Resize) -> None:
        self.set_class(event.size.width < 90, "-over")
        self._share_room()

    def _share_room(self) -> None:
        """Above its explanation, a short list takes no more rows than it has."""
        room = max(1, len(self._problems)) if self.has_class("-over") else None
        if room != self._room:
            # Setting it lays the screen out anew, whatever it was.
            self._room = room
            self.query_one(RowList).styles.max_height = room


def _named(problem: Problem) -> str:
    """The rule, and how often it was broken."""
    found = problem.found
    times = f" ×{found.count:,}" if isinstance(found, Warned) and found.count > 1 else ""
    return found.rule + times


def _counted(problems: ProblemList) -> str:
    violations, remarks = problems.violations, problems.remarks
    kinds = (
        (violations, "violation"),
        (problems.failed, "failed run"),
        (problems.cut, "cut"),
        (len(problems) - violations - problems.failed - problems.cut - remarks, "warning"),
        (remarks, "note"),
    )
    return ", ".join(count(number, noun) for number, noun in kinds if number)


def explained(problem: Problem, event: list[Line]) -> list[Line]:
    """A problem in full, with the lines of its ``event``."""
    found, rule = problem.found, RULES.get(problem.found.rule)
    fatal = isinstance(found, Violation)
    style = "error bold" if fatal else "accent" if problem.remark else "warning bold"
    if problem.ending is not None:
        style = f"ending-{problem.ending} bold"
    page: Cells = [] if rule is None else [(" · specification: ", "dim"), (rule.page, "link")]
    lines: list[Line] = [[(found.rule, style), *page], [(label(found.message), "foreground")]]
    if problem.after:
        lines.append([("After a violation: judged on its own", "warning")])
    if found.path is not None:
        paths = found.paths if isinstance(found, Violation) and found.paths else (found.path,)
        lines += [[("at ", "dim"), (label(path) or "the event itself", "accent")] for path in paths]
    if isinstance(found, Violation) and found.likely:
        lines += [[], [("Likely: ", "dim"), (label(found.likely), "foreground")]]
    lines += event
    expected = found.expected if isinstance(found, Violation) else rule and rule.remedy
    if expected:
        lines += [[], [("Expected: ", "dim"), (label(expected), "foreground")]]
    return lines
