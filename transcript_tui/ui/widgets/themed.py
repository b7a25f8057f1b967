"""A widget that draws its own lines in the styles of the theme."""

from __future__ import annotations

from textual.widget import Widget

from transcript_tui.ui.styles import Styles


class Themed(Widget):
    """Has the theme's styles by name, and draws anew when the theme changes.

    As a second base it comes last: Textual takes stylesheets from the first one only.
    """

    inks = Styles({})

    def on_mount(self) -> None:
        self._take_theme()
        self.app.theme_changed_signal.subscribe(self, lambda _theme: self._take_theme())

    def _take_theme(self) -> None:
        self.inks = Styles(self.app.theme_variables)
        self.refresh()
