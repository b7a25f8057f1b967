"""The timeline's lanes as rows: counted an entry at a time, made when they are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.cells import cell_len

from transcript_tui.transcript.model import Message
from transcript_tui.ui.views.lanes import Axis, Lane, lanes_of
from transcript_tui.ui.views.transcript.heights import Heights

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape

__all__ = ["LaneRows"]


class LaneRows:
    """A row for each lane at a position, in the order of the transcript."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._axis: Axis | None = None
        self._heights = Heights()
        """Lanes of each entry that was counted."""
        self._again: set[int] = set()
        """Entries that changed since."""
        self._state = (tape.generation, tape.transcript.revision, False)
        self.position = 0
        self.longest = 0
        """Cells of the longest name so far, with its indent."""

    @property
    def count(self) -> int:
        return self._heights.before(len(self._heights))

    @property
    def counted(self) -> int:
        """Entries that were counted."""
        return len(self._heights)

    @property
    def _known(self) -> int:
        """Entries that were counted and are the tape's still: it may have been folded anew."""
        return len(self._heights) if self._state[0] == self._tape.generation else 0

    def row(self, index: int) -> Lane | None:
        """``None``: there is none, or not any more, and that is about to be counted."""
        key, nth = self._heights.at(index)
        found = self._lanes(key) if key < self._known else []
        return found[nth] if 0 <= nth < len(found) else None

    def key(self, index: int) -> int | None:
        """The entry of a row, if there is one."""
        key = self._heights.at(index)[0]
        return key if index >= 0 and key < self._known else None

    def row_of(self, key: int) -> int | None:
        """The first row of an entry; ``None`` where it has none."""
        there = 0 <= key < self._known and self._heights[key] > 0
        return self._heights.before(key) if there else None

    def go_to(self, axis: Axis, position: int, enough: Callable[[], bool]) -> bool:
        """Count on until all is as of ``position``, or it is ``enough``; ``True``: there is
        more."""
        self._note_changes(axis, position)
        heights, born = self._heights, self._tape.transcript.count_at(position)
        heights.truncate(min(born, len(heights)))
        while self._again:
            key = self._again.pop()
            if key < len(heights):
                heights.set(key, self._count(key))
            if enough():
                return True
        while len(heights) < born:
            heights.append(self._count(len(heights)))
            if enough():
                return True
        return False

    def _note_changes(self, axis: Axis, position: int) -> None:
        transcript, before = self._tape.transcript, self.position
        state = (self._tape.generation, transcript.revision, axis.invented)
        changed = transcript.changes(before, position) if state == self._state else None
        self._axis, self.position, self._state = axis, position, state
        if changed is None:
            self._heights.truncate(0)
            self._again.clear()
            self.longest = 0
            return
        for key in changed:
            self._again |= {key, *self._answers(key, before), *self._answers(key, position)}

    def _answers(self, key: int, position: int) -> set[int]:
        """The messages that answer an entry's calls: their time is the call's, while it is held."""
        entry = self._tape.transcript.entries[key]
        calls = entry.body_at(position).calls_at(position) if isinstance(entry, Message) else ()
        return {answer.key for call in calls for _, answer in call.results}

    def _count(self, key: int) -> int:
        found = self._lanes(key)
        widths = (cell_len(lane.label) + 2 * lane.depth for lane in found)
        self.longest = max(self.longest, *widths) if found else self.longest
        return len(found)

    def _lanes(self, key: int) -> list[Lane]:
        entry = self._tape.transcript.entries[key]
        if self._axis is None or not entry.held(self.position) or self._shown_by_call(key):
            return []
        return list(lanes_of(entry, self._axis.times, self.position))

    def _shown_by_call(self, key: int) -> bool:
        """Whether an earlier lane ends with it: what answers a call has none of its own."""
        entry = self._tape.transcript.entries[key]
        call = entry.body_at(self.position).tool_call_id if isinstance(entry, Message) else None
        if call is None:
            return False
        caller = self._tape.transcript.message_by_call(call, self.position)
        return caller is not None and caller < key
