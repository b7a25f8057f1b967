"""A message's text as rows of cells: Markdown, source, JSON; at any width, at any length."""

from transcript_tui.ui.layout.document import Anchor, Document, Link
from transcript_tui.ui.layout.json.document import JsonDocument, laid_out
from transcript_tui.ui.layout.json.escapes import readable, readable_json, spelled_length
from transcript_tui.ui.layout.json.words import words
from transcript_tui.ui.layout.source import Mode, Reader
from transcript_tui.ui.layout.styles import DocumentStyles

__all__ = [
    "Anchor",
    "Document",
    "DocumentStyles",
    "JsonDocument",
    "Link",
    "Mode",
    "Reader",
    "laid_out",
    "readable",
    "readable_json",
    "spelled_length",
    "words",
]
