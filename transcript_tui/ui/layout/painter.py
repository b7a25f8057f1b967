"""Leaves to rows, in one set of styles at one width."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec.structs import replace
from rich.style import Style
from textual.strip import Strip

from transcript_tui.ui.cells import Span, width_of
from transcript_tui.ui.layout.json.words import words
from transcript_tui.ui.layout.leaves import Item, Kind, Leaf, Quote
from transcript_tui.ui.layout.markdown.inline import Inline
from transcript_tui.ui.layout.rows import Row, row_of
from transcript_tui.ui.layout.styles import DocumentStyles
from transcript_tui.ui.layout.syntax import ROOT, LexerState, colored, language
from transcript_tui.ui.layout.table import Table
from transcript_tui.ui.wrapping import Wrapped, chop, joints, slices, wrap, wrap_spans

_BULLETS: Final = "•◦▪"
_QUOTE: Final = "│ "
_RULE: Final = "---"
"""What a rule is to the one who copies it."""
_TASKS: Final = {"[ ] ": "☐", "[x] ": "☑", "[X] ": "☑"}
NARROWEST: Final = 8
"""Cells that text keeps, however deep it stands."""


class Painter:
    """Draws leaves. What it is asked twice it does twice: who asks keeps the rows."""

    def __init__(self, styles: DocumentStyles, *, addresses: bool = False) -> None:
        self.styles = styles
        self.links: Mapping[str, str] = {}
        """Addresses of link labels, normalized."""
        self._inline = Inline(styles, addresses=addresses)
        self._table = Table(styles, self._inline)
        self._waiting: tuple[int, Row] | None = None
        self._recent: list[tuple[Wrapped, Row]] = []
        self._states: dict[int, tuple[Leaf, LexerState]] = {}

    def rows(self, leaf: Leaf, width: int) -> list[Row]:
        """The rows of ``leaf``, the blank one before it among them."""
        base = self.styles.text
        if not leaf.containers:
            rows = _DRAWN[leaf.kind](self, leaf, max(1, width), base)
            return [Row(Strip([])), *rows] if leaf.gap else rows
        return self._contained(leaf, width)

    def waiting(self, share: int) -> Row:
        """A row that says how much of a long text was read, percent."""
        if self._waiting is None or self._waiting[0] != share:
            words = Span(f"⋯ reading, {share} %", self.styles.text + self.styles.muted)
            self._waiting = share, row_of([words], (), said=None)
        return self._waiting[1]

    # Containers

    def _contained(self, leaf: Leaf, width: int) -> list[Row]:
        base = self.styles.text
        if any(isinstance(each, Quote) for each in leaf.containers):
            base = base + self.styles.quote
        leaf_text = leaf.lines[0] if leaf.lines else ""
        task = _TASKS.get(leaf_text[:4]) if self._takes_task(leaf) else None
        first, rest = self._marks(leaf, task, max(NARROWEST, width) - NARROWEST)
        taken = sum(width_of(span.text) for span in rest)
        marked = any(isinstance(each, Item) for each in leaf.containers[leaf.fresh :])
        if task:
            leaf = _without_task(leaf)
        drawn = _DRAWN[leaf.kind](self, leaf, max(1, width - taken), base)
        if not drawn:
            drawn = [Row(Strip([]))]
        mark = "".join([span.text for span in first if span.text != _QUOTE]) if marked else ""
        rows = [_behind(first, drawn[0], mark), *[_behind(rest, row) for row in drawn[1:]]]
        if leaf.gap:
            quotes = [span for span in rest if span.text == _QUOTE]
            inside = sum(isinstance(each, Quote) for each in leaf.containers[: leaf.shared])
            rows.insert(0, row_of(quotes[:inside], []))
        return rows

    def _takes_task(self, leaf: Leaf) -> bool:
        return (
            leaf.kind == "paragraph"
            and leaf.fresh < len(leaf.containers)
            and isinstance(leaf.containers[-1], Item)
        )

    def _marks(self, leaf: Leaf, task: str | None, room: int) -> tuple[list[Span], list[Span]]:
        """What stands before the first row and before the others; as much as there is room for."""
        styles = self.styles
        first: list[Span] = []
        rest: list[Span] = []
        depth = 0
        for index, container in enumerate(leaf.containers):
            if isinstance(container, Quote):
                mark, after, style = _QUOTE, _QUOTE, styles.text + styles.rule
            else:
                sign = self._sign(container, depth)
                depth += container.number is None
                if task and index == len(leaf.containers) - 1:
                    sign = task
                mark = sign + " "
                after = " " * width_of(mark)
                style = styles.text + styles.marker
                if index < leaf.fresh:
                    mark = after
            first.append(Span(mark, style))
            rest.append(Span(after, style))
        outer = _too_many(rest, room)
        return first[outer:], rest[outer:]

    def _sign(self, item: Item, depth: int) -> str:
        if item.number is None:
            return _BULLETS[min(depth, len(_BULLETS) - 1)]
        return f"{item.number}{item.sign}"

    # Kinds

    def _paragraph(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        text = leaf.text.rstrip(" ")
        spans = self._inline.spans(text, base, self.links, calm=leaf.calm)
        return self._built(leaf, wrap_spans(spans, width))

    def _built(self, leaf: Leaf, lines: list[Wrapped]) -> list[Row]:
        """Rows of these lines; those that the last call had in the same place are the same."""
        if leaf.joined is not None:
            lines[0] = lines[0]._replace(joint=leaf.joined)
        recent = self._recent
        rows = [
            recent[y][1]
            if y < len(recent) and recent[y][0] == line
            else row_of((), line.spans, joint=line.joint)
            for y, line in enumerate(lines)
        ]
        self._recent = list(zip(lines, rows, strict=True))
        return rows

    def _heading(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        return self._paragraph(leaf, width, base + self.styles.heading_at(leaf.level))

    def _rule(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        return [row_of([Span("─" * width, base + self.styles.rule)], (), said=_RULE)]

    def _nothing(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        return [row_of((), ())]

    def _source(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        return self._built(leaf, wrap_spans([Span(leaf.text.rstrip(" "), base)], width))

    def _json(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        rows: list[Row] = []
        for line in leaf.lines:
            text = line.lstrip(" ")
            indent = min(len(line) - len(text), width // 3)
            further = min(indent + 2, width // 2)
            ranges = wrap(text, max(1, width - further), max(1, width - indent))
            parts = slices(self._json_spans(text, base), ranges)
            for part, joint in zip(parts, joints(text, ranges), strict=True):
                if joint is None:
                    rows.append(row_of((), [Span(" " * indent, base), *part] if indent else part))
                else:
                    rows.append(row_of([Span(" " * further, base)], part, joint=joint))
        return rows

    def _json_spans(self, text: str, base: Style) -> list[Span]:
        styles = {**self.styles.json, "more": self.styles.muted}
        return [
            Span(word, base + styles[kind] if kind in styles else base)
            for word, kind in words(text)
        ]

    def _rows_of_table(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        return self._table.rows(leaf, width, base, self.links)

    def _fence(self, leaf: Leaf, width: int, base: Style) -> list[Row]:
        styles = self.styles
        ground = base + styles.block
        name = language(leaf.info) if leaf.kind == "fence" else ""
        rows: list[Row] = []
        sign = Span("▏", base + styles.rule) if styles.framed else Span(" ", ground)
        if name and not leaf.part:
            title = Span(_fitted(name, width - 1), ground + styles.muted)
            rows.append(_title(sign, title, width, ground))
        if not leaf.lines:
            return rows or [_filled(sign, [], width, ground, None)]
        lines, _ = colored(leaf.text, name, ground, styles.syntax, self._state(leaf, name))
        room = max(1, width - 1)
        further = Span("↪", ground + styles.muted)
        for number, line in enumerate(lines):
            joined = leaf.joined is not None and not number
            text = "".join([span.text for span in line])
            for at, part in enumerate(slices(line, chop(text, room))):
                goes_on = bool(at or joined)
                mark, joint = (further, "") if goes_on else (sign, None)
                rows.append(_filled(mark, part, width, ground, joint))
        return rows

    def _state(self, leaf: Leaf, name: str) -> LexerState:
        """The state of the lexer where ``leaf`` begins."""
        chain: list[Leaf] = []
        state = ROOT
        each = leaf
        while each.before is not None:
            each = each.before
            kept = self._states.get(each.start)
            if kept is not None and kept[0] is each:
                state = kept[1]
                break
            chain.append(each)
        for each in reversed(chain):
            text = each.text + "\n"
            _, state = colored(text, name, self.styles.text, self.styles.syntax, state)
            if len(self._states) > 64:
                self._states.clear()
            self._states[each.start] = (each, state)
        return state


# Functions, not bound methods: a painter that holds its own methods is a circle, which only the
# garbage collector undoes, and every text on the screen has a painter.
_DRAWN: Final[dict[Kind, Callable[[Painter, Leaf, int, Style], list[Row]]]] = {
    "paragraph": Painter._paragraph,
    "heading": Painter._heading,
    "fence": Painter._fence,
    "code": Painter._fence,
    "table": Painter._rows_of_table,
    "html": Painter._source,
    "source": Painter._source,
    "json": Painter._json,
    "rule": Painter._rule,
    "item": Painter._nothing,
}


def _behind(lead: list[Span], row: Row, mark: str = "") -> Row:
    """``row`` behind the signs of what it stands in; ``mark`` is what they are to be copied as."""
    front = row_of(lead, ())
    cells = front.lead
    return row._replace(
        strip=Strip([*front.strip, *row.strip]),
        lead=cells + row.lead,
        links=tuple([each._replace(x=each.x + cells, end=each.end + cells) for each in row.links]),
        said=mark + (row.said or "") if mark else row.said,
        columns=tuple(
            [each._replace(x=each.x + cells, end=each.end + cells) for each in row.columns]
        ),
    )


def _title(sign: Span, title: Span, width: int, ground: Style) -> Row:
    line = [sign, title]
    return row_of([*line, *_rest(line, width, ground)], (), said=None)


def _filled(sign: Span, line: list[Span], width: int, ground: Style, joint: str | None) -> Row:
    return row_of([sign], line, _rest([sign, *line], width, ground), joint=joint)


def _rest(line: list[Span], width: int, ground: Style) -> list[Span]:
    """The ground behind a line, up to ``width``."""
    used = sum([width_of(span.text) for span in line])
    return [Span(" " * (width - used), ground)] if width > used else []


def _fitted(text: str, width: int) -> str:
    return text if width_of(text) <= width else text[: max(0, width - 1)] + "…"


def _without_task(leaf: Leaf) -> Leaf:
    return replace(leaf, lines=(leaf.lines[0][4:], *leaf.lines[1:]))


def _too_many(marks: list[Span], room: int) -> int:
    """How many of the outer marks are left out for the others to have room; the last one stays."""
    widths = [width_of(mark.text) for mark in marks]
    taken, outer = sum(widths), 0
    while outer < len(marks) - 1 and taken > room:
        taken -= widths[outer]
        outer += 1
    return outer
