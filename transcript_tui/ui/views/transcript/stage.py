"""The part of the view that is no widget: which items there are, drawn, measured and placed.

Its cost per frame follows what changed and what is in view, never the size of the transcript.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from transcript_tui.transcript.model import Message
from transcript_tui.ui.layout import DocumentStyles
from transcript_tui.ui.views.transcript.heights import Heights
from transcript_tui.ui.views.transcript.item import Item
from transcript_tui.ui.views.transcript.palette import Palette
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.views.transcript.shown import filtered_out, likely_height
from transcript_tui.ui.views.transcript.viewport import Placed, Viewport

MANY_KEYS: Final = 256
"""Changed entries beyond which nobody asks which cards show them: all is drawn again."""
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
        self._filtered: list[int] = []
        """Keys of what would be items, did the filter not hide them; in order."""
        self._unripe: set[int] = set()
        """Keys of entries that are not born here, and whose heights are not those of the end."""
        self._end = 0
        """The end as it was then: payloads that had arrived."""
        self._revision = scene.transcript.revision

    @property
    def size(self) -> int:
        """Entries born at the position."""
        return len(self.viewport.heights)

    @property
    def filtered(self) -> int:
        """What would be items, did the filter not hide them."""
        return bisect_left(self._filtered, self.size)

    def filters_out(self, key: int) -> bool:
        """Whether the filter hides an entry that would be an item."""
        index = bisect_left(self._filtered, key)
        return index < self.filtered and self._filtered[index] == key

    # What changed

    def show(self, position: int) -> set[int] | None:
        """Go to a position; the keys of entries that changed and were there before, ``None`` =
        any may have.

        What it costs follows these: heights stay known while the position is before them.
        """
        scene, transcript = self.scene, self.scene.transcript
        start, scene.position = scene.position, position
        size = transcript.count_at(position)
        kept = min(self.size, size)
        self._take_in_arrivals()
        changed = transcript.changes_among(kept, start, position)
        if changed is None or transcript.revision != self._revision:
            self._revision = transcript.revision
            self.reread()
            return None
        self._unripe |= scene.last_words.read(size)
        words = self._words(changed, kept)
        self._have(size, max(start, position))
        if len(changed) > MANY_KEYS:
            self.outdate()
        else:
            changed |= self._holders(changed)
        for key in changed | words:
            self._reconsider(key)
        return changed

    def _take_in_arrivals(self) -> None:
        """What arrived meanwhile changes what is not born here."""
        heights, transcript = self.viewport.heights, self.scene.transcript
        before, self._end = self._end, transcript.length
        if self.size < heights.known:
            changed = transcript.changes_among(heights.known, before, self._end)
            self._ripen(changed, self.size)

    def _ripen(self, changed: set[int] | None, size: int) -> None:
        """Heights from ``size`` on of entries that changed are not those of the end;
        ``None``: none is."""
        if changed is None:
            self.viewport.heights.truncate(size)
            del self._filtered[bisect_left(self._filtered, size) :]
            self._unripe.clear()
        else:
            self._unripe.update([key for key in changed if key >= size])

    def _have(self, size: int, last: int) -> None:
        """Let ``size`` entries be there; ``last``: the later one of this position and the one
        before. What it hides has, and what it brings back had, the height that it has there."""
        heights, transcript = self.viewport.heights, self.scene.transcript
        before = self.size
        more = max(before, size)
        later = transcript.changes_among(more, last, self._end)
        if later is not None:
            later |= self._words(later, more)
        self._ripen(later, min(before, size))
        if size < before:
            self._let_go_from(size)
        known = heights.known
        for key in range(known, size):
            heights.append(self._likely_height(key))
        heights.show(size)
        ripe = {key for key in self._unripe if key < size}
        self._unripe -= ripe
        for key in ripe:
            if key < known:
                self._reconsider(key)

    def _words(self, changed: Iterable[int], size: int) -> set[int]:
        """CUSTOM and RAW that are shown or hidden as entries changed or others than the first
        ``size`` were born."""
        words = self.scene.last_words
        return {*words.before(changed), *words.across(size)}

    def reread(self) -> None:
        """Consider every entry anew: another position far away, other options, another width."""
        scene = self.scene
        size = scene.transcript.count_at(scene.position)
        scene.last_words.read(size)
        self._filtered.clear()
        self._unripe.clear()
        self._end = scene.transcript.length
        self.viewport.heights.replace(self._likely_height(key) for key in range(size))
        self._let_go_from(size)
        self.outdate()

    def _likely_height(self, key: int) -> int:
        entry = self.scene.transcript.entries[key]
        height = likely_height(entry, self.scene)
        hidden = bool(height) and filtered_out(entry, self.scene)
        if hidden or self._filtered:
            self._filter(key, hidden=hidden)
        return 0 if hidden else height

    def _filter(self, key: int, *, hidden: bool) -> None:
        index = bisect_left(self._filtered, key)
        if hidden != (self._filtered[index : index + 1] == [key]):
            if hidden:
                self._filtered.insert(index, key)
            else:
                del self._filtered[index]

    def outdate(self) -> None:
        """Everything drawn is to be drawn again; heights stand in until it is."""
        for item in self.items.values():
            item.stale = True

    def restyle(self, palette: Palette, styles: DocumentStyles) -> None:
        self.scene.palette, self.styles = palette, styles
        self._dimmed = styles.on(palette.dim)
        for item in self.items.values():
            item.restyle(styles, self._dimmed)

    def _reconsider(self, key: int) -> None:
        """An entry changed: is it shown, and if nobody looks, how tall has it become?"""
        item = self.items.get(key)
        heights, height = self.viewport.heights, self._likely_height(key)
        if item is None or item.stale or not height or not heights[key]:
            heights.set(key, height)
        if item is not None:
            item.stale = True

    def _holders(self, changed: Iterable[int]) -> set[int]:
        """Messages whose cards show tool messages among ``changed``."""
        entries = self.scene.transcript.entries
        holders = (
            self.scene.transcript.holder_of(entry, self.scene.position)
            for key in changed
            if isinstance(entry := entries[key], Message)
        )
        return {key for key in holders if key is not None}

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

    def _let_go_from(self, size: int) -> None:
        for key in [key for key in self.items if key >= size]:
            del self.items[key]

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
