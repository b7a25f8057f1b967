"""The shared state: replaced, or patched all or nothing (events/state)."""

from __future__ import annotations

from typing import assert_never

from transcript_tui.protocol.events import StateDelta, StateSnapshot
from transcript_tui.transcript.patch import PatchFailed
from transcript_tui.transcript.reduce.fold import Fold


def apply(fold: Fold, event: StateSnapshot | StateDelta) -> None:
    match event:
        case StateSnapshot():
            fold.transcript.state.set(event.snapshot, fold.stamp)
        case StateDelta():
            try:
                fold.transcript.state.patch(event.delta, fold.stamp)
            except PatchFailed as failure:
                fold.warn(
                    "patch-failed",
                    f"The state keeps its value: {failure}.",
                    f"/delta/{failure.index}",
                )
        case _:
            assert_never(event)
