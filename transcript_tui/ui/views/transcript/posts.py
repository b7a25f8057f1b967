"""What the transcript view tells the screen. Handlers are named after the view:
``on_transcript_view_selected``."""

from __future__ import annotations

from textual.message import Message
from textual.widget import Widget

from transcript_tui.ui.views.transcript.search import SearchState


class About(Message):
    """Something about one view."""

    def __init__(self, view: Widget) -> None:
        super().__init__()
        self.view = view

    @property
    def control(self) -> Widget:
        return self.view


class Selected(About, namespace="transcript_view"):
    """The selection cursor moved."""

    def __init__(self, view: Widget, key: int | None) -> None:
        super().__init__(view)
        self.key = key


class FollowChanged(About, namespace="transcript_view"):
    """The end is followed or not, or another number of items came below what is in view."""

    def __init__(self, view: Widget, following: bool, below: int) -> None:
        super().__init__(view)
        self.following, self.below = following, below


class SearchChanged(About, namespace="transcript_view"):
    """The search found something, or ended."""

    def __init__(self, view: Widget, state: SearchState | None) -> None:
        super().__init__(view)
        self.state = state


class SeekRequested(About, namespace="transcript_view"):
    """What the reader wants to see is not there at this position, but at that one."""

    def __init__(self, view: Widget, position: int) -> None:
        super().__init__(view)
        self.position = position


class Opened(About, namespace="transcript_view"):
    """The first row of an item was double-clicked, or there was nothing to fold or unfold."""

    def __init__(self, view: Widget, key: int) -> None:
        super().__init__(view)
        self.key = key


class Folded(About, namespace="transcript_view"):
    """An item was folded or unfolded."""


class TextSelected(About, namespace="transcript_view"):
    """Text was selected with the mouse, or no longer is."""

    def __init__(self, view: Widget, anything: bool) -> None:
        super().__init__(view)
        self.anything = anything
