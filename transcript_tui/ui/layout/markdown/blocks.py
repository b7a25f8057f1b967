"""Markdown's block structure, line by line: what came before a line never changes again.

CommonMark's rules, with tables, read as a machine that takes lines and gives leaves. Different
from CommonMark on purpose:

* each leaf is bounded (``LIMIT``): a longer one is cut into several at a line's end;
* whether an item stands apart from the next is seen where it stands, not in the whole list;
* tabs are columns of four, everywhere.
"""

from __future__ import annotations

from transcript_tui.ui.layout.leaves import Leaf, OpenLeaf, Quote
from transcript_tui.ui.layout.markdown.line import Line
from transcript_tui.ui.layout.markdown.openblocks import OpenBlocks
from transcript_tui.ui.layout.markdown.patterns import SIGNS
from transcript_tui.ui.layout.markdown.starts import begin_block


class Markdown:
    """The machine. :meth:`feed` it lines; ``leaves`` are finished, those of :meth:`finish` only
    where the text ends."""

    __slots__ = ("_blocks", "leaves")

    def __init__(self, blocks: OpenBlocks | None = None) -> None:
        self._blocks = blocks or OpenBlocks()
        self.leaves = self._blocks.leaves

    def copy(self) -> Markdown:
        """The same state with no finished leaves; the copy may be fed without harm."""
        return Markdown(self._blocks.copy())

    @property
    def definitions(self) -> dict[str, str]:
        """Label → address of the link definitions so far; a copy begins with none."""
        return self._blocks.definitions

    @property
    def in_code(self) -> bool:
        """Whether the open leaf is code: what is half-written there is shown as it is."""
        kept = self._blocks.leaf
        return kept is not None and kept.kind in ("fence", "code")

    @property
    def in_fence(self) -> bool:
        """Whether blank lines and marks mean nothing until the fence that ends the code."""
        kept = self._blocks.leaf
        return kept is not None and kept.kind == "fence"

    def skip(self, at: int) -> None:
        """What follows is left out up to ``at``, where the same block still goes on."""
        if self._blocks.leaf is not None:
            self._blocks.split(self._blocks.leaf, at)
        self.leaves.clear()

    def finish(self) -> list[Leaf]:
        """All leaves, the open one closed: the end of the text."""
        self._blocks.enter(0)
        return self.leaves

    def feed(self, text: str, start: int, end: int) -> None:
        """One line, without its break; ``start`` and ``end`` are its offsets in the source."""
        if not self._blocks.containers and self._simple(text, start, end):
            return
        line = Line(text, start, end)
        line.take(0)
        depth = self._match(line)
        if depth == len(self._blocks.containers) and self._goes_on(line):
            return
        self._structure(line, depth)

    def more(self, piece: str, start: int, end: int, blanks: str) -> None:
        """A further piece of a line that is too long for one, ``blanks`` before it; it takes part
        in no structure."""
        blocks = self._blocks
        if blocks.leaf is None:
            blocks.begin("paragraph", [piece], start, end, continued=True)
        else:
            blocks.split(blocks.leaf, start)
            blocks.add(piece, start, end)
        if blocks.leaf is not None:
            blocks.leaf.joined = blanks

    def _simple(self, text: str, start: int, end: int) -> bool:
        """Most lines, in no container: blank ones, code without a fence in it, and text that
        begins nothing. A shortcut, and only that: the rest of :meth:`feed` does the same."""
        blocks = self._blocks
        kept = blocks.leaf
        kind = None if kept is None else kept.kind
        if kept is not None and kind == "fence":
            if kept.fence[0] in text or kept.indent:
                return False
            blocks.add(text, start, end)
        elif kind not in (None, "paragraph", "table"):
            return False
        elif not text:
            blocks.blank_line(0)
        elif text[0] in SIGNS and not (kind == "table" and text[0] == "|"):
            return False
        elif kept is None:
            blocks.begin("paragraph", [text.rstrip(" ")], start, end)
        else:
            blocks.add(text.rstrip(" "), start, end)
        return True

    def _match(self, line: Line) -> int:
        """How many containers the line belongs to; it goes on with what they hold."""
        blocks = self._blocks
        for depth, container in enumerate(blocks.containers):
            if isinstance(container, Quote):
                if line.indent >= 4 or line.content[:1] != ">":
                    return depth
                line.take_quote_mark()
            elif not line.content:
                if container.hollow and blocks.still_empty(depth):
                    return depth
                line.take(line.indent)
            elif line.indent >= container.indent:
                line.take(container.indent)
            else:
                return depth
        return len(blocks.containers)

    def _goes_on(self, line: Line) -> bool:
        """Lines that code and HTML take without looking for structure in them."""
        kept = self._blocks.leaf
        if kept is None:
            return False
        match kept.kind:
            case "fence":
                self._fence_line(kept, line)
                return True
            case "html":
                return self._html_line(kept, line)
            case "code":
                return self._code_line(line)
        return False

    def _fence_line(self, kept: OpenLeaf, line: Line) -> None:
        closing = line.content.rstrip(" ")
        long_enough = len(closing) >= len(kept.fence)
        if line.indent <= 3 and long_enough and not closing.strip(kept.fence[0]):
            kept.end = line.end
            self._blocks.close()
        else:
            self._blocks.add(line.rest[min(line.indent, kept.indent) :], line.start, line.end)

    def _html_line(self, kept: OpenLeaf, line: Line) -> bool:
        ends = kept.html_end
        if ends is None and not line.content:
            return False
        self._blocks.add(line.rest, line.start, line.end)
        if ends is not None and ends.search(line.rest):
            self._blocks.close()
        return True

    def _code_line(self, line: Line) -> bool:
        if not line.content:
            self._blocks.hold_back_blank()
        elif line.indent >= 4:
            self._blocks.add_code(line.rest[4:], line.start, line.end)
        else:
            return False
        return True

    def _structure(self, line: Line, depth: int) -> None:
        """A line that may begin blocks, several within each other."""
        blocks = self._blocks
        begun = False
        while line.content and begin_block(blocks, line, depth):
            begun, depth = True, len(blocks.containers)
        if line.content:
            self._text(line, depth)
        elif not begun:
            blocks.blank_line(depth)

    def _text(self, line: Line, depth: int) -> None:
        """Text that begins nothing: lazily it goes on with a paragraph in further containers."""
        blocks = self._blocks
        text = line.content.rstrip(" ")
        kind = None if blocks.leaf is None else blocks.leaf.kind
        if kind == "paragraph" or (kind == "table" and depth == len(blocks.containers)):
            blocks.add(text, line.start, line.end)
        else:
            blocks.enter(depth)
            blocks.begin("paragraph", [text], line.start, line.end)
