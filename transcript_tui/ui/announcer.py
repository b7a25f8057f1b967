"""What the terminal around is told: its title, and a sign when a run is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from transcript_tui.ui import terminal
from transcript_tui.ui.bars.facts import Facts, RunState
from transcript_tui.ui.bars.pieces import RUNS, terminal_title
from transcript_tui.ui.options import ViewerOptions

_OPEN: Final[tuple[RunState, ...]] = ("none", "running")


class Announcer:
    """Says what changed from one painting to the next."""

    def __init__(
        self, options: ViewerOptions, write: Callable[[str], None], ring: Callable[[], None]
    ) -> None:
        """``write`` sends the terminal an escape sequence, ``ring`` rings its bell."""
        self._options = options
        self._write = write
        self._ring = ring
        self._title = ""

    def tell(self, before: Facts, now: Facts) -> None:
        title = terminal_title(now)
        if self._options.title and title != self._title:
            self._title = title
            self._write(terminal.window_title(title))
        # Nobody waits for the runs of a log, nor for those that are gone back to. A connection that
        # ends with its run is followed no longer when the end of that is seen.
        followed = now.live or (before.live and not now.behind)
        if before.run == now.run or now.run in _OPEN or now.replay or not followed:
            return
        if self._options.bell:
            self._ring()
        if self._options.notify:
            self._write(terminal.notification(f"{now.label}: {RUNS[now.run][0]}"))
