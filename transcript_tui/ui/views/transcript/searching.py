"""The search of one view: going from match to match, through folds and through time."""

from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from textual.timer import Timer

from transcript_tui.transcript.history import LATEST, Text
from transcript_tui.transcript.model import AnyEntry, Message
from transcript_tui.ui.layout import spelled_length
from transcript_tui.ui.views.transcript.asjson import shown_arguments
from transcript_tui.ui.views.transcript.entrytexts import searchable
from transcript_tui.ui.views.transcript.hits import locate
from transcript_tui.ui.views.transcript.item import Item, Span
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.views.transcript.search import Hit, Search, SearchState
from transcript_tui.ui.views.transcript.shown import filtered_out, likely_height

if TYPE_CHECKING:
    from transcript_tui.ui.views.transcript.view import TranscriptView

SLICE: Final = 0.008
"""Seconds that searching may take at a time."""
FIRST_SLICE: Final = 0.03
PAUSE: Final = 0.03
"""Seconds between slices."""


class Searching:
    """What the view is looking for, and which match it stands on."""

    def __init__(self, view: TranscriptView) -> None:
        self._view = view
        self._search: Search | None = None
        self._hit: tuple[int, int] | None = None
        """(entry key, which match in it); which = -1 before the first was found."""
        self._eager = False
        """The first match is to be gone to as soon as it is found."""
        self._sought = False
        """The match waits for a position that was asked for."""
        self._early: tuple[int, int] | None = None
        """What is topmost (entry, line) where the match stands in what is yet to be read of a very
        long text: about there."""
        self._asked: tuple[object, ...] = ()
        self._standing = False
        """Whether the match stood where that was asked last: each asking reads the whole item."""
        self._known = 0
        """Payloads whose changes the search knows."""
        self._origin: int | None = None
        """Where the reader was when the search began; ``None`` once it went on to a next match."""
        self._unfolded: dict[int, bool | None] = {}
        """Items that were opened to show a match, and how the reader had them."""
        self._timer: Timer | None = None

    @property
    def search(self) -> Search | None:
        return self._search

    @property
    def state(self) -> SearchState | None:
        search = self._search
        if search is None:
            return None
        on = self._hit is not None and self._hit[1] >= 0 and search.count > 0
        index = search.number(*self._hit) if on and self._hit is not None else 0
        return SearchState(search.text, search.count, index, search.complete, search.error)

    def start(self, pattern: str, here: int) -> SearchState:
        """Look for a pattern from entry ``here`` on.

        While it is being typed, every start is from where the first one was.
        """
        here = here if self._origin is None else self._origin
        self.stop()
        self._origin = here
        size = len(self._view.stage.scene.transcript.entries)
        self._search = Search(pattern, self._texts, min(here, size), size)
        self._known = self._view.stage.scene.transcript.length
        self._hit, self._eager = (here, -1), True
        self._read(FIRST_SLICE)
        return self.state or SearchState(pattern)

    def stop(self) -> None:
        self._fold_back()
        self._origin = None
        self._search = self._hit = self._early = None
        self._eager = self._sought = False
        self._rest()

    def restart(self) -> None:
        """Other things are shown: everything is to be read again."""
        search, transcript = self._search, self._view.stage.scene.transcript
        if search is None:
            return
        size, self._known = len(transcript.entries), transcript.length
        search.resize(size)
        search.changed(range(size))
        self._asked = ()
        self._unfolded = {key: opened for key, opened in self._unfolded.items() if key < size}
        if self._hit is not None and self._hit[0] >= size:
            self._hit = (0, -1)
        self._read(SLICE)

    def current(self, item: Item) -> tuple[Span, ...]:
        """The cells of the match that the search stands on, in an item."""
        if self._search is None or self._hit is None or self._hit[0] != item.key:
            return ()
        return locate(item, self._search, self._hit[1]) if self._stands_here(*self._hit) else ()

    def bare(self, key: int) -> bool:
        """Whether something of an item was found outside its texts (a name, an error)."""
        search = self._search
        return search is not None and search.bare(key)

    def step(self, step: int) -> SearchState | None:
        """To the next (+1) or previous (-1) match, going round."""
        search = self._search
        if search is None:
            return None
        self._origin = None
        key, hit = self._hit or (0, -1)
        found = search.find(key, hit + 1) if step > 0 else search.find_back(key, max(0, hit))
        if found is not None:
            self._go(found)
        self._view.tell_search()
        return self.state

    def go_on(self) -> None:
        """The position or the transcript changed: read what arrived, go where it was waited for."""
        search = self._search
        if search is None:
            return
        if self._sought and self._hit is not None:
            self._sought = False
            if self._position_of(*self._hit) is None:
                self._go(self._hit)
        # Seeking changes nothing of what there is; only what arrived is read.
        transcript = self._view.stage.scene.transcript
        if transcript.length != self._known:
            size = len(transcript.entries)
            search.resize(size)
            arrived = transcript.changes(self._known, transcript.length)
            search.changed(range(size) if arrived is None else arrived)
            self._known = transcript.length
        if not search.complete:
            self._read(SLICE)

    def _texts(self, key: int) -> Iterable[tuple[str, str]]:
        """What is read of an entry: all that there is of it, also what is yet to come."""
        scene = self._view.stage.scene
        latest = scene.transcript.length
        if latest != scene.position:
            scene = replace(scene, position=latest)
        entry = scene.transcript.entries[key]
        if not likely_height(entry, scene) or filtered_out(entry, scene):
            return ()
        return searchable(entry, scene)

    def _read(self, seconds: float) -> None:
        search = self._search
        if search is None:
            return
        before = search.count
        until = time.perf_counter() + seconds
        search.step(lambda: time.perf_counter() >= until)
        if search.complete:
            self._rest()
        elif self._timer is None:
            self._timer = self._view.set_interval(PAUSE, lambda: self._read(SLICE))
        if self._eager and self._hit is not None:
            found = search.find(self._hit[0], 0)
            if found is not None and (found[0] >= self._hit[0] or search.complete):
                self._go(found)
        if search.count != before or search.complete:
            self._view.tell_search()

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _go(self, found: tuple[int, int]) -> None:
        """Bring a match into view, opening what is folded over it."""
        self._hit, self._eager = found, False
        search, view = self._search, self._view
        assert search is not None
        key, hit = found
        position = self._position_of(key, hit)
        if position is not None:
            self._sought = True
            view.post_message(view.SeekRequested(view, position))
            return
        self._fold_back(but=key)
        item = view.stage.item(key)
        spans = locate(item, search, hit)
        if not spans and item.foldable and item.folded:
            self._unfolded.setdefault(key, view.stage.scene.folds.get(key))
            view.stage.fold(key, True)
            spans = locate(view.stage.item(key), search, hit)
        view.bring(key, spans[0][0] if spans else 0)
        self._early = None if item.whole else view.stage.viewport.topmost

    def read_further(self, before: tuple[int, int]) -> None:
        """Where the reader still waits at a match that was not read: show it when it is."""
        if self._early is None or self._hit is None:
            return
        stage = self._view.stage
        self._early = stage.viewport.topmost if self._early == before else None
        if self._early is not None and stage.whole:
            self._go(self._hit)

    def _fold_back(self, *, but: int | None = None) -> None:
        """What was opened to show a match is as the reader had it, when the match is left."""
        stage = self._view.stage
        for key in [key for key in self._unfolded if key != but]:
            stage.fold(key, self._unfolded.pop(key))

    def _position_of(self, key: int, hit: int) -> int | None:
        """The position to seek for a match that is not there at this one; ``None``: it is."""
        assert self._search is not None
        scene = self._view.stage.scene
        entry = scene.transcript.entries[key]
        found = self._search.hit(key, hit)
        if _stands(entry, found, scene):
            return None
        if not isinstance(entry, Message) or found is None:
            return entry.born + 1
        return self._when(entry, found, scene)

    def _stands_here(self, key: int, hit: int) -> bool:
        """Whether a match is there at the scene's position; at the newest all are."""
        scene = self._view.stage.scene
        found = self._search.hit(key, hit) if self._search is not None else None
        if scene.position == scene.transcript.length:
            return True
        asked = key, found, scene.position
        if asked != self._asked:
            self._asked = asked
            self._standing = _stands(scene.transcript.entries[key], found, scene)
        return self._standing

    def _when(self, entry: Message, found: Hit, scene: Scene) -> int:
        """The first position at which a match in a message is there."""
        view, name, end = entry.at(LATEST), found.name, found.end
        text: Text | None = view.text if name in ("text", "result") else None
        kind, _, number = name.partition(":")
        # What arrived since the match was read may have taken its call away.
        if kind == "arguments" and int(number) < len(view.tool_calls):
            call = view.tool_calls[int(number)]
            text, came = call.text, call.arguments
            end = spelled_length(came, end) if shown_arguments(call) != came else end
        if text is not None:
            length = scene.transcript.length
            first = bisect_left(range(length), end, lo=entry.born + 1, key=text.length_at)
            # While it grew it may have read otherwise: JSON that never became whole.
            if _stands(entry, found, replace(scene, position=first)):
                return first
        stamps = [entry.born, view.last or 0]
        for call in view.tool_calls:
            stamps += [call.started, call.ended or 0, call.answered or 0]
        return max(stamps) + 1


def _stands(entry: AnyEntry, found: Hit | None, scene: Scene) -> bool:
    """Whether a match is there at the scene's position; outside a message, with its entry."""
    held = entry.held(scene.position)
    if not held or found is None or not isinstance(entry, Message):
        return held
    return found.stands_in(searchable(entry, scene))
