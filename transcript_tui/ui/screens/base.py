"""What the commands work on: the screen's parts, without the screen's looks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker

from transcript_tui.ui import workers
from transcript_tui.ui.bars.facts import Facts
from transcript_tui.ui.bars.pieces import width_of
from transcript_tui.ui.keymap import Keymap
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.views.pane import Moves, Pane
from transcript_tui.ui.views.prompt import Prompt, Purpose
from transcript_tui.ui.work import Work

if TYPE_CHECKING:
    from transcript_tui.session.session import Session
    from transcript_tui.ui.views.transcript import TranscriptView

Severity = Literal["information", "warning", "error"]

NOTICE: Final = 4.0
"""Seconds that the status line tells what just happened."""
MARGIN: Final = 1
"""Cells before and after what stands in the status line."""


class BaseScreen(Screen[None]):
    """The main screen as the commands in :mod:`transcript_tui.ui.commands` know it."""

    session: Session | None = None
    view: TranscriptView | None = None
    """Both are there once the source is opened and the first frame is shown."""
    notice = ""
    """What just happened, for the status line."""
    _notice_over: Timer | None = None
    work: Work | None = None
    """What takes long and goes on now."""
    _worker: Worker[None] | None = None

    def __init__(self, options: ViewerOptions, keymap: Keymap) -> None:
        super().__init__()
        self.options = options
        self.keymap = keymap
        self.no_mouse = not options.mouse
        self.facts = Facts(label=options.label)
        """What the bars show."""
        self.pane_order: list[Pane] = []
        """Open panes, the topmost last."""
        self.themes: Mapping[str, str] = {}
        """Names of the themes that can be chosen, and what each is like."""
        self.wanted_pane = ""
        """Asked for before there was a session: opened then."""

    @property
    def prompt(self) -> Prompt:
        return self.query_one(Prompt)

    def ask(self, purpose: Purpose, value: str = "", example: str = "") -> None:
        """Open the prompt, and let the key line speak of it."""
        self.prompt.ask(purpose, value, example)
        self.paint_soon()

    def say(self, text: str, severity: Severity = "information") -> None:
        """Tell what happened, for a while: in the status line, or where it is bad, or longer than
        that, in a toast.

        Whatever is in it, it is text, never markup.
        """
        from transcript_tui.text import label, safe

        line = label(text)
        if severity == "information" and width_of(line) <= self.size.width - 2 * MARGIN:
            self._tell(line)
        else:
            self.app.notify(safe(text), severity=severity, markup=False)

    def _tell(self, text: str) -> None:
        if self._notice_over is not None:
            self._notice_over.stop()
            self._notice_over = None
        self.notice = text
        if text:
            self._notice_over = self.set_timer(NOTICE, lambda: self._tell(""))
        self.paint_soon()

    def begin(self, what: str, do: Callable[[Work], Awaitable[None]]) -> None:
        """Do what takes long, one such thing at a time; the status line tells of it."""
        if self.work is not None:
            self.say_busy()
            return
        self.work = Work(what, self.paint_soon)
        self._worker = workers.start(self, partial(self._do, self.work, do), "work")

    def say_busy(self) -> None:
        if self.work is not None:
            self.say(f"{self.work.what} still goes on: {self.key('back')} stops it")

    async def _do(self, work: Work, do: Callable[[Work], Awaitable[None]]) -> None:
        try:
            await do(work)
        finally:
            self.work = self._worker = None
            self.paint_soon()

    def stop_work(self) -> None:
        if self.work is not None and self._worker is not None:
            self.say(f"{self.work.what}: stopped")
            self._worker.cancel()

    def key(self, *actions: str) -> str:
        """The keys of some actions, for a hint: ``j and k``."""
        return self.keymap.named(*actions)

    def target(self) -> Moves | None:
        """What the moving keys go to."""
        pane = self.focused_pane() or self.covering_pane()
        if pane is None:
            return self.view
        # A key typed ahead of a view that is still opening: there is nothing in it to move yet.
        return pane.moves() if pane.is_mounted else None

    def cursor(self) -> Moves | None:
        """What ``j`` and ``k`` go to."""
        pane = self.focused_pane() or self.covering_pane()
        return (pane.cursor() if pane is not None and pane.is_mounted else None) or self.view

    def focused_pane(self) -> Pane | None:
        """The pane that has the focus."""
        focused = self.focused
        if focused is None:
            return None
        return next((pane for pane in self.pane_order if pane in focused.ancestors_with_self), None)

    def covering_pane(self) -> Pane | None:
        """The pane that hides the transcript, where there is no room for both."""
        raise NotImplementedError

    def open_pane(self, name: str) -> None:
        """Open a pane of the registry, or close it where it is open already."""
        raise NotImplementedError

    def close_pane(self, pane: Pane) -> None:
        raise NotImplementedError

    @property
    def failed(self) -> bool:
        """There was never anything to show."""
        raise NotImplementedError

    def arrived(self) -> None:
        """The session has more: paint, when there is room for it."""
        raise NotImplementedError

    def show_bars(self) -> None:
        """Show ``facts``, and the keys that go with what is in front."""
        raise NotImplementedError

    def paint_soon(self) -> None:
        """Something changed: paint, at most once a frame."""
        raise NotImplementedError

    def copy_text(self, text: str, what: str) -> None:
        """Put text into the clipboard and say so."""
        raise NotImplementedError

    def leave_prompt(self) -> None:
        """Close the prompt; what stood before it was opened stands again."""
        raise NotImplementedError

    def record_to(self, name: str) -> bool:
        """Record to the file that the prompt was given; ``False``: it asks for another."""
        raise NotImplementedError

    def receive(self, receive: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Let the session receive, and paint what comes."""
        raise NotImplementedError

    def export_to(self, name: str) -> bool:
        """Export to the file that the prompt was given; ``False``: it asks for another."""
        raise NotImplementedError

    def write_terminal(self, sequence: str) -> None:
        """Send the terminal an escape sequence of ours, where there is one."""
        raise NotImplementedError

    def focus_view(self) -> None:
        """Give the focus back to the transcript, at once: what is typed ahead is for it."""
        if self.view is not None:
            self.set_focus(self.view)

    def now(self) -> float:
        """The session's clock, seconds."""
        raise NotImplementedError
