"""Opening and closing views."""

from __future__ import annotations

from transcript_tui.ui.screens.base import BaseScreen


class Views(BaseScreen):
    """Keys of the group “Views”."""

    def action_events(self) -> None:
        self.open_pane("events")

    def action_problems(self) -> None:
        self.open_pane("problems")

    def action_inspector(self) -> None:
        if self.view is not None and self.view.selected is None:
            # There is always something to inspect: the nearest item, as k would take it.
            self.view.select_previous()
        self.open_pane("inspector")

    def action_state(self) -> None:
        self.open_pane("state")

    def action_previous_change(self) -> None:
        self._walk(-1)

    def action_next_change(self) -> None:
        self._walk(1)

    def _walk(self, steps: int) -> None:
        """Through the changes of the state, where its view is open; else it opens."""
        from transcript_tui.ui.views.state import StatePane

        for pane in self.pane_order:
            if isinstance(pane, StatePane):
                pane.walk(steps)
                return
        self.open_pane("state")

    def action_timeline(self) -> None:
        self.open_pane("timeline")

    def action_statistics(self) -> None:
        self.open_pane("statistics")
