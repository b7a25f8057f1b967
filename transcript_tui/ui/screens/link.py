"""Asks before a link is opened, and shows where it really goes."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from transcript_tui.text import label
from transcript_tui.ui.terminal import shown_address


class LinkScreen(ModalScreen[str | None]):
    """Returns the address to open, or ``None``."""

    DEFAULT_CSS = """
    LinkScreen { align: center middle; background: $background 60%; }
    LinkScreen > Vertical {
        width: 90%; max-width: 100; height: auto; max-height: 80%;
        background: $panel; border: round $primary; border-title-color: $primary;
        border-subtitle-color: $dim; padding: 1 2;
    }
    LinkScreen Static { height: auto; color: $dim; margin-bottom: 1; }
    LinkScreen OptionList {
        height: auto; max-height: 12; padding: 0; background: $panel; border: none;
        &:focus { border: none; background-tint: $panel 0%; }
        &:nocolor > .option-list--option-highlighted { text-style: bold underline; }
    }
    """
    ENTER: Final = "Open"
    """What Enter does, for the key line."""
    BINDINGS = [("escape,q", "dismiss(None)", "Cancel")]  # noqa: RUF012  # Textual's way

    def __init__(self, links: list[str]) -> None:
        super().__init__()
        self._links = links

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Open in the browser?"
            box.border_subtitle = "Enter opens it · Esc does not"
            one = len(self._links) == 1
            words = "This is the true address." if one else "These are the true addresses."
            yield Static(words, markup=False)
            options = [Option(label(shown_address(link))) for link in self._links]
            yield OptionList(*options, markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._links[event.option_index])
