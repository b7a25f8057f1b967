"""Text that is no Markdown, in leaves: fed as :class:`markdown.blocks.Markdown` is."""

from __future__ import annotations

from transcript_tui.ui.layout.leaves import LIMIT, MOST_LINES, Kind, Leaf


class Plain:
    """Lines as they are."""

    __slots__ = (
        "_end", "_joined", "_kind", "_lines", "_size", "_start", "definitions", "leaves",
    )  # fmt: skip

    in_code = True
    """Nothing has a meaning."""
    in_fence = False

    def __init__(self, kind: Kind = "source") -> None:
        self._kind: Kind = kind
        self.leaves: list[Leaf] = []
        self.definitions: dict[str, str] = {}
        self._lines: list[str] = []
        self._start = self._end = self._size = 0
        self._joined: str | None = None

    def copy(self) -> Plain:
        other = Plain(self._kind)
        other._lines = list(self._lines)
        other._start, other._end, other._size = self._start, self._end, self._size
        other._joined = self._joined
        return other

    def feed(self, line: str, start: int, end: int) -> None:
        if self._lines and (self._size + len(line) > LIMIT or len(self._lines) >= MOST_LINES):
            self._close()
        self._add(line, start, end)

    def skip(self, at: int) -> None:
        """What follows is left out up to ``at``."""
        self._close()
        self.leaves.clear()

    def more(self, piece: str, start: int, end: int, blanks: str) -> None:
        """A further piece of a line that is too long for one leaf; ``blanks`` stand before it."""
        self._close()
        self._joined = blanks
        self._add(piece, start, end)

    def finish(self) -> list[Leaf]:
        self._close()
        return self.leaves

    def _add(self, line: str, start: int, end: int) -> None:
        if not self._lines:
            self._start = start
        self._lines.append(line)
        self._size += len(line)
        self._end = end

    def _close(self) -> None:
        if self._lines:
            leaf = Leaf(self._kind, self._start, self._end, tuple(self._lines), joined=self._joined)
            self.leaves.append(leaf)
        self._lines, self._size, self._joined = [], 0, None
