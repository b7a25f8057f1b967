"""All keys, from the one table."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from transcript_tui.ui.actions import ACTIONS, GROUPS, Group
from transcript_tui.ui.keymap import Keymap

TWO_COLUMNS = 112
"""Cells from which two columns have room."""


class HelpScreen(ModalScreen[None]):
    """The keys by group; Esc closes."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    HelpScreen > VerticalScroll {
        width: 94%; max-width: 132; height: auto; max-height: 94%;
        background: $panel; border: round $primary; padding: 0 2;
        border-title-color: $primary; border-subtitle-color: $dim;
        scrollbar-size-vertical: 1; layout: grid; grid-size: 1; grid-rows: auto; grid-gutter: 0 3;
    }
    HelpScreen.-two > VerticalScroll { grid-size: 2; }
    HelpScreen Static { height: auto; width: 1fr; }
    """
    BINDINGS = [("escape,q,question_mark", "dismiss", "Close")]  # noqa: RUF012  # Textual's way

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = "Keys"
            box.border_subtitle = "Esc closes · Ctrl+P finds a command · the mouse works, too"
            for groups in (GROUPS[:3], GROUPS[3:]):
                yield Static(Content("\n").join(self._group(group) for group in groups))

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_resize(self) -> None:
        self.set_class(self.size.width >= TWO_COLUMNS, "-two")

    def _group(self, group: Group) -> Content:
        rows = [row for row in ACTIONS if row.group == group]
        lines = [Content.styled(f"\n{group}", "bold $accent")]
        lines += [
            Content.assemble(
                (f"{self._keymap.shown(row.id) or 'no key':<9} ", "bold $primary"), row.text
            )
            for row in rows
        ]
        return Content("\n").join(lines)
