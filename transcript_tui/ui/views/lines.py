"""Lines to read: wrapped, scrolled, without a cursor."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer

from transcript_tui.ui.cells import Range, width_of
from transcript_tui.ui.layout.copying import text_of
from transcript_tui.ui.layout.rows import Copied
from transcript_tui.ui.timers import after
from transcript_tui.ui.views.cutting import cells_of
from transcript_tui.ui.views.jsonlines import Laid
from transcript_tui.ui.views.rowlist import stretch
from transcript_tui.ui.views.styledcells import Cells, strip_of
from transcript_tui.ui.widgets.strips import paint
from transcript_tui.ui.widgets.themed import Themed
from transcript_tui.ui.wrapping import wrap

Line = Cells | Laid

SLICE: Final = 0.008
"""Seconds of wrapping at a time."""
STEP: Final = 4_000
"""Characters of a line that are wrapped at a time: it may be as long as it likes."""
PAUSE: Final = 0.005
"""Seconds between two slices."""


class Lines(ScrollView, Themed, can_focus=True):
    """Shows lines of cells, wrapped at the width it has."""

    DEFAULT_CSS = """
    Lines {
        height: 1fr; width: 1fr; overflow-x: hidden; scrollbar-size-vertical: 1;
        background: $surface; color: $foreground; padding: 0 1;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._rest: Iterator[Row] = iter(())
        """What is not wrapped yet."""
        self._filling: Timer | None = None
        self._rows: list[Row] = []
        self._width = 0

    def show_lines(self, lines: Sequence[Line], *, keep_place: bool = True) -> None:
        """Show other lines; from their start unless ``keep_place``. Very many come bit by bit."""
        if lines == self._lines and keep_place:
            return
        self._lines = lines
        if not keep_place:
            self.scroll_to(y=0, animate=False, immediate=True)
        self._wrap()

    def _wrap(self) -> None:
        self._width = self.scrollable_content_region.width
        self._rest = (row for line in self._all() for row in rows_of(line, self._width))
        self._rows = []
        if self._filling is not None:
            self._filling.stop()
        if self._width > 0:
            self._fill()

    def _all(self) -> Iterator[Cells]:
        for line in self._lines:
            if isinstance(line, Laid):
                yield from line
            else:
                yield line

    def _fill(self) -> None:
        """Wrap what is in view, and on from there for a slice of time."""
        self._filling = None
        wanted = self.scroll_offset.y + self.size.height
        until = time.perf_counter() + SLICE
        for row in self._rest:
            self._rows.append(row)
            if len(self._rows) >= wanted and time.perf_counter() > until:
                self._filling = after(self, PAUSE, self._fill)
                break
        stretch(self, Size(self._width, len(self._rows)))
        if self.scrollable_content_region.width != self._width:
            # The scrollbar came or went, and nobody tells of that.
            self._wrap()
        self.refresh()

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._width:
            self._wrap()

    def render_line(self, y: int) -> Strip:
        index = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        cells = self._rows[index].cells if index < len(self._rows) else ()
        strip = strip_of(cells, self.inks, width, self.rich_style)
        return self._selected(strip, index).apply_offsets(0, index)

    # Text selected with the mouse

    def _selected(self, strip: Strip, row: int) -> Strip:
        span = self.text_selection.get_span(row) if self.text_selection is not None else None
        if span is None:
            return strip
        text = strip.text
        start, end = span[0], len(text.rstrip(" ")) if span[1] < 0 else span[1]
        mark = " reverse" if self.app.no_color else ""
        style = self.inks[f"selection-foreground/selection-background{mark}"]
        return paint(strip, width_of(text[:start]), width_of(text[:end]), style)

    def selection_updated(self, selection: Selection | None) -> None:
        self.refresh()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Lines that were only wrapped are whole again."""
        lines = text_of(self._copied(selection)).split("\n")
        return "\n".join([line.rstrip(" ") for line in lines]).rstrip("\n"), "\n"

    def _copied(self, selection: Selection) -> Iterator[Copied]:
        first = selection.start.y if selection.start is not None else 0
        end = selection.end.y + 1 if selection.end is not None else len(self._rows)
        for index in range(first, min(end, len(self._rows))):
            row, span = self._rows[index], selection.get_span(index)
            if span is None:
                continue
            text = "".join([text for text, _ in row.cells])
            start = max(span[0], row.indent)
            part = text[start:] if span[1] < 0 else text[start : max(start, span[1])]
            yield Copied((part,), None if row.joint is None else (row.joint,), "")

    # What the shell's keys call, the same names as the transcript's

    def scroll_lines(self, lines: int) -> None:
        self.scroll_relative(y=lines, animate=False)

    def scroll_pages(self, pages: float) -> None:
        self.scroll_relative(y=round(pages * max(1, self.size.height - 1)), animate=False)

    def go_first(self) -> None:
        self.scroll_home(animate=False)

    def go_last(self) -> None:
        self.scroll_end(animate=False)

    def select_next(self) -> None:
        self.scroll_lines(1)

    def select_previous(self) -> None:
        self.scroll_lines(-1)

    def toggle_fold(self) -> bool:
        return False


class Fact(tuple[tuple[str, str], ...]):
    """Cells of which the first is a name: what has no room stands below the second."""

    __slots__ = ()


class Row(NamedTuple):
    """A row of a line that was wrapped."""

    cells: Cells
    joint: str | None = None
    """What stands in the line between it and the row above; ``None``: the line begins here."""
    indent: int = 0
    """Cells that are before it, and not of the line."""


def rows_of(line: Cells, width: int) -> Iterator[Row]:
    """The line in rows of at most ``width`` cells, broken between words where that is possible."""
    text = "".join([text for text, _ in line])
    if len(text) <= STEP and width_of(text) <= width:
        yield Row(line)
        return
    indent = _hang(line, width)
    # A fact's name is no place to break at: what stands behind it has a column of its own.
    head = len(line[0][0]) if indent and isinstance(line, Fact) else 0
    end: int | None = None
    for ranges in _ranges(text, head, width - indent, width - indent if head else width):
        if end is None:
            ranges[0] = (0, ranges[0][1])
        for cells, here in zip(cells_of(line, ranges), ranges, strict=True):
            if end is None:
                yield Row(cells)
            else:
                yield Row([(" " * indent, ""), *cells], text[end : here[0]], indent)
            end = here[1]


def _ranges(text: str, at: int, width: int, first: int) -> Iterator[list[Range]]:
    """The rows of ``text`` from ``at`` on, a part of them at a time."""
    while True:
        rows = wrap(text[at : at + STEP], width, first)
        whole = at + STEP >= len(text)
        if not whole and len(rows) == 1:
            rows, whole = wrap(text[at:], width, first), True
        # The last may go on in what was not looked at.
        yield [(at + start, at + end) for start, end in (rows if whole else rows[:-1])]
        if whole:
            return
        at, first = at + rows[-1][0], width


def _hang(line: Cells, width: int) -> int:
    """Cells that further rows are indented by: below a fact, or as deep as nested JSON."""
    first = line[0][0]
    if isinstance(line, Fact):
        return width_of(first) if width_of(first) <= width // 2 else 0
    depth = len(first) - len(first.lstrip(" "))
    return min(depth + 2, width // 3) if depth else 0
