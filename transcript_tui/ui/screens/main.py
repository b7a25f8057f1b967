"""The main screen: transcript, bars, prompt, and the views around them."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal
from textual.timer import Timer
from textual.widgets import Static

from transcript_tui import collector
from transcript_tui.ui.amounts import count
from transcript_tui.ui.announcer import Announcer
from transcript_tui.ui.bars.facts import SLOW
from transcript_tui.ui.bars.widgets import KeyLine, PlayBar, StatusBar, TitleBar
from transcript_tui.ui.bindings import bindings
from transcript_tui.ui.commands.finding import Finding
from transcript_tui.ui.commands.moving import Moving
from transcript_tui.ui.commands.program import Program
from transcript_tui.ui.commands.reading import Reading
from transcript_tui.ui.commands.taking import Taking
from transcript_tui.ui.commands.time import Time
from transcript_tui.ui.commands.views import Views
from transcript_tui.ui.keymap import Keymap
from transcript_tui.ui.notes import Notes
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.places import Awaited, parse_place
from transcript_tui.ui.repainting import SOON, Repainting
from transcript_tui.ui.screens.keyhints import KeyHints
from transcript_tui.ui.screens.opening import Opening, OpenSession, sentence
from transcript_tui.ui.screens.panes import PaneHost
from transcript_tui.ui.timers import after
from transcript_tui.ui.views.pane import Pane
from transcript_tui.ui.views.prompt import Prompt

if TYPE_CHECKING:
    from transcript_tui.session.session import Session
    from transcript_tui.ui.views.transcript import TranscriptView

WIDE: Final = 110
"""Cells from which a side view stands beside the transcript instead of over it."""
MASS: Final = 2_000
"""Events that come between two paintings when nobody can read along: a log is being read, not
spoken. The end of it runs by; how far it is can be seen a few times a second, too."""
CALM: Final = 0.25
"""Seconds between two paintings then."""
TALL: Final = 22
"""Lines from which a bottom view leaves the transcript in sight."""


class MainScreen(
    Opening, PaneHost, KeyHints, Moving, Reading, Finding, Views, Time, Taking, Program
):
    """Wires the session to the transcript and the bars; the keys are in the commands."""

    AUTO_FOCUS = ""  # Textual would take the prompt's input, which is closed

    DEFAULT_CSS = """
    MainScreen { layout: vertical; background: $background; color: $foreground; }
    MainScreen > #body { height: 1fr; }
    MainScreen #stage { width: 1fr; height: 1fr; }
    MainScreen #opening {
        width: 1fr; height: 1fr; content-align: center middle; text-align: center;
        color: $dim; padding: 0 2;
    }
    MainScreen #opening.-failed { color: $error; }
    MainScreen #side { width: 42%; max-width: 76; display: none; }
    MainScreen.-narrow #side { width: 1fr; max-width: 100%; }
    MainScreen > #bottom { height: 45%; display: none; }
    MainScreen.-low > #bottom { height: 1fr; }
    MainScreen > #banner {
        height: auto; max-height: 4; display: none; padding: 0 1;
        background: $panel; color: $error; border-left: outer $error;
    }
    MainScreen ToastRack { margin-bottom: 4; }
    MainScreen Toast { width: auto; max-width: 90%; margin-top: 0; padding: 0 1; }
    """

    def __init__(
        self,
        open_session: OpenSession,
        options: ViewerOptions,
        keymap: Keymap,
        notice: str = "",
    ) -> None:
        """``notice`` is shown as a toast after the first frame."""
        super().__init__(options, keymap)
        self._first_notice = notice
        self._open_session = open_session
        later = partial(after, self)
        self._repainting = Repainting(self._paint, time.monotonic, later, time.thread_time)
        self._soon: Timer | None = None
        self._still = collector.Shown()
        self._announcer = Announcer(options, self.write_terminal, lambda: self.app.bell())
        self._length = 0
        """Events that the last painting knew of."""
        self._calm = 0.0
        self._notes = Notes()
        self._banner = ""
        self._awaited = Awaited(parse_place(options.start_at))
        """Where ``--start-at`` wants to begin."""
        for binding in bindings(keymap):
            self._bindings.key_to_bindings[binding.key] = [binding]

    @property
    def _update_timer(self) -> Timer:
        """What Textual waits for between what is to be painted and painting it.

        Its own gathers for a sixtieth of a second, and then for up to two: after
        :class:`Repainting` has gathered already. This one comes as soon as the widgets have spoken.
        """
        if self._soon is None:
            self._soon = self.set_interval(SOON, self._on_timer_update, pause=True)
        return self._soon

    # Composing -------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield TitleBar(id="title")
        with Horizontal(id="body"):
            with Container(id="stage"):
                yield Static(f"Opening {self.options.label}…", id="opening", markup=False)
            yield Container(id="side")
        yield Container(id="bottom")
        yield Static("", id="banner", markup=False)
        yield Prompt()
        yield PlayBar(id="play")
        yield StatusBar(id="status")
        yield KeyLine(self.keymap, id="keys")

    def on_mount(self) -> None:
        self.query_one(PlayBar).display = False
        self.show_bars()
        self.call_after_refresh(self.open_source, self._open_session, self._first_notice)

    def on_screen_suspend(self) -> None:
        """A dialog was opened: the key line is its own."""
        self.show_bars()

    def on_screen_resume(self) -> None:
        self.show_bars()

    def on_unmount(self) -> None:
        if self.session is not None:
            self.session.stop()

    # Painting ----------------------------------------------------------------------------------

    def paint_soon(self) -> None:
        if self.is_attached:
            self._repainting.request(urgent=True)
        if self.view is not None:
            self.view.give_way()

    def arrived(self) -> None:
        if self.is_attached and self.session is not None:
            # The end is shown at once.
            self._repainting.request(self._calm if self.session.receiving else 0.0)

    def now(self) -> float:
        return self.session.clock.now() if self.session is not None else time.monotonic()

    def _paint(self) -> float | None:
        """Show the newest value; returns when to paint again without being asked."""
        session, view = self.session, self.view
        if session is None or view is None or self.reader is None or not view.is_attached:
            return None
        now = session.clock.now()
        self._calm = CALM if session.tape.length - self._length >= MASS else 0.0
        self._length = session.tape.length
        session.player.tick(now)
        self._begin_at(session)
        position = session.player.position
        view.show(position)
        for pane in self.pane_order:
            if pane.display and pane.is_mounted:
                pane.show_at(position)
        self._speak(session)
        before = self.facts
        self.facts = self.reader.read(
            time.monotonic(),
            no_mouse=self.no_mouse,
            notice=self.notice or (self.work.said if self.work is not None else ""),
        )
        self.show_bars()
        self._announcer.tell(before, self.facts)
        self._still.painted()
        return self._wait(session, now)

    @property
    def settled(self) -> bool:
        """Whether the bars show all of the position (some is read only every ``SLOW`` seconds)."""
        return self.reader is not None and not self.reader.stale

    def _wait(self, session: Session, now: float) -> float | None:
        due = session.player.due(now)
        if not self.settled:
            return SLOW if due is None else min(due, SLOW)
        if session.disk_stands:
            # It may be told soon, or by how much more.
            return 1.0 if due is None else min(due, 1.0)
        if due is None and (self.facts.silence is not None or self.facts.again_in):
            return 1.0  # the clock of a silent run goes on, or the one to the next try
        return due

    def _begin_at(self, session: Session) -> None:
        """``--start-at``: go there as soon as it has arrived."""
        place = self._awaited.due(session)
        complaint = self._go(place) if place is not None else ""
        if complaint:
            start_at = self.options.start_at
            self.say(f"Began at the beginning: {complaint} ({start_at})", "warning")

    def _speak(self, session: Session) -> None:
        """What the session has to say besides the transcript."""
        shown, more = self._notes.due(session.notes, session.clock.now())
        for note in shown:
            self.say(note, "warning")
        if more:
            key = self.key("problems")
            listed = f": {key} lists them all" if key else ""
            self.say(f"{count(len(session.notes), 'note')}{listed}")
        banner = self.query_one("#banner", Static)
        # Where there is nothing at all, the transcript's own place says why.
        error = (
            (session.error or session.nothing_came()) if session.tape.transcript.entries else None
        )
        words = sentence(error) if error is not None else ""
        if words != self._banner:
            self._banner = words
            banner.update(words)
        banner.display = bool(words)

    def show_bars(self) -> None:
        facts = self.facts
        self.query_one(TitleBar).show(facts)
        self.query_one(StatusBar).show(facts)
        play = self.query_one(PlayBar)
        on_tape = facts.on_tape
        if play.display != on_tape:
            play.display = on_tape
        if on_tape:
            play.show(facts)
        self.query_one(KeyLine).show(
            tape=self.session is not None,
            context=self.front_keys(),
            alone=self.only_front,
        )

    def on_play_bar_sought(self, message: PlayBar.Sought) -> None:
        if self.session is not None:
            self.session.player.seek_fraction(message.fraction)
            self.paint_soon()

    async def on_key_line_clicked(self, message: KeyLine.Clicked) -> None:
        if message.action:
            await self.run_action(f"screen.{message.action}")

    # The transcript speaks ----------------------------------------------------------------------

    def on_transcript_view_selected(self, message: TranscriptView.Selected) -> None:
        for pane in self.pane_order:
            if pane.is_mounted:
                pane.selected(message.key)
        # The key line offers what can be done with it.
        self.paint_soon()

    def on_text_selected(self) -> None:
        """In a pane: what is selected is in one place."""
        if self.view is not None and self.get_selected_text():
            self.view.clear_text_selection()
        self.paint_soon()

    def on_transcript_view_text_selected(self, message: TranscriptView.TextSelected) -> None:
        if message.anything:
            self.clear_selection()
        # The key line offers to copy it.
        self.paint_soon()

    def on_transcript_view_folded(self) -> None:
        # The key line says what the next press does.
        self.paint_soon()

    def on_transcript_view_follow_changed(self) -> None:
        self.paint_soon()

    def on_transcript_view_search_changed(self, message: TranscriptView.SearchChanged) -> None:
        self.note_found(message.state)
        # Also while it only goes on over what arrives: nobody waits for that.
        self._repainting.request()

    def on_transcript_view_seek_requested(self, message: TranscriptView.SeekRequested) -> None:
        if self.session is not None:
            self.session.player.seek(message.position)
            self.say(f"Went to event {message.position - 1:,}, where it begins")
            self.paint_soon()

    def on_transcript_view_opened(self, message: TranscriptView.Opened) -> None:
        # Its key closes it again; an item that is opened is to be seen.
        if not any(pane.name == "inspector" for pane in self.pane_order):
            self.open_pane("inspector")

    def on_pane_sought(self, message: Pane.Sought) -> None:
        if self.session is None:
            return
        self.session.player.seek(message.payload + 1)
        if message.key is not None and self.view is not None:
            self.view.show(self.session.player.position)
            self.view.jump_to_change(message.key)
        self.paint_soon()

    def on_pane_picked(self, message: Pane.Picked) -> None:
        if self.view is not None and self.view.selected != message.key:
            self.view.jump_to(message.key)

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < WIDE, "-narrow")
        self.set_class(event.size.height < TALL, "-low")
        self.arrange_panes()
        self.paint_soon()

    # The terminal around ------------------------------------------------------------------------

    def write_terminal(self, sequence: str) -> None:
        driver = self.app._driver
        if driver is not None and not self.app.is_headless:
            driver.write(sequence)
