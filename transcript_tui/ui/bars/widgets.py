"""The lines around the transcript: title, progress, status, keys. Each draws one line by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.strip import Strip

from transcript_tui.ui.actions import ACTIONS
from transcript_tui.ui.bars.facts import Facts
from transcript_tui.ui.bars.pieces import (
    BREVITIES,
    GAP,
    Piece,
    bar,
    fit,
    length_of,
    play_pieces,
    position_pieces,
    status_pieces,
    title_pieces,
    width_of,
)
from transcript_tui.ui.keymap import Keymap
from transcript_tui.ui.views.styledcells import Cells, strip_of
from transcript_tui.ui.widgets.themed import Themed

SHORTEST_BAR = 10
"""Cells of the progress bar that its numbers leave, as long as they can be said more shortly."""


class Line(Themed):
    """One line of cells, drawn again only when they differ."""

    DEFAULT_CSS = """
    Line { height: 1; width: 1fr; background: $panel; color: $foreground; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._cells: tuple[tuple[str, str], ...] = ()

    def cells_at(self, width: int) -> Cells:
        """The cells at ``width``; subclasses say what."""
        raise NotImplementedError

    def update(self) -> None:
        """Arrange anew, and draw if that changed anything."""
        cells = tuple(self.cells_at(self.size.width)) if self.size.width else ()
        if cells != self._cells:
            self._cells = cells
            self.refresh()

    def on_resize(self) -> None:
        self.update()

    def render_line(self, y: int) -> Strip:
        return strip_of(self._cells if y == 0 else (), self.inks, self.size.width, self.rich_style)


def spread(left: Sequence[Piece], right: Sequence[Piece], width: int) -> Cells:
    """Pieces at both ends of a line with a cell of margin; the right ones stay longer."""
    shown_right = fit(right, width - 2)
    room = width - 2 - length_of(shown_right) - (GAP if shown_right else 0)
    shown_left = [_cut(piece, room) for piece in fit(left, room)] if room > 2 else []
    space = width - 2 - length_of(shown_left) - length_of(shown_right)
    return [
        (" ", ""),
        *_joined(shown_left),
        (" " * max(0, space), ""),
        *_joined(shown_right),
        (" ", ""),
    ]


def _cut(piece: Piece, room: int) -> Piece:
    """A last piece that is still too long, cut with an ellipsis."""
    if width_of(piece.text) <= room:
        return piece
    text = piece.text[: _reach(room)]
    while text and width_of(text) > room - 1:
        text = text[:-1]
    return Piece(f"{text}…", piece.style, piece.rank)


def ending(text: str, room: int) -> str:
    """The end of a text that is too long: of a path or an address it says the most."""
    if width_of(text) <= room:
        return text
    text = text[-_reach(room) :]
    while text and width_of(text) > room - 1:
        text = text[1:]
    return f"…{text}"


def _reach(room: int) -> int:
    """Characters beyond which nothing of a text is shown in ``room`` cells."""
    return 8 * max(0, room) + 16


def _joined(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    cells: list[tuple[str, str]] = []
    for piece in pieces:
        if cells:
            cells.append((" " * GAP, ""))
        cells.append((piece.text, piece.style))
    return cells


class FactsLine(Line):
    """A line that shows facts."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._facts = Facts()

    def show(self, facts: Facts) -> None:
        self._facts = facts
        self.update()


class TitleBar(FactsLine):
    """What is shown, and how it is doing."""

    def cells_at(self, width: int) -> Cells:
        for brevity in BREVITIES:
            right = fit(title_pieces(self._facts, brevity), width - 2)
            room = width - length_of(right) - 2 - GAP - 2
            if width_of(self._facts.label) <= room:
                break
        name = ending(self._facts.label, room)
        return spread([Piece(f"◆ {name}", "foreground bold", 1)], right, width)


class StatusBar(FactsLine):
    """Counts and modes."""

    DEFAULT_CSS = """
    StatusBar { background: $surface; }
    """

    def cells_at(self, width: int) -> Cells:
        return spread(status_pieces(self._facts), [], width)


class PlayBar(FactsLine):
    """The tape: position, marks, speed; click or drag to go somewhere."""

    DEFAULT_CSS = """
    PlayBar { background: $surface; }
    """

    @dataclass
    class Sought(Message):
        """A place was pointed at."""

        fraction: float

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bar = range(0)
        self._dragging = False

    def cells_at(self, width: int) -> Cells:
        left = fit(play_pieces(self._facts), max(1, width // 3))
        start = 1 + length_of(left) + GAP
        # A bar of a few cells shows nothing: the numbers are the first to give way.
        room = min(width // 2, width - start - SHORTEST_BAR - GAP - 1)
        right = fit(position_pieces(self._facts), max(1, room))
        length = width - start - GAP - length_of(right) - 1
        self._bar = range(start, start + max(0, length))
        return [
            (" ", ""),
            *_joined(left),
            (" " * GAP, ""),
            *bar(self._facts, length),
            (" " * GAP, ""),
            *_joined(right),
        ]

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.x in self._bar:
            self._dragging = True
            self.capture_mouse()
            self._seek(event.x)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._dragging:
            self._seek(event.x)

    def on_mouse_up(self) -> None:
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _seek(self, x: int) -> None:
        if not self._bar:
            return
        last = max(1, len(self._bar) - 1)
        self.post_message(self.Sought(min(1.0, max(0.0, (x - self._bar.start) / last))))


@dataclass(frozen=True, slots=True)
class KeyLabel:
    """An entry of the key line."""

    action: str
    key: str
    label: str


class KeyLine(Line):
    """The most useful keys, as many as there is room for; each can be clicked."""

    @dataclass
    class Clicked(Message):
        action: str

    def __init__(self, keymap: Keymap, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._keymap = keymap
        self._tape = self._alone = False
        self._front: tuple[KeyLabel, ...] = ()
        self._places: list[tuple[range, str]] = []

    def show(self, *, tape: bool, context: tuple[KeyLabel, ...] = (), alone: bool = False) -> None:
        """``tape``: playback keys are of use; ``context``: keys of what is in front, put first,
        ``alone`` where the others do not do there what they do elsewhere."""
        self._tape, self._front, self._alone = tape, context, alone
        self.update()

    def cells_at(self, width: int) -> Cells:
        self._places = []
        cells: list[tuple[str, str]] = []
        x = 0
        for entry in (*self._front, *(() if self._alone else self._ranked())):
            length = width_of(entry.key) + width_of(entry.label) + 3
            if x + length > width:
                continue
            cells += [(f" {entry.key}", "footer-key-foreground bold"), (f" {entry.label} ", "dim")]
            self._places.append((range(x, x + length), entry.action))
            x += length
        return cells

    def _ranked(self) -> list[KeyLabel]:
        named = {entry.action for entry in self._front}
        rows = sorted((row for row in ACTIONS if row.footer), key=lambda row: row.footer)
        return [
            KeyLabel(row.id, self._keymap.shown(row.id, 1), row.label)
            for row in rows
            if (row.when == "always" or self._tape) and row.id not in named
        ]

    def on_click(self, event: events.Click) -> None:
        for place, action in self._places:
            if event.x in place:
                self.post_message(self.Clicked(action))
                return
