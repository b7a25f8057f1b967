"""The transcript view: one column of items, of which only those in view are widgets.

Its parts: :mod:`canvas` places and paints, :mod:`choosing` has the options, :mod:`navigation` goes
about; here it is given its source, searched, copied from, and clicked at.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events

from transcript_tui.ui.keymap import Keymap, keymap
from transcript_tui.ui.views.transcript.choosing import Choosing
from transcript_tui.ui.views.transcript.entrytexts import links_of, source_of
from transcript_tui.ui.views.transcript.item import Overlay
from transcript_tui.ui.views.transcript.navigation import Navigation
from transcript_tui.ui.views.transcript.options import ViewOptions
from transcript_tui.ui.views.transcript.pointer import WHEEL, Pointer
from transcript_tui.ui.views.transcript.search import SearchState
from transcript_tui.ui.views.transcript.searching import Searching
from transcript_tui.ui.widgets.rail import Rail

if TYPE_CHECKING:
    from transcript_tui.session.session import Session


class TranscriptView(Choosing, Navigation, can_focus=True):
    """Shows ``session.tape.transcript`` at a position; the shell calls :meth:`show`."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    TranscriptView { width: 1fr; height: 1fr; overflow: hidden hidden; layout: vertical; }
    """

    def __init__(
        self,
        session: Session,
        options: ViewOptions | None = None,
        keys: Keymap | None = None,
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """``keys``: those that hints name, where they are not the default ones."""
        chosen, keys = options or ViewOptions(), keys or keymap({})
        super().__init__(session, chosen, keys, id=id, classes=classes)
        self._generation = self._tape.generation
        self._searching = Searching(self)
        self._pointer = Pointer(self)

    # The source

    def _refold(self) -> None:
        """The same source was folded anew (reading on past a violation): stay at the place."""
        before = self._stage
        self._stage = stage = self._new_stage(before.scene.palette)
        stage.resize(before.scene.width, before.viewport.rows)
        folds, size = before.scene.folds, len(self._entries)
        stage.scene.folds = {key: opened for key, opened in folds.items() if key < size}
        stage.viewport.anchor(before.viewport.key, before.viewport.line)
        self._arrived.clear()
        self._pointer.marking.clear()
        self._widgets.clear()

    def _refolded(self) -> None:
        """What is chosen and what is searched for are now of the other transcript."""
        if self.selected is not None and self.selected >= len(self._entries):
            self.select(None)
        self._searching.restart()

    # What is shown

    def show(self, position: int) -> None:
        """Show the transcript at ``position``; at most once a frame."""
        tape = self._tape
        generation = tape.generation
        anew = tape.transcript is not self._stage.scene.transcript or generation != self._generation
        if anew:
            self._generation = generation
            self._refold()
        stage = self._stage
        stage.scene.started = tape.started
        before = stage.size
        changed = stage.show(position)
        self._account(None if anew else changed, before)
        if anew:
            self._refolded()
        self._jumping.go_on()
        self._given_way = False
        self.settle()
        self._searching.go_on()

    def _account(self, changed: set[int] | None, before: int) -> None:
        """Count what arrived out of sight, below."""
        if changed is None or self._stage.size < before:
            self._arrived.clear()
        elif not self.following:
            stage = self._stage
            self._arrived.take(changed, stage.viewport.heights.shown(before), stage.shown)

    def _overlay(self, key: int) -> Overlay:
        item = self._stage.item(key)
        search = self._searching.search
        return Overlay(
            key == self.selected,
            search.pattern if search is not None else None,
            self._searching.bare(key),
            self._searching.current(item),
            self._pointer.marking.within(self._stage, item),
        )

    def _read_further(self, before: tuple[int, int]) -> None:
        self._searching.read_further(before)

    def _unmark(self) -> None:
        self._pointer.marking.clear()

    def _search_anew(self) -> None:
        self._searching.restart()

    def _search_on(self) -> None:
        self._searching.go_on()

    # Search

    @property
    def search_state(self) -> SearchState | None:
        return self._searching.state

    def search(self, pattern: str) -> SearchState:
        """Look for a pattern in everything shown, from here on; ``""`` ends searching."""
        if not pattern:
            self.clear_search()
            return SearchState("")
        return self._searching.start(pattern, max(0, self.here()))

    def clear_search(self) -> None:
        self._searching.stop()
        self.tell_search()

    def search_next(self) -> SearchState | None:
        return self._searching.step(1)

    def search_previous(self) -> SearchState | None:
        return self._searching.step(-1)

    def tell_search(self) -> None:
        """The search found something, or ended."""
        self.settle()
        self.post_message(self.SearchChanged(self, self._searching.state))

    # Texts

    def source_of(self, key: int) -> str:
        """An item's text unrendered, made harmless."""
        return source_of(self._entries[key], self._stage.scene)

    def links_of(self, key: int) -> list[str]:
        return links_of(self._entries[key], self._stage.scene)

    async def selected_text(self, done: Callable[[float], None] = lambda _: None) -> str | None:
        """What is selected with the mouse, as plain text; ``done`` is told how far it is, 0 to 1.

        It may be a whole transcript, so it is put together in turns with everything else.
        """
        return await self._pointer.marking.text(self._stage, done)

    @property
    def text_is_selected(self) -> bool:
        return self._pointer.marking.anything

    def clear_text_selection(self) -> bool:
        """Whether any was selected."""
        had = self._pointer.marking.clear()
        if had:
            self.settle()
        return had

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
        if event.button == 1 and event.chain > 1:
            self._pointer.click_again(*self._cell(event), event.chain)
