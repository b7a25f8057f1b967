"""What the view says when there is no item to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from transcript_tui.text import label, safe
from transcript_tui.ui.keymap import Keymap
from transcript_tui.ui.views.transcript.options import Filter

_CONNECTIONS: Final = {
    "idle": "Connecting…",
    "connecting": "Connecting…",
    "waiting": "The connection ended; trying again…",
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


def why_empty(
    session: Any, position: int, entries: int, wanted: Filter | None, keys: Keymap
) -> Empty:
    """``entries`` are there at the position, though none is shown."""
    if entries and wanted:
        words = (
            f"Nothing here matches the filter: {label(wanted.describe())}",
            label(wanted.mistake()),
            _hints(keys, ("back", "clears it"), ("filter", "changes it")),
        )
        return Empty("\n".join(filter(None, words)))
    if entries:
        hidden = _hints(
            keys,
            ("tools", "shows tool calls"),
            ("reasoning", "reasoning"),
            ("passthrough", "CUSTOM and RAW"),
        )
        return Empty(": ".join(filter(None, ("Everything here is hidden", hidden))))
    if ahead := session.tape.length - position:
        follow = "1 event follows" if ahead == 1 else f"{ahead:,} events follow"
        resting = not getattr(getattr(session, "player", None), "playing", False)
        hint = _hints(keys, ("play", "plays")) if resting else ""
        return Empty("\n".join(filter(None, (f"Nothing here yet: {follow}", hint))))
    error = getattr(session, "error", None)
    again = _again(session, keys)
    if error is not None:
        return Empty(f"✕ {_sentence(error)}{again}", failed=True)
    nothing = _nothing_came(session)
    if nothing is not None:
        return Empty(f"{_sentence(nothing)}{again}")
    connection = getattr(session, "connection", "")
    if connection == "absent":
        return Empty(safe(session.absence))
    # A file or a pipe is nobody who is connected to.
    unasked = getattr(session, "kind", "") == "replay" and connection in ("idle", "connecting")
    return Empty(
        "Waiting for events…" if unasked else _CONNECTIONS.get(connection, "Waiting for events…")
    )


def _hints(keys: Keymap, *hints: tuple[str, str]) -> str:
    """What the keys of some actions do; those without a key are left out."""
    named = ((keys.named(action), does) for action, does in hints)
    return ", ".join(f"{key} {does}" for key, does in named if key)


def _again(session: Any, keys: Keymap) -> str:
    """A line more where the endpoint can be asked again; sessions made by hand have none."""
    key = keys.named("ask_again") if getattr(session, "can_ask_again", False) else ""
    return f"\n{key} tries again." if key else ""


def _sentence(error: Exception) -> str:
    hint = getattr(error, "hint", "")
    return safe(f"{error}\n{hint}" if hint else str(error))


def _nothing_came(session: Any) -> Exception | None:
    """The session's sentence for an end without an event; sessions made by hand have none."""
    told = getattr(session, "nothing_came", None)
    return told() if told is not None else None
