"""Going from problem to problem: through what the list of problems holds, where it happened."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from transcript_tui.protocol.findings import Violation
from transcript_tui.transcript.model import Rejection
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.ui.views.problemlist import Problem, ProblemList

if TYPE_CHECKING:
    from transcript_tui.session.session import Session


def entry_of(transcript: Transcript, problem: Problem) -> int | None:
    """Key of the item to select: the ending or rejection itself, else what the event touched,
    else what stands before it; ``None`` where no event is concerned."""
    number = problem.payload
    if number is None or problem.key is not None:
        return problem.key
    births, entries = transcript.births, transcript.entries
    if isinstance(problem.found, Violation):
        for key in range(bisect_left(births, number), bisect_right(births, number)):
            if isinstance(entries[key], Rejection):
                return key
    touched = transcript.touched[number] if number < len(transcript.touched) else -1
    return touched if touched >= 0 else max(0, bisect_right(births, number) - 1)


class ProblemCursor:
    """Which problem was gone to last, in the order in which their items stand."""

    def __init__(self) -> None:
        self._visited: tuple[int, Problem] | None = None
        self._landed: int | None = None

    def next(
        self, stops: list[tuple[int, Problem]], step: int, here: int, selected: int | None
    ) -> int | None:
        """The index of the next (or previous) stop from the item ``here``; several that have the
        same item are gone through one by one."""
        visited = self._visited
        if visited in stops and selected is not None and selected in (visited[0], self._landed):
            at = stops.index(visited) + step
        elif step > 0:
            # The topmost item counts as soon as one stands on it.
            at = bisect_left(stops, here + (selected == here), key=lambda stop: stop[0])
        else:
            at = bisect_left(stops, here, key=lambda stop: stop[0]) - 1
        return at if 0 <= at < len(stops) else None

    def visit(self, stop: tuple[int, Problem], landed: int | None) -> None:
        """``landed``: the item that was selected for it."""
        self._visited, self._landed = stop, landed


def stops(session: Session) -> list[tuple[int, Problem]]:
    """Each problem that has a place, with the key of its item."""
    transcript, problems = session.tape.transcript, ProblemList(session)
    problems.go_to(session.tape.length)
    placed = [
        (key, problem) for problem in problems if (key := entry_of(transcript, problem)) is not None
    ]
    return sorted(placed, key=lambda stop: stop[0])
