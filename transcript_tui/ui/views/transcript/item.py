"""An item as it is drawn: an entry at a position and a width, in rows of cells."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, assert_never

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    RunEnd,
    RunStart,
    Step,
    Subagent,
)
from transcript_tui.ui.cells import snapped, width_of
from transcript_tui.ui.layout import DocumentStyles
from transcript_tui.ui.layout.rows import EVERYTHING, Copied, copied_pieces
from transcript_tui.ui.views.transcript import dividers
from transcript_tui.ui.views.transcript.blocks import Block, Flow
from transcript_tui.ui.views.transcript.draft import Draft, Shelf
from transcript_tui.ui.views.transcript.messages import draw_message
from transcript_tui.ui.views.transcript.palette import Palette
from transcript_tui.ui.views.transcript.pattern import Pattern
from transcript_tui.ui.views.transcript.rows import fit
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.widgets.strips import Line, paint

BAR: Final = "▎"
SELECTED_BAR: Final = "█"
_WORD: Final = re.compile(r"\w(?:[\w@./~?&=%#+:-]*[\w/])?")
"""Names, numbers, paths and addresses, without the punctuation that follows them."""
_IN_WORD: Final = re.compile(r"[\w@./~?&=%+#:-]")
AFTER_BAR: Final = "┊"
"""Gutter of what came after a violation."""


Span = tuple[int, int, int]
"""(row, first cell, cell after the last) of an item's content."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is laid over the rows of one item for the moment."""

    selected: bool = False
    pattern: Pattern | None = None
    """Matches to highlight."""
    bare: bool = False
    """Matches stand in rows that are no laid-out text (the label), too."""
    current: tuple[Span, ...] = ()
    """The match that search stands on."""
    marked: tuple[int, int, int, int] | None = None
    """Selected with the mouse: first row, first cell, last row, cell after the last."""


PLAIN: Final = Overlay()


@dataclass(frozen=True, slots=True)
class Spot:
    """A row of an item, by what stands there."""

    block: int
    row: int
    """Row of the block."""
    flow: Flow | None = None
    anchor: Any = None
    """The document's own name of the row."""


class Item:
    """One entry, drawn; :meth:`draw` brings it up to date."""

    __slots__ = (
        "_blocks", "_cache", "_gutters", "_offsets", "_openers", "_palette", "_width",
        "foldable", "folded", "height", "key", "overlay", "shelf", "stale", "version", "view",
    )  # fmt: skip

    def __init__(self, key: int, styles: DocumentStyles, dimmed: DocumentStyles) -> None:
        self.key = key
        self.shelf = Shelf(styles, dimmed)
        self.height = 0
        self.stale = True
        """The entry or the scene changed since it was drawn."""
        self.foldable = False
        self.folded = False
        self.view: MessageView | None = None
        """What was drawn, where the entry is a message."""
        self.overlay = PLAIN
        self.version = 0
        """Grows whenever rows may look different."""
        self._width = 0
        self._gutters: tuple[Strip, Strip, Strip] = (Strip([]), Strip([]), Strip([]))
        self._blocks: list[Block] = []
        self._openers: list[Block] = []
        self._offsets: list[int] = []
        self._cache: dict[int, tuple[Strip, Overlay, Line]] = {}
        self._palette: Palette

    def draw(self, scene: Scene) -> None:
        entry: AnyEntry = scene.transcript.entries[self.key]
        self.view = entry.at(scene.position) if isinstance(entry, Message) else None
        draft = Draft(self.key, scene, self.shelf, _depth(entry, self.view, scene))
        self.shelf.begin()
        _draw(draft, entry, self.view)
        self.shelf.end()
        self._palette = scene.palette
        self.version += 1
        self._stack(draft.blocks)
        self._openers = draft.openers
        gutters = _gutters(draft, scene, after=scene.after_violation(entry))
        if gutters != self._gutters or self._width != scene.width:
            self._gutters, self._width = gutters, scene.width
            self._cache.clear()
        self.foldable, self.folded, self.stale = draft.foldable, draft.folded, False

    def _stack(self, blocks: list[Block]) -> None:
        self._blocks = [block for block in blocks if block.height]
        self._offsets = []
        height = 0
        for block in self._blocks:
            self._offsets.append(height)
            height += block.height
        self.height = height
        for y in [y for y in self._cache if y >= height]:
            del self._cache[y]

    def settle(self, first: int, last: int) -> bool:
        """Lay out what the rows from ``first`` to before ``last`` need; whether heights changed."""
        changed = False
        for _, block, start, end in self._within(first, last):
            if isinstance(block, Flow):
                changed |= block.settle(start, end)
        if changed:
            self.version += 1
            self._stack(self._blocks)
        return changed

    @property
    def whole(self) -> bool:
        """Whether all of its texts was read; :meth:`read_on` goes on with those that were not."""
        return all(block.whole for block in self._blocks if isinstance(block, Flow))

    def read_on(self) -> None:
        for block in self._blocks:
            if isinstance(block, Flow) and not block.whole:
                block.read_on()
        self.version += 1
        self._stack(self._blocks)

    def restyle(self, styles: DocumentStyles, dimmed: DocumentStyles) -> None:
        """Draw everything in other styles, when it is drawn again."""
        self.shelf.restyle(styles, dimmed)
        self._cache.clear()
        self.stale = True

    def lay_over(self, overlay: Overlay) -> None:
        if overlay != self.overlay:
            self.overlay = overlay
            self.version += 1

    def spot(self, y: int) -> Spot:
        """What stands at a row, said so that it is found again when heights have changed."""
        index = bisect_right(self._offsets, y) - 1
        if index < 0:
            return Spot(0, y)
        block, row = self._blocks[index], y - self._offsets[index]
        if isinstance(block, Flow):
            return Spot(index, row, block, block.document.anchor(block.width, row))
        return Spot(index, row)

    def find(self, spot: Spot) -> int:
        """The row where a spot is now."""
        name = spot.flow.name if spot.flow is not None else None
        for top, block in self.blocks():
            if spot.flow is None or not isinstance(block, Flow) or block.name != name:
                continue
            if block.document is not spot.flow.document:
                return top + min(spot.row, block.height - 1)
            return top + min(block.document.place(block.width, spot.anchor), block.height - 1)
        if not self._offsets:
            return 0
        return self._offsets[min(spot.block, len(self._offsets) - 1)] + spot.row

    def blocks(self) -> Iterator[tuple[int, Block]]:
        """Each block with the row it begins at."""
        return zip(self._offsets, self._blocks, strict=True)

    def _within(self, first: int, last: int) -> Iterator[tuple[int, Block, int, int]]:
        """The blocks that rows from ``first`` to before ``last`` reach into: (the row it begins
        at, block, its first such row, the one after its last)."""
        for top, block in self.blocks():
            if top < last and first < top + block.height:
                yield top, block, max(0, first - top), min(block.height, last - top)

    def content(self, y: int) -> Strip:
        """Row ``y`` without gutter, background and overlay."""
        index = bisect_right(self._offsets, y) - 1
        return self._blocks[index].strip(y - self._offsets[index])

    def copied(self, y: int, left: int, right: int) -> Copied | None:
        """What cells of row ``y`` give to the one who copies them; ``None``: it has no text."""
        index = bisect_right(self._offsets, y) - 1
        cells = self.gutter
        return self._blocks[index].copied(y - self._offsets[index], left - cells, right - cells)

    def copied_between(
        self, first: int, start: int, last: int, end: int
    ) -> Iterator[list[Copied | None]]:
        """What is copied from cell ``start`` of row ``first`` up to before cell ``end`` of row
        ``last``: of the item as it is now, some rows at a time."""
        parts = []
        for top, block, begin, stop in self._within(first, last + 1):
            lead = self.gutter + block.lead
            left = start - lead if top <= first else 0
            right = end - lead if last < top + block.height else EVERYTHING
            parts.append((block.rows_between(begin, stop), left, right))
        return chain.from_iterable(copied_pieces(*part) for part in parts)

    def reaches_unread(self, first: int, last: int) -> bool:
        """Whether rows from ``first`` to ``last`` stand for text that was not read."""
        return any(
            block.reaches_unread(start, end)
            for _, block, start, end in self._within(first, last + 1)
            if isinstance(block, Flow)
        )

    def joint(self, y: int) -> str | None:
        """What joins row ``y`` to the one above; ``None``: a line begins there, or nothing is."""
        copied = self.copied(y, 0, EVERYTHING) if 0 <= y < self.height else None
        return None if copied is None or copied.joints is None else copied.joints[0]

    def words(self, y: int) -> list[tuple[int, int]]:
        """The words of row ``y``: first cell, cell after the last; gutter included."""
        text, before = self.content(y).text, self.gutter
        return [
            (before + width_of(text[: match.start()]), before + width_of(text[: match.end()]))
            for match in _WORD.finditer(text)
        ]

    def runs_on(self, y: int) -> bool:
        """Whether a word goes on from the row above into row ``y``."""
        if self.joint(y) != "" or not self.words(y) or not self.words(y - 1):
            return False
        copied = self.copied(y, 0, EVERYTHING)
        begins = copied.texts[0] if copied is not None else ""
        above = self.content(y - 1).text
        return bool(begins and _IN_WORD.match(begins[0]) and _IN_WORD.match(above[-1]))

    def opens(self, y: int) -> bool:
        """Whether row ``y`` stands for what is left out of the item."""
        return self._blocks[bisect_right(self._offsets, y) - 1] in self._openers

    @property
    def gutter(self) -> int:
        """Cells before the content."""
        return self._gutters[0].cell_length

    def strip(self, y: int) -> Line:
        """Row ``y``, as wide as the scene."""
        return self._composed(y, self.content(y))

    def strips(self, first: int, last: int) -> list[Line]:
        """Rows from ``first`` to before ``last``; cheaper than one by one."""
        contents: list[Strip] = []
        for top, block in self.blocks():
            if top < last and first < top + block.height:
                contents += block.strips(max(0, first - top), min(block.height, last - top))
        return [self._composed(y, content) for y, content in enumerate(contents, max(0, first))]

    def _composed(self, y: int, content: Strip) -> Line:
        kept = self._cache.get(y)
        if kept is not None and kept[0] is content and kept[1] == self.overlay:
            return kept[2]
        composed = self._compose(y, content)
        self._cache[y] = (content, self.overlay, composed)
        return composed

    def _compose(self, y: int, content: Strip) -> Line:
        overlay, palette = self.overlay, self._palette
        plain, selected, blank = self._gutters
        if y == self.height - 1 and not content.cell_length:
            gutter = blank
        else:
            gutter = selected if overlay.selected else plain
        width = self._width - gutter.cell_length
        strip = fit(content, width, palette.base)
        if overlay.selected and y == 0:
            strip = paint(strip, 0, width, palette.selected, palette.selected_lines)
        if overlay.pattern is not None:
            strip = self._highlight(y, strip, overlay.pattern)
        line = Line((*gutter, *strip), self._width)
        if overlay.marked is not None:
            line = Line(self._mark(y, line, overlay.marked), self._width)
        return line

    def _highlight(self, y: int, strip: Strip, pattern: Pattern) -> Strip:
        block = self._blocks[bisect_right(self._offsets, y) - 1]
        if isinstance(block, Flow) or self.overlay.bare:
            for start, end in matched_cells(strip.text, pattern):
                strip = paint(strip, start, end, self._palette.match)
        for row, start, end in self.overlay.current:
            if row == y:
                strip = paint(strip, start, min(end, strip.cell_length), self._palette.current)
        return strip

    def _mark(self, y: int, strip: Strip, marked: tuple[int, int, int, int]) -> Strip:
        first, start, last, end = marked
        if not first <= y <= last:
            return strip
        left = max(self.gutter, start) if y == first else self.gutter
        right = min(end, strip.cell_length) if y == last else strip.cell_length
        cells = snapped(strip.text, left, right)
        return paint(strip, *cells, self._palette.marked, self._palette.selected_lines)


def matched_cells(text: str, pattern: Pattern) -> list[tuple[int, int]]:
    """The cells of a row that matches cover."""
    spans = pattern.spans(text)
    return [(cell_len(text[:start]), cell_len(text[:end])) for start, end in spans]


def _depth(entry: AnyEntry, view: MessageView | None, scene: Scene) -> int:
    """How many invocations the entry stands in."""
    if view is not None:
        return len(scene.lineage(view.owner))
    if isinstance(entry, Subagent):
        return len(scene.lineage(entry.parent))
    if isinstance(entry, Step | Passthrough):
        return len(scene.lineage(entry.owner))
    return 0


def _gutters(draft: Draft, scene: Scene, *, after: bool) -> tuple[Strip, Strip, Strip]:
    """The cells before plain rows, before rows of the selected item, before the blank row."""
    palette = scene.palette
    guides = [Segment("│ ", palette.speakers["subagent"] + Style(bold=False, dim=True))]
    before = guides * draft.depth
    bar = draft.bar or palette.base
    sign = AFTER_BAR if after else BAR if draft.bar is not None else " "
    if after:
        bar = palette.danger
    return (
        Strip([*before, Segment(f"{sign} ", bar)]),
        Strip([*before, Segment(f"{SELECTED_BAR} ", palette.accent)]),
        Strip([*before, Segment("  ", palette.base)]),
    )


def _draw(draft: Draft, entry: AnyEntry, view: MessageView | None) -> None:
    match entry:
        case Message():
            assert view is not None
            draw_message(draft, view)
        case RunStart():
            dividers.draw_run_start(draft, entry)
        case RunEnd():
            dividers.draw_run_end(draft, entry)
        case Step():
            dividers.draw_step(draft, entry)
        case Subagent():
            dividers.draw_subagent(draft, entry)
        case Passthrough():
            dividers.draw_passthrough(draft, entry)
        case Rejection():
            dividers.draw_rejection(draft, entry)
        case Cut():
            dividers.draw_cut(draft, entry)
        case _:
            assert_never(entry)
