"""What a text is cut into: leaves, each laid out by itself, in the containers they stand in."""

from __future__ import annotations

import re
from operator import attrgetter
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

LIMIT: Final = 2_000
"""Characters of a leaf: more is cut into several, so that growing costs the same for ever."""
MOST_LINES: Final = 40
"""Lines of a leaf."""
CODE_LIMIT: Final = 600
CODE_LINES: Final = 10
"""The same for code, which costs more to colour than text costs to wrap."""
RESYNC: Final = 16
"""Leaves of a block of code after which its lexer begins anew."""

Kind = Literal[
    "paragraph", "heading", "fence", "code", "table", "html", "rule", "item", "source", "json",
    "unread",
]  # fmt: skip
"""``item``: a list item with nothing in it; ``source``: text that is no Markdown; ``unread``:
stands for what is yet to be read."""


# Structs rather than dataclasses: a long text has tens of thousands of leaves and items, and a
# frozen dataclass takes 2.3 µs to make where this takes 0.2 µs. The garbage collector need not
# look at them (it took nearly half of the time): none leads back to itself. What is freed without
# its help is freed by recursion, so chains of them are short.


class Quote(Struct, frozen=True, gc=False):
    """A block quote."""


class Item(Struct, frozen=True, gc=False):
    """An item of a list."""

    indent: int
    """Columns that its further lines are indented by."""
    sign: str
    """What tells one list from another: ``-``, ``*``, ``+``, ``.`` or ``)``."""
    number: int | None
    """In ordered lists: counted from the first item's."""
    hollow: bool = False
    """It began with nothing after its marker."""


Container = Quote | Item


class TableHead(Struct, frozen=True, gc=False):
    """The head of a table and the rows that its columns are measured by."""

    cells: tuple[str, ...]
    aligns: tuple[Literal["left", "right", "center"], ...]


class Leaf(Struct, frozen=True, eq=False, gc=False):
    """A piece of text of one kind, as long as ``LIMIT`` at most."""

    kind: Kind
    start: int
    """Offset in the source of the line it begins in."""
    end: int
    lines: tuple[str, ...]
    """Without the containers' marks; they have passed the gate."""
    containers: tuple[Container, ...] = ()
    fresh: int = 0
    """Containers before this index were there before; the marks of the others are drawn here."""
    gap: bool = False
    """A blank row stands before it."""
    shared: int = 0
    """Containers that the blank row belongs to, too."""
    level: int = 0
    """Of a heading."""
    info: str = ""
    """What stands behind an opening fence."""
    part: int = 0
    """Which piece of its block this is, from 0."""
    joined: str | None = None
    """It goes on in the middle of a line, behind these blanks; ``None``: it begins with one."""
    head: TableHead | None = None
    """Of a table."""
    calm: bool = False
    """It still grows: marks that are half there are taken as they will be."""
    before: Leaf | None = None
    """The piece of the same block before this one, whose lexer's state code goes on in; none
    where it begins anew (``RESYNC``)."""
    first: Leaf | None = None
    """The first piece of the same block."""

    def __eq__(self, other: object) -> bool:
        """Whether they are drawn alike, each in its place; not what came before in the block."""
        return isinstance(other, Leaf) and _own(self) == _own(other)

    __hash__ = None  # type: ignore[assignment]  # compared by what they hold, never looked up

    def __repr__(self) -> str:
        return f"Leaf{_own(self)}"

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class OpenLeaf(Struct, gc=False):
    """The leaf that lines are added to."""

    kind: Kind
    start: int
    end: int
    lines: list[str]
    containers: tuple[Container, ...]
    fresh: int
    gap: bool
    shared: int
    size: int = 0
    last: int = 0
    """Where its last line begins."""
    level: int = 0
    info: str = ""
    fence: str = ""
    """The opening fence: what closes it is at least as long."""
    indent: int = 0
    """Of the opening fence."""
    html_end: re.Pattern[str] | None = None
    head: TableHead | None = None
    part: int = 0
    joined: str | None = None
    before: Leaf | None = None
    first: Leaf | None = None
    blanks: int = 0
    """Blank lines in indented code that count only when more code follows."""

    def leaf(self) -> Leaf:
        return Leaf(
            self.kind,
            self.start,
            self.end,
            tuple(self.lines),
            self.containers,
            self.fresh,
            self.gap,
            self.shared,
            level=self.level,
            info=self.info,
            part=self.part,
            joined=self.joined,
            head=self.head,
            before=self.before,
            first=self.first,
        )

    def copy(self) -> OpenLeaf:
        return replace(self, lines=list(self.lines))


_own: Final = attrgetter(
    "kind", "start", "end", "lines", "containers", "fresh", "gap", "shared", "level", "info",
    "part", "joined", "head", "calm",
)  # fmt: skip
