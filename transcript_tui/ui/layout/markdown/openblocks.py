"""The blocks that are open: containers in each other, and in the innermost the leaf that grows."""

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
)
from transcript_tui.ui.layout.markdown.line import Line
from transcript_tui.ui.layout.markdown.patterns import DEFINITION

_NEVER: Final = 2**31
"""An indent that no line has."""


class OpenBlocks:
    """What a line is read against. A leaf that is closed is added to ``leaves``."""

    __slots__ = (
        "_blank", "_drawn", "_marked", "_previous", "containers", "definitions", "leaf", "leaves",
    )  # fmt: skip

    def __init__(self) -> None:
        self.leaves: list[Leaf] = []
        self.definitions: dict[str, str] = {}
        """Label → address of the link definitions that stand before the open leaf."""
        self.containers: tuple[Container, ...] = ()
        self.leaf: OpenLeaf | None = None
        self._drawn = 0
        """Containers whose marks a leaf has drawn."""
        self._blank = False
        """The line before was blank."""
        self._marked = (0, 0)
        """Offsets of the line with the last item's mark."""
        self._previous: tuple[Kind, tuple[Container, ...]] | None = None
        """Of the leaf before."""

    def copy(self) -> OpenBlocks:
        """The same state with no closed leaves; what is done to the copy stays there."""
        other = OpenBlocks()
        other.containers, other._drawn = self.containers, self._drawn
        other.leaf = self.leaf.copy() if self.leaf else None
        other._blank, other._previous = self._blank, self._previous
        other._marked = self._marked
        return other

    @property
    def in_paragraph(self) -> bool:
        return self.leaf is not None and self.leaf.kind == "paragraph"

    def continues_paragraph(self, depth: int) -> bool:
        """Whether text in the first ``depth`` containers would go on with the open paragraph."""
        return depth == len(self.containers) and self.in_paragraph

    # Containers

    def enter(self, depth: int) -> None:
        """A block begins in the first ``depth`` containers."""
        if self.leaf is not None:
            self.close()
        if depth < len(self.containers):
            self._leave(depth)

    def _leave(self, depth: int) -> None:
        """Only the first ``depth`` containers stay; an item that held nothing is drawn."""
        if self._drawn < len(self.containers) and self.leaf is None:
            self._begin_empty()
        self.containers = self.containers[:depth]
        self._drawn = min(self._drawn, depth)

    def _begin_empty(self) -> None:
        if any(isinstance(each, Item) for each in self.containers[self._drawn :]):
            self.begin("item", [], *self._marked)
            self.close()

    def hold(self, container: Container) -> None:
        """``container`` begins in the innermost one."""
        self.containers = (*self.containers, container)

    def hold_item(self, item: Item, line: Line) -> None:
        """The same for an item, whose mark ``line`` has."""
        self._marked = (line.start, line.end)
        self.hold(item)

    def still_empty(self, depth: int) -> bool:
        """Whether nothing has been put into the container at ``depth``."""
        return self._drawn <= depth and self.leaf is None

    def blank_line(self, depth: int) -> None:
        """A blank line in the first ``depth`` containers."""
        ended = self.containers[depth] if depth < len(self.containers) else None
        self.enter(depth)
        if isinstance(ended, Item):
            # Begun with nothing, it takes nothing after a blank line; the next one counts on.
            self.hold(replace(ended, indent=_NEVER))
            self._drawn = len(self.containers)
        self._blank = True

    # The leaf

    def begin(
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
        """A leaf in the innermost container."""
        gap, shared = (False, 0) if continued else self._gap()
        opened = OpenLeaf(
            kind, start, end, lines, self.containers, self._drawn, gap, shared,
            size=len(lines[0]) if lines else 0, last=start, level=level, info=info,
        )  # fmt: skip
        self._drawn = len(self.containers)
        self._blank = False
        self.leaf = opened
        return opened

    def _gap(self) -> tuple[bool, int]:
        """Whether a blank row stands before a leaf, and in how many containers."""
        if self._previous is None:
            return False, 0
        if not self.containers:
            return True, 0
        before, containers = self._previous
        shared = 0
        for mine, other in zip(self.containers[: self._drawn], containers, strict=False):
            if mine is not other:
                break
            shared += 1
        if _listed(self.containers) and (before == "paragraph" or _listed(containers)):
            return self._blank, shared
        return True, shared

    def add(self, text: str, start: int, end: int) -> None:
        """A line more of the open leaf."""
        kept = self.leaf
        assert kept is not None
        code = kept.kind in ("fence", "code")
        limit, most = (CODE_LIMIT, CODE_LINES) if code else (LIMIT, MOST_LINES)
        full = kept.size + len(text) > limit or len(kept.lines) >= most
        if full and kept.lines:
            kept = self.split(kept, start)
        kept.lines.append(text)
        kept.size += len(text)
        kept.last, kept.end = start, end

    def add_code(self, text: str, start: int, end: int) -> None:
        """A line more of indented code, behind the blank ones that were held back."""
        kept = self.leaf
        assert kept is not None
        blanks, kept.blanks = min(kept.blanks, MOST_LINES), 0
        for _ in range(blanks):
            self.add("", start, start)
        self._blank = False
        self.add(text, start, end)

    def hold_back_blank(self) -> None:
        """A blank line in indented code, which counts only when more code follows."""
        assert self.leaf is not None
        self.leaf.blanks += 1
        self._blank = True

    def split(self, kept: OpenLeaf, start: int) -> OpenLeaf:
        """The open leaf is full: it is finished, and another one goes on with its block."""
        finished = kept.leaf()
        self.leaves.append(finished)
        part = kept.part + 1
        opened = replace(
            kept, start=start, lines=[], fresh=len(kept.containers), gap=False, size=0,
            part=part, joined=None, before=finished if part % RESYNC else None,
            first=kept.first or finished,
        )  # fmt: skip
        self.leaf = opened
        return opened

    def turn_into(self, kind: Kind, end: int) -> None:
        """The open paragraph turns out to be something else, that stands apart."""
        kept = self.leaf
        assert kept is not None
        kept.kind, kept.end = kind, end
        kept.gap = kept.gap or self._previous is not None

    def close(self) -> None:
        kept = self.leaf
        if kept is None:
            return
        self.leaf = None
        leaf = kept.leaf()
        if kept.kind == "paragraph" and not kept.part and kept.lines[0].startswith("["):
            leaf = self._without_definitions(leaf)
            if not leaf.lines:
                self._drawn = min(self._drawn, leaf.fresh)
                return
        self._previous = leaf.kind, leaf.containers
        self.leaves.append(leaf)

    def _without_definitions(self, leaf: Leaf) -> Leaf:
        count = self.define(leaf.lines)
        return replace(leaf, lines=leaf.lines[count:]) if count else leaf

    def define(self, lines: Sequence[str]) -> int:
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
