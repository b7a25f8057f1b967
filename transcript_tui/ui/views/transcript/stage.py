"""The part of the view that is no widget: which items there are, drawn, measured and placed.

Its cost per frame follows what changed and what is in view, never the size of the transcript.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import Final

from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Entry,
    Message,
    Passthrough,
    Rejection,
    RunEnd,
    RunStart,
)
from transcript_tui.ui.layout import DocumentStyles
from transcript_tui.ui.views.transcript.heights import Heights
from transcript_tui.ui.views.transcript.item import Item
from transcript_tui.ui.views.transcript.palette import Palette
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.views.transcript.shown import BAD, filtered_out, likely_height
from transcript_tui.ui.views.transcript.viewport import Placed, Viewport

MANY_KEYS: Final = 256
"""Changed entries beyond which nobody asks each how tall it became (seeking far, reading fast)."""
SETTLINGS: Final = 6
"""Times that placing is repeated because laying out changed heights; each lays out more."""
KEPT: Final = 256
"""Drawn items that are kept for coming back to."""


class Stage:
    """Items of a transcript at a position, in a viewport."""

    def __init__(self, scene: Scene, styles: DocumentStyles) -> None:
        self.scene = scene
        self.styles = styles
        self._dimmed = styles.on(scene.palette.dim)
        self.viewport = Viewport(Heights(), self._measure)
        self.items: OrderedDict[int, Item] = OrderedDict()
        self.placed: list[Placed] = []
        self.filtered: set[int] = set()
        """Keys of what would be items, did the filter not hide them."""
        self._revision = scene.transcript.revision
        self._passthrough: dict[str, list[int]] = {"CUSTOM": [], "RAW": []}
        """Keys of CUSTOM and of RAW entries, in order."""
        self._starts: list[int] = []
        """Keys where runs start, in order."""
        self._last_words: dict[int, tuple[int, ...]] = {}
        """Bad endings, and the CUSTOM and RAW before each that are shown unasked."""

    @property
    def size(self) -> int:
        """Entries born at the position."""
        return len(self.viewport.heights)

    # What changed

    def show(self, position: int) -> set[int] | None:
        """Go to a position; the keys that changed there, ``None`` = any may have."""
        scene, transcript = self.scene, self.scene.transcript
        before, size = self.size, transcript.count_at(position)
        changed = transcript.changes(scene.position, position)
        scene.position = position
        if changed is None or transcript.revision != self._revision:
            self._revision = transcript.revision
            self.reread()
            return None
        if size < before:
            self._shrink(size)
        new = range(before, size)
        self._notice(new, changed)
        if len(changed) <= MANY_KEYS:
            changed |= self._holders(changed)
        else:
            self.outdate()
        hastily = len(changed) > MANY_KEYS and scene.options.hides_nothing
        for key in changed:
            if key < min(before, size):
                self._reconsider(key, hastily=hastily)
        heights = self.viewport.heights
        for key in new:
            heights.append(self._likely_height(key))
        changed.update(new)
        return changed

    def _shrink(self, size: int) -> None:
        """Entries from ``size`` on are not born yet."""
        self.filtered.difference_update(range(size, self.size))
        self.viewport.heights.truncate(size)
        for key in [key for key in self.items if key >= size]:
            del self.items[key]
        for keys in (*self._passthrough.values(), self._starts):
            del keys[bisect_left(keys, size) :]
        silenced = [key for key in self._last_words if key >= size]
        words = [word for ending in silenced for word in self._last_words.pop(ending)]
        if silenced:
            self.scene.unasked = frozenset(chain.from_iterable(self._last_words.values()))
        for word in words:
            if word < size:
                self._reconsider(word)

    def reread(self) -> None:
        """Consider every entry anew: another position far away, other options, another width."""
        scene = self.scene
        size = scene.transcript.count_at(scene.position)
        for keys in (*self._passthrough.values(), self._starts):
            keys.clear()
        self._last_words.clear()
        self.filtered.clear()
        scene.unasked = frozenset()
        self._notice(range(size), ())
        self.viewport.heights.replace(self._likely_height(key) for key in range(size))
        for key in [key for key in self.items if key >= size]:
            del self.items[key]
        self.outdate()

    def _likely_height(self, key: int) -> int:
        entry = self.scene.transcript.entries[key]
        height = likely_height(entry, self.scene)
        if not height or not filtered_out(entry, self.scene):
            self.filtered.discard(key)
            return height
        self.filtered.add(key)
        return 0

    def outdate(self) -> None:
        """Everything drawn is to be drawn again; heights stand in until it is."""
        for item in self.items.values():
            item.stale = True

    def restyle(self, palette: Palette, styles: DocumentStyles) -> None:
        self.scene.palette, self.styles = palette, styles
        self._dimmed = styles.on(palette.dim)
        for item in self.items.values():
            item.restyle(styles, self._dimmed)

    def _reconsider(self, key: int, *, hastily: bool = False) -> None:
        """An entry changed: is it shown, and if nobody looks, how tall has it become?

        ``hastily``: what is an item still keeps its height until it comes into view.
        """
        item = self.items.get(key)
        heights, entry = self.viewport.heights, self.scene.transcript.entries[key]
        if not (hastily and heights[key] and self._stands(entry)):
            height = self._likely_height(key)
            if item is None or item.stale or not height or not heights[key]:
                heights.set(key, height)
        if item is not None:
            item.stale = True

    def _stands(self, entry: AnyEntry) -> bool:
        """Whether it is an item for sure, where options hide nothing."""
        position = self.scene.position
        if not entry.held(position):
            return False
        return not isinstance(entry, Message) or entry.body_at(position).role != "tool"

    def _holders(self, changed: Iterable[int]) -> set[int]:
        """Messages whose cards show tool messages among ``changed``."""
        entries = self.scene.transcript.entries
        holders = (
            self.scene.transcript.holder_of(entry, self.scene.position)
            for key in changed
            if isinstance(entry := entries[key], Message)
        )
        return {key for key in holders if key is not None}

    def _notice(self, new: Iterable[int], changed: Iterable[int]) -> None:
        """Keep the last CUSTOM and the last RAW before a bad ending in sight."""
        entries = self.scene.transcript.entries
        for key in new:
            entry = entries[key]
            if isinstance(entry, Passthrough):
                self._passthrough[entry.kind].append(key)
            elif isinstance(entry, RunStart):
                self._starts.append(key)
            elif isinstance(entry, Rejection | Cut | RunEnd):
                self._keep_last_words(key, entry)
        for key in changed:
            if isinstance(entries[key], RunEnd) and key < self.size:
                self._keep_last_words(key, entries[key])

    def _keep_last_words(self, key: int, entry: Entry) -> None:
        scene = self.scene
        if isinstance(entry, RunEnd):
            ending = entry.run.ending.at(scene.position)
            if ending is None or ending.kind not in BAD:
                return
        start = _last_before(self._starts, key)
        last = (_last_before(keys, key) for keys in self._passthrough.values())
        words = tuple([one for one in last if one > start and one not in scene.unasked])
        if not words:
            return
        self._last_words[key] = (*self._last_words.get(key, ()), *words)
        scene.unasked |= set(words)
        for word in words:
            if word < self.size:
                self._reconsider(word)

    def fold(self, key: int, opened: bool | None) -> None:
        """The reader opens or folds an item; ``None``: it is as the options have it."""
        if opened is None:
            self.scene.folds.pop(key, None)
        else:
            self.scene.folds[key] = opened
        if key in self.items:
            self.items[key].stale = True

    # Drawing

    def item(self, key: int) -> Item:
        """The item of an entry, drawn."""
        item = self.items.get(key)
        if item is None:
            item = self.items[key] = Item(key, self.styles, self._dimmed)
            if len(self.items) > KEPT:
                self._let_go()
        if item.stale:
            self._draw(item)
        return item

    def _draw(self, item: Item) -> None:
        rows = self.viewport.rows
        with self._staying(item):
            item.draw(self.scene)
            # The end of a very long text is true, so that coming to it from below is steady; from
            # above it is laid out as it comes.
            item.settle(item.height - rows, item.height)

    @contextmanager
    def _staying(self, item: Item) -> Iterator[None]:
        """What is read stays the topmost line, while heights within its item change."""
        viewport = self.viewport
        read = item.key == viewport.key and viewport.line > 0 and item.height > 0
        spot = item.spot(min(viewport.line, item.height - 1)) if read else None
        yield
        if spot is not None:
            viewport.line = item.find(spot)

    @property
    def whole(self) -> bool:
        """Whether all of the texts in view were read; :meth:`read_on` reads what was not."""
        return all(self.items[one.key].whole for one in self.placed if one.key in self.items)

    def read_on(self, enough: Callable[[], bool]) -> None:
        """Read further in the very long texts that are in view, until ``enough``."""
        for one in self.placed:
            while not self.item(one.key).whole and not enough():
                self.read_step(one.key)

    def read_step(self, key: int) -> None:
        """Read a step further in the very long texts of an item, in view or not."""
        item = self.item(key)
        with self._staying(item):
            item.read_on()
        self.viewport.heights.set(key, item.height)

    def _let_go(self) -> None:
        in_view = {placed.key for placed in self.placed}
        for key in list(self.items)[: KEPT // 4]:
            if key not in in_view:
                del self.items[key]

    def _measure(self, key: int) -> int:
        return self.item(key).height if self.viewport.heights[key] else 0

    def shown(self, key: int) -> bool:
        """Whether the entry is an item here."""
        return 0 <= key < self.size and self.viewport.heights[key] > 0

    def resize(self, width: int, rows: int) -> None:
        viewport, scene = self.viewport, self.scene
        viewport.rows = rows
        if width == scene.width:
            return
        scene.width = width
        self.outdate()
        if self.shown(viewport.key):
            viewport.measure(viewport.key)

    # Placing

    def place(self, follow: str | None) -> list[Placed]:
        """What is in view; ``follow``: the ``end``, or the ``start`` of the newest message."""
        placed = self._place(follow)
        for _ in range(SETTLINGS):
            if not self._settle(placed):
                break
            placed = self._place(follow)
        return placed

    def _settle(self, placed: list[Placed]) -> bool:
        """Lay out what is in view of very long texts; whether heights changed by that."""
        viewport = self.viewport
        changed = False
        for one in placed:
            item = self.item(one.key)
            if item.settle(max(0, -one.y), min(one.height, viewport.rows - one.y)):
                viewport.heights.set(one.key, item.height)
                changed = True
        return changed

    def scroll(self, lines: int) -> None:
        """Move by lines; upwards through text that was never laid out, too."""
        viewport = self.viewport
        if lines < 0 and viewport.line and self.shown(viewport.key):
            item = self.item(viewport.key)
            with self._staying(item):
                item.settle(max(0, viewport.line + lines), viewport.line)
            viewport.heights.set(item.key, item.height)
        viewport.scroll(lines)

    def _place(self, follow: str | None) -> list[Placed]:
        viewport = self.viewport
        if follow is None:
            self.placed = viewport.place()
            return self.placed
        self.placed = viewport.place_end()
        if follow == "start":
            newest = self._newest()
            first = self.placed[0] if self.placed else None
            if first is not None and (newest < first.key or (newest == first.key and first.y < 0)):
                viewport.anchor(newest)
                self.placed = viewport.place()
        return self.placed

    def _newest(self) -> int:
        """The last message that is shown."""
        entries = self.scene.transcript.entries
        key = self.viewport.heights.previous(self.size)
        while key >= 0 and not isinstance(entries[key], Message):
            key = self.viewport.heights.previous(key)
        return key

    def placed_at(self, row: int) -> Placed | None:
        """What is at a row of the viewport."""
        return next((one for one in self.placed if one.y <= row < one.y + one.height), None)

    def reveal(self, key: int) -> None:
        """Scroll as little as shows the whole of an item, its start where it is too tall."""
        viewport = self.viewport
        height = viewport.measure(key)
        now = next((one for one in self.placed if one.key == key), None)
        if now is not None and now.y >= 0 and now.y + now.height <= viewport.rows:
            return
        above = key < self.placed[0].key if self.placed else True
        viewport.anchor(key)
        if not above and height < viewport.rows and (now is None or now.y >= 0):
            viewport.scroll(height - viewport.rows)


def _last_before(keys: list[int], key: int) -> int:
    """The last of the ordered ``keys`` before ``key``; -1 where there is none."""
    index = bisect_left(keys, key)
    return keys[index - 1] if index else -1
