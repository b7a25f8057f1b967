"""What the view says when there is no item to show."""

from __future__ import annotations

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


def why_empty(session: Any, entries: int, wanted: Filter | None) -> str:
    """A sentence or two; ``entries`` are there at the position, though none is shown."""
    if entries and wanted:
        words = (
            f"Nothing here matches the filter: {label(wanted.describe())}",
            label(wanted.mistake()),
            "Esc clears it, f changes it",
        )
        return "\n".join(filter(None, words))
    if entries:
        return "Everything here is hidden: z shows tool calls, Z reasoning, x CUSTOM and RAW"
    error = getattr(session, "error", None) or _nothing_came(session)
    if error is not None:
        hint = getattr(error, "hint", "")
        return safe(f"{error}\n{hint}" if hint else str(error))
    return _CONNECTIONS.get(getattr(session, "connection", ""), "Waiting for events…")


def _nothing_came(session: Any) -> Exception | None:
    """The session's sentence for an end without an event; sessions made by hand have none."""
    told = getattr(session, "nothing_came", None)
    return told() if told is not None else None
