"""Where blocks begin: a function for each kind, found by the first character of the line.

Each says whether its block begins in the first ``depth`` containers; then the open blocks are
brought to where it is the newest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from transcript_tui.ui.layout.leaves import Item, Quote, TableHead
from transcript_tui.ui.layout.markdown.line import Line
from transcript_tui.ui.layout.markdown.openblocks import OpenBlocks
from transcript_tui.ui.layout.markdown.patterns import (
    BULLET,
    DELIMITERS,
    FENCE,
    HEADING,
    HTML,
    HTML_IN_PARAGRAPH,
    ORDERED,
    RULE,
    SETEXT,
    align_of,
    split_row,
)

Start = Callable[[OpenBlocks, Line, int], bool]


def begin_block(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    """Whether a block begins: a leaf takes all that is left of the line, a container its mark."""
    if line.indent >= 4:
        return _indented_code(blocks, line, depth)
    first = line.content[:1]
    if blocks.continues_paragraph(depth):
        for turn in _UNDER_PARAGRAPH.get(first, ()):
            if turn(blocks, line):
                return True
    for start in _STARTS.get(first, ()):  # noqa: SIM110 - a generator for each line costs more
        if start(blocks, line, depth):
            return True
    return False


# Leaves


def _indented_code(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    if blocks.in_paragraph:
        return False
    blocks.enter(depth)
    blocks.begin("code", [line.rest[4:]], line.start, line.end)
    line.take_rest()
    return True


def _heading(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    heading = HEADING.match(line.content)
    if heading is None:
        return False
    blocks.enter(depth)
    content = heading[2].strip(" ")
    if not content.strip("#"):
        content = ""
    blocks.begin("heading", [content], line.start, line.end, level=len(heading[1]))
    blocks.close()
    line.take_rest()
    return True


def _fence(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    fence = FENCE.match(line.content)
    if fence is None:
        return False
    blocks.enter(depth)
    info = (fence[2] if fence[1] else fence[4]).strip()
    opened = blocks.begin("fence", [], line.start, line.end, info=info)
    opened.fence, opened.indent = fence[1] or fence[3], line.indent
    line.take_rest()
    return True


def _html(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    content = line.content
    for begins, ends in HTML_IN_PARAGRAPH if blocks.in_paragraph else HTML:
        if begins.match(content):
            blocks.enter(depth)
            opened = blocks.begin("html", [line.rest], line.start, line.end)
            opened.html_end = ends
            if ends is not None and ends.search(content):
                blocks.close()
            line.take_rest()
            return True
    return False


def _rule(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    if not RULE.match(line.content):
        return False
    blocks.enter(depth)
    blocks.begin("rule", [], line.start, line.end)
    blocks.close()
    line.take_rest()
    return True


# What a paragraph turns into


def _setext(blocks: OpenBlocks, line: Line) -> bool:
    """The underline of a heading."""
    kept = blocks.leaf
    if kept is None or kept.part or not SETEXT.match(line.content):
        return False
    count = blocks.define(kept.lines)
    if count == len(kept.lines):
        return False
    del kept.lines[:count]
    blocks.turn_into("heading", line.end)
    kept.level = 1 if line.content[0] == "=" else 2
    blocks.close()
    line.take_rest()
    return True


def _table(blocks: OpenBlocks, line: Line) -> bool:
    """The delimiters below a line that is the head of a table then."""
    kept = blocks.leaf
    if kept is None or not kept.lines:
        return False
    header, content = kept.lines[-1], line.content
    if "|" not in header or content.startswith("- ") or not DELIMITERS.match(content):
        return False
    cells, marks = split_row(header), split_row(content)
    if len(cells) != len(marks):
        return False
    if len(kept.lines) > 1:
        start = kept.end = kept.last
        kept.lines.pop()
        blocks.close()
        kept = blocks.begin("table", [], start, line.end)
    blocks.turn_into("table", line.end)
    kept.head = TableHead(tuple(cells), tuple(map(align_of, marks)))
    kept.lines, kept.size = [], len(header)
    line.take_rest()
    return True


# Containers


def _quote(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    blocks.enter(depth)
    blocks.hold(Quote())
    line.take_quote_mark()
    return True


def _bullet(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    marker = BULLET.match(line.content)
    return marker is not None and _item(blocks, line, depth, marker[1], None, 1)


def _numbered(blocks: OpenBlocks, line: Line, depth: int) -> bool:
    marker = ORDERED.match(line.content)
    if marker is None:
        return False
    return _item(blocks, line, depth, marker[2], int(marker[1]), len(marker[1]) + 1)


def _item(
    blocks: OpenBlocks, line: Line, depth: int, sign: str, number: int | None, length: int
) -> bool:
    """An item behind a mark of ``length`` characters."""
    behind = line.content[length:]
    text = behind.lstrip(" ")
    hollow = not text
    if blocks.continues_paragraph(depth) and (hollow or number not in (None, 1)):
        return False
    spaces = len(behind) - len(text)
    if hollow or spaces > 4:
        spaces = 1
    sibling = blocks.containers[depth] if depth < len(blocks.containers) else None
    if number is not None and isinstance(sibling, Item) and sibling.sign == sign:
        number = (sibling.number or 0) + 1
    blocks.enter(depth)
    blocks.hold_item(Item(line.indent + length + spaces, sign, number, hollow), line)
    line.take(line.indent + length + min(spaces, len(behind)))
    return True


_STARTS: Final[dict[str, tuple[Start, ...]]] = {
    "#": (_heading,),
    "<": (_html,),
    ">": (_quote,),
    "+": (_bullet,),
    "_": (_rule,),
    **dict.fromkeys("`~", (_fence,)),
    **dict.fromkeys("*-", (_rule, _bullet)),
    **dict.fromkeys("0123456789", (_numbered,)),
}
"""By the first character of a line, in the order in which they are tried."""
_UNDER_PARAGRAPH: Final[dict[str, tuple[Callable[[OpenBlocks, Line], bool], ...]]] = {
    "=": (_setext,),
    "-": (_setext, _table),
    "|": (_table,),
    ":": (_table,),
}
"""The same below a paragraph."""
