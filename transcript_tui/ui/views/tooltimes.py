"""How often each tool was called, and how long it took: kept up to date, a message at a time."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

from transcript_tui.transcript.model import Message
from transcript_tui.transcript.statistics import between

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape

__all__ = ["ToolTimes"]

Called = tuple[str, float | None]
"""A call's name, and the seconds to its first answer; ``None`` where either is not known."""


class ToolTimes:
    """The tool calls that stand at a position."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.position = 0
        self.scanned = 0
        """Entries that were read, from the first on."""
        self._state = (tape.generation, tape.transcript.revision)
        self._again: set[int] = set()
        """Entries that changed since."""
        self._calls: dict[int, list[Called]] = {}
        self._counts: dict[str, int] = defaultdict(int)
        self._took: dict[str, list[float]] = defaultdict(list)
        """Seconds by tool, in ascending order."""

    def go_to(self, position: int, enough: Callable[[], bool]) -> bool:
        """Read on until all is as of ``position``, or it is ``enough``; ``True``: there is more."""
        transcript = self._tape.transcript
        self._note_changes(position)
        born = transcript.count_at(position)
        while self._again:
            self._read(self._again.pop())
            if enough():
                return True
        while self.scanned < born:
            self._read(self.scanned)
            self.scanned += 1
            # Most entries call nothing, and cost less than to ask.
            if self.scanned % 16 == 0 and enough():
                return True
        return False

    def tools(self) -> list[tuple[str, int, list[float]]]:
        """(name, calls, seconds of those that were answered in ascending order), by name."""
        counted = sorted((name, count) for name, count in self._counts.items() if count)
        return [(name, count, self._took[name]) for name, count in counted]

    def _note_changes(self, position: int) -> None:
        tape, before = self._tape, self.position
        state = (tape.generation, tape.transcript.revision)
        if position == before and state == self._state:
            return
        changed = tape.transcript.changes(before, position) if state == self._state else None
        self.position, self._state = position, state
        if changed is None:
            self.scanned = 0
            self._again.clear()
            self._calls.clear()
            self._counts.clear()
            self._took.clear()
            return
        for key in changed:
            self._again.add(key)
            self._again |= self._callers(key, before) | self._callers(key, position)

    def _callers(self, key: int, position: int) -> set[int]:
        """The messages whose calls a tool message may answer."""
        transcript = self._tape.transcript
        entry = transcript.entries[key]
        if not isinstance(entry, Message):
            return set()
        call = entry.body_at(position).tool_call_id
        return {caller.key for caller in transcript.calls.get(call or "", ())}

    def _read(self, key: int) -> None:
        """Count an entry's calls as they are now, and no longer as they were."""
        for name, seconds in self._calls.pop(key, ()):
            self._counts[name] -= 1
            if seconds is not None:
                took = self._took[name]
                del took[bisect_left(took, seconds)]
        called = self._called(key)
        if called:
            self._calls[key] = called
        for name, seconds in called:
            self._counts[name] += 1
            if seconds is not None:
                insort(self._took[name], seconds)

    def _called(self, key: int) -> list[Called]:
        entry, position = self._tape.transcript.entries[key], self.position
        if not isinstance(entry, Message) or not entry.held(position):
            return []
        views = [call.at(position) for call in entry.body_at(position).calls_at(position)]
        return [
            (call.name, between(call.started, call.answered, self._tape.time)) for call in views
        ]
