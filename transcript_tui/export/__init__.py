"""Transcript → text, at any position. Pure: nothing here opens a file or asks the time.

To add a format: one module with ``pieces`` and one line in ``FORMATS``, which is all that
the command line and the viewer know. One that has colours takes the theme's as a third
argument, and says so there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from transcript_tui.export import agui, html, markdown, plain
from transcript_tui.export.blocks import Piece
from transcript_tui.export.html import Colors
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.transcript import Transcript

__all__ = ["FORMATS", "Colors", "Format", "Piece"]


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    """For people."""
    plain: Callable[[Transcript, int], Iterator[Piece]]
    """Takes a transcript and a position; total."""
    colored: Callable[[Transcript, int, Colors], Iterator[Piece]] | None = None
    """The same in a theme's colours, where the format has any."""

    def render(
        self, transcript: Transcript, position: int = LATEST, colors: Colors | None = None
    ) -> str:
        """``colors``: the theme's; formats without any pay them no heed."""
        return "".join(piece() for piece in self.pieces(transcript, position, colors))

    def pieces(
        self, transcript: Transcript, position: int = LATEST, colors: Colors | None = None
    ) -> Iterator[Piece]:
        """The same piece by piece, one or more for each entry of the transcript.

        Each was read from the transcript when it comes out, and is only to be called to be
        text. So whoever has other things to do takes some at a time, while the transcript goes
        on growing behind ``position``, and makes text of them wherever there is room.
        """
        if self.colored is None or colors is None:
            return self.plain(transcript, position)
        return self.colored(transcript, position, colors)


FORMATS: Final[dict[str, Format]] = {
    "txt": Format("plain text", plain.pieces),
    "md": Format("Markdown", markdown.pieces),
    "json": Format("AG-UI JSON", agui.pieces),
    "html": Format("static HTML", html.pieces, html.pieces),
}
"""By the ending of a file's name."""
