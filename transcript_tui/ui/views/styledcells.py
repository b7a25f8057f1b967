"""Cells with styles by name, and the strip that a line of them is drawn as."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from transcript_tui.ui.styles import Styles

__all__ = ["Cells", "strip_of"]

Cells = Sequence[tuple[str, str]]
"""(text that has passed the gate, name of its style), left to right."""
_ZWJ = "\u200d"


def strip_of(
    cells: Cells, styles: Styles, width: int, base: Style, over: Style | None = None
) -> Strip:
    """One line, cut or filled to ``width`` cells; ``over`` lies on top of the cells' own styles."""
    strip = Strip([Segment(text, base + styles[name] + over) for text, name in cells if text])
    if strip.cell_length > width or _ZWJ in strip.text:
        # The first frame shows nothing of the kind, and need not wait for these.
        from transcript_tui.ui.cells import segments
        from transcript_tui.ui.views.cutting import shortened

        parts: list[Segment] = []
        for text, name in shortened(cells, width):
            if text:
                parts += segments(text, base + styles[name] + over)
        strip = Strip(parts)
    return strip.adjust_cell_length(width, base + over)
