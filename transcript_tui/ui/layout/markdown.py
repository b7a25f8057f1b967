"""Markdown's block structure, line by line: what came before a line never changes again.

CommonMark's rules, with tables, read as a machine that takes lines and gives leaves. Different
from CommonMark on purpose:

* each leaf is bounded (``LIMIT``): a longer one is cut into several at a line's end;
* whether an item stands apart from the next is seen where it stands, not in the whole list;
* tabs are columns of four, everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from transcript_tui.ui.layout.leaves import (
    CODE_LIMIT,
    CODE_LINES,
    LIMIT,
    MOST_LINES,
    RESYNC,
    Container,
    Item,
    Kind,
    Leaf,
    OpenLeaf,
    Quote,
    TableHead,
)
from transcript_tui.ui.layout.signs import (
    BULLET,
    DEFINITION,
    DELIMITERS,
    FENCE,
    HEADING,
    HTML,
    ORDERED,
    RULE,
    SETEXT,
    SIGNS,
    STARTS,
    align_of,
    indent_of,
    split_row,
)

_NEVER: Final = 2**31
"""An indent that no line has."""


class Markdown:
    """The machine. :meth:`feed` it lines; ``leaves`` are finished, :meth:`tail` is not."""

    __slots__ = (
        "_blank", "_containers", "_drawn", "_marked", "_open", "_previous", "definitions", "leaves",
    )  # fmt: skip

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.definitions: dict[str, str] = {}
        """Label → address of the link definitions that stand before the open leaf."""
        self._containers: tuple[Container, ...] = ()
        self._drawn = 0
        """Containers whose marks a leaf has drawn."""
        self._open: OpenLeaf | None = None
        self._blank = False
        self._marked = (0, 0)
        """Offsets of the line with the last item's mark."""
        self._previous: tuple[Kind, tuple[Container, ...]] | None = None
        """Of the leaf before."""

    def copy(self) -> Markdown:
        """The same state with no finished leaves; the copy may be fed without harm."""
        other = Markdown()
        other._containers, other._drawn = self._containers, self._drawn
        other._open = self._open.copy() if self._open else None
        other._blank, other._previous = self._blank, self._previous
        other._marked = self._marked
        return other

    @property
    def in_code(self) -> bool:
        """Whether the open leaf is code: what is half-written there is shown as it is."""
        return self._open is not None and self._open.kind in ("fence", "code")

    @property
    def in_fence(self) -> bool:
        """Whether blank lines and marks mean nothing until the fence that ends the code."""
        return self._open is not None and self._open.kind == "fence"

    def skip(self, at: int) -> None:
        """What follows is left out up to ``at``, where the same block still goes on."""
        if self._open is not None:
            self._split(self._open, at)
        self.leaves.clear()

    def finish(self) -> list[Leaf]:
        """All leaves, the open one closed: the end of the text."""
        self._close()
        self._leave(0)
        return self.leaves

    # Lines

    def feed(self, line: str, start: int, end: int) -> None:
        """One line, without its break; ``start`` and ``end`` are its offsets in the source."""
        if not self._containers and self._simple(line, start, end):
            return
        depth, at = self._match(line)
        if depth == len(self._containers) and self._goes_on(line, at, start, end):
            return
        opened = False
        while True:
            step = self._start(line, at, depth, start, end)
            if step is None:
                break
            opened = True
            if step < 0:
                return
            at, depth = step, len(self._containers)
        rest = line[at:]
        if not rest.strip(" "):
            if not opened:
                self._blank_line(depth)
        elif not opened and depth < len(self._containers) and self._lazy():
            self._add(rest.strip(" "), start, end)
        else:
            self._text(rest, depth, start, end)

    def _simple(self, line: str, start: int, end: int) -> bool:
        """Most lines, in no container: blank ones, code without a fence in it, and text that
        begins nothing. A shortcut, and only that: the rest of :meth:`feed` does the same."""
        kept = self._open
        kind = None if kept is None else kept.kind
        if kept is not None and kind == "fence":
            if kept.fence[0] in line or kept.indent:
                return False
            self._add(line, start, end)
        elif kind not in (None, "paragraph", "table"):
            return False
        elif not line:
            self._close()
            self._blank = True
        elif line[0] in SIGNS and not (kind == "table" and line[0] == "|"):
            return False
        elif kept is None:
            self._begin("paragraph", [line.rstrip(" ")], start, end)
        else:
            self._add(line.rstrip(" "), start, end)
        return True

    def more(self, piece: str, start: int, end: int, blanks: str) -> None:
        """A further piece of a line that is too long for one, ``blanks`` before it; it takes part
        in no structure."""
        kept = self._open
        if kept is None:
            self._begin("paragraph", [piece], start, end, continued=True)
        else:
            self._split(kept, start)
            self._add(piece, start, end)
        if self._open is not None:
            self._open.joined = blanks

    def _match(self, line: str) -> tuple[int, int]:
        """How many containers the line belongs to, and where what they hold begins."""
        at = 0
        for depth, container in enumerate(self._containers):
            indent = indent_of(line, at)
            if isinstance(container, Quote):
                if indent > 3 or line[at + indent : at + indent + 1] != ">":
                    return depth, at
                at += indent + 1
                if line[at : at + 1] == " ":
                    at += 1
            elif at + indent >= len(line):
                if container.hollow and self._drawn <= depth and self._open is None:
                    return depth, at
                at = len(line)
            elif indent >= container.indent:
                at += container.indent
            else:
                return depth, at
        return len(self._containers), at

    def _goes_on(self, line: str, at: int, start: int, end: int) -> bool:
        """Lines that code and HTML take without looking for structure in them."""
        kept = self._open
        if kept is None:
            return False
        match kept.kind:
            case "fence":
                return self._fence_line(kept, line, at, start, end)
            case "html":
                rest = line[at:]
                if kept.html_end is None and not rest.strip(" "):
                    return False
                self._add(rest, start, end)
                if kept.html_end is not None and kept.html_end.search(rest):
                    self._close()
                return True
            case "code":
                return self._code_line(kept, line, at, start, end)
        return False

    def _fence_line(self, kept: OpenLeaf, line: str, at: int, start: int, end: int) -> bool:
        indent = indent_of(line, at)
        rest = line[at + indent :].rstrip(" ")
        if indent <= 3 and len(rest) >= len(kept.fence) and not rest.strip(kept.fence[0]):
            kept.end = end
            self._close()
            return True
        self._add(line[at + min(indent, kept.indent) :], start, end)
        return True

    def _code_line(self, kept: OpenLeaf, line: str, at: int, start: int, end: int) -> bool:
        if not line[at:].strip(" "):
            kept.blanks += 1
            self._blank = True
            return True
        if indent_of(line, at) < 4:
            return False
        for _ in range(min(kept.blanks, MOST_LINES)):
            self._add("", start, start)
        assert self._open is not None
        self._open.blanks = 0
        self._blank = False
        self._add(line[at + 4 :], start, end)
        return True

    def _lazy(self) -> bool:
        return self._open is not None and self._open.kind == "paragraph"

    def _blank_line(self, depth: int) -> None:
        self._close()
        ended = self._containers[depth] if depth < len(self._containers) else None
        self._leave(depth)
        if isinstance(ended, Item):
            # Begun with nothing, it takes nothing after a blank line; the next one counts on.
            self._containers = (*self._containers, replace(ended, indent=_NEVER))
            self._drawn = len(self._containers)
        self._blank = True

    def _text(self, rest: str, depth: int, start: int, end: int) -> None:
        kept = self._open
        if depth == len(self._containers) and kept is not None:
            if kept.kind == "paragraph":
                self._add(rest.strip(" "), start, end)
                return
            if kept.kind == "table":
                self._add(rest.strip(" "), start, end)
                return
        self._close()
        self._leave(depth)
        self._begin("paragraph", [rest.strip(" ")], start, end)

    # Starts of blocks

    def _start(self, line: str, at: int, depth: int, start: int, end: int) -> int | None:
        """A block that begins here: where its content begins, -1 where the line is used up,
        ``None`` where no block begins."""
        indent = indent_of(line, at)
        first = line[at + indent : at + indent + 1]
        if not first:
            return None
        here = depth == len(self._containers)
        paragraph = self._open is not None and self._open.kind == "paragraph"
        if indent >= 4:
            if paragraph:
                return None
            self._enter(depth)
            self._begin("code", [line[at + 4 :]], start, end)
            return -1
        if first not in STARTS and not (here and paragraph):
            return None
        rest = line[at + indent :]
        if first == ">":
            self._enter(depth)
            self._containers = (*self._containers, Quote())
            after = at + indent + 1
            return after + 1 if line[after : after + 1] == " " else after
        if self._leaf_start(rest, first, indent, depth, start, end, paragraph and here):
            return -1
        return self._item(line, at, indent, depth, start, end, paragraph and here)

    def _leaf_start(
        self, rest: str, first: str, indent: int, depth: int, start: int, end: int, paragraph: bool
    ) -> bool:
        if first == "#" and (heading := HEADING.match(rest)):
            self._enter(depth)
            content = heading[2].strip(" ")
            if content and not content.strip("#"):
                content = ""
            self._begin("heading", [content], start, end, level=len(heading[1]))
            self._close()
            return True
        if first in "`~" and (fence := FENCE.match(rest)):
            self._enter(depth)
            info = (fence[2] if fence[1] else fence[4]).strip()
            opened = self._begin("fence", [], start, end, info=info)
            opened.fence, opened.indent = fence[1] or fence[3], indent
            return True
        if first == "<" and self._html(rest, indent, depth, start, end, paragraph):
            return True
        if paragraph and first in "=-" and self._setext(rest, end):
            return True
        if paragraph and first in "|:-" and self._table(rest, end):
            return True
        if first in "*-_" and RULE.match(rest):
            self._enter(depth)
            self._begin("rule", [], start, end)
            self._close()
            return True
        return False

    def _html(
        self, rest: str, indent: int, depth: int, start: int, end: int, paragraph: bool
    ) -> bool:
        for number, (begin, ending) in enumerate(HTML, 1):
            if begin.match(rest) and not (number == 7 and (paragraph or self._lazy())):
                self._enter(depth)
                opened = self._begin("html", [" " * indent + rest], start, end)
                opened.html_end = ending
                if ending is not None and ending.search(rest):
                    self._close()
                return True
        return False

    def _setext(self, rest: str, end: int) -> bool:
        kept = self._open
        if kept is None or kept.part or not SETEXT.match(rest):
            return False
        count = self._define(kept.lines)
        if count == len(kept.lines):
            return False
        del kept.lines[:count]
        kept.kind, kept.level, kept.end = "heading", 1 if rest[0] == "=" else 2, end
        kept.gap = kept.gap or self._previous is not None
        self._close()
        return True

    def _table(self, rest: str, end: int) -> bool:
        kept = self._open
        if kept is None or not kept.lines or not DELIMITERS.match(rest):
            return False
        header = kept.lines[-1]
        if "|" not in header or rest.startswith("- "):
            return False
        cells = split_row(header)
        marks = split_row(rest)
        if len(cells) != len(marks):
            return False
        if len(kept.lines) > 1:
            start = kept.end = kept.last
            kept.lines.pop()
            self._close()
            kept = self._begin("table", [], start, end)
        kept.kind, kept.lines, kept.end = "table", [], end
        kept.gap = kept.gap or self._previous is not None
        kept.head = TableHead(tuple(cells), tuple(map(align_of, marks)))
        kept.size = len(header)
        return True

    def _item(
        self, line: str, at: int, indent: int, depth: int, start: int, end: int, paragraph: bool
    ) -> int | None:
        rest = line[at + indent :]
        number: int | None = None
        if marker := BULLET.match(rest):
            sign = marker[1]
            length = 1
        elif marker := ORDERED.match(rest):
            sign, number = marker[2], int(marker[1])
            length = len(marker[1]) + 1
        else:
            return None
        hollow = not rest[length:].strip(" ")
        if paragraph and (hollow or number not in (None, 1)):
            return None
        spaces = indent_of(rest, length)
        if hollow or spaces > 4:
            spaces = 1
        sibling = self._containers[depth] if depth < len(self._containers) else None
        if number is not None and isinstance(sibling, Item) and sibling.sign == sign:
            number = (sibling.number or 0) + 1
        self._enter(depth)
        self._marked = (start, end)
        self._containers = (
            *self._containers,
            Item(indent + length + spaces, sign, number, hollow),
        )
        return at + indent + min(length + spaces, len(rest))

    # Leaves

    def _enter(self, depth: int) -> None:
        """A block begins in the first ``depth`` containers."""
        self._close()
        self._leave(depth)

    def _leave(self, depth: int) -> None:
        """Only the first ``depth`` containers stay; an item that held nothing is drawn."""
        if depth >= len(self._containers):
            return
        if self._drawn < len(self._containers) and self._open is None:
            self._begin_empty()
        self._containers = self._containers[:depth]
        self._drawn = min(self._drawn, depth)

    def _begin_empty(self) -> None:
        if any(isinstance(each, Item) for each in self._containers[self._drawn :]):
            self._begin("item", [], *self._marked)
            self._close()

    def _begin(
        self,
        kind: Kind,
        lines: list[str],
        start: int,
        end: int,
        *,
        level: int = 0,
        info: str = "",
        continued: bool = False,
    ) -> OpenLeaf:
        gap, shared = (False, 0) if continued else self._gap(kind)
        opened = OpenLeaf(
            kind, start, end, lines, self._containers, self._drawn, gap, shared,
            size=len(lines[0]) if lines else 0, last=start, level=level, info=info,
        )  # fmt: skip
        self._drawn = len(self._containers)
        self._blank = False
        self._open = opened
        return opened

    def _gap(self, kind: Kind) -> tuple[bool, int]:
        """Whether a blank row stands before a leaf, and in how many containers."""
        if self._previous is None:
            return False, 0
        if not self._containers:
            return True, 0
        before, containers = self._previous
        shared = 0
        for mine, other in zip(self._containers[: self._drawn], containers, strict=False):
            if mine is not other:
                break
            shared += 1
        if _listed(self._containers) and (before == "paragraph" or _listed(containers)):
            return self._blank, shared
        return True, shared

    def _add(self, text: str, start: int, end: int) -> None:
        kept = self._open
        assert kept is not None
        code = kept.kind in ("fence", "code")
        limit, most = (CODE_LIMIT, CODE_LINES) if code else (LIMIT, MOST_LINES)
        full = kept.size + len(text) > limit or len(kept.lines) >= most
        if full and kept.lines:
            kept = self._split(kept, start)
        kept.lines.append(text)
        kept.size += len(text)
        kept.last, kept.end = start, end

    def _split(self, kept: OpenLeaf, start: int) -> OpenLeaf:
        """The open leaf is full: it is finished, and another one goes on with its block."""
        finished = kept.leaf()
        self.leaves.append(finished)
        part = kept.part + 1
        opened = replace(
            kept, start=start, lines=[], fresh=len(kept.containers), gap=False, size=0,
            part=part, joined=None, before=finished if part % RESYNC else None,
            first=kept.first or finished,
        )  # fmt: skip
        self._open = opened
        return opened

    def _close(self) -> None:
        kept = self._open
        if kept is None:
            return
        self._open = None
        leaf = kept.leaf()
        if kept.kind == "paragraph" and not kept.part and kept.lines[0].startswith("["):
            leaf = self._without_definitions(leaf)
            if not leaf.lines:
                self._drawn = min(self._drawn, leaf.fresh)
                return
        self._previous = leaf.kind, leaf.containers
        self.leaves.append(leaf)

    def _without_definitions(self, leaf: Leaf) -> Leaf:
        count = self._define(leaf.lines)
        return replace(leaf, lines=leaf.lines[count:]) if count else leaf

    def _define(self, lines: Sequence[str]) -> int:
        """Take in the link definitions that a paragraph begins with; how many lines they are."""
        count = 0
        while count < len(lines) and (found := DEFINITION.match(lines[count])):
            self.definitions.setdefault(found[1], found[2].strip("<>"))
            count += 1
        return count


def _listed(containers: tuple[Container, ...]) -> bool:
    """Whether there is a list among them; mostly it is the innermost."""
    return bool(containers) and (
        type(containers[-1]) is Item or any(type(each) is Item for each in containers)
    )
