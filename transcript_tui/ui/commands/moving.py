"""Scrolling and the selection cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from transcript_tui.ui.screens.base import BaseScreen

if TYPE_CHECKING:
    from transcript_tui.ui.views.problemcursor import ProblemCursor


class Moving(BaseScreen):
    """Keys of the group “Moving”."""

    _problem: ProblemCursor | None = None
    """Where jumping from problem to problem stands; made when it begins."""

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
        if self.view is not None:
            self.say("" if self.view.jump_run(1) else "There is no later run")

    def action_previous_run(self) -> None:
        if self.view is not None:
            self.say("" if self.view.jump_run(-1) else "There is no earlier run")

    def action_next_problem(self) -> None:
        self._to_problem(1)

    def action_previous_problem(self) -> None:
        self._to_problem(-1)

    def _to_problem(self, step: int) -> None:
        """Through what the list of problems holds, in the order of the transcript."""
        from transcript_tui.ui.views.problemcursor import ProblemCursor, stops
        from transcript_tui.ui.views.problems import ProblemsPane

        session, view = self.session, self.view
        if session is None or view is None:
            return
        found = stops(session)
        cursor = self._problem = self._problem or ProblemCursor()
        at = cursor.next(found, step, view.here(step), view.selected)
        if at is None:
            self.say(f"There is no {'later' if step > 0 else 'earlier'} problem")
            return
        key, problem = found[at]
        view.jump_to(key)
        cursor.visit(found[at], view.selected)
        for pane in self.pane_order:
            if isinstance(pane, ProblemsPane) and pane.is_mounted:
                pane.point_at(problem)
        where = f"Problem {at + 1} of {len(found)}"
        if view.stage.filters_out(key):
            where += f" (hidden by the filter, {self.key('back')} clears it)"
        self.say(f"{where}: {problem.found.rule}: {problem.found.message}")
