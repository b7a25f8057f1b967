"""An item while it is being put together: blocks from top to bottom, and what can be folded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from rich.style import Style
from textual.strip import Strip

from transcript_tui.transcript.history import Text
from transcript_tui.ui.layout import Document, DocumentStyles, JsonDocument, Mode
from transcript_tui.ui.layout.rows import Row
from transcript_tui.ui.views.transcript.blocks import Block, Flow, LaidOut, Rows
from transcript_tui.ui.views.transcript.rows import Piece, row, sentence, sides
from transcript_tui.ui.views.transcript.scene import DEEPEST_INDENT, Scene

T = TypeVar("T")

_NOTHING = Strip([])
GUTTER = 2
"""Cells of the bar that tells the speaker, and the space after it."""
STEP = 2
"""Cells of one indent."""
NARROWEST = 8
"""Text is never laid out in fewer cells; what has less room is cut."""


class Shelf:
    """The laid-out texts of one item, by name, kept from one draft to the next."""

    def __init__(self, styles: DocumentStyles, dimmed: DocumentStyles) -> None:
        self._styles = styles
        self._dimmed = dimmed
        self._documents: dict[str, tuple[object, Document | JsonDocument]] = {}
        self._used: set[str] = set()
        self._known: dict[str, tuple[object, object]] = {}

    def restyle(self, styles: DocumentStyles, dimmed: DocumentStyles) -> None:
        """The texts stay as they were read; they are drawn anew."""
        self._styles, self._dimmed = styles, dimmed
        for identity, document in self._documents.values():
            dim = isinstance(identity, tuple) and identity[-1]
            document.restyle(dimmed if dim else styles)

    def recall(self, name: str, given: object, ask: Callable[[], T]) -> T:
        """What ``ask`` answered when it was last ``given`` the same."""
        kept = self._known.get(name)
        if kept is None or kept[0] != given:
            kept = self._known[name] = (given, ask())
        return cast(T, kept[1])

    def begin(self) -> None:
        self._used.clear()

    def end(self) -> None:
        """Let go of texts that the latest draft did not use."""
        for name in self._documents.keys() - self._used:
            del self._documents[name]

    def text(
        self,
        name: str,
        text: Text | str,
        length: int,
        mode: Mode,
        *,
        growing: bool = False,
        dimmed: bool = False,
    ) -> Document:
        """The document of a text, brought up to ``length`` characters of it."""
        identity = (text if isinstance(text, Text) else "", mode, dimmed)
        kept = self._documents.get(name)
        if kept is not None and kept[0] == identity and isinstance(kept[1], Document):
            document = kept[1]
        else:
            document = Document(mode, self._dimmed if dimmed else self._styles)
            self._documents[name] = (identity, document)
        self._used.add(name)
        if isinstance(text, Text):
            document.update(text.read, length, open=growing)
        else:
            document.replace(text, open=growing)
        return document

    def json(self, name: str, text: str, *, growing: bool = False) -> JsonDocument:
        kept = self._documents.get(name)
        if kept is not None and kept[0] == "json" and isinstance(kept[1], JsonDocument):
            document = kept[1]
        else:
            document = JsonDocument(self._styles)
            self._documents[name] = ("json", document)
        self._used.add(name)
        document.update(text, open=growing)
        return document


class Draft:
    """Collects the blocks of one item."""

    def __init__(self, key: int, scene: Scene, shelf: Shelf, depth: int = 0) -> None:
        self.key = key
        self.scene = scene
        self.shelf = shelf
        self.depth = min(depth, DEEPEST_INDENT)
        self.blocks: list[Block] = []
        self.bar: Style | None = None
        """The gutter's bar; ``None`` = no bar."""
        self.foldable = False
        self.folded = False
        """Something of the item is left out, and Enter shows it."""
        self.openers: list[Block] = []
        """Rows that stand for what is left out."""
        room = scene.width - GUTTER
        if room - self.depth * STEP < 3 * NARROWEST:
            self.depth = max(0, (room - 3 * NARROWEST) // STEP)
        self.width = max(NARROWEST, room - self.depth * STEP)

    @property
    def opened(self) -> bool | None:
        """What the reader asked of this item with Enter; ``None`` = nothing."""
        return self.scene.folds.get(self.key)

    def rows(self, *rows: Row) -> None:
        self.blocks.append(Rows(rows))

    def line(self, *pieces: Piece) -> None:
        self.rows(Row(row(*pieces)))

    def edge(self, *pieces: Piece) -> None:
        """A row of decoration."""
        self.rows(Row(row(*pieces), said=None))

    def within(self, side: Strip | None, strip: Strip, hint: Strip = _NOTHING) -> None:
        """A row behind a border; ``hint``: words for the reader only, which are not copied."""
        lead = 0 if side is None else side.cell_length
        joined = Strip.join((strip, hint) if side is None else (side, strip, hint))
        self.rows(Row(joined, lead, hint.cell_length))

    def more(self, side: Strip | None, what: str) -> None:
        """A row that stands for what is left out; a click opens it."""
        dim = self.scene.palette.dim
        key = self.scene.keys.named("fold")
        self.within(side, row((f"… {what}", dim)), row((f" ({key})" if key else "", dim)))
        self.openers.append(self.blocks[-1])

    def sides(self, left: Sequence[Piece], right: Sequence[Piece] = ()) -> None:
        self.rows(sides(left, right, self.width, self.scene.palette.base))

    def ruled(
        self, left: Sequence[Piece], right: Sequence[Piece], style: Style, fill: str, lead: str
    ) -> None:
        """Pieces on a line that is drawn through from ``lead`` on."""
        self.rows(sides(left, right, self.width, style, fill, lead))

    def sentence(self, text: str, style: Style, prefix: Sequence[Piece] = ()) -> None:
        """A few lines of text that has passed the gate, wrapped."""
        room = max(NARROWEST, self.width)
        self.rows(*sentence(text, style, room, prefix))

    def flow(
        self, name: str, document: LaidOut, prefix: Strip | None = None, limit: int | None = None
    ) -> Flow:
        taken = prefix.cell_length if prefix is not None else 0
        block = Flow(name, document, max(NARROWEST, self.width - taken), prefix, limit)
        self.blocks.append(block)
        return block

    def blank(self) -> None:
        self.rows(Row(_NOTHING))
