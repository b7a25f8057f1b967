"""Scrolling and the selection cursor."""

from __future__ import annotations

from transcript_tui.ui.screens.desk import Desk


class Moving(Desk):
    """Keys of the group “Moving”."""

    def action_scroll_up(self) -> None:
        if target := self.target():
            target.scroll_lines(-1)

    def action_scroll_down(self) -> None:
        if target := self.target():
            target.scroll_lines(1)

    def action_page_up(self) -> None:
        if target := self.target():
            target.scroll_pages(-1)

    def action_page_down(self) -> None:
        if target := self.target():
            target.scroll_pages(1)

    def action_half_up(self) -> None:
        if target := self.target():
            target.scroll_pages(-0.5)

    def action_half_down(self) -> None:
        if target := self.target():
            target.scroll_pages(0.5)

    def action_next_item(self) -> None:
        if cursor := self.cursor():
            cursor.select_next()

    def action_previous_item(self) -> None:
        if cursor := self.cursor():
            cursor.select_previous()

    def action_first(self) -> None:
        if target := self.target():
            target.go_first()

    def action_last(self) -> None:
        if target := self.target():
            target.go_last()

    def action_next_run(self) -> None:
        if self.view is not None and not self.view.jump_run(1):
            self.say("There is no later run")

    def action_previous_run(self) -> None:
        if self.view is not None and not self.view.jump_run(-1):
            self.say("There is no earlier run")

    def action_next_problem(self) -> None:
        if self.view is not None and not self.view.jump_problem(1):
            self.say("There is no later problem")

    def action_previous_problem(self) -> None:
        if self.view is not None and not self.view.jump_problem(-1):
            self.say("There is no earlier problem")
