"""Taking things along: copies, links, recordings, files; and the mouse."""

from __future__ import annotations

from pathlib import Path

from transcript_tui.errors import unwritable
from transcript_tui.ui import terminal
from transcript_tui.ui.screens.desk import Desk


class Taking(Desk):
    """Keys of the group “Taking along”."""

    def action_copy_item(self) -> None:
        if self.view is None:
            return
        if self.view.selected is None:
            select = self.key("next_item", "previous_item")
            everything = self.key("copy_transcript")
            self.say(f"Nothing is selected: {select} select, {everything} copies everything")
            return
        source = self.view.source_of(self.view.selected)
        if not source:
            self.say("This item has no text to copy")
            return
        self.copy_text(source, "the item's source")

    def action_copy_transcript(self) -> None:
        from transcript_tui.export import FORMATS

        if self.session is not None:
            written = FORMATS["md"].render(
                self.session.tape.transcript, self.session.player.position
            )
            self.copy_text(written, "the transcript as Markdown")

    def copy_text(self, text: str, what: str) -> None:
        """Into the clipboard: through the terminal, and the platform's own where there is one."""
        way = self.options.clipboard
        if way == "off":
            self.say("Copying is switched off in the settings", "warning")
            return
        if way in ("auto", "osc52"):
            self.app.copy_to_clipboard(text)
        if way in ("auto", "command"):
            self.run_worker(
                lambda: terminal.copy_by_command(text), thread=True, exit_on_error=False
            )
        self.say(f"Copied {what}: {len(text):,} characters")

    def action_open_link(self) -> None:
        if self.view is None or self.view.selected is None:
            select = self.key("next_item", "previous_item")
            self.say(f"Select an item with a link first: {select} select")
            return
        found = self.view.links_of(self.view.selected)
        links = [link for link in dict.fromkeys(found) if terminal.may_open(link)]
        if not links:
            others = ": only http, https and mailto open" if found else ""
            self.say(f"This item has no link to open{others}")
            return
        from transcript_tui.ui.screens.link import LinkScreen

        self.app.push_screen(LinkScreen(links), self._open)

    def _open(self, address: str | None) -> None:
        if address and terminal.may_open(address):
            self.app.open_url(address)
            self.say(f"Opened {address}")

    def action_record(self) -> None:
        session = self.session
        if session is None:
            return
        if session.recorder is not None and session.recorder.state in ("ready", "recording"):
            self.say(f"Recording to {session.recorder.path} already")
            return
        self.ask("record", str(self.options.record_to or "recording.sse"))

    def record_to(self, name: str) -> bool:
        path = Path(name.strip()).expanduser()
        if self.session is None or not name.strip():
            return True
        if path.exists():
            self.say(f"{path} is there already; choose another name", "warning")
            return False
        before = self.session.recorder
        recorder = self.session.record(path)
        if recorder.state == "failed":
            self.session.recorder = before
            self.say(f"{recorder.problem} {recorder.hint}", "error")
            return False
        if recorder.state == "done":
            self.say(f"Recorded {recorder.frames:,} events to {path}")
        else:
            # Beside this the status line says that it records, and where to.
            self.say("from the first event on")
        self.paint_soon()
        return True

    def action_export(self) -> None:
        """From the palette: the transcript into a file, at the position shown."""
        self.ask("export", "transcript.md")

    def export_to(self, name: str) -> bool:
        from transcript_tui.export import FORMATS

        path = Path(name.strip()).expanduser()
        if self.session is None or not name.strip():
            return True
        chosen = FORMATS.get(path.suffix.removeprefix("."))
        if chosen is None:
            self.say(f"The file's ending says the format: {', '.join(FORMATS)}", "warning")
            return False
        colors = self.app.current_theme.variables
        written = chosen.render(self.session.tape.transcript, self.session.player.position, colors)
        try:
            # A lone surrogate is legal in JSON and cannot be written as UTF-8.
            with path.open("x", encoding="utf-8", errors="replace") as file:
                file.write(written)
        except FileExistsError:
            self.say(f"{path} is there already; choose another name", "warning")
        except OSError as error:
            why = unwritable(path, error)
            self.say(f"{why} {why.hint}", "error")
        else:
            self.say(f"Exported to {path}")
            return True
        return False

    def action_mouse(self) -> None:
        self.no_mouse = not self.no_mouse
        self.write_terminal(terminal.mouse_reports(not self.no_mouse))
        self.say(
            f"The mouse is the terminal's again; {self.key('mouse')} takes it back"
            if self.no_mouse
            else "The mouse works in the viewer"
        )
        self.paint_soon()
