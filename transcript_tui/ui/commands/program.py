"""Help, going back, leaving."""

from __future__ import annotations

from textual.widgets import Input

from transcript_tui.ui.screens.base import BaseScreen
from transcript_tui.ui.work import Work


class Program(BaseScreen):
    """Keys of the group “Program”."""

    def action_help(self) -> None:
        from transcript_tui.ui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen(self.keymap))

    def action_palette(self) -> None:
        from textual.command import CommandPalette

        from transcript_tui.ui.screens.palette import Commands

        if not CommandPalette.is_open(self.app):
            self.app.push_screen(CommandPalette(providers=[Commands], placeholder="Find a command"))

    def action_back(self) -> None:
        """Stop what takes long, close the topmost view, then clear search, selection, filter:
        one a press."""
        if self.prompt.opened:
            self.leave_prompt()
        elif self.work is not None:
            self.stop_work()
        elif self.pane_order:
            if not self.pane_order[-1].close_inner():
                self.close_pane(self.pane_order[-1])
        elif self.view is not None:
            self._clear_one()
        self.paint_soon()

    def _clear_one(self) -> None:
        view = self.view
        if view is None:
            return
        if view.search_state is not None:
            view.clear_search()
        elif view.clear_text_selection():
            pass
        elif view.selected is not None:
            view.select(None)
        elif view.options.filter:
            view.set_filter(None)

    def action_copy_or_quit(self) -> None:
        """What is selected in the input that has the focus, else in the transcript, else
        anywhere."""
        written = self.focused.selected_text if isinstance(self.focused, Input) else ""
        if not written and self.view is not None and self.view.text_is_selected:
            self.begin("Copying the selection", self._copy_selection)
        elif text := written or self.get_selected_text():
            self.copy_text(text, "the selection")
        else:
            self.action_quit()

    async def _copy_selection(self, work: Work) -> None:
        text = await self.view.selected_text(work.done) if self.view is not None else None
        if text:
            self.copy_text(text, "the selection")

    def action_ask_again(self) -> None:
        session = self.session
        if session is None or session.source.is_log:
            self.say("Only an endpoint can be asked again")
        elif session.can_ask_again:
            self.receive(session.ask_again)
        elif session.receiving:
            self.say("It is being asked already")
        else:
            self.say("Its run has begun: asking again would start it a second time")

    def action_quit(self) -> None:
        self.app.exit()
