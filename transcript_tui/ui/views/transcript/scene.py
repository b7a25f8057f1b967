"""What drawing an item needs to know besides the item: the scene it stands in."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from transcript_tui.session.clock import moment
from transcript_tui.text import label
from transcript_tui.transcript.model import Entry, Subagent
from transcript_tui.transcript.statistics import between
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.ui.amounts import fine_clock
from transcript_tui.ui.keymap import Keymap, keymap
from transcript_tui.ui.views.transcript.filtertext import FilterText
from transcript_tui.ui.views.transcript.lastwords import LastWords
from transcript_tui.ui.views.transcript.options import ViewOptions
from transcript_tui.ui.views.transcript.palette import Palette

DEEPEST_INDENT = 4
"""Nested subagents beyond this depth stay at its indent."""


@dataclass(slots=True)
class Scene:
    """The transcript at a position, as it is to be drawn at a width."""

    transcript: Transcript
    options: ViewOptions
    palette: Palette
    position: int = 0
    width: int = 80
    """Cells of a whole item, gutter included."""
    time: Callable[[int], float | None] = lambda _: None
    """Seconds since the start of the source, by payload."""
    payload: Callable[[int], bytes] = lambda _: b""
    started: float | None = None
    """Seconds since the epoch at time 0."""
    folds: dict[int, bool] = field(default_factory=dict)
    """What the reader opened (true) or folded (false), by entry key."""
    filter_text: FilterText = field(default_factory=FilterText)
    last_words: LastWords = field(init=False)
    """Passthrough entries that are shown though hidden by default."""
    keys: Keymap = field(default_factory=lambda: keymap({}))
    """The keys that hints name."""

    def __post_init__(self) -> None:
        self.last_words = LastWords(self.transcript.entries)

    def between(self, start: int | None, end: int | None) -> float | None:
        """Seconds from one payload to another, where both times are known."""
        return between(start, end, self.time)

    def when(self, stamp: int | None) -> str:
        """The time of a payload as the options have it; empty where it is not known."""
        if self.options.times == "none" or stamp is None or stamp < 0:
            return ""
        seconds = self.time(stamp)
        if seconds is None:
            return ""
        if self.options.times == "clock" and self.started is not None:
            at = moment(self.started + seconds)
            if at is not None:
                return f"{at:%H:%M:%S}"
        return "+" + fine_clock(seconds)

    def after_violation(self, entry: Entry) -> bool:
        """Whether it came after its stream was rejected (read on past a violation)."""
        return self.transcript.after_violation(entry.born)

    def run_over(self, stamp: int) -> bool:
        """Whether the run in which payload ``stamp`` came has ended: nothing more will come."""
        runs = self.transcript.runs
        index = bisect_right(runs, stamp, key=lambda run: run.started) - 1
        return index >= 0 and runs[index].ending.at(self.position) is not None

    def lineage(self, owner: str | None) -> list[Subagent | str]:
        """The invocations that ``owner`` stands in, outermost first; unannounced ones as ids."""
        line: list[Subagent | str] = []
        seen: set[str] = set()
        while owner is not None and owner not in seen:
            seen.add(owner)
            subagent = self.transcript.subagent(owner, self.position)
            line.append(owner if subagent is None else subagent)
            owner = None if subagent is None else subagent.parent
        line.reverse()
        return line

    def speaker(self, owner: str | None) -> str:
        """The name of the subagent; empty for the parent agent."""
        if owner is None:
            return ""
        subagent = self.transcript.subagent(owner, self.position)
        return label(owner if subagent is None else subagent.name)
