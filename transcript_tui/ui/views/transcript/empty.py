"""What the view says when there is no item to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from transcript_tui.ui.text import label, safe
from transcript_tui.ui.views.transcript.options import Filter

_CONNECTIONS: Final = {
    "idle": "Connecting…",
    "connecting": "Connecting…",
    "waiting": "The connection was lost; trying again…",
    "ended": "No events",
    "stopped": "No events",
    "failed": "No events",
}


@dataclass(frozen=True, slots=True)
class Empty:
    """Why nothing is shown."""

    words: str = ""
    failed: bool = False
    """Something went wrong, and what there was to come will not come."""


def why_empty(session: Any, entries: int, wanted: Filter | None) -> Empty:
    """``entries`` are there at the position, though none is shown."""
    if entries and wanted:
        words = (
            f"Nothing here matches the filter: {label(wanted.describe())}",
            label(wanted.mistake()),
            "Esc clears it, f changes it",
        )
        return Empty("\n".join(filter(None, words)))
    if entries:
        return Empty("Everything here is hidden: z shows tool calls, Z reasoning, x CUSTOM and RAW")
    error = getattr(session, "error", None)
    if error is not None:
        return Empty(f"✕ {_sentence(error)}", failed=True)
    nothing = _nothing_came(session)
    if nothing is not None:
        return Empty(_sentence(nothing))
    return Empty(_CONNECTIONS.get(getattr(session, "connection", ""), "Waiting for events…"))


def _sentence(error: Exception) -> str:
    hint = getattr(error, "hint", "")
    return safe(f"{error}\n{hint}" if hint else str(error))


def _nothing_came(session: Any) -> Exception | None:
    """The session's sentence for an end without an event; sessions made by hand have none."""
    told = getattr(session, "nothing_came", None)
    return told() if told is not None else None
