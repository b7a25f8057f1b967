"""What stands on the progress bar: where runs begin, and where something went wrong."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from transcript_tui.ui.bars.facts import MarkKind

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

PLACES: Final = 4_000
"""Places of marks that are told apart: more than there are cells in any line."""


def marks_of(session: Session) -> list[tuple[float, MarkKind]]:
    """(fraction of the tape, what is there), of all that has arrived."""
    fraction = session.player.fraction
    return [
        (at, kind) for kind, stamps in _stamps(session).items() for at in places(stamps, fraction)
    ]


def _stamps(session: Session) -> dict[MarkKind, list[int]]:
    tape = session.tape
    stamps: dict[MarkKind, list[int]] = {"run": [], "failed": [], "truncated": []}
    for run in tape.transcript.runs:
        if run.started > 0:
            stamps["run"].append(run.started)
        ending = run.ending.now
        if ending is not None and (ending.kind == "failed" or ending.kind == "truncated"):
            stamps[ending.kind].append(ending.stamp)
    stamps["violation"] = [
        stream.first + stream.violation.event
        for stream in tape.pipeline.streams
        if stream.violation is not None
    ]
    return stamps


def places(stamps: list[int], fraction: Callable[[int], float]) -> Iterator[float]:
    """Where ascending stamps are on the bar, each place once: of thousands of runs in one cell
    of it, one is looked at."""

    def place(stamp: int) -> int:
        return int(fraction(stamp) * PLACES)

    index = 0
    while index < len(stamps):
        here = place(stamps[index])
        yield fraction(stamps[index])
        index += 1
        if index < len(stamps) and place(stamps[index]) == here:
            index = bisect_right(stamps, here, lo=index, key=place)
