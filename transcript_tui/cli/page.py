"""Where plain text is printed: lines at the margin, and indented text that goes on below them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from transcript_tui.text import safe

__all__ = ["Page", "gated"]

INDENT: Final = "  "
TAB: Final = "    "


def gated(text: str) -> str:
    """Harmless; a tab is as wide wherever a delta begins."""
    return safe(text.replace("\t", TAB))


class Page:
    """Append-only."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._began = False
        self.at_margin = True
        """Nothing stands on the line yet."""

    def line(self, text: str) -> None:
        """A line at the margin, after an empty one where a block stood before."""
        self.end()
        if self._began:
            self._write("\n")
        self._began = True
        self._write(" ".join(safe(text).split("\n")) + "\n")

    def body(self, text: str) -> None:
        """Gated text below the speaker line, indented; goes on where the last piece stopped."""
        first, *rest = text.split("\n")
        self._piece(first)
        for line in rest:
            self._write("\n")
            self.at_margin = True
            self._piece(line)

    def _piece(self, text: str) -> None:
        if text:
            self._write(INDENT + text if self.at_margin else text)
            self.at_margin = False

    def end(self) -> None:
        """End the line that something stands on."""
        if not self.at_margin:
            self._write("\n")
            self.at_margin = True
