"""Lines to read: wrapped, scrolled, without a cursor."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len, chop_cells
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.timer import Timer

from transcript_tui.ui.layout.cells import width_of
from transcript_tui.ui.layout.copying import text_of
from transcript_tui.ui.layout.rows import Copied
from transcript_tui.ui.timers import after
from transcript_tui.ui.views.jsonlines import Laid
from transcript_tui.ui.views.rows import Cells, stretch, strip_of
from transcript_tui.ui.widgets.strips import paint
from transcript_tui.ui.widgets.themed import Themed

Line = Cells | Laid

SLICE: Final = 0.008
"""Seconds of wrapping at a time."""
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
        self._rest: Iterator[Cells] = iter(())
        """What is not wrapped yet."""
        self._filling: Timer | None = None
        self._wrapped: list[Cells] = []
        self._goes_on: list[int | None] = []
        """Of each row how far it is indented below the one that it goes on from; ``None``: a
        line begins there."""
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
        self._rest, self._wrapped, self._goes_on = self._all(), [], []
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
        for line in self._rest:
            self._take(line)
            if len(self._wrapped) >= wanted and time.perf_counter() > until:
                self._filling = after(self, PAUSE, self._fill)
                break
        stretch(self, Size(self._width, len(self._wrapped)))
        if self.scrollable_content_region.width != self._width:
            # The scrollbar came or went, and nobody tells of that.
            self._wrap()
        self.refresh()

    def _take(self, line: Cells) -> None:
        rows = wrap(line, self._width)
        self._wrapped += rows
        self._goes_on += [None] * min(1, len(rows))
        if len(rows) > 1:
            self._goes_on += [_hang(line, self._width)] * (len(rows) - 1)

    def on_resize(self) -> None:
        if self.scrollable_content_region.width != self._width:
            self._wrap()

    def render_line(self, y: int) -> Strip:
        index = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        cells = self._wrapped[index] if index < len(self._wrapped) else ()
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
        lines = text_of(self._copied(selection)).rstrip("\n").split("\n")
        return "\n".join([line.rstrip(" ") for line in lines]), "\n"

    def _copied(self, selection: Selection) -> Iterator[Copied]:
        first = selection.start.y if selection.start is not None else 0
        end = selection.end.y + 1 if selection.end is not None else len(self._wrapped)
        for row in range(first, min(end, len(self._wrapped))):
            cells, indent, span = self._wrapped[row], self._goes_on[row], selection.get_span(row)
            if span is None:
                continue
            text = "".join([text for text, _ in cells])
            start = max(span[0], indent or 0)
            part = text[start:] if span[1] < 0 else text[start : max(start, span[1])]
            yield Copied((part,), None if indent is None else ("",), "")

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


def _hang(line: Cells, width: int) -> int:
    """Cells that further rows are indented by: below a fact, or as deep as nested JSON."""
    first = line[0][0]
    if isinstance(line, Fact):
        return cell_len(first) if cell_len(first) <= width // 2 else 0
    depth = len(first) - len(first.lstrip(" "))
    return min(depth + 2, width // 3) if depth else 0


def wrap(line: Cells, width: int) -> list[Cells]:
    """The line in rows of at most ``width`` cells, broken between words where that is possible."""
    if sum(cell_len(text) for text, _ in line) <= width:
        return [line]
    indent = _hang(line, width)
    rows: list[list[tuple[str, str]]] = [[]]
    room = width
    for text, style in line:
        at, end = 0, len(text)
        while at < end:
            # A long rest is neither measured nor copied for each of its rows.
            if end - at <= 8 * room + 16 and cell_len(text[at:]) <= room:
                rows[-1].append((text[at:], style))
                room -= cell_len(text[at:])
                break
            begun = text[at : at + room + 1]
            head = _head(begun, room) or ("" if room < width - indent else begun[:1])
            head = head[: head.rfind(" ") + 1] or ("" if room < width // 2 - indent else head)
            rows[-1].append((head, style))
            at += len(head)
            while text[at : at + 1] == " ":
                at += 1
            rows.append([(" " * indent, "")])
            room = width - indent
    return list(rows) if any(text.strip(" ") for text, _ in rows[-1]) else list(rows[:-1])


def _head(text: str, room: int) -> str:
    """The longest beginning that ``room`` cells hold."""
    if room <= 0:
        return ""
    if text.isascii():
        return text[:room]
    first = chop_cells(text[: room + 1], room)
    return first[0] if first and cell_len(first[0]) <= room else ""
