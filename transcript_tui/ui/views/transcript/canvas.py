"""The view as a widget: items in view become widgets, are placed and painted.

What is read, chosen and where to go is :mod:`choosing`'s, :mod:`navigation`'s and :mod:`view`'s.
"""

from __future__ import annotations

import time
from typing import Any, Final, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.app import ComposeResult
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import DockArrangeResult, WidgetPlacement
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from transcript_tui.transcript.model import AnyEntry
from transcript_tui.ui.keymap import Keymap
from transcript_tui.ui.layout import DocumentStyles
from transcript_tui.ui.timers import after
from transcript_tui.ui.views.transcript import posts
from transcript_tui.ui.views.transcript.arrivals import Arrivals
from transcript_tui.ui.views.transcript.empty import Empty, why_empty
from transcript_tui.ui.views.transcript.item import Overlay
from transcript_tui.ui.views.transcript.options import ViewOptions
from transcript_tui.ui.views.transcript.palette import Palette
from transcript_tui.ui.views.transcript.rows import row, wrap
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.views.transcript.stage import Stage
from transcript_tui.ui.views.transcript.viewport import Placed
from transcript_tui.ui.views.transcript.widget import ItemWidget
from transcript_tui.ui.widgets.hint import Hint
from transcript_tui.ui.widgets.rail import Rail

SLICE: Final = 0.008
"""Seconds for which a very long text is read at a time, and a step more."""
PAUSE: Final = 0.002
"""Seconds between two of these, and after what was painted."""
NARROWEST: Final = 12
"""Cells below which nothing sensible can be drawn."""


class _Arrangement(DockArrangeResult):
    """Placements within the view's own region: there is nothing for the compositor to scroll."""

    region = Region()

    @property
    def total_region(self) -> Region:
        return self.region

    def get_visible_placements(self, region: Region) -> list[WidgetPlacement]:
        return self.placements


class Canvas(Widget):
    """Draws what its stage has in view."""

    selected: reactive[int | None] = reactive(None, repaint=False, init=False)
    following: reactive[bool] = reactive(True, repaint=False, init=False)
    below: reactive[int] = reactive(0, repaint=False, init=False)

    Selected: TypeAlias = posts.Selected
    FollowChanged: TypeAlias = posts.FollowChanged
    SearchChanged: TypeAlias = posts.SearchChanged
    SeekRequested: TypeAlias = posts.SeekRequested
    Opened: TypeAlias = posts.Opened
    Folded: TypeAlias = posts.Folded
    TextSelected: TypeAlias = posts.TextSelected

    def __init__(self, session: Any, options: ViewOptions, keys: Keymap, **given: Any) -> None:
        super().__init__(**given)
        self._session = session
        self._options = options
        self._keys = keys
        self._stage = self._new_stage(Palette.read({}))
        self._rail = Rail()
        self._hint = Hint()
        self._pool: list[ItemWidget] = []
        self._widgets: dict[int, ItemWidget] = {}
        self._arranged: list[WidgetPlacement] = []
        self._why_empty = Empty()
        self._empty: tuple[str, ...] = ()
        self._covered = False
        self._reading: Timer | None = None
        """Goes on with a text of which much was not read."""
        self._given_way = False
        """What the reader asked for is yet to be shown."""
        self._arrived = Arrivals()

    def _new_stage(self, palette: Palette) -> Stage:
        tape = self._tape
        scene = Scene(tape.transcript, self._options, palette, keys=self._keys)
        scene.time = getattr(tape, "time", scene.time)
        scene.payload = getattr(tape, "payload", scene.payload)
        scene.started = getattr(tape, "started", None)
        return Stage(scene, DocumentStyles.from_variables(palette.variables))

    def compose(self) -> ComposeResult:
        self._pool = [ItemWidget() for _ in range(16)]
        yield self._rail
        yield from self._pool
        yield self._hint

    def on_mount(self) -> None:
        self._dress()
        self.app.theme_changed_signal.subscribe(self, lambda _: self._dress())

    def _dress(self) -> None:
        """Take the theme's colours."""
        palette = Palette.read(self.app.theme_variables, colors=not self.app.no_color)
        self._stage.restyle(palette, DocumentStyles.from_variables(palette.variables))
        self._rail.dress(palette.rule, palette.dim)
        for widget in self._pool:
            widget.base = palette.base
        self.settle()
        self.refresh()

    @property
    def stage(self) -> Stage:
        return self._stage

    @property
    def options(self) -> ViewOptions:
        return self._options

    @property
    def position(self) -> int:
        return self._stage.scene.position

    @property
    def _tape(self) -> Any:
        return getattr(self._session, "tape", self._session)

    @property
    def _entries(self) -> list[AnyEntry]:
        return self._stage.scene.transcript.entries

    # What lies over it

    def _overlay(self, key: int) -> Overlay:
        """What is laid over an item: selection, matches, marked text."""
        raise NotImplementedError

    def _unmark(self) -> None:
        """Rows are no longer where they were: text marked with the mouse is not, either."""
        raise NotImplementedError

    def _read_further(self, before: tuple[int, int]) -> None:
        """More of a text in view was read; ``before``: what was topmost then, entry and line."""
        raise NotImplementedError

    # Settling

    def settle(self) -> None:
        """Place items, paint what changed, and say how things stand."""
        stage = self._stage
        if not stage.viewport.rows:
            return
        self._paint(stage.place(self._options.follow if self.following else None))
        self._count_below()
        if not stage.whole and self.is_mounted:
            self._stop_reading()
            self.call_after_refresh(self._read_soon)

    def give_way(self) -> None:
        """The reader asked for something: nothing is read on until it is shown."""
        self._given_way = True
        self._stop_reading()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.stop()
            self._reading = None

    def _read_soon(self) -> None:
        """What was settled is painted: go on reading."""
        if self._reading is None and not self._given_way:
            self._reading = after(self, PAUSE, self._read_on)

    def _read_on(self) -> None:
        """Read further in a very long text in view: a little at a time, keys come between."""
        self._stop_reading()
        if self._given_way:
            return
        stage = self._stage
        until = time.perf_counter() + SLICE
        before = stage.viewport.topmost
        stage.read_on(lambda: time.perf_counter() >= until)
        self.settle()
        self._read_further(before)

    def _count_below(self) -> None:
        stage = self._stage
        if self.following or stage.viewport.at_end:
            self._arrived.clear()
        elif self._arrived and stage.placed:
            last = stage.placed[-1]
            whole = last.y + last.height <= stage.viewport.rows
            self._arrived.passed(last.key if whole else last.key - 1)
        below = len(self._arrived)
        palette = stage.scene.palette
        words = f" ↓ {below:,} new · {self._end_key()} " if below else ""
        if self._hint.say(words, palette.accent + Style(reverse=True)):
            self._lay_out()
        if below != self.below:
            self.below = below
            self.post_message(self.FollowChanged(self, self.following, below))

    def _end_key(self) -> str:
        """Of the keys that go to the end the one that says so by its name: End rather than G."""
        return self._keys.shown("last").split(" ")[-1] or "click"

    def _follow(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.post_message(self.FollowChanged(self, following, self.below))

    # Painting

    def _paint(self, placed: list[Placed]) -> None:
        stage = self._stage
        rows = stage.viewport.rows
        self._hand_out(placed)
        arranged, disputed = [], False
        for one in placed:
            widget = self._widgets.get(one.key)
            if widget is None:
                continue
            item = stage.item(one.key)
            item.lay_over(self._overlay(one.key))
            shown = range(max(0, -one.y), min(one.height, rows - one.y))
            widget.show(item, shown)
            disputed = disputed or widget.disputed
            region = Region(0, one.y + shown.start, stage.scene.width, len(shown))
            arranged.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, widget))
        viewport = stage.viewport
        self._rail.show(viewport.first_line, rows, viewport.total)
        if disputed:
            # A terminal may draw such a line into the rail: it is drawn again, after the line.
            self._rail.touch()
            self._rail.refresh()
        self._say_empty(bool(placed))
        covered = bool(placed) and placed[-1].y + placed[-1].height >= rows
        if arranged != self._arranged or covered != self._covered:
            self._arranged, self._covered = arranged, covered
            self._lay_out()

    def _hand_out(self, placed: list[Placed]) -> None:
        """Give every item in view a widget: its own where it has one, else one that is free."""
        keys = {one.key for one in placed}
        kept = {key: widget for key, widget in self._widgets.items() if key in keys}
        used = set(kept.values())
        free = [widget for widget in self._pool if widget not in used]
        lacking = len(keys) - len(kept) - len(free)
        if lacking > 0:
            more = [ItemWidget() for _ in range(lacking + 4)]
            for widget in more:
                widget.base = self._stage.scene.palette.base
            self._pool += more
            free += more
            self.mount(*more)
        for one in placed:
            if one.key not in kept:
                kept[one.key] = free.pop()
        self._widgets = kept

    def _lay_out(self) -> None:
        if self.is_mounted:
            self.refresh(repaint=False, layout=True)

    def arrange(self, size: Size, optimal: bool = False) -> DockArrangeResult:
        """Place the widgets of the items in view; nothing is laid out by style."""
        stage = self._stage
        width = max(NARROWEST, size.width - 1)
        if (width, size.height) != (stage.scene.width, stage.viewport.rows):
            self._unmark()
            stage.resize(width, size.height)
            self.settle()
        placements = list(self._arranged)
        rail = Region(size.width - 1, 0, 1, size.height)
        placements.append(WidgetPlacement(rail, NULL_OFFSET, NULL_SPACING, self._rail))
        if self._hint.text:
            cells = min(size.width, self._hint.cells)
            region = Region((size.width - cells) // 2, size.height - 1, cells, 1)
            placements.append(
                WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, self._hint, order=1)
            )
        result = _Arrangement(placements, {one.widget for one in placements}, NULL_SPACING)
        result.region = size.region
        return result

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._covered:
            # The items cover everything: lines under them would only be cut up and thrown away.
            return []
        return [self.render_line(y) for y in crop.line_range]

    def render_line(self, y: int) -> Strip:
        base = self._stage.scene.palette.base
        width = self.size.width
        first = max(0, (self.size.height - len(self._empty)) // 2)
        if self._empty and first <= y < first + len(self._empty):
            text = self._empty[y - first]
            pad = max(0, (width - cell_len(text)) // 2)
            strip = Strip.blank(width, base).crop(0, pad)
            palette = self._stage.scene.palette
            ink = palette.danger if self._why_empty.failed else palette.dim
            line = Strip([*strip, *row((text, ink))])
            return self._filtered(line.adjust_cell_length(width, base))
        return self._filtered(Strip.blank(width, base))

    def _filtered(self, strip: Strip) -> Strip:
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, self.background_colors[1])
        return strip

    def _say_empty(self, anything: bool) -> None:
        why, lines = Empty(), tuple[str, ...]()
        if not anything:
            stage = self._stage
            wanted, keys = self._options.filter, stage.scene.keys
            why = why_empty(self._session, stage.scene.position, stage.size, wanted, keys)
            lines = tuple(wrap(why.words, max(8, self.size.width - 4)))
        if (why, lines) != (self._why_empty, self._empty):
            self._why_empty, self._empty = why, lines
            self.refresh()
