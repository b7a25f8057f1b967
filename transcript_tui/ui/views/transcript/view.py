"""The transcript view: one column of items, of which only those in view are widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.app import ComposeResult
from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import DockArrangeResult, WidgetPlacement
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from transcript_tui.transcript import model
from transcript_tui.ui.layout import DocumentStyles
from transcript_tui.ui.views.transcript.empty import Empty, why_empty
from transcript_tui.ui.views.transcript.finding import Finding
from transcript_tui.ui.views.transcript.item import Overlay
from transcript_tui.ui.views.transcript.jumping import Jumping
from transcript_tui.ui.views.transcript.options import (
    FOLD_MODES,
    TIMES,
    Filter,
    FoldMode,
    FollowMode,
    Times,
    ViewOptions,
)
from transcript_tui.ui.views.transcript.palette import Palette
from transcript_tui.ui.views.transcript.plain import links_of, source_of
from transcript_tui.ui.views.transcript.pointer import WHEEL, Pointer
from transcript_tui.ui.views.transcript.rows import row, wrap
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.views.transcript.search import SearchState
from transcript_tui.ui.views.transcript.stage import Stage
from transcript_tui.ui.views.transcript.viewport import Placed
from transcript_tui.ui.views.transcript.widget import ItemWidget
from transcript_tui.ui.widgets.hint import Hint
from transcript_tui.ui.widgets.rail import Rail

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


class TranscriptView(Widget, can_focus=True):
    """Shows ``session.tape.transcript`` at a position; the shell calls :meth:`show`."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    TranscriptView { width: 1fr; height: 1fr; overflow: hidden hidden; layout: vertical; }
    """

    selected: reactive[int | None] = reactive(None, repaint=False, init=False)
    following: reactive[bool] = reactive(True, repaint=False, init=False)
    below: reactive[int] = reactive(0, repaint=False, init=False)

    class _About(Message):
        def __init__(self, view: TranscriptView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> TranscriptView:
            return self.view

    class Selected(_About):
        """The selection cursor moved."""

        def __init__(self, view: TranscriptView, key: int | None) -> None:
            super().__init__(view)
            self.key = key

    class FollowChanged(_About):
        def __init__(self, view: TranscriptView, following: bool, below: int) -> None:
            super().__init__(view)
            self.following, self.below = following, below

    class SearchChanged(_About):
        def __init__(self, view: TranscriptView, state: SearchState | None) -> None:
            super().__init__(view)
            self.state = state

    class SeekRequested(_About):
        """What the reader wants to see is not there at this position, but at that one."""

        def __init__(self, view: TranscriptView, position: int) -> None:
            super().__init__(view)
            self.position = position

    class Opened(_About):
        """An item was double-clicked, or Enter found nothing to fold."""

        def __init__(self, view: TranscriptView, key: int) -> None:
            super().__init__(view)
            self.key = key

    class TextSelected(_About):
        """Text was selected with the mouse."""

        def __init__(self, view: TranscriptView, text: str) -> None:
            super().__init__(view)
            self.text = text

    def __init__(
        self,
        session: Any,
        options: ViewOptions | None = None,
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._session = session
        self._options = options or ViewOptions()
        self._stage = self._new_stage(Palette.read({}))
        self._generation: object = None
        self._rail = Rail()
        self._hint = Hint()
        self._pool: list[ItemWidget] = []
        self._widgets: dict[int, ItemWidget] = {}
        self._arranged: list[WidgetPlacement] = []
        self._why_empty = Empty()
        self._empty: tuple[str, ...] = ()
        self._covered = False
        self._arrived: set[int] = set()
        self._finding = Finding(self)
        self._pointer = Pointer(self)
        self._jumping = Jumping(self)

    # Setting up

    def _new_stage(self, palette: Palette) -> Stage:
        tape = getattr(self._session, "tape", self._session)
        scene = Scene(tape.transcript, self._options, palette)
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

    def set_session(self, session: Any) -> None:
        """Show another source, from its beginning."""
        self._session = session
        self._renew()
        self.selected, self.following, self.below = None, True, 0

    def _renew(self) -> None:
        """Another transcript in place of the one there was."""
        before = self._stage
        self._stage = stage = self._new_stage(before.scene.palette)
        stage.resize(before.scene.width, before.viewport.rows)
        self._arrived.clear()
        self._pointer.marking.clear()
        self._widgets.clear()
        state = self._finding.state
        if state is not None:
            self.search(state.pattern)

    def _refold(self) -> None:
        """The same source was folded anew (reading on past a violation): stay at the place."""
        before = self._stage
        self._renew()
        self._stage.scene.folds.update(before.scene.folds)
        self._stage.viewport.anchor(before.viewport.key, before.viewport.line)

    # What is shown

    @property
    def stage(self) -> Stage:
        return self._stage

    @property
    def options(self) -> ViewOptions:
        return self._options

    @property
    def position(self) -> int:
        return self._stage.scene.position

    def show(self, position: int) -> None:
        """Show the transcript at ``position``; at most once a frame."""
        tape = getattr(self._session, "tape", self._session)
        generation = getattr(tape, "generation", None)
        if tape.transcript is not self._stage.scene.transcript or generation != self._generation:
            self._generation = generation
            self._refold()
        stage = self._stage
        stage.scene.started = getattr(tape, "started", None)
        before = stage.size
        changed = stage.show(position)
        self._account(changed, before)
        self._jumping.go_on()
        self.settle()
        self._finding.go_on()

    def _account(self, changed: set[int] | None, before: int) -> None:
        """Count what arrived out of sight, below."""
        if changed is None or self._stage.size < before:
            self._arrived.clear()
        elif not self.following:
            self._arrived |= changed

    def settle(self) -> None:
        """Place items, paint what changed, and say how things stand."""
        stage = self._stage
        if not stage.viewport.rows:
            return
        self._paint(stage.place(self._options.follow_mode if self.following else None))
        self._count_below()

    def _count_below(self) -> None:
        stage = self._stage
        if self.following or stage.viewport.at_end:
            self._arrived.clear()
        elif self._arrived and stage.placed:
            last = stage.placed[-1]
            whole = last.y + last.height <= stage.viewport.rows
            edge = last.key if whole else last.key - 1
            self._arrived = {key for key in self._arrived if key > edge and stage.shown(key)}
        below = len(self._arrived)
        palette = stage.scene.palette
        words = f" ↓ {below:,} new · End " if below else ""
        if self._hint.say(words, palette.accent + Style(reverse=True)):
            self._lay_out()
        if below != self.below:
            self.below = below
            self.post_message(self.FollowChanged(self, self.following, below))

    def _follow(self, following: bool) -> None:
        if following != self.following:
            self.following = following
            self.post_message(self.FollowChanged(self, following, self.below))

    # Painting

    def _paint(self, placed: list[Placed]) -> None:
        stage = self._stage
        rows = stage.viewport.rows
        self._hand_out(placed)
        arranged = []
        for one in placed:
            widget = self._widgets.get(one.key)
            if widget is None:
                continue
            item = stage.item(one.key)
            item.lay_over(self._overlay(one.key))
            widget.show(item)
            widget.repaint(max(0, -one.y), min(one.height, rows - one.y))
            region = Region(0, one.y, stage.scene.width, one.height)
            arranged.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, widget))
        viewport = stage.viewport
        self._rail.show(viewport.first_line, rows, viewport.total)
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

    def _overlay(self, key: int) -> Overlay:
        item = self._stage.item(key)
        search = self._finding.search
        return Overlay(
            key == self.selected,
            search.pattern if search is not None else None,
            self._finding.bare(key),
            self._finding.current(item),
            self._pointer.marking.within(key, item.height),
        )

    def _lay_out(self) -> None:
        if self.is_mounted:
            self.refresh(repaint=False, layout=True)

    def arrange(self, size: Size, optimal: bool = False) -> DockArrangeResult:
        """Place the widgets of the items in view; nothing is laid out by style."""
        stage = self._stage
        width = max(NARROWEST, size.width - 1)
        if (width, size.height) != (stage.scene.width, stage.viewport.rows):
            self._pointer.marking.clear()
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
            why = why_empty(self._session, self._stage.size, self._options.filter)
            lines = tuple(wrap(why.words, max(8, self.size.width - 4)))
        if (why, lines) != (self._why_empty, self._empty):
            self._why_empty, self._empty = why, lines
            self.refresh()

    # Options

    def set_options(self, options: ViewOptions) -> None:
        """Change several options at once; nothing of the text is lost or repeated."""
        before, self._options = self._options, options
        stage = self._stage
        stage.scene.options = options
        calm = replace(options, buffered=before.buffered, markdown=before.markdown,
                       times=before.times, follow_mode=before.follow_mode)  # fmt: skip
        if calm == before:
            stage.outdate()
        else:
            stage.reread()
            self._arrived.clear()
            self._finding.restart()
        self.settle()
        self._finding.go_on()

    def _choose(self, **changes: Any) -> None:
        self.set_options(replace(self._options, **changes))

    def set_buffered(self, buffered: bool) -> None:
        self._choose(buffered=buffered)

    def set_markdown(self, markdown: bool) -> None:
        self._choose(markdown=markdown)

    def set_follow_mode(self, mode: FollowMode) -> None:
        self._choose(follow_mode=mode)

    def set_tools_mode(self, mode: FoldMode) -> None:
        self._forget_folds(lambda view: bool(view.tool_calls))
        self._choose(tools=mode)

    def _forget_folds(self, of: Callable[[model.MessageView], bool]) -> None:
        """A mode for all of a kind replaces what was folded or opened one by one."""
        scene = self._stage.scene
        for key in list(scene.folds):
            entry = self._entries[key]
            if isinstance(entry, model.Message) and of(entry.at(scene.position)):
                del scene.folds[key]

    def set_reasoning_mode(self, mode: FoldMode) -> None:
        self._forget_folds(lambda view: view.role == "reasoning")
        self._choose(reasoning=mode)

    def set_passthrough(self, shown: bool) -> None:
        self._choose(passthrough=shown)

    def set_times(self, times: Times) -> None:
        self._choose(times=times)

    def set_filter(self, wanted: Filter | None) -> None:
        self._choose(filter=wanted or None)

    def cycle_tools(self) -> FoldMode:
        self.set_tools_mode(_next(FOLD_MODES, self._options.tools))
        return self._options.tools

    def cycle_reasoning(self) -> FoldMode:
        self.set_reasoning_mode(_next(FOLD_MODES, self._options.reasoning))
        return self._options.reasoning

    def cycle_times(self) -> Times:
        self.set_times(_next(TIMES, self._options.times))
        return self._options.times

    @property
    def hidden_count(self) -> int:
        """Items that the filter hides."""
        if not self._options.filter:
            return 0
        stage = self._stage
        bare = Stage(
            replace(stage.scene, options=replace(self._options, filter=None)), stage.styles
        )
        bare.reread()
        size = stage.size
        return sum(bare.shown(key) for key in range(size)) - sum(
            stage.shown(key) for key in range(size)
        )

    @property
    def _entries(self) -> list[model.AnyEntry]:
        return self._stage.scene.transcript.entries

    # Moving

    def scroll_lines(self, lines: int) -> None:
        stage = self._stage
        if not stage.placed or (lines > 0 and stage.viewport.at_end and self.following):
            return
        stage.scroll(lines)
        self._arrive()

    def scroll_pages(self, pages: float) -> None:
        rows = self._stage.viewport.rows
        lines = round(rows * pages)
        if abs(pages) == 1:
            # Two lines of the page before stay in view.
            lines -= 2 if pages > 0 else -2
        self.scroll_lines(lines or (1 if pages > 0 else -1))

    def go_first(self) -> None:
        self._stage.viewport.anchor(0)
        self._arrive()

    def go_last(self) -> None:
        """Go to the end, and follow it again."""
        self._follow(True)
        self.settle()

    def _arrive(self) -> None:
        self.follow_if_at_end()
        self.settle()

    def follow_if_at_end(self) -> None:
        """After the reader moved: at the end, follow it again; elsewhere, stop following."""
        self._stage.place(None)
        self._follow(self._stage.viewport.at_end)

    def jump_to(self, key: int, *, select: bool = True) -> None:
        """Bring an entry into view; asks for its position first where it is not held here."""
        self._jumping.to(key, select=select)

    def jump_run(self, step: int) -> bool:
        """To the next (+1) or previous (-1) run; whether there is one."""
        return self._jumping.to_run(step)

    def jump_problem(self, step: int) -> bool:
        """To the next or previous rejection, cut or bad ending."""
        return self._jumping.to_problem(step)

    def here(self) -> int:
        """The entry from which one goes on: the selected one if it is in view, else the first."""
        placed = self._stage.placed
        if self.selected is not None and any(one.key == self.selected for one in placed):
            return self.selected
        return placed[0].key if placed else -1

    # The selection cursor

    def select(self, key: int | None) -> None:
        self.selected = key

    def watch_selected(self, key: int | None) -> None:
        if self.is_mounted:
            self.settle()
            self.post_message(self.Selected(self, key))

    def select_next(self) -> None:
        self._step(1)

    def select_previous(self) -> None:
        self._step(-1)

    def _step(self, step: int) -> None:
        stage = self._stage
        placed = {one.key: one for one in stage.placed}
        if not placed:
            return
        now = placed.get(self.selected) if self.selected is not None else None
        if now is None:
            keys = list(placed)
            wanted = keys[-1] if step < 0 or self.following else keys[0]
            self.select(wanted)
            return
        rows = stage.viewport.rows
        hidden = now.y + now.height - rows if step > 0 else -now.y
        if hidden > 0 and now.height > rows:
            # A long item scrolls first.
            self.scroll_lines(step * min(hidden, max(1, rows - 2)))
            return
        heights = stage.viewport.heights
        key = heights.after(now.key) if step > 0 else heights.previous(now.key)
        if not 0 <= key < stage.size:
            self.scroll_lines(step * rows)
            return
        stage.reveal(key)
        self.follow_if_at_end()
        self.select(key)

    def toggle_fold(self) -> bool:
        """Fold or unfold the selected item; whether there was anything to fold."""
        key = self.selected
        if key is None or not self._stage.shown(key):
            return False
        item = self._stage.item(key)
        if not item.foldable:
            self.post_message(self.Opened(self, key))
            return False
        self._stage.fold(key, item.folded)
        self.settle()
        return True

    # Search

    @property
    def search_state(self) -> SearchState | None:
        return self._finding.state

    def search(self, pattern: str) -> SearchState:
        """Look for a pattern in everything shown, from here on; ``""`` ends searching."""
        if not pattern:
            self.clear_search()
            return SearchState("")
        return self._finding.start(pattern, max(0, self.here()))

    def clear_search(self) -> None:
        self._finding.stop()
        self.tell_search()

    def search_next(self) -> SearchState | None:
        return self._finding.step(1)

    def search_previous(self) -> SearchState | None:
        return self._finding.step(-1)

    def tell_search(self) -> None:
        """The search found something, or ended."""
        self.settle()
        self.post_message(self.SearchChanged(self, self._finding.state))

    def bring(self, key: int, line: int) -> None:
        """Bring a line of an item into view, and the cursor to the item."""
        stage = self._stage
        rows = stage.viewport.rows
        # Folding the match before may have moved what is in view.
        stage.place(None)
        now = next((one for one in stage.placed if one.key == key), None)
        if now is None or not 0 <= now.y + line < rows - 1:
            stage.viewport.anchor(key, line)
            stage.viewport.scroll(-(rows // 3))
        self.follow_if_at_end()
        self.select(key)
        self.settle()

    # Texts

    def source_of(self, key: int) -> str:
        """An item's text as it came."""
        return source_of(self._entries[key], self._stage.scene)

    def links_of(self, key: int) -> list[str]:
        return links_of(self._entries[key], self._stage.scene)

    def selected_text(self) -> str | None:
        """What is selected with the mouse, as plain text."""
        return self._pointer.marking.text(self._stage)

    def clear_text_selection(self) -> None:
        if self._pointer.marking.clear():
            self.settle()

    # Mouse

    def on_rail_moved(self, event: Rail.Moved) -> None:
        event.stop()
        self._stage.viewport.scroll_to(event.line)
        self._arrive()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_lines(-WHEEL)

    def _cell(self, event: events.MouseEvent) -> tuple[int, int]:
        region = self.region
        return event.screen_x - region.x, event.screen_y - region.y

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button != 1:
            return
        if event.widget is self._hint:
            self.go_last()
            return
        self._pointer.press(*self._cell(event))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._pointer.drag(*self._cell(event))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        self._pointer.release(self._cell(event)[1])

    def on_click(self, event: events.Click) -> None:
        if event.chain == 2 and self.selected is not None:
            self.post_message(self.Opened(self, self.selected))


def _next(values: tuple[Any, ...], value: Any) -> Any:
    return values[(values.index(value) + 1) % len(values)]
