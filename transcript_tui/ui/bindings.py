"""The keys that are set, as Textual wants them."""

from __future__ import annotations

from textual.binding import Binding

from transcript_tui.ui.actions import ACTIONS
from transcript_tui.ui.keymap import Keymap, key_name


def bindings(keymap: Keymap) -> list[Binding]:
    """Every row of the table as Textual's bindings."""
    made: list[Binding] = []
    for row in ACTIONS:
        for place, key in enumerate(keymap.keys[row.id]):
            action = f"{row.id}({place})" if row.numbered else row.id
            # Ctrl+C and the palette work wherever the focus is; all else gives way to typing.
            priority = row.id in ("copy_or_quit", "palette")
            if key:
                made.append(Binding(key_name(key), action, row.text, show=False, priority=priority))
    return made
