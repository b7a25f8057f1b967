"""The line that asks for something: a search, a filter, a place to go to, a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual import events
from textual.actions import parse
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Input, Static

Purpose = Literal["search", "filter", "goto", "events", "record", "export"]

_ASKS: dict[Purpose, tuple[str, str]] = {
    "search": ("Search", "text or regular expression"),
    "filter": ("Filter", "role:user kind:tool speaker:… subagent:… some words"),
    "goto": ("Go to", "an event's number, 12.5s or 1:20 (time), message:ID"),
    "events": ("Events", "type:TEXT… id:… verdict:… some words"),
    "record": ("Record to", "a file"),
    "export": ("Export to", "a file: .md .json .html .txt"),
}

_DOES: dict[Purpose, str] = {
    "goto": "Go",
    "record": "Record",
    "export": "Export",
}
"""What Enter does; the others apply while they are typed, so it keeps them."""


_NOT_EDITING = ("submit", "copy")
_EDITS = {
    key: parse(binding.action)[1:]
    for binding in Input.BINDINGS
    if isinstance(binding, Binding) and binding.action not in _NOT_EDITING
    for key in binding.key.split(",")
}
"""Key → what Textual's input does at it."""


class Prompt(Horizontal):
    """A label and an input; closed until asked."""

    DEFAULT_CSS = """
    Prompt { height: 1; display: none; background: $panel; }
    Prompt.-open { display: block; }
    Prompt > Static { width: auto; padding: 0 1; color: $accent; text-style: bold; }
    Prompt > #prompt-note { color: $dim; text-style: none; }
    Prompt > #prompt-note.-bad { color: $error; }
    Prompt > Input {
        width: 1fr; height: 1; border: none; padding: 0; background: $panel; color: $foreground;
        &:focus { border: none; }
        &>.input--placeholder { color: $dim; }
    }
    """

    @dataclass
    class Changed(Message):
        purpose: Purpose
        text: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._purpose: Purpose = "search"
        self._before = ""

    def compose(self) -> ComposeResult:
        yield Static("", id="prompt-label", markup=False)
        yield Input(id="prompt-input", select_on_focus=False)
        yield Static("", id="prompt-note", markup=False)

    def on_mount(self) -> None:
        self._input.cursor_blink = False

    @property
    def _input(self) -> Input:
        return self.query_one("#prompt-input", Input)

    @property
    def opened(self) -> bool:
        return self.has_class("-open")

    @property
    def done(self) -> str:
        """What Enter does."""
        return _DOES.get(self._purpose, "Keep")

    @property
    def purpose(self) -> Purpose:
        return self._purpose

    def ask(self, purpose: Purpose, value: str = "", example: str = "") -> None:
        """Open for ``purpose``, with ``value`` to change; ``example`` of what can be given."""
        self._purpose, self._before = purpose, value
        label, placeholder = _ASKS[purpose]
        placeholder = example or placeholder
        self.query_one("#prompt-label", Static).update(label)
        self.note("")
        with self.prevent(Input.Changed):
            self._input.value = value
        # What is typed replaces what stood there, at once: getting the focus takes a while.
        self._input.action_select_all()
        self._input.placeholder = placeholder
        self.add_class("-open")
        # At once: what is typed ahead is for the prompt already.
        self.screen.set_focus(self._input)

    @property
    def value(self) -> str:
        return self._input.value

    @property
    def before(self) -> str:
        """What it was opened with: a search or filter that stood, and stands again if left."""
        return self._before

    def edit(self, event: events.Key | events.Paste) -> bool:
        """Type a letter or what was pasted, or edit as a key says; false where it says nothing to
        a line of text."""
        line = self._input
        if isinstance(event, events.Paste):
            line.replace("".join(event.text.splitlines()[:1]), *sorted(line.selection))
        elif event.is_printable and event.character:
            line.replace(event.character, *sorted(line.selection))
        elif event.key in _EDITS:
            name, given = _EDITS[event.key]
            getattr(line, f"action_{name}")(*given)
        else:
            return False
        return True

    def note(self, text: str, *, bad: bool = False) -> None:
        """Say something at the end of the line: a count, or what is wrong. ``text`` is gated."""
        note = self.query_one("#prompt-note", Static)
        note.set_class(bad, "-bad")
        note.update(text)

    def close(self) -> None:
        self.remove_class("-open")
        # Whoever gets the focus next may still be on its way.
        self.screen.set_focus(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if self.opened:
            self.post_message(self.Changed(self._purpose, event.value))
