"""What the view says when there is no item to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from transcript_tui.text import label, safe
from transcript_tui.ui.keymap import Keymap
from transcript_tui.ui.views.transcript.filter import Filter

if TYPE_CHECKING:
    from transcript_tui.errors import TranscriptError
    from transcript_tui.session.session import Session

_WAITING: Final = "Waiting for events…"
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
    session: Session, position: int, entries: int, wanted: Filter | None, keys: Keymap
) -> Empty:
    """``entries`` are there at the position, though none is shown."""
    if entries:
        return Empty(_none_matches(wanted, keys) if wanted else _all_hidden(keys))
    if ahead := session.tape.length - position:
        return Empty(_all_ahead(ahead, playing=session.player.playing, keys=keys))
    return _nothing_came(session, keys)


def _none_matches(wanted: Filter, keys: Keymap) -> str:
    return _lines(
        f"Nothing here matches the filter: {label(wanted.describe())}",
        label(wanted.mistake()),
        _hints(keys, ("back", "clears it"), ("filter", "changes it")),
    )


def _all_hidden(keys: Keymap) -> str:
    hints = _hints(
        keys,
        ("tools", "shows tool calls"),
        ("reasoning", "reasoning"),
        ("passthrough", "CUSTOM and RAW"),
    )
    return f"Everything here is hidden: {hints}" if hints else "Everything here is hidden"


def _all_ahead(ahead: int, *, playing: bool, keys: Keymap) -> str:
    follow = "1 event follows" if ahead == 1 else f"{ahead:,} events follow"
    return _lines(f"Nothing here yet: {follow}", "" if playing else _hints(keys, ("play", "plays")))


def _nothing_came(session: Session, keys: Keymap) -> Empty:
    again = _hints(keys, ("ask_again", "tries again.")) if session.can_ask_again else ""
    if session.error is not None:
        return Empty(_lines(f"✕ {_sentence(session.error)}", again), failed=True)
    nothing = session.nothing_came()
    if nothing is not None:
        return Empty(_lines(_sentence(nothing), again))
    if session.connection == "absent":
        return Empty(safe(session.absence))
    if session.kind == "replay" and session.connection in ("idle", "connecting"):
        return Empty(_WAITING)  # a file or a pipe is nobody who is connected to
    return Empty(_CONNECTIONS.get(session.connection, _WAITING))


def _sentence(error: TranscriptError) -> str:
    return safe(_lines(str(error), error.hint))


def _hints(keys: Keymap, *hints: tuple[str, str]) -> str:
    """What the keys of some actions do; those without a key are left out."""
    named = ((keys.named(action), does) for action, does in hints)
    return ", ".join(f"{key} {does}" for key, does in named if key)


def _lines(*lines: str) -> str:
    """Those that say something, below each other."""
    return "\n".join(filter(None, lines))
