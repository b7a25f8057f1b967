"""A line laid over a view's last row."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from transcript_tui.ui.widgets.strips import StripsWidget


class Hint(StripsWidget):
    """Says what arrived out of sight; a click goes there (the view listens)."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self._style = Style()

    @property
    def cells(self) -> int:
        return cell_len(self.text)

    def say(self, text: str, style: Style) -> bool:
        """Whether that changed anything."""
        if (text, style) == (self.text, self._style):
            return False
        self.text, self._style = text, style
        self.touch()
        self.refresh()
        return True

    def strip_at(self, y: int) -> Strip:
        return Strip([Segment(self.text, self._style)])
