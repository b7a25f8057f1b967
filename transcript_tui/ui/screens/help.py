"""All keys, from the one table."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from transcript_tui.ui.actions import ACTIONS, GROUPS, ActionRow, Group
from transcript_tui.ui.keymap import Keymap

TWO_COLUMNS = 112
"""Cells from which two columns have room."""


class HelpScreen(ModalScreen[None]):
    """The keys by group; Esc closes."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    HelpScreen > VerticalScroll {
        width: 94%; max-width: 132; height: auto; max-height: 94%;
        background: $panel; border: round $primary; padding: 1 2 0 2;
        border-title-color: $primary; border-subtitle-color: $dim;
        scrollbar-size-vertical: 1; layout: grid; grid-size: 1; grid-rows: auto; grid-gutter: 0 3;
    }
    HelpScreen.-two > VerticalScroll { grid-size: 2; }
    HelpScreen KeyColumn { height: auto; width: 1fr; text-wrap: nowrap; }
    """
    BINDINGS = [("escape,q,question_mark", "dismiss", "Close")]  # noqa: RUF012  # Textual's way

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = "Keys"
            box.border_subtitle = "Esc closes · Ctrl+P finds a command by name"
            for groups in (GROUPS[:3], GROUPS[3:]):
                yield KeyColumn(self._keymap, groups)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()

    def on_resize(self) -> None:
        self.set_class(self.size.width >= TWO_COLUMNS, "-two")


class KeyColumn(Static):
    """Some groups of keys, laid out with a hanging indent."""

    INDENT = 10

    def __init__(self, keymap: Keymap, groups: Sequence[Group]) -> None:
        super().__init__()
        self._keymap = keymap
        self._groups = groups

    def on_resize(self) -> None:
        self.update(self._laid_out(max(12, self.size.width - self.INDENT)))

    def _laid_out(self, width: int) -> Content:
        lines: list[Content] = []
        for group in self._groups:
            lines.append(Content.styled(f"{group}", "bold $accent"))
            for row in ACTIONS:
                if row.group == group:
                    lines += self._row(row, width)
            lines.append(Content(""))
        return Content("\n").join(lines)

    def _row(self, row: ActionRow, width: int) -> list[Content]:
        keys = self._keymap.shown(row.id) or "no key"
        first, *more = textwrap.wrap(row.text, width)
        head = Content.assemble((f"{keys:<{self.INDENT}}", "bold $primary"), first)
        return [head, *(Content(" " * self.INDENT + line) for line in more)]
