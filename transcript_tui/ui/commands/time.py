"""Playback: the same keys for a log, a demo and a live stream."""

from __future__ import annotations

from transcript_tui.ui.screens.base import BaseScreen


class Time(BaseScreen):
    """Keys of the group “Time”."""

    def action_play(self) -> None:
        if self.session is not None:
            self.session.player.toggle()
            self.paint_soon()

    def action_next_event(self) -> None:
        self._step_events(1)

    def action_previous_event(self) -> None:
        self._step_events(-1)

    def _step_events(self, number: int) -> None:
        if self.session is not None:
            self.session.player.step_events(number)
            self.paint_soon()

    def action_next_message(self) -> None:
        self._step_messages(1)

    def action_previous_message(self) -> None:
        self._step_messages(-1)

    def _step_messages(self, number: int) -> None:
        if self.session is not None:
            self.session.player.step_messages(number)
            self.paint_soon()

    def action_tenth(self, tenth: int) -> None:
        if self.session is not None:
            self.session.player.seek_fraction(tenth / 10)
            self.paint_soon()

    def action_faster(self) -> None:
        if self.session is not None:
            self.session.player.faster()
            self.paint_soon()

    def action_slower(self) -> None:
        if self.session is not None:
            self.session.player.slower()
            self.paint_soon()

    def action_loop(self) -> None:
        if self.session is not None:
            self.session.player.toggle_loop()
            self.say("Begins again at the end" if self.session.player.loop else "Stops at the end")
            self.paint_soon()

    def action_live(self) -> None:
        if self.session is not None:
            self.session.player.go_live()
            if self.view is not None:
                self.view.go_last()
            self.paint_soon()
