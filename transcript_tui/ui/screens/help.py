"""All keys, from the one table."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget

from transcript_tui.ui.actions import ACTIONS, GROUPS, MOUSE, Group
from transcript_tui.ui.keymap import Keymap, key_name

TWO_COLUMNS = 112
"""Cells from which two columns have room."""
NARROW = 48
"""Cells of a column below which it is indented less."""
INDENT, LESS_INDENT = 14, 10


class HelpScreen(ModalScreen[None]):
    """The keys by group; Esc closes."""

    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    HelpScreen > VerticalScroll {
        width: 100%; max-width: 132; height: auto; max-height: 100%;
        background: $panel; border: round $primary; padding: 1 2 0 2;
        border-title-color: $primary; border-subtitle-color: $dim;
        scrollbar-size-vertical: 1; layout: grid; grid-size: 1; grid-rows: auto; grid-gutter: 0 3;
    }
    HelpScreen.-two > VerticalScroll { grid-size: 2; }
    HelpScreen KeyColumn { height: auto; width: 1fr; text-wrap: nowrap; }
    """
    ENTER: Final = ""
    """What Enter does, for the key line."""
    BINDINGS = [("escape", "dismiss", "Close")]  # noqa: RUF012  # Textual's way

    def __init__(self, keymap: Keymap) -> None:
        super().__init__()
        self._keymap = keymap
        # Whatever leaves or opens something elsewhere closes it; Esc does, whatever is set.
        for action in ("help", "back", "quit"):
            for key in filter(None, keymap.keys[action]):
                self._bindings.bind(key_name(key), "dismiss", "Close")

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = "Keys"
            for groups in (GROUPS[:3], GROUPS[3:]):
                yield KeyColumn(self._keymap, groups)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._divide(self.app.size.width)

    def on_resize(self) -> None:
        self._divide(self.size.width)
        self.call_after_refresh(self._say_what_else_there_is)

    def _divide(self, width: int) -> None:
        self.set_class(width >= TWO_COLUMNS, "-two")

    def _say_what_else_there_is(self) -> None:
        """At the lower edge, once it is known whether everything is in view."""
        box = self.query_one(VerticalScroll)
        more = "↓ more · " if box.max_scroll_y else ""
        palette = self._keymap.named("palette")
        find = f" · {palette} finds a command by name" if palette else ""
        box.border_subtitle = Content(f"{more}Esc closes{find}")


class KeyColumn(Widget):
    """Some groups of keys, laid out with a hanging indent."""

    def __init__(self, keymap: Keymap, groups: Sequence[Group]) -> None:
        super().__init__()
        self._keymap = keymap
        self._groups = groups

    # Asked for at the width it gets: nothing is shown that was laid out for another.

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return self._laid_out(width).plain.count("\n") + 1

    def render(self) -> Content:
        return self._laid_out(self.size.width)

    def _laid_out(self, width: int) -> Content:
        indent = INDENT if width >= NARROW else LESS_INDENT
        lines: list[Content] = []
        for group in self._groups:
            lines.append(Content.styled(f"{group}", "bold $accent"))
            for keys, text in told_in_help(self._keymap, group):
                lines += _row(keys, text, indent, width)
            lines.append(Content(""))
        return Content("\n").join(lines)


def told_in_help(keymap: Keymap, group: Group) -> Iterator[tuple[str, str]]:
    """Keys and what they do; pairs in one sentence."""
    rows = iter([row for row in ACTIONS if row.group == group])
    for row in rows:
        if row.pair:
            both = (keymap.shown(one.id, 1) or "–" for one in (row, next(rows)))
            yield " ".join(both), row.pair
        else:
            keys, way = keymap.shown(row.id), keymap.way_to(row.id)
            yield keys or "–", row.text if keys or not way else f"{row.text} ({way})"
    if group == "Moving":
        yield from MOUSE


def _row(keys: str, text: str, indent: int, width: int) -> list[Content]:
    """A row with a hanging indent; keys that are too long for it have a line of their own."""
    lines = textwrap.wrap(text, max(12, width - indent))
    if cell_len(keys) >= indent:
        head = Content.styled(keys, "bold $primary")
    else:
        padded = keys + " " * (indent - cell_len(keys))
        head = Content.assemble((padded, "bold $primary"), lines.pop(0))
    return [head, *(Content(" " * indent + line) for line in lines)]
