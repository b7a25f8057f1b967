"""Views beside, below or over the transcript: what they share, and the list of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final, Literal, Protocol

from textual.message import Message
from textual.widget import Widget

from transcript_tui.ui.keymap import keymap

if TYPE_CHECKING:
    # Only the annotations need it; importing it takes the pipeline along, after the first frame.
    from transcript_tui.session.session import Session

Dock = Literal["side", "bottom"]


@dataclass(frozen=True, slots=True)
class PaneRow:
    """A view that can be opened."""

    dock: Dock
    module: str
    make: str
    """Its class in the module: called with the session."""


PANES: Final[dict[str, PaneRow]] = {
    "events": PaneRow("bottom", "transcript_tui.ui.views.events", "EventsPane"),
    "problems": PaneRow("bottom", "transcript_tui.ui.views.problems", "ProblemsPane"),
    "timeline": PaneRow("bottom", "transcript_tui.ui.views.timeline", "TimelinePane"),
    "inspector": PaneRow("side", "transcript_tui.ui.views.inspector", "InspectorPane"),
    "state": PaneRow("side", "transcript_tui.ui.views.state", "StatePane"),
    "statistics": PaneRow("side", "transcript_tui.ui.views.statistics", "StatisticsPane"),
}


def make_pane(name: str, session: Session) -> Pane:
    """A pane of the registry; its module is imported now and not before."""
    row = PANES[name]
    make: Callable[[Session], Pane] = getattr(import_module(row.module), row.make)
    return make(session)


class Moves(Protocol):
    """What the moving keys are sent to: the transcript, or the pane that has the focus."""

    def scroll_lines(self, lines: int) -> None: ...
    def scroll_pages(self, pages: float) -> None: ...
    def go_first(self) -> None: ...
    def go_last(self) -> None: ...
    def select_next(self) -> None: ...
    def select_previous(self) -> None: ...
    def toggle_fold(self) -> bool: ...


class Pane(Widget):
    """A view that is opened by a key. Subclasses draw; the shell says where time stands."""

    DEFAULT_CSS = """
    Pane {
        width: 1fr; height: 1fr; background: $surface; color: $foreground;
        border: round $rule; border-title-color: $dim; border-subtitle-color: $dim;
        &:focus-within { border: round $primary; border-title-color: $primary; }
    }
    Pane .empty {
        width: 1fr; height: 1fr; content-align: center middle; text-align: center; color: $dim;
    }
    Pane .loading { width: 1fr; height: 1fr; content-align: center middle; color: $dim; }
    Pane .error { width: 1fr; height: 1fr; content-align: center middle; color: $error; }
    """

    @dataclass
    class Sought(Message):
        """Go to an event: its payload's number; ``key`` selects an entry too."""

        payload: int
        key: int | None = None

    @dataclass
    class Picked(Message):
        """An entry was picked here: select it in the transcript, too."""

        key: int

    def __init__(self, session: Session, name: str) -> None:
        super().__init__(name=name)
        self.session = session
        self.keys = keymap({})
        """Those that hints name; the shell gives its own."""
        self.position = 0

    def moves(self) -> Moves:
        """What the moving keys are for."""
        raise NotImplementedError

    def cursor(self) -> Moves | None:
        """What ``j`` and ``k`` move; ``None``: the transcript's selection, which it follows."""
        return self.moves()

    def show_at(self, position: int) -> None:
        """Show what there is at ``position``; called at most once a frame."""
        raise NotImplementedError

    def show_again(self) -> None:
        """What is to be shown at the position is another by now."""
        self.show_at(self.position)

    def selected(self, key: int | None) -> None:
        """The transcript's selection moved."""

    def focus_first(self) -> None:
        """Take the focus."""
        for widget in self.query("*"):
            if widget.focusable:
                self.screen.set_focus(widget)
                return

    def close_inner(self) -> bool:
        """Close what is open within (a detail, a filter) before the pane itself."""
        return False
