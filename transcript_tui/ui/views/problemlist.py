"""What went wrong up to a position, in order; going on costs what is new."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.transcript.pipeline import StreamResult

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

__all__ = ["Problem", "ProblemList", "problems_at"]

REMARK: Final = "note"
"""Stands where a rule's id would."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One row."""

    payload: int | None
    """The payload's number on the tape; ``None`` where no event is concerned."""
    found: Violation | Warned
    after: bool = False
    """A further violation, read past one."""

    @property
    def remark(self) -> bool:
        """About the source and how it was read; nobody broke a rule."""
        return self.found.rule == REMARK


class ProblemList:
    """Remarks first, then what no event is to blame for, then the rest by event: violations
    before warnings."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._generation = session.tape.generation
        self._remarks: list[Problem] = []
        self._unplaced: list[Problem] = []
        self._unplaced_at: list[int] = []
        """The stamp of each."""
        self._placed: list[Problem] = []
        self._warned = 0
        """Warnings that were taken over."""
        self._violated: list[int] = []
        """The same of violations, of each stream."""

    def __len__(self) -> int:
        return len(self._remarks) + len(self._unplaced) + len(self._placed)

    def __getitem__(self, row: int) -> Problem:
        for part in (self._remarks, self._unplaced):
            if row < len(part):
                return part[row]
            row -= len(part)
        return self._placed[row]

    @property
    def remarks(self) -> int:
        return len(self._remarks)

    @property
    def violations(self) -> int:
        return sum(self._violated)

    @property
    def first_violation(self) -> int:
        """Its row; the first one where there is none."""
        before = len(self) - len(self._placed)
        rows = (row for row, one in enumerate(self._placed) if isinstance(one.found, Violation))
        return next((before + row for row in rows), 0) if self.violations else 0

    def go_to(self, position: int) -> None:
        """List what there is at ``position``."""
        tape = self._session.tape
        if tape.generation != self._generation:
            self._generation = tape.generation
            self._cut(0)
        self._cut(position)
        notes = self._session.notes
        if len(notes) != len(self._remarks):
            self._remarks = [Problem(None, Warned(REMARK, None, note)) for note in notes]
        new = self._new_violations(position) + self._new_warnings(position)
        new.sort(key=_order)
        # What is found where a stream ends may stand before what was found there already.
        late = bool(new and self._placed) and _order(new[0]) < _order(self._placed[-1])
        self._placed += new
        if late:
            self._placed.sort(key=_order)

    def _cut(self, position: int) -> None:
        """Leave out what is not there yet at ``position``."""
        placed, unplaced = self._placed, self._unplaced
        del placed[bisect_left(placed, position, key=lambda one: one.payload or 0) :]
        del unplaced[bisect_left(self._unplaced_at, position) :]
        del self._unplaced_at[len(unplaced) :]
        self._warned = min(self._warned, self._session.tape.transcript.warned_at(position))
        streams = self._session.tape.pipeline.streams
        self._violated = [
            min(taken, _violations_at(stream, position))
            for taken, stream in zip(self._violated, streams, strict=False)
        ]

    def _new_violations(self, position: int) -> list[Problem]:
        found: list[Problem] = []
        for number, stream in enumerate(self._session.tape.pipeline.streams):
            if number == len(self._violated):
                self._violated.append(0)
            count = _violations_at(stream, position)
            found += [_violation(stream, place) for place in range(self._violated[number], count)]
            self._violated[number] = count
        return found

    def _new_warnings(self, position: int) -> list[Problem]:
        transcript = self._session.tape.transcript
        until = transcript.warned_at(position)
        found: list[Problem] = []
        for stamp, warned in transcript.noted[self._warned : until]:
            if warned.event is None:
                self._unplaced.append(Problem(None, warned))
                self._unplaced_at.append(stamp)
            else:
                found.append(Problem(max(0, stamp), warned))
        self._warned = until
        return found


def problems_at(session: Session, number: int) -> list[Problem]:
    """What payload ``number`` is to blame for."""
    found: list[Problem] = []
    for stream in session.tape.pipeline.streams:
        first, end = (_violations_at(stream, position) for position in (number, number + 1))
        found += [_violation(stream, place) for place in range(first, end)]
    noted = session.tape.transcript.noted
    # What came with the input, before any payload, is told of the first.
    start = bisect_left(noted, number or -1, key=lambda pair: pair[0])
    for stamp, warned in noted[start:]:
        if stamp > number:
            break
        if warned.event is not None:
            found.append(Problem(number, warned))
    return found


def _violations_at(stream: StreamResult, position: int) -> int:
    """How many of a stream there are by ``position``, those read past included."""
    here = position - stream.first
    if stream.violation is None or stream.violation.event >= here:
        return 0
    return 1 + bisect_left(stream.after, here, key=lambda one: one.event)


def _violation(stream: StreamResult, place: int) -> Problem:
    violation = stream.violation if place == 0 else stream.after[place - 1]
    assert violation is not None
    return Problem(stream.first + violation.event, violation, after=place > 0)


def _order(problem: Problem) -> tuple[int, bool]:
    return problem.payload or 0, isinstance(problem.found, Warned)
