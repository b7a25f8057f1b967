"""A JSON text as a page to be shown, and as lines."""

from __future__ import annotations

from collections.abc import Iterator

from transcript_tui.ui.layout.document import Page
from transcript_tui.ui.layout.json.source import JsonSource
from transcript_tui.ui.layout.styles import DocumentStyles


class JsonDocument(Page):
    """A JSON text, whole or not; any other text is shown as it is."""

    def __init__(self, styles: DocumentStyles) -> None:
        super().__init__(JsonSource(), styles)

    def update(self, text: str, *, open: bool = False) -> bool:
        """Show ``text``; whether anything changed. What it has in common is kept."""
        return self._replace(text, open=open)


def laid_out(text: str) -> Iterator[str]:
    """All of a JSON text in lines that have passed the gate; any other text as it is. Read as
    far as lines are asked for."""
    source = JsonSource(longest=len(text))
    given = until = 0
    while given <= until:
        source.update(lambda start, end: text[start:end], len(text), open=False)
        until = len(source.leaves) if source.complete else source.settled
        for leaf in source.leaves[given:until]:
            yield from leaf.lines
        given = until + source.complete
