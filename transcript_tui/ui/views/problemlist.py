"""What went wrong up to a position, in order; going on costs what is new."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from transcript_tui.protocol.findings import Violation, Warned
from transcript_tui.transcript.model import Cut, Ending, RunEnd, RunEnding
from transcript_tui.transcript.pipeline import StreamResult
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.ui.amounts import count

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

__all__ = ["Problem", "ProblemList", "problems_at"]

REMARK: Final = "note"
"""Stands where a rule's id would."""
_UNREAD: Final[tuple[int, RunEnding | None]] = (-1, None)
"""No ending was listed yet, or not all that are there."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One row."""

    payload: int | None
    """The payload's number on the tape; ``None`` where no event is concerned."""
    found: Violation | Warned
    after: bool = False
    """A further violation, read past one."""
    ending: Ending | None = None
    """How a run ended that went wrong; no rule was broken by that."""
    key: int | None = None
    """The entry that stands for it, where there is one of its own."""

    @property
    def remark(self) -> bool:
        """About the source and how it was read; nobody broke a rule."""
        return self.found.rule == REMARK


class ProblemList:
    """Remarks first, then what no event is to blame for, then the rest by event: violations
    before warnings and endings."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._generation = session.tape.generation
        self._remarks: list[Problem] = []
        self._unplaced: list[Problem] = []
        self._unplaced_at: list[int] = []
        """The stamp of each."""
        self._placed: list[Problem] = []
        self._endings: list[Problem] = []
        self._endings_for = _UNREAD
        self._warned = 0
        """Warnings that were taken over."""
        self._violated: list[int] = []
        """The same of violations, of each stream."""

    def __len__(self) -> int:
        return len(self._remarks) + len(self._unplaced) + len(self._placed)

    def __iter__(self) -> Iterator[Problem]:
        return chain(self._remarks, self._unplaced, self._placed)

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
    def failed(self) -> int:
        """Runs that failed."""
        return sum(one.ending == "failed" for one in self._endings)

    @property
    def cut(self) -> int:
        """Places where the bytes ended."""
        return len(self._endings) - self.failed

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
        if self._take_endings(position) or late:
            self._placed.sort(key=_order)

    def _cut(self, position: int) -> None:
        """Leave out what is not there yet at ``position``."""
        placed, unplaced = self._placed, self._unplaced
        first = bisect_left(placed, position, key=lambda one: one.payload or 0)
        if any(one.ending is not None for one in placed[first:]):
            # Also one that stands at this position: of a stream that had no event.
            self._endings_for = _UNREAD
        del placed[first:]
        del unplaced[bisect_left(self._unplaced_at, position) :]
        del self._unplaced_at[len(unplaced) :]
        self._warned = min(self._warned, self._session.tape.transcript.warned_at(position))
        streams = self._session.tape.pipeline.streams
        self._violated = [
            min(taken, stream.violations_at(position))
            for taken, stream in zip(self._violated, streams, strict=False)
        ]

    def _take_endings(self, position: int) -> bool:
        """List the bad endings of runs; whether they are others than before."""
        transcript = self._session.tape.transcript
        births, ends = transcript.births, transcript.ends
        held = bisect_left(ends, position, key=lambda key: births[key])
        last = transcript.entries[ends[held - 1]] if held else None
        # Another event may change how the last run ended.
        read_for = held, last.run.ending.at(position) if isinstance(last, RunEnd) else None
        if read_for == self._endings_for:
            return False
        self._endings_for = read_for
        self._endings = list(_endings(transcript, position))
        self._placed = [one for one in self._placed if one.ending is None] + self._endings
        return True

    def _new_violations(self, position: int) -> list[Problem]:
        found: list[Problem] = []
        for number, stream in enumerate(self._session.tape.pipeline.streams):
            if number == len(self._violated):
                self._violated.append(0)
            until = stream.violations_at(position)
            found += [_violation(stream, place) for place in range(self._violated[number], until)]
            self._violated[number] = until
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


def _endings(transcript: Transcript, position: int) -> Iterator[Problem]:
    """Runs that failed, and where the bytes ended in mid-run or in mid-frame."""
    for key in transcript.ends:
        entry = transcript.entries[key]
        if entry.born >= position:
            return
        if isinstance(entry, RunEnd):
            ending = entry.run.ending.at(position)
            if ending is not None and ending.kind == "failed":
                code = f" ({ending.code})" if ending.code else ""
                words = f"{ending.message or 'The run failed.'}{code}"
                yield Problem(ending.stamp, Warned("failed", None, words), False, "failed", key)
        elif isinstance(entry, Cut):
            words = entry.message or "The stream ended before the run did."
            if entry.tail:
                words += f" {count(len(entry.tail), 'byte')} of an unfinished frame."
            found = Warned(entry.kind, None, words)
            yield Problem(max(0, entry.born), found, False, "truncated", key)


def problems_at(session: Session, number: int) -> list[Problem]:
    """What payload ``number`` is to blame for."""
    found: list[Problem] = []
    for stream in session.tape.pipeline.streams:
        first, end = (stream.violations_at(position) for position in (number, number + 1))
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


def _violation(stream: StreamResult, place: int) -> Problem:
    violation = stream.violation if place == 0 else stream.after[place - 1]
    assert violation is not None
    return Problem(stream.first + violation.event, violation, after=place > 0)


def _order(problem: Problem) -> tuple[int, bool]:
    return problem.payload or 0, isinstance(problem.found, Warned)
