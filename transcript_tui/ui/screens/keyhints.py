"""What the key line offers: the keys of what is in front, before those that always work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import ModalScreen

from transcript_tui.ui.bars.widgets import KeyLabel
from transcript_tui.ui.screens.base import BaseScreen

if TYPE_CHECKING:
    from transcript_tui.ui.views.transcript import TranscriptView


class KeyHints(BaseScreen):
    """Derived at each painting, from what is open, selected, searched and filtered."""

    @property
    def only_front(self) -> bool:
        """Only those keys are offered: a dialog or the prompt has all others, or nothing came that
        they could be used on."""
        return isinstance(self.app.screen, ModalScreen) or self.prompt.opened or self.failed

    def front_keys(self) -> tuple[KeyLabel, ...]:
        """The keys of what is in front, of the search, of what is selected or filtered."""
        if isinstance(self.app.screen, ModalScreen):
            # The palette is Textual's own and says nothing of it.
            does = getattr(self.app.screen, "ENTER", "Run")
            enter = [KeyLabel("", "Enter", does)] if does else []
            return (*enter, KeyLabel("", "↑↓", "Move"), KeyLabel("", "Esc", "Close"))
        if self.prompt.opened:
            return (KeyLabel("", "Enter", self.prompt.done), KeyLabel("back", "Esc", "Cancel"))
        if self.work is not None and self.work.said:
            return self._labels(("back", "Stop"))
        close = [("back", "Close")] if self.pane_order else []
        if self.selections and self.get_selected_text():
            return self._labels(("copy_or_quit", "Copy text"), *close)
        again = self._labels(("ask_again", "Try again")) if self._may_try_again() else ()
        if self.failed:
            always = self._labels(("help", "Help"), ("quit", "Quit"))
            return (*self._labels(*close), *again, *always)
        if self.pane_order:
            own = [("filter", "Filter events")] if self.pane_order[-1].name == "events" else []
            return self._labels(("back", "Close"), *own)
        view = self.view
        if view is None:
            return ()
        if view.text_is_selected:
            return self._labels(("copy_or_quit", "Copy text"), ("back", "Clear"))
        return self._keys_of(view) or again

    def _keys_of(self, view: TranscriptView) -> tuple[KeyLabel, ...]:
        """The keys of the search, of what is selected or filtered, of a violation."""
        search = view.search_state
        if search is not None:
            steps = [("search_next", "Next hit"), ("search_previous", "Previous")]
            return self._labels(*(steps if search.count else ()), ("back", "Clear"))
        session = self.session
        if session is not None and session.player.can_go_live and session.player.ahead:
            return self._labels(("live", "Back to live"), ("next_event", "Next event"))
        if view.selected is not None:
            copy, inspect = ("copy_item", "Copy"), ("inspector", "Inspect")
            match view.folding():
                case "inspect":
                    return self._labels(("fold", "Inspect"), copy)
                case "open":
                    return self._labels(("fold", "Open"), copy, inspect)
                case "fold":
                    return self._labels(("fold", "Fold"), copy, inspect)
        if view.options.filter:
            return self._labels(("back", "Clear filter"))
        if self.facts.violations and session is not None and not session.keep_going:
            return self._labels(("problems", "Problems"), ("keep_going", "Read on past it"))
        return ()

    def _may_try_again(self) -> bool:
        """The endpoint let us down, and can be asked again."""
        session = self.session
        if session is None or not session.can_ask_again:
            return False
        waits = session.again_at is not None
        return waits or session.error is not None or not session.tape.length

    def _labels(self, *entries: tuple[str, str]) -> tuple[KeyLabel, ...]:
        """Entries of the key line: actions, and what they do here."""
        return tuple(KeyLabel(id, self.keymap.shown(id, 1), does) for id, does in entries)
