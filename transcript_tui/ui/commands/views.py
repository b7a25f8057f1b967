"""Opening and closing views."""

from __future__ import annotations

from transcript_tui.ui.screens.desk import Desk


class Views(Desk):
    """Keys of the group “Views”."""

    def action_events(self) -> None:
        self.open_pane("events")

    def action_problems(self) -> None:
        self.open_pane("problems")

    def action_inspector(self) -> None:
        self.open_pane("inspector")

    def action_state(self) -> None:
        self.open_pane("state")

    def action_timeline(self) -> None:
        self.open_pane("timeline")

    def action_statistics(self) -> None:
        self.open_pane("statistics")
