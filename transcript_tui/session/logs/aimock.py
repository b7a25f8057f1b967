"""aimock fixtures: what is answered to which message.

Whatever stands among a fixture's events is what a client would be sent: it is judged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from transcript_tui.session.logs.foreign import (
    Exchange,
    Foreign,
    Log,
    frames,
    number_of,
    objects,
    strangers,
    text_of,
)

__all__ = ["AIMOCK"]


def _interpret(document: Mapping[str, Any], max_frame: int) -> Log:
    log = Log()
    empty = strangers(document.get("fixtures"))
    at = 0.0
    for number, fixture in enumerate(objects(document.get("fixtures"))):
        events = fixture.get("events")
        if not isinstance(events, list) or not events:
            empty += 1
            continue
        delay = number_of(fixture.get("delayMs"))
        said = text_of(fixture, "match", "message")
        asked = {"id": f"match-{number}", "role": "user", "content": said}
        timed = [(event, _at(at, index, delay)) for index, event in enumerate(events)]
        log.exchanges.append(
            Exchange(
                frames(timed, max_frame),
                {"messages": [asked]} if said else None,
                at if delay else None,
            )
        )
        at += len(events) * (delay or 0.0) / 1000
    log.leave_out(empty, "fixture", "without events left out")
    return log


def _at(start: float, index: int, delay: float | None) -> float | None:
    return start + index * delay / 1000 if delay is not None else None


AIMOCK: Final = Foreign(
    name="aimock fixture",
    signature=re.compile(rb'\{\s*(?:"[^"]*"\s*:\s*(?:"[^"]*"|[\d.]+)\s*,\s*)*"fixtures"\s*:\s*\['),
    arrays=frozenset({"fixtures", "events"}),
    interpret=_interpret,
)
