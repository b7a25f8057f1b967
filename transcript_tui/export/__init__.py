"""Transcript → text, at any position. Pure: nothing here opens a file or asks the time.

To add a format: one module with a ``render`` and one line in ``FORMATS``, which is all
that the command line and the viewer know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from transcript_tui.export import agui, html, markdown, plain
from transcript_tui.transcript.transcript import Transcript

__all__ = ["FORMATS", "Format"]


@dataclass(frozen=True, slots=True)
class Format:
    name: str
    """For people."""
    media_type: str
    render: Callable[[Transcript, int], str]
    """Takes a transcript and a position; total."""


FORMATS: Final[dict[str, Format]] = {
    "txt": Format("plain text", "text/plain", plain.render),
    "md": Format("Markdown", "text/markdown", markdown.render),
    "json": Format("AG-UI JSON", "application/json", agui.render),
    "html": Format("static HTML", "text/html", html.render),
}
"""By the ending of a file's name."""
