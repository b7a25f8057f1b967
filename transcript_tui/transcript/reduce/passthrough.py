"""RAW and CUSTOM: kept in their place, acted on by nobody (events/passthrough)."""

from __future__ import annotations

from typing import assert_never

from transcript_tui.protocol.events import Custom, Raw
from transcript_tui.transcript.model import Passthrough
from transcript_tui.transcript.reduce.fold import Fold, given


def apply(fold: Fold, event: Raw | Custom) -> None:
    owner = given(event.subagent_run_id)
    key, stamp = fold.next_key(), fold.stamp
    match event:
        case Raw():
            fold.add(Passthrough(key, stamp, "RAW", given(event.source) or "", owner))
        case Custom():
            fold.add(Passthrough(key, stamp, "CUSTOM", event.name, owner))
        case _:
            assert_never(event)
