"""Tables: columns fitted to the width, cells wrapped, rows added while it grows."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Final

from rich.style import Style

from transcript_tui.ui.cells import Span, narrow, width_of
from transcript_tui.ui.layout.leaves import Leaf, TableHead
from transcript_tui.ui.layout.markdown.inline import Inline
from transcript_tui.ui.layout.markdown.patterns import split_row
from transcript_tui.ui.layout.rows import Column, Row, row_of
from transcript_tui.ui.layout.styles import DocumentStyles
from transcript_tui.ui.wrapping import Wrapped, wrap_spans

NARROWEST: Final = 5
"""Cells of a column below which the table is shown as a list of records."""
LONGEST_WORD: Final = 16
"""Cells of a word that is kept whole in a column; else the table is shown as records, too."""
_KEPT: Final = 256

Cell = tuple[Span, ...]
_NO_MORE: Final = Wrapped([], "")
"""A cell in rows below its last."""


class Table:
    """Draws tables; cells that were read before are not read again."""

    def __init__(self, styles: DocumentStyles, inline: Inline) -> None:
        self._styles = styles
        self._inline = inline
        self._cells: OrderedDict[tuple[str, Style, bool], tuple[Cell, int, int]] = OrderedDict()
        self._links: Mapping[str, str] = {}
        self._fixed: tuple[Leaf, int, Style, list[int] | None] | None = None

    def rows(self, leaf: Leaf, width: int, base: Style, links: Mapping[str, str]) -> list[Row]:
        """A leaf of the table; the head is drawn by the first, which sets the columns."""
        if links != self._links:
            self._links = dict(links)
            self._cells.clear()
            self._fixed = None
        head = leaf.head
        if head is None:
            return []
        measured = leaf.first or leaf
        columns = (self._set if leaf.part else self._columns)(measured, head, width, base)
        if columns is None:
            return self._records(leaf, head, width, base)
        rows: list[Row] = []
        if not leaf.part:
            bold = base + self._styles.strong
            rows += self._row(head.cells, head, columns, bold, leaf.calm and not leaf.lines)
            rows.append(self._line(columns, base))
        last = len(leaf.lines) - 1
        for index, line in enumerate(leaf.lines):
            calm = leaf.calm and index == last
            rows += self._row(_cells(line, head), head, columns, base, calm)
        return rows

    def _cell(self, text: str, style: Style, calm: bool) -> tuple[Cell, int, int]:
        """The spans of a cell, how wide they are, and how wide the longest word is."""
        key = (text, style, calm)
        kept = self._cells.get(key)
        if kept is None:
            spans = tuple(self._inline.spans(text, style, self._links, calm=calm))
            plain = "".join(span.text for span in spans)
            cells = max(width_of(line) for line in plain.split("\n"))
            word = max(map(_unbroken, plain.split()), default=1)
            kept = self._cells[key] = (spans, cells, word)
            if len(self._cells) > _KEPT:
                self._cells.popitem(last=False)
        return kept

    def _set(self, leaf: Leaf, head: TableHead, width: int, base: Style) -> list[int] | None:
        """The columns that the first leaf of a table set; they are not measured again."""
        kept = self._fixed
        if kept is None or kept[0] is not leaf or kept[1] != width or kept[2] != base:
            columns = self._columns(leaf, head, width, base)
            kept = self._fixed = (leaf, width, base, columns)
        return kept[3]

    def _columns(self, leaf: Leaf, head: TableHead, width: int, base: Style) -> list[int] | None:
        """Cells of each column; ``None`` where they would be too narrow to read."""
        bold = base + self._styles.strong
        last = len(leaf.lines) - 1
        measured = [self._cell(cell, bold, False)[1:] for cell in head.cells]
        wanted, words = [max(1, cells) for cells, _ in measured], [word for _, word in measured]
        for index, line in enumerate(leaf.lines):
            for column, cell in enumerate(_cells(line, head)):
                _, cells, word = self._cell(cell, base, leaf.calm and index == last)
                wanted[column] = max(wanted[column], cells)
                words[column] = max(words[column], word)
        room = width - 3 * (len(wanted) - 1) - 2
        if sum(wanted) <= room:
            return wanted
        # Words stay whole, very long ones apart.
        least = [
            min(cells, max(NARROWEST, min(word, LONGEST_WORD)))
            for cells, word in zip(wanted, words, strict=True)
        ]
        return _shrunk(wanted, least, room) if sum(least) <= room else None

    def _line(self, columns: Sequence[int], base: Style) -> Row:
        text = "─┼─".join("─" * cells for cells in columns)
        return row_of([Span(f"─{text}─", base + self._styles.table_rule)], (), said=None)

    def _row(
        self,
        cells: Sequence[str],
        head: TableHead,
        columns: Sequence[int],
        style: Style,
        calm: bool,
    ) -> list[Row]:
        wrapped = self._wrapped(cells, columns, style, calm)
        bar = Span(" │ ", style.from_color(None, style.bgcolor) + self._styles.table_rule)
        rows = []
        for y in range(max(map(len, wrapped))):
            row, texts = [Span(" ", style)], list[Column]()
            x = 1
            for column, lines in enumerate(wrapped):
                if column:
                    row.append(bar)
                line = lines[y] if y < len(lines) else _NO_MORE
                before, after = _margins(line.spans, columns[column], head.aligns[column])
                row += [*_blank(before, style), *line.spans, *_blank(after, style)]
                end = x + columns[column]
                # A line that was broken within a cell is in one line of what is copied, too.
                joint = " " if line.joint is None else line.joint
                texts.append(Column(x + before, end - after, joint))
                x = end + width_of(bar.text)
            made = row_of((), row, joint="" if y else None)
            rows.append(made._replace(columns=tuple(texts)))
        return rows

    def _wrapped(
        self, cells: Sequence[str], columns: Sequence[int], style: Style, calm: bool
    ) -> list[list[Wrapped]]:
        """The lines of each cell; the last that holds anything is the one that still grows."""
        wrapped: list[list[Wrapped]] = []
        last = max((at for at, cell in enumerate(cells) if cell), default=-1)
        for index, (cell, width) in enumerate(zip(cells, columns, strict=True)):
            spans, needed, _ = self._cell(cell, style, calm and index == last)
            fits = needed <= width and not any("\n" in span.text for span in spans)
            wrapped.append([Wrapped(list(spans), None)] if fits else wrap_spans(spans, width))
        return wrapped

    def _records(self, leaf: Leaf, head: TableHead, width: int, base: Style) -> list[Row]:
        """Each row as lines of "column: value", for where columns do not fit."""
        rows: list[Row] = []
        bold = base + self._styles.strong
        rule = base + self._styles.table_rule
        if not leaf.part and not leaf.lines:
            for cell in head.cells:
                spans = self._cell(cell, bold, False)[0]
                rows += _lines(spans, width)
        for index, line in enumerate(leaf.lines):
            if index or leaf.part:
                rows.append(row_of([Span("┄" * min(width, 12), rule)], ()))
            calm = leaf.calm and index == len(leaf.lines) - 1
            for name, cell in zip(head.cells, _cells(line, head), strict=True):
                if not cell:
                    continue
                label = [*self._cell(name, bold, False)[0], Span(": ", bold)]
                value = self._cell(cell, base, calm)[0]
                rows += _lines([*label, *value], width)
        return rows


def _lines(spans: Sequence[Span], width: int) -> list[Row]:
    return [row_of((), line, joint=joint) for line, joint in wrap_spans(spans, width)]


def _cells(line: str, head: TableHead) -> list[str]:
    """As many cells as the head has."""
    cells = split_row(line)[: len(head.cells)]
    return cells + [""] * (len(head.cells) - len(cells))


def _unbroken(word: str) -> int:
    """Cells of a word that stays in one row; wide letters may be parted."""
    return width_of(word) if narrow(word) else 2


def _shrunk(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Columns that take ``room`` cells in all: the widest ones give, down to their ``least``."""

    def at_most(level: int) -> list[int]:
        return [max(few, min(cells, level)) for cells, few in zip(wanted, least, strict=True)]

    low, high = 1, max(wanted)
    while low < high:
        middle = (low + high + 1) // 2
        if sum(at_most(middle)) <= room:
            low = middle
        else:
            high = middle - 1
    columns = at_most(low)
    spare = room - sum(columns)
    for index, cells in enumerate(wanted):
        if spare > 0 and columns[index] < cells:
            columns[index] += 1
            spare -= 1
    return columns


def _margins(line: list[Span], width: int, align: str) -> tuple[int, int]:
    """Cells before and after a line in a column of ``width`` cells."""
    spare = max(0, width - sum(width_of(span.text) for span in line))
    before = {"left": 0, "right": spare, "center": spare // 2}[align]
    return before, spare - before


def _blank(cells: int, style: Style) -> list[Span]:
    return [Span(" " * cells, style)] if cells else []
