"""Endings that no event tells: the stream was rejected, or its bytes ended."""

from __future__ import annotations

from transcript_tui.protocol.findings import Violation
from transcript_tui.transcript.model import Cut, Rejection, RunEnding
from transcript_tui.transcript.reduce.fold import Fold


def reject(fold: Fold, violation: Violation, *, further: bool, stop: bool) -> None:
    """The stream is rejected by the payload being applied; ``stop``: nothing is read past it."""
    fold.add(Rejection(fold.next_key(), fold.stamp, violation, further))
    _end_run(fold, RunEnding("rejected", fold.stamp))
    if stop:
        fold.close_run()


def cut(fold: Fold, tail: bytes) -> None:
    """The bytes ended, perhaps in mid-run, perhaps inside a frame (``tail``)."""
    if fold.run is not None:
        fold.add(Cut(fold.next_key(), fold.stamp, "truncated", tail))
        _end_run(fold, RunEnding("truncated", fold.stamp))
    elif tail:
        message = "The input ends inside a frame."
        fold.add(Cut(fold.next_key(), fold.stamp, "gap", tail, message))
    fold.close_run()


def _end_run(fold: Fold, ending: RunEnding) -> None:
    if fold.run is not None and fold.run.ending.now is None:
        fold.end_run(fold.run, ending)
