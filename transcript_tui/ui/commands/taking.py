"""Taking things along: copies, links, recordings, files; and the mouse."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from transcript_tui.errors import unwritable
from transcript_tui.text import label
from transcript_tui.ui import terminal, workers
from transcript_tui.ui.amounts import count
from transcript_tui.ui.screens.base import BaseScreen
from transcript_tui.ui.work import Work
from transcript_tui.ui.writing import write

if TYPE_CHECKING:
    from transcript_tui.export import Format


class Taking(BaseScreen):
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

        session = self.session
        if session is None:
            return

        async def copy(work: Work) -> None:
            written = await write(FORMATS["md"], session, None, work)
            self.copy_text(written, "the transcript as Markdown")

        self.begin("Copying the transcript", copy)

    def copy_text(self, text: str, what: str) -> None:
        """Into the clipboard: through the terminal, and the platform's own where there is one."""
        way = self.options.clipboard
        if way == "off":
            self.say("Copying is switched off in the settings", "warning")
            return
        # Lone surrogates are legal in JSON, and no clipboard takes them.
        data = text.encode("utf-8", "replace")
        told = f"{what}: {len(text):,} characters"
        sent = way != "command" and len(data) <= terminal.MOST_COPIED
        if sent:
            self.app.copy_to_clipboard(data.decode())
        sure = sent and len(data) <= terminal.SURELY_COPIED
        if sure:
            self.say(f"Copied {told}")
        if way != "osc52":
            hand_over = partial(self._hand_over, data, told, sent=sent, sure=sure)
            workers.start(self, hand_over, "copy")
        elif not sure:
            self._doubt(told, sent=sent)

    async def _hand_over(self, data: bytes, told: str, *, sent: bool, sure: bool) -> None:
        """To the platform's own clipboard; what is said hangs on that where the terminal's may
        not have taken it."""
        taken = await asyncio.to_thread(terminal.copy_by_command, data)
        if sure:
            return
        if taken:
            self.say(f"Copied {told}")
        else:
            self._doubt(told, sent=sent)

    def _doubt(self, told: str, *, sent: bool) -> None:
        way = self.keymap.way_to("export") or "transcript-tui export"
        export = f"{way} writes the transcript into a file"
        if sent:
            most = f"{terminal.SURELY_COPIED:,}"
            self.say(f"Sent {told}. Many terminals copy no more than {most}. {export}", "warning")
        elif self.options.clipboard == "command":
            self.say("There is no clipboard program here that took it", "warning")
        else:
            self.say(f"Too long for a terminal to copy {told}. {export}", "warning")

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
            workers.start(self, partial(self._hand_to_browser, address), "browser")

    async def _hand_to_browser(self, address: str) -> None:
        if await asyncio.to_thread(terminal.open_link, address):
            self.say(f"Handed to the browser: {address}")
        else:
            self.say(f"No browser could be started here for {address}", "warning")

    def action_record(self) -> None:
        session = self.session
        if session is None:
            return
        if session.recorder is not None and session.recorder.state in ("ready", "recording"):
            self.say(f"Recording to {session.recorder.path} already")
            return
        self.ask("record", _free("recording.sse"))

    def record_to(self, name: str) -> bool:
        path = _path(name)
        if self.session is None or not name.strip():
            return True
        if os.path.exists(path):
            self.say(f"{path} is there already; choose another name", "warning")
            return False
        recorder = self.session.record(path)
        if recorder.error is not None:
            self.say(recorder.error.in_full, "error")
            return False
        # Beside this the status line names the file.
        if self.session.receiving:
            self.say("from the first event on")
        else:
            self.say(count(self.session.tape.length, "event"))
        self.paint_soon()
        return True

    def action_export(self) -> None:
        """The transcript into a file, at the position shown."""
        self.ask("export", _free("transcript.md"))

    def export_to(self, name: str) -> bool:
        from transcript_tui.export import FORMATS

        path = _path(name)
        if self.session is None or not name.strip():
            return True
        chosen = FORMATS.get(path.suffix.removeprefix(".").lower())
        if chosen is None:
            self.say(f"The file's ending says the format: {', '.join(FORMATS)}", "warning")
            return False
        if self.work is not None:
            self.say_busy()
            return True
        try:
            # Made now, so that what stands in the way is told while the name can be changed.
            path.touch(exist_ok=False)
        except FileExistsError:
            self.say(f"{path} is there already; choose another name", "warning")
        except OSError as error:
            self.say(unwritable(path, error).in_full, "error")
        else:
            what = f"Exporting {label(path.name)}"
            self.begin(what, lambda work: self._export(path, chosen, work))
            return True
        return False

    async def _export(self, path: Path, chosen: Format, work: Work) -> None:
        assert self.session is not None
        try:
            colors = self.app.current_theme.variables
            written = await write(chosen, self.session, colors, work)
            await asyncio.to_thread(_write, path, written)
        except BaseException as error:
            # Half of it would pass for all of it.
            _remove(path)
            if not isinstance(error, OSError):
                raise
            self.say(unwritable(path, error).in_full, "error")
        else:
            self.say(f"Exported to {path}")

    def action_mouse(self) -> None:
        self.no_mouse = not self.no_mouse
        self.write_terminal(terminal.mouse_reports(not self.no_mouse))
        self.say(
            f"The mouse is the terminal's again; {self.key('mouse')} takes it back"
            if self.no_mouse
            else "The mouse works in the viewer"
        )
        self.paint_soon()


def _free(name: str) -> str:
    """A name to propose: this, or one like it where that is taken."""
    path, number = Path(name), 1
    while path.exists():
        number += 1
        path = path.with_name(f"{Path(name).stem}-{number}{path.suffix}")
    return str(path)


def _path(name: str) -> Path:
    """What was typed; a home that nobody has stays as it is written."""
    return Path(os.path.expanduser(name.strip()))


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _write(path: Path, written: str) -> None:
    # A lone surrogate is legal in JSON and cannot be written as UTF-8.
    path.write_text(written, encoding="utf-8", errors="replace")
