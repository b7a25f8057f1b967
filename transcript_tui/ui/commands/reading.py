"""How the transcript is shown."""

from __future__ import annotations

from transcript_tui.ui import workers
from transcript_tui.ui.screens.base import BaseScreen

_FOLDS = {
    "full": "in full",
    "folded": "folded",
    "when-done": "folded when done",
    "hidden": "hidden",
}
_TIMES = {"none": "no times", "clock": "clock times", "offset": "offsets"}


class Reading(BaseScreen):
    """Keys of the group “Reading”."""

    def action_buffered(self) -> None:
        if self.view is not None:
            self.view.set_buffered(not self.view.options.buffered)
            self.paint_soon()

    def action_markdown(self) -> None:
        if self.view is not None:
            self.view.set_markdown(not self.view.options.markdown)
            self.paint_soon()

    def action_fold(self) -> None:
        view, target = self.view, self.target()
        if target is None or target.toggle_fold() or view is None or target is not view:
            return
        if view.selected is None:
            self.say(f"Nothing is selected: {self.key('next_item', 'previous_item')} select")

    def action_tools(self) -> None:
        if self.view is not None:
            self.say(f"Tool calls {_FOLDS[self.view.cycle_tools()]}")

    def action_reasoning(self) -> None:
        if self.view is not None:
            self.say(f"Reasoning {_FOLDS[self.view.cycle_reasoning()]}")

    def action_passthrough(self) -> None:
        if self.view is not None:
            shown = not self.view.options.passthrough
            self.view.set_passthrough(shown)
            self.say(f"CUSTOM and RAW events {'shown in place' if shown else 'hidden'}")

    def action_times(self) -> None:
        if self.view is not None:
            self.say(_TIMES[self.view.cycle_times()].capitalize())

    def action_follow_mode(self) -> None:
        if self.view is not None:
            start = self.view.options.follow == "end"
            self.view.set_follow_mode("start" if start else "end")
            self.say(
                "Following keeps the start of the newest message in view"
                if start
                else "Following keeps the end in view"
            )

    def action_keep_going(self) -> None:
        workers.start(self, self._read_on, "read-on", alone=True)

    async def _read_on(self) -> None:
        session = self.session
        if session is None:
            return
        await session.read_on(not session.keep_going)
        self.say(
            "Reading on past violations; what follows is marked"
            if session.keep_going
            else "Stopping at the first violation"
        )
        self.paint_soon()
