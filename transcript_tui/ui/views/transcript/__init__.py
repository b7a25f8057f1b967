"""The transcript view and what it is asked with."""

from transcript_tui.ui.views.transcript.filter import Filter
from transcript_tui.ui.views.transcript.options import ViewOptions
from transcript_tui.ui.views.transcript.search import SearchState
from transcript_tui.ui.views.transcript.view import TranscriptView

__all__ = [
    "Filter",
    "SearchState",
    "TranscriptView",
    "ViewOptions",
]
