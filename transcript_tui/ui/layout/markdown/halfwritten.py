"""Marks of which only the beginning is there yet: how to show a text that still grows.

What a mark will most likely be is shown at once, so that nothing jumps when the rest of it comes;
what may still be one or not waits until that is known.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from transcript_tui.ui.layout.leaves import Leaf, TableHead
from transcript_tui.ui.layout.markdown.patterns import split_row

_HALF_MARK_OF_BLOCK: Final = re.compile(r"[ ]*(?:[-+*=_~`#>|]{1,2}|\d{1,9}[.)]?)[ ]?$")
_HALF_FENCE: Final = re.compile(r"[ ]{0,3}(?:`{1,2}|~{1,2})$")
_HALF_DELIMITERS: Final = re.compile(r"[|:\- ]+$")
_RUN: Final = re.compile(r"`+|\*+|_+|~~|\\.", re.DOTALL)
_HALF_LINK: Final = re.compile(r"(\[[^\[\]\n]*\]\([^()\s]*)$")
_HALF_MARK: Final = re.compile(r"(?<![*_~`\\])(?:\*{1,3}|_{1,3}|~{1,2}|`{1,2})$")


def may_begin_block(line: str) -> bool:
    """Whether more of ``line`` may make it the mark of a block."""
    return _HALF_MARK_OF_BLOCK.match(line) is not None


def may_close_fence(line: str) -> bool:
    """The same for the end of a block of code."""
    return _HALF_FENCE.match(line) is not None


def calmed_leaf(leaf: Leaf) -> Leaf:
    """``leaf`` as it will look when what is half there is whole."""
    lines = leaf.lines
    if leaf.kind == "paragraph" and not leaf.part and lines[0].startswith("|"):
        cells = tuple(split_row(lines[0]))
        if len(lines) == 1 or (len(lines) == 2 and _HALF_DELIMITERS.match(lines[1])):
            head = TableHead(cells, tuple("left" for _ in cells))
            return replace(leaf, kind="table", lines=(), head=head, calm=True)
    if leaf.kind in ("paragraph", "heading", "table"):
        return replace(leaf, calm=True)
    return leaf


def calmed_line(text: str) -> str:
    """``text`` as it will look when the marks that are half there are whole.

    For a line that still grows: ``**bo`` is bold already, a lone ``*`` at the end waits.
    """
    text = _HALF_MARK.sub("", text)
    if _HALF_LINK.search(text):
        text += ")"
    closers: list[str] = []
    at = 0
    while match := _RUN.search(text, at):
        at = match.end()
        run = match.group()
        if run[0] == "\\":
            continue
        if run[0] == "`":
            end = _closing(text, run, at)
            if end < 0:
                return text + run
            at = end
            continue
        _balance(closers, run, text[match.start() - 1 : match.start()], text[at : at + 1])
    if closers:
        text = text.rstrip(" ") + "".join(reversed(closers))
    return text


def _closing(text: str, run: str, at: int) -> int:
    """Where code that was begun with ``run`` ends; -1 where it does not."""
    for match in re.finditer("`+", text[at:]):
        if match.group() == run:
            return at + match.end()
    return -1


def _balance(closers: list[str], run: str, before: str, after: str) -> None:
    if run in closers and before.strip():
        while closers.pop() != run:
            pass
    elif after.strip() and len(run) <= 3 and (len(run) > 1 or not before.isalnum()):
        closers.append(run)
