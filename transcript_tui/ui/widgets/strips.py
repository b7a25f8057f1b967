"""A widget that draws strips it is given, and paints nothing twice.

The compositor asks every widget in a clip for all of its lines whenever one of them
changed; what has not changed is therefore answered from one list, line filters applied.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.geometry import Region, Size
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from transcript_tui.ui.cells import plain_widths

_LINES: Final = re.compile(r"[ ─━┄╌│┼╭├╰┊▏]+")
"""What is only drawn, and blanks."""
_SAVE: Final = "\x1b7"
_RESTORE: Final = "\x1b8"


class Line(Strip):
    """A strip that is never found in its own cache.

    Textual's keeps what it was divided into; undivided, that is itself, a circle that only the
    garbage collector undoes: forty a painting, each with all that a strip keeps.
    """

    __slots__ = ("_disputed",)
    _disputed: bool

    @property
    def disputed(self) -> bool:
        """Whether a terminal may draw it wider than it is."""
        try:
            return self._disputed
        except AttributeError:
            self._disputed = not plain_widths(self.text)
            return self._disputed

    def divide(self, cuts: Iterable[int]) -> Sequence[Strip]:
        cuts = [cut for cut in cuts if cut <= self.cell_length]
        return [self] if cuts == [self.cell_length] else super().divide(cuts)

    def render(self, console: Console) -> str:
        """As it is written to the terminal.

        Terminals do not agree how wide emoji sequences and combining letters are. Where there
        are any, the line is blanked first, and the cursor is put behind it by its own length:
        whatever the terminal makes of them, what stands beside the line stays where it is.
        """
        text = self.text
        if not self._segments or not self.disputed:
            return super().render(console)
        style = self._segments[-1].style or Style()
        system = console._color_system or ColorSystem.TRUECOLOR
        blank = self.render_style(style, " " * self.cell_length, color_system=system)
        # Without the blanks at its end: what is wider than thought must not push them further.
        inked = self.cell_length - len(text) + len(text.rstrip(" "))
        written = Strip(self.crop(0, inked)).render(console)
        return f"{_SAVE}{blank}{_RESTORE}{written}{_RESTORE}\x1b[{self.cell_length}C"

    def apply_filter(self, filter: LineFilter, background: Color) -> Strip:
        kept = self._filter_cache.get((filter, background))
        if not isinstance(kept, Line):
            kept = Line(super().apply_filter(filter, background), self.cell_length)
            self._filter_cache[(filter, background)] = kept
        return kept


def paint(strip: Strip, start: int, end: int, style: Style, lines: Style | None = None) -> Strip:
    """``strip`` with ``style`` laid over the cells from ``start`` to ``end``; ``lines``: over
    what is only drawn there, where that differs."""
    if end <= start:
        return strip
    length = strip.cell_length
    left, middle, right = strip.crop(0, start), strip.crop(start, end), strip.crop(end, length)
    painted = Strip(
        [
            Segment(text, (own or Style()) + (lines if lines and _LINES.fullmatch(text) else style))
            for text, own, _ in middle
        ]
    )
    return Strip.join((left, painted, right))


class StripsWidget(Widget):
    """Line API without the style box: no border, no padding, lines cached by the widget itself."""

    ALLOW_SELECT = False

    # The base class lays the whole screen out once more whenever a widget's size has changed.
    # There is nothing within these to lay out, so a new line costs one layout, not two.
    virtual_size: Reactive[Size] = Reactive(Size(0, 0), layout=False, repaint=False)

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._asked: tuple[Region, object] | None = None
        self._answer: list[Strip] = []

    def strip_at(self, y: int) -> Strip:
        """Line ``y`` of the widget, as wide as the widget."""
        raise NotImplementedError

    def strips_in(self, lines: range) -> list[Strip]:
        return [self.strip_at(y) for y in lines]

    def touch(self) -> None:
        """Forget what was answered; call it before ``refresh``."""
        self._asked = None

    def notify_style_update(self) -> None:
        self.touch()
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        return self.strip_at(y)

    def render_lines(self, crop: Region) -> list[Strip]:
        filters = self.get_line_filters()
        asked = (crop, tuple(map(id, filters)))
        if self._asked == asked:
            return self._answer
        strips = self.strips_in(crop.line_range)
        if filters:
            background = self.background_colors[1]
            for line_filter in filters:
                strips = [strip.apply_filter(line_filter, background) for strip in strips]
        if crop.x or crop.width < self.size.width:
            strips = [strip.crop(crop.x, crop.right) for strip in strips]
        self._asked, self._answer = asked, strips
        return strips
