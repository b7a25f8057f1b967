"""From the source's name to its session and the transcript on the screen, or to why not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.containers import Container
from textual.widgets import Static

from transcript_tui.config import Display, values_of
from transcript_tui.errors import TranscriptError
from transcript_tui.ui import workers
from transcript_tui.ui.bars.facts import Facts
from transcript_tui.ui.keymap import Keymap
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.screens.base import BaseScreen

if TYPE_CHECKING:
    from transcript_tui.session.session import Session
    from transcript_tui.ui.bars.reader import FactsReader
    from transcript_tui.ui.views.transcript import TranscriptView

OpenSession = Callable[[], "Session"]


class Opening(BaseScreen):
    """The first frame goes out before anything heavy is imported; then a thread prepares."""

    reader: FactsReader | None = None
    """There once the source is opened."""
    _failure: TranscriptError | None = None

    def open_source(self, open_session: OpenSession, notice: str) -> None:
        """``notice`` is shown as a toast meanwhile."""
        if notice:
            self.say(notice, "warning")
        workers.start(self, partial(self._enter, open_session), "open")

    async def _enter(self, open_session: OpenSession) -> None:
        prepare = partial(_prepare, open_session, self.options, self.keymap)
        try:
            session, make_view, facts_reader = await asyncio.to_thread(prepare)
        except TranscriptError as error:
            self._fail(error)
            return
        view = make_view()
        self.session, self.view = session, view
        stage = self.query_one("#stage", Container)
        await stage.query("#opening").remove()
        await stage.mount(view)
        if not self.pane_order and not self.prompt.opened:
            view.focus()
        self.reader = facts_reader(session, view)
        session.subscribe(self.arrived)
        if self.wanted_pane:
            self.open_pane(self.wanted_pane)
        self.receive(session.run)
        self.paint_soon()

    def receive(self, receive: Callable[[], Coroutine[Any, Any, None]]) -> None:
        async def to_the_end() -> None:
            try:
                await receive()
            finally:
                self.paint_soon()

        workers.start(self, to_the_end, "receive")

    def _fail(self, error: TranscriptError) -> None:
        """Nothing could be opened: say so where the transcript would be."""
        self._failure = error
        opening = self.query_one("#opening", Static)
        opening.add_class("-failed")
        opening.update(sentence(error))
        self.facts = Facts(label=self.options.label, connection="failed")
        self.show_bars()

    @property
    def failed(self) -> bool:
        """There was never anything to show."""
        return self._nothing_because is not None

    @property
    def failed_because(self) -> str:
        """The sentence for it."""
        error = self._nothing_because
        return sentence(error) if error is not None else ""

    @property
    def _nothing_because(self) -> TranscriptError | None:
        """Why there was never anything to show, if there was not: not even a question."""
        session = self.session
        if self._failure is not None or session is None:
            return self._failure
        if session.tape.length or session.tape.transcript.entries:
            return None
        return session.error or session.nothing_came()


def _prepare(
    open_session: OpenSession, options: ViewerOptions, keymap: Keymap
) -> tuple[Session, Callable[[], TranscriptView], type[FactsReader]]:
    """In a thread: everything heavy is imported here."""
    session = open_session()
    from transcript_tui.ui.bars.reader import FactsReader
    from transcript_tui.ui.views.transcript import TranscriptView, ViewOptions

    chosen = ViewOptions(**values_of(Display, options))
    return session, partial(TranscriptView, session, chosen, keymap, id="transcript"), FactsReader


def sentence(error: TranscriptError) -> str:
    """What happened and what to do, fit to be shown."""
    from transcript_tui.text import safe

    return safe(f"✕ {error}\n{error.hint}" if error.hint else f"✕ {error}")
