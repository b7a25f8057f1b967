"""The timeline's lanes as rows: counted an entry at a time, made when they are drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from transcript_tui.transcript.model import Message
from transcript_tui.ui.prefixsums import PrefixSums
from transcript_tui.ui.views.lanes import Axis, Lane, lanes_of
from transcript_tui.ui.views.perentry import PerEntry

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape

__all__ = ["LaneRows"]


class LaneRows(PerEntry):
    """A row for each lane at a position, in the order of the transcript."""

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self._axis: Axis | None = None
        self._rows = PrefixSums()
        """Lanes of each entry that was counted."""
        self.longest = 0
        """Cells of the longest name so far, with its indent."""

    def measure_by(self, axis: Axis) -> None:
        """What the lanes are measured by from here on; none is read before there is one."""
        if self._axis is None or axis.invented != self._axis.invented:
            self.forget()
        self._axis = axis

    @property
    def count(self) -> int:
        return self._rows.total

    def row(self, index: int) -> Lane | None:
        """``None``: there is none, or not any more, and that is about to be counted."""
        key, nth = self._rows.at(index)
        found = self._lanes(key) if key < self.known else []
        return found[nth] if 0 <= nth < len(found) else None

    def key(self, index: int) -> int | None:
        """The entry of a row, if there is one."""
        key = self._rows.at(index)[0]
        return key if index >= 0 and key < self.known else None

    def row_of(self, key: int) -> int | None:
        """The first row of an entry; ``None`` where it has none."""
        there = 0 <= key < self.known and self._rows[key] > 0
        return self._rows.before(key) if there else None

    def _affected(self, key: int, position: int) -> set[int]:
        """The messages that answer an entry's calls: their time is the call's, while it is held."""
        entry = self.entries[key]
        calls = entry.body_at(position).calls_at(position) if isinstance(entry, Message) else ()
        return {answer.key for call in calls for _, answer in call.results}

    def _read(self, key: int) -> None:
        found = self._lanes(key)
        widths = (cell_len(lane.label) + 2 * lane.depth for lane in found)
        self.longest = max(self.longest, *widths) if found else self.longest
        if key < len(self._rows):
            self._rows.set(key, len(found))
        else:
            self._rows.append(len(found))

    def _forget(self, born: int) -> None:
        self._rows.truncate(born)
        if not born:
            self.longest = 0

    def _lanes(self, key: int) -> list[Lane]:
        entry = self.entries[key]
        if self._axis is None or not entry.held(self.position) or self._shown_by_call(key):
            return []
        return list(lanes_of(entry, self._axis.times, self.position))

    def _shown_by_call(self, key: int) -> bool:
        """Whether an earlier lane ends with it: what answers a call has none of its own."""
        entry = self.entries[key]
        call = entry.body_at(self.position).tool_call_id if isinstance(entry, Message) else None
        if call is None:
            return False
        caller = self._tape.transcript.message_by_call(call, self.position)
        return caller is not None and caller < key
