"""Asks before a link is opened, and shows where it really goes."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from transcript_tui.ui.text import label


class LinkScreen(ModalScreen[str | None]):
    """Returns the address to open, or ``None``."""

    DEFAULT_CSS = """
    LinkScreen { align: center middle; background: $background 60%; }
    LinkScreen > Vertical {
        width: 90%; max-width: 100; height: auto; max-height: 80%;
        background: $panel; border: round $primary; border-title-color: $primary; padding: 1 2;
    }
    LinkScreen Static { height: auto; color: $dim; margin-bottom: 1; }
    LinkScreen OptionList { height: auto; max-height: 12; background: $panel; border: none; }
    """
    BINDINGS = [("escape,q", "dismiss(None)", "Cancel")]  # noqa: RUF012  # Textual's way

    def __init__(self, links: list[str]) -> None:
        super().__init__()
        self._links = links

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = "Open in the browser?"
            yield Static("This is the true address. Enter opens it, Esc does not.", markup=False)
            options = [Option(label(link)) for link in self._links]
            yield OptionList(*options, markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._links[event.option_index])
