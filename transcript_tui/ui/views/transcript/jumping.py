"""Going to an entry of one view: by its key, by run; through time where it must."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from transcript_tui.transcript.model import AnyEntry, Message, RunStart

if TYPE_CHECKING:
    from transcript_tui.ui.views.transcript.navigation import Navigation


@dataclass(frozen=True, slots=True)
class _Wanted:
    key: int
    select: bool
    end: bool
    """Its end is looked for, where it is taller than the view."""


class Jumping:
    """Where the view is on its way to."""

    def __init__(self, view: Navigation) -> None:
        self._view = view
        self._wanted: _Wanted | None = None
        """Until it is shown."""

    @property
    def _entries(self) -> list[AnyEntry]:
        return self._view.stage.scene.transcript.entries

    def to(self, key: int, *, select: bool, end: bool = False) -> None:
        """Bring an entry into view, its start or its end where it is taller than the view; asks
        for its position first where it is not held here."""
        view = self._view
        if not 0 <= key < len(self._entries):
            return
        self._wanted = _Wanted(key, select, end)
        if view.stage.shown(key):
            self.go_on()
            view.settle()
            return
        entry = self._entries[key]
        if not entry.held(view.position):
            view.post_message(view.SeekRequested(view, entry.born + 1))
            return
        self._wanted = None
        self._near(key, select, end)

    def to_change(self, key: int) -> None:
        """To what the event before the position did to an entry: the end of that, or where it
        was; never to another position."""
        if not 0 <= key < len(self._entries):
            return
        if self._entries[key].held(self._view.position):
            self.to(key, select=True, end=True)
            return
        self._view.select(None)
        following = self._view.stage.viewport.heights.after(key)
        if following < self._view.stage.size:
            self.to(following, select=False)

    def _near(self, key: int, select: bool, end: bool) -> None:
        """An entry that is no item of its own: the message that shows it, or the next item."""
        stage = self._view.stage
        holder = self._holder(self._entries[key])
        if holder is not None and stage.shown(holder):
            self.to(holder, select=select, end=end)
            return
        following = stage.viewport.heights.after(key)
        if following < stage.size:
            self.to(following, select=select)

    def _holder(self, entry: AnyEntry) -> int | None:
        """The message that shows a tool's result, in the call that it answers."""
        position = self._view.position
        call = entry.at(position).tool_call_id if isinstance(entry, Message) else None
        if call is None:
            return None
        return self._view.stage.scene.transcript.message_by_call(call, position)

    def go_on(self) -> None:
        """Arrive at what was waited for, once it is shown."""
        stage, wanted = self._view.stage, self._wanted
        if wanted is None or not stage.shown(wanted.key):
            return
        self._wanted = None
        viewport = stage.viewport
        viewport.anchor(wanted.key)
        margin = min(2, viewport.rows // 4)
        over = viewport.measure(wanted.key) + margin - viewport.rows if wanted.end else 0
        viewport.scroll(over if over > 0 else -margin)
        self._view.follow_if_at_end()
        if wanted.select:
            self._view.select(wanted.key)

    def to_run(self, step: int) -> bool:
        """To the next or previous run; whether there is one."""
        entries = self._entries
        key = self._view.here() + step
        while 0 <= key < len(entries):
            if isinstance(entries[key], RunStart):
                self.to(key, select=True)
                return True
            key += step
        return False
