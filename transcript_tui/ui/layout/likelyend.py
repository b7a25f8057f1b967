"""How a long text most likely ends, told before what comes before was read.

Who opens a text of a megabyte at its end sees the end at once. What cannot be known without
reading everything is guessed (in which block does the end stand?), and put right when the reading
gets there: within a blink, and mostly nothing changes.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from transcript_tui.text import marked
from transcript_tui.ui.layout.leaves import LIMIT
from transcript_tui.ui.layout.markdown.blocks import Markdown
from transcript_tui.ui.layout.plain import Plain

ENDING: Final = 12_000
"""Characters that are shown of the end: more than a large screen holds."""
_FENCES: Final = ("\n```", "\n~~~")
_HEAD: Final = 3
"""Lines that show what a block is: of a table these are its head and a row."""


class LikelyEnd(NamedTuple):
    """Where reading the end begins."""

    at: int
    """Characters from where ``text`` began."""
    inside: bool
    """… in the middle of a line."""
    machine: Markdown | Plain


def likely_end(text: str, machine: Markdown | Plain, offset: int) -> LikelyEnd:
    """Where to begin in ``text``, which is unread and begins at ``offset`` of the source;
    ``machine`` is in the state before it."""
    earliest = max(0, len(text) - ENDING)
    latest = earliest + ENDING // 2
    if isinstance(machine, Plain):
        at = text.find("\n", earliest, latest) + 1
        return LikelyEnd(at or earliest, not at, Plain())
    blank = text.find("\n\n", earliest, latest)
    at = blank + 2 if blank >= 0 else text.find("\n", earliest, latest) + 1
    here = at or earliest
    return LikelyEnd(here, not at, _machine(text[:here], machine, offset + here, new=blank >= 0))


def _machine(before: str, machine: Markdown, at: int, *, new: bool) -> Markdown:
    """A machine in the state after ``before``, as far as it can be told at a glance; ``new``:
    after a blank line."""
    fences = sum(before.count(mark) for mark in _FENCES)
    if machine.in_fence != bool(fences % 2):
        block = max(before.rfind(mark) for mark in _FENCES)
    elif new:
        return Markdown()
    else:
        block = before.rfind("\n\n") + 1 if "\n\n" in before else -1
    if block < 0:
        # The block that is open now still goes on there.
        same = machine.copy()
        same.skip(at)
        return same
    begun = Markdown()
    for line in before[block + 1 : block + LIMIT].split("\n", _HEAD)[:_HEAD]:
        begun.feed(marked(line), at, at)
    begun.skip(at)
    return begun
