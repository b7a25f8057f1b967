"""The application: themes, the main screen, and what happens when something breaks."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import App
from textual.driver import Driver
from textual.filter import Monochrome, NoColor
from textual.worker import WorkerFailed

from transcript_tui.config import DEFAULT_THEME
from transcript_tui.ui import terminal
from transcript_tui.ui.keymap import keymap
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.screens.main import MainScreen
from transcript_tui.ui.screens.opening import OpenSession
from transcript_tui.ui.textualtheme import textual_theme
from transcript_tui.ui.themes import ThemeColors, broken_in_short, load_themes

if TYPE_CHECKING:
    # It brings the pipeline along, which the first frame must not wait for.
    from transcript_tui.session.session import Session


class TranscriptApp(App[None]):
    """Shows one session. ``open_session`` is called in a thread after the first frame."""

    TITLE = "transcript-tui"
    ENABLE_COMMAND_PALETTE = False  # the main screen opens it: its key is in our table
    CSS = """
    CommandPalette > Vertical { margin-top: 1; max-width: 100; background: $panel; }
    CommandPalette SearchIcon { display: none; }
    CommandPalette #--input { border: round $primary; background: $panel; }
    CommandPalette #--input.--list-visible { border: round $primary; }
    CommandPalette CommandInput { border: none; height: 1; padding: 0 1; }
    CommandPalette CommandInput:focus { border: none; padding: 0 1; }
    CommandPalette CommandList {
        border: none; background: $panel; scrollbar-size-vertical: 1;
        &:focus { border: none; }
        & > .option-list--option-highlighted {
            color: $selection-foreground; background: $selection-background;
        }
        &:nocolor > .option-list--option-highlighted { text-style: bold underline; }
    }
    """

    def __init__(
        self, open_session: OpenSession | Session, options: ViewerOptions | None = None
    ) -> None:
        """``open_session`` may be a session that is there already (tests, screenshots)."""
        self.options = options or ViewerOptions()
        # Textual asks for the variables' defaults while it is being made.
        themes, broken = load_themes(self.options.theme_folder)
        self._defaults = textual_theme(themes["dusk"]).variables
        super().__init__()
        self.failure: Exception | None = None
        """The unforeseen error that ended the program."""
        opens = open_session if callable(open_session) else lambda: open_session
        keys = keymap(self.options.keys)
        complaints = (
            broken_in_short(broken),
            self._take_themes(themes),
            keys.in_short,
        )
        self.main = MainScreen(opens, self.options, keys, "\n".join(filter(None, complaints)))
        self.main.themes = {theme.name: theme.about for theme in themes.values()}
        if not self.options.animation:
            self.animation_level = "none"

    def _take_themes(self, themes: Mapping[str, ThemeColors]) -> str:
        """Register our themes in place of Textual's, and choose one; a complaint if it is not."""
        complaint = ""
        for name in self.available_themes:
            self.unregister_theme(name)
        for theme in themes.values():
            self.register_theme(textual_theme(theme))
        wanted = self.options.theme
        if wanted not in (DEFAULT_THEME, *themes):
            complaint = f"There is no theme {wanted!r}: see `transcript-tui themes`"
            wanted = DEFAULT_THEME
        if self.no_color or (wanted == DEFAULT_THEME and terminal.few_colors()):
            # Greys made of true colours would be colours, too: the terminal's own theme has none.
            wanted = "terminal"
            # Textual chose by its own theme, before it knew of ours.
            self._filters = [
                NoColor() if isinstance(one, Monochrome) else one for one in self._filters
            ]
        self.theme = "dusk" if wanted == DEFAULT_THEME else wanted
        return complaint

    def on_load(self) -> None:
        if self.console.color_system == "256" and not self.is_headless:
            from transcript_tui.ui.eightbit import EightBit

            self._filters.append(EightBit())

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return self._defaults

    def get_driver_class(self) -> type[Driver]:
        """Textual draws to stderr; where that goes to a file and stdout does not, to stdout."""
        driver = super().get_driver_class()
        error, out = sys.__stderr__, sys.__stdout__
        to_out = error is not None and not error.isatty() and out is not None and out.isatty()

        class ToTerminal(driver):  # type: ignore[valid-type,misc]  # known at run time only
            def __init__(self, *args: Any, **options: Any) -> None:
                super().__init__(*args, **options)
                # Linux's and Windows's driver write to it, in a thread of their own.
                file = out if to_out else getattr(self, "_file", None)
                if file is not None:
                    self._file = terminal.Vanishing(file)

        return ToTerminal

    def get_default_screen(self) -> MainScreen:
        return self.main

    def on_mount(self) -> None:
        if self.is_headless:
            return
        self.main.write_terminal(terminal.save_title())
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None:
                # Not on every platform, and only in the main thread; without it the default stays.
                with contextlib.suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self._told_to_end, 128 + number)

    def _told_to_end(self, status: int) -> None:
        self.exit(return_code=status)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Paste):
            # What is on the clipboard came from anywhere, and an input shows it as it is.
            from transcript_tui.text import safe

            event.text = safe(event.text)
        # What comes back forwarded bubbled up from who had the focus: see below.
        if event.is_forwarded or not self._for_prompt(event):
            await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        # Typed ahead: right behind the key that opened the prompt, it went to what had the focus.
        if self._for_prompt(event):
            event.prevent_default()

    def on_paste(self, event: events.Paste) -> None:
        if self._for_prompt(event):
            event.prevent_default()

    def _for_prompt(self, event: events.Event) -> bool:
        if not isinstance(event, events.Key | events.Paste) or self.screen is not self.main:
            return False
        return self.main.take_typed(event)

    def action_help_quit(self) -> None:
        """Ctrl+C over help, palette or a question."""
        self.exit()

    # Unforeseen errors: written down, one sentence to the user, no traceback ----------------------

    def _handle_exception(self, error: Exception) -> None:
        if self.failure is None:
            # A worker's own error is what happened; that a worker failed says nothing.
            cause = error.error if isinstance(error, WorkerFailed) else error
            self.failure = cause if isinstance(cause, Exception) else error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        self._exit_renderables.clear()
