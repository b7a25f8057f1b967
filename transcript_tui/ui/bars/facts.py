"""What the bars show, as one value. Nothing here knows Textual, nor a session: it stands in the
first frame, before there is one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from transcript_tui.session.session import Drop

SLOW: Final = 0.5
"""Seconds between two readings of what costs more than a look (rate, marks): so far the bars may
lag behind."""

Connection = Literal[
    "opening",
    "connecting",
    "absent",
    "open",
    "waiting",
    "ended",
    "failed",
    "refused",
    "lost",
    "unreadable",
    "stopped",
]
RunState = Literal[
    "none", "running", "finished", "interrupted", "cancelled", "failed", "truncated", "rejected"
]

_GROWING: Final = ("connecting", "absent", "open", "waiting")
"""Connections that may bring more."""

MarkKind = Literal["run", "failed", "truncated", "violation"]


@dataclass(frozen=True, slots=True)
class Facts:
    """All that the bars show, gathered once a frame."""

    # The source
    label: str = ""
    replay: bool = False
    following: bool = False
    """A log that may grow, as far as it has grown."""
    connection: Connection = "opening"
    progress: float | None = None
    """How much of a file is read, 0 to 1; ``None`` = not known, or all of it."""
    again_in: float | None = None
    """Seconds until the endpoint is asked again by itself; ``None``: it is not."""
    drop: Drop = "ended"
    """Why it is."""
    keep_going: bool = False
    recording: str = ""
    recorded: str = ""
    """The file's name, while it is written; when it is whole."""
    unrecorded: int | None = None
    """Events that wait for the disk, where it has taken nothing for a while."""
    recording_failed: str = ""

    # What happened up to the position
    run: RunState = "none"
    violations: int = 0
    warnings: int = 0
    elapsed: float | None = None
    """Seconds since the start, at the position; where that is now, the clock goes on."""
    silence: float | None = None
    """Seconds for which an event has been waited for; ``None``: none is due."""
    rate: float | None = None
    """Tokens (text deltas) a second, lately."""

    # The tape and the player
    length: int = 0
    """Events received."""
    position: int = 0
    fraction: float = 0.0
    """Where the position is on the tape, 0 to 1."""
    duration: float | None = None
    playing: bool = False
    speed: str = ""
    loop: bool = False
    live: bool = True
    """The position follows the end of a stream that may still grow."""
    paced: bool = False
    """The rhythm is invented: the log has no times."""
    marks: Sequence[tuple[float, MarkKind]] = field(default=())
    """(fraction of the tape, what is there)."""

    # The view
    buffered: bool = False
    markdown: bool = True
    from_start: bool = False
    """Following keeps the start of the newest message in view, not the end."""
    filter: str = ""
    hidden: int = 0
    search: str = ""
    """``weather 3/12``."""
    no_mouse: bool = False
    notice: str = ""
    """What just happened (copied, folded, gone to another position), told for a while."""

    @property
    def growing(self) -> bool:
        """The connection may bring more."""
        return self.connection in _GROWING

    @property
    def on_tape(self) -> bool:
        """There is something to move about in: a log, or what a live stream left behind."""
        if not (self.length or self.growing):
            return False
        return self.replay or not self.live or not self.growing

    @property
    def behind_live(self) -> bool:
        """Somewhere in a live stream that has gone on."""
        return not self.replay and self.behind > 0 and self.growing

    @property
    def behind(self) -> int:
        """Events received beyond the position."""
        return max(0, self.length - self.position)
