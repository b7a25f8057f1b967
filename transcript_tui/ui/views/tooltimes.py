"""How often each tool was called, and how long it took: kept up to date, a message at a time."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from typing import TYPE_CHECKING

from transcript_tui.transcript.model import Message
from transcript_tui.transcript.statistics import between
from transcript_tui.ui.views.perentry import PerEntry

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape

__all__ = ["ToolTimes"]

Called = tuple[str, float | None]
"""A call's name, and the seconds to its first answer; ``None`` where either is not known."""


class ToolTimes(PerEntry):
    """The tool calls that stand at a position."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self._calls: dict[int, list[Called]] = {}
        self._counts: dict[str, int] = defaultdict(int)
        self._took: dict[str, list[float]] = defaultdict(list)
        """Seconds by tool, in ascending order."""

    def tools(self) -> list[tuple[str, int, list[float]]]:
        """(name, calls, seconds of those that were answered in ascending order), by name."""
        counted = sorted((name, count) for name, count in self._counts.items() if count)
        return [(name, count, self._took[name]) for name, count in counted]

    def _affected(self, key: int, position: int) -> set[int]:
        """The messages whose calls a tool message may answer."""
        entry = self.entries[key]
        if not isinstance(entry, Message):
            return set()
        call = entry.body_at(position).tool_call_id
        return {caller.key for caller in self._tape.transcript.calls.get(call or "", ())}

    def _read(self, key: int) -> None:
        """Count an entry's calls as they are now, and no longer as they were."""
        self._uncount(key)
        called = self._called(key)
        if called:
            self._calls[key] = called
        for name, seconds in called:
            self._counts[name] += 1
            if seconds is not None:
                insort(self._took[name], seconds)

    def _uncount(self, key: int) -> None:
        for name, seconds in self._calls.pop(key, ()):
            self._counts[name] -= 1
            if seconds is not None:
                took = self._took[name]
                del took[bisect_left(took, seconds)]

    def _forget(self, born: int) -> None:
        if born:
            for key in range(born, self.read):
                self._uncount(key)
            return
        self._calls.clear()
        self._counts.clear()
        self._took.clear()

    def _called(self, key: int) -> list[Called]:
        entry, position = self.entries[key], self.position
        if not isinstance(entry, Message) or not entry.held(position):
            return []
        views = [call.at(position) for call in entry.body_at(position).calls_at(position)]
        return [
            (call.name, between(call.started, call.answered, self._tape.time)) for call in views
        ]
