"""The transcript as plain text while it grows: append-only, for pipes, logs, screen readers.

A block is one speaker line at the margin and its text indented below it, so that no text can
pass for a speaker or an ending. One message at a time has the *floor*: it prints as it grows,
others wait until it closes, comes to a line end while a whole one waits, or until so much
waits that the floor must pass. Whoever goes on after another is announced again.
Everything depends on the events alone: the same stream prints the same text at any speed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, assert_never

from transcript_tui.cli.page import Page, gated
from transcript_tui.text import unfinished
from transcript_tui.transcript.history import Text
from transcript_tui.transcript.model import (
    MANY,
    NOTHING,
    AnyEntry,
    Cut,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    RunEnd,
    RunEnding,
    RunStart,
    Step,
    Subagent,
    ToolCallView,
)
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.wire.jsontext import dumps

__all__ = ["Printer"]

HELD: Final = 16
"""Characters that may wait for what follows: twice the longest sequence that means something."""
PATIENCE: Final = 400
"""Characters that may wait for the floor before it must pass."""


@dataclass(slots=True)
class _Shown:
    """How far one message was printed."""

    text: Text | None = None
    length: int = 0
    announced: bool = False
    calls: int = 0
    """Tool calls printed."""
    whole: str = ""
    """What was printed of a message that does not grow: parts, activity."""


class Printer:
    """Prints what changed, position by position."""

    def __init__(
        self, write: Callable[[str], object], *, buffered: bool = False, passthrough: bool = False
    ) -> None:
        self._page = Page(write)
        self._buffered = buffered
        self._passthrough = passthrough
        self._transcript = Transcript()
        self._position = 0
        self._revision = 0
        """The transcript's, when what no payload brought was last looked for."""
        self._entries = 0
        self._messages: dict[int, _Shown] = {}
        self._names: dict[str, str] = {}
        """Tool call id → tool; subagent id → name."""
        self._waiting: dict[int, None] = {}
        """Messages that have something to print, in the order in which they came."""
        self._floor: int | None = None
        self._open_run = ""
        """``run ID `` while one is open."""
        self._told: dict[int, str] = {}
        """The last line about an entry that is no message."""

    def advance(self, transcript: Transcript, position: int) -> None:
        """Print everything up to ``position``; positions never go back."""
        self._transcript = transcript
        for key in range(self._entries, transcript.count_at(0)):
            self._look(transcript.entries[key], 0)
        if transcript.revision != self._revision:
            self._revision = transcript.revision
            self._amended(transcript)
        touched = transcript.touched
        while self._position < position:
            stamp = self._position
            self._position += 1
            key = touched[stamp]
            if key == NOTHING:
                continue
            if key == MANY:
                self._many(transcript, stamp)
            else:
                self._look(transcript.entries[key], stamp + 1)
        self._entries = transcript.count_at(self._position)

    def finish(self, transcript: Transcript) -> None:
        """Print what waits, and what the end of the bytes brought."""
        self.settle(transcript)
        entries = [entry for entry in transcript.entries if entry.held(self._position)]
        for entry in entries:
            if isinstance(entry, Message):
                self._look(entry, self._position)
        self.settle(transcript)
        for entry in entries:
            if not isinstance(entry, Message):
                self._look(entry, self._position)
        self._page.end()

    def settle(self, transcript: Transcript) -> None:
        """Nothing came for a while: print what waits for the floor."""
        self._transcript = transcript
        for key in list(self._waiting):
            self._say(self._view(key))

    def break_off(self) -> None:
        """Somebody else has a line to say, on the same terminal."""
        self._page.end()

    # One entry -----------------------------------------------------------------------------

    def _many(self, transcript: Transcript, stamp: int) -> None:
        changed = transcript.changes(stamp, stamp + 1)
        keys: Iterable[int] = range(len(transcript.entries)) if changed is None else sorted(changed)
        dropped = 0
        for key in keys:
            entry = transcript.entries[key]
            if entry.dropped == stamp:
                dropped += 1
                self._waiting.pop(key, None)
            elif entry.held(stamp + 1):
                self._look(entry, stamp + 1)
        if dropped:
            self._line(f"a snapshot dropped {dropped} message{'s' * (dropped != 1)}")

    def _amended(self, transcript: Transcript) -> None:
        """The end of a stream, and a gap, are no payload's: they come behind the last one, which
        may have been printed."""
        for entry in transcript.entries:
            if entry.held(self._position):
                self._look(entry, self._position)

    def _look(self, entry: AnyEntry, position: int) -> None:
        match entry:
            case Message():
                self._message(entry.at(position))
            case RunStart():
                self._open_run = f"run {entry.run.run_id} "
                self._tell(entry, f"{self._open_run}started (thread {entry.run.thread_id})")
            case RunEnd():
                self._run_ended(entry, position)
            case Step():
                self._tell(entry, f"step {entry.name}{self._of(entry.owner)}")
            case Subagent():
                self._subagent(entry, position)
            case Passthrough():
                if self._passthrough:
                    self._tell(entry, f"{entry.kind} {entry.name}".rstrip())
            case Rejection():
                self._rejection(entry)
            case Cut():
                self._cut(entry)
            case _:
                assert_never(entry)

    # Messages ------------------------------------------------------------------------------

    def _message(self, view: MessageView) -> None:
        shown = self._messages.setdefault(view.key, _Shown())
        if not self._unsaid(view, shown):
            if self._floor == view.key and not view.open:
                self._pass_floor()
            return
        if not self._may_speak(view):
            self._waiting[view.key] = None
            return
        before = self._floor
        self._say(view)
        if not view.open and before in (None, view.key):
            self._pass_floor()

    def _pass_floor(self) -> None:
        """Nobody speaks: those who waited do, the whole ones first, then one that goes on."""
        self._floor = None
        waiting = [self._view(key) for key in self._waiting]
        for view in waiting:
            if not view.open:
                self._say(view)
        going_on = next((view for view in waiting if view.open), None)
        if going_on is not None:
            self._say(going_on)
        else:
            self._floor = None

    def _view(self, key: int) -> MessageView:
        entry = self._transcript.entries[key]
        assert isinstance(entry, Message)
        return entry.at(self._position)

    def _may_speak(self, view: MessageView) -> bool:
        """Whether ``view`` has the floor or may take it now."""
        if self._floor in (None, view.key):
            return True
        if not view.open and self._page.at_margin:
            return True
        return view.length - self._messages[view.key].length > PATIENCE

    def _unsaid(self, view: MessageView, shown: _Shown) -> bool:
        """Whether there is anything to print of ``view``."""
        return (
            self._visible(view) != shown.length
            or view.text is not shown.text
            or _whole(view) != shown.whole
            or sum(call.state != "streaming" for call in view.tool_calls) > shown.calls
            or not shown.announced
        )

    def _visible(self, view: MessageView) -> int:
        return view.settled if self._buffered and view.open else view.length

    def _say(self, view: MessageView) -> None:
        """Print all there is of ``view``; afterwards it has the floor."""
        shown = self._messages[view.key]
        self._waiting.pop(view.key, None)
        if self._replaced(view, shown):
            shown.length, shown.whole = 0, ""
            self._announce(view, " (replaced by a snapshot)")
        self._say_text(view, shown)
        whole = _whole(view)
        if whole and whole != shown.whole:
            self._announce(view, " (updated)" if shown.whole else "", again=bool(shown.whole))
            self._page.body(gated(whole))
        shown.whole = whole
        self._say_calls(view, shown)

    def _replaced(self, view: MessageView, shown: _Shown) -> bool:
        """Whether a snapshot put other text in the place of what was printed."""
        before, shown.text = shown.text, view.text
        if before is None or before is view.text or not shown.length:
            return False
        now = view.content()
        return now[: shown.length] != before.read(0, shown.length)

    def _say_text(self, view: MessageView, shown: _Shown) -> None:
        end = self._visible(view)
        if view.text is None or end <= shown.length:
            return
        # One character of what is there already: the gate judges a joiner by its neighbours.
        before = view.text.read(max(shown.length - 1, 0), shown.length)
        piece = view.text.read(shown.length, end)
        if view.open:
            piece = _finished(piece)
        shown.length += len(piece)
        if piece:
            self._announce(view)
            self._page.body(gated(before + piece).removeprefix(gated(before)))

    def _say_calls(self, view: MessageView, shown: _Shown) -> None:
        """One line a tool call, once its arguments are complete or will never be."""
        for call in view.tool_calls[shown.calls :]:
            if call.state == "streaming":
                return
            shown.calls += 1
            shown.announced = True
            self._names[call.id] = call.name
            self._line(f"{self._speaker(view)} calls {call.name} {_arguments(call)}")

    def _announce(self, view: MessageView, why: str = "", *, again: bool = False) -> None:
        """The speaker line, unless ``view`` has just been speaking."""
        shown = self._messages[view.key]
        if self._floor == view.key and not why and not again and shown.announced:
            return
        if not why and shown.announced:
            why = " (reopened)" if view.openings > 1 and view.open else " (continued)"
        shown.announced = True
        self._line(f"{self._speaker(view)}{why}:")
        self._floor = view.key

    def _speaker(self, view: MessageView) -> str:
        label = view.role + (f" {view.activity_type}" if view.activity_type else "")
        if view.tool_call_id is not None:
            label += f" {self._names.get(view.tool_call_id, view.tool_call_id)}"
        if view.name:
            label += f" {view.name}"
        if view.owner is not None:
            label += f" [subagent {self._names.get(view.owner, view.owner)}]"
        return label

    # Other entries -------------------------------------------------------------------------

    def _tell(self, entry: AnyEntry, line: str) -> None:
        """A line about ``entry``, unless it was the last one told about it."""
        if self._told.get(entry.key) != line:
            self._told[entry.key] = line
            self._line(line)

    def _run_ended(self, entry: RunEnd, position: int) -> None:
        run, ending = entry.run, entry.run.ending.at(position)
        if ending is None or ending.kind == "rejected":  # the rejection's own line says it
            return
        self._open_run = ""
        name = f"run {run.run_id}" if run.run_id is not None else "outside any run:"
        self._tell(entry, f"{name} {ending.kind}{_particulars(ending)}")

    def _subagent(self, entry: Subagent, position: int) -> None:
        self._names[entry.id] = entry.name
        ending = entry.ending.at(position)
        if ending is None:
            about = f": {entry.description}" if entry.description else ""
            self._tell(entry, f"subagent {entry.name} started{self._of(entry.parent)}{about}")
        else:
            why = f": {ending.message}" if ending.message else ""
            self._tell(entry, f"subagent {entry.name} {ending.kind}{why}")

    def _of(self, owner: str | None) -> str:
        return f" [subagent {self._names.get(owner, owner)}]" if owner is not None else ""

    def _rejection(self, entry: Rejection) -> None:
        found = entry.violation
        verdict = "also rejected, after a violation," if entry.after else "rejected"
        likely = f" Likely cause: {found.likely}" if found.likely else ""
        who = self._open_run or "stream "
        self._tell(
            entry,
            f"{who}{verdict} at event {found.event} by {found.rule}: {found.message}{likely}",
        )

    def _cut(self, entry: Cut) -> None:
        if entry.kind == "truncated":
            self._tell(entry, f"{self._open_run}truncated: the bytes ended with the run open")
            self._open_run = ""
        elif entry.tail:
            self._tell(entry, f"the bytes ended inside a frame: {len(entry.tail)} are no event")
        else:
            why = f": {entry.message}" if entry.message else ""
            self._tell(entry, f"a gap, another stream begins{why}")

    def _line(self, text: str) -> None:
        self._floor = None
        self._page.line(text)


def _finished(text: str) -> str:
    """``text`` without what the characters that follow may make something else of."""
    end = len(text)
    while end and len(text) - end < HELD and unfinished(text[end - 1]):
        end -= 1
    return text[:end]


def _whole(view: MessageView) -> str:
    """What a message shows that does not grow by deltas: parts, an activity, an error."""
    lines = [_part(part) for part in view.parts]
    if view.activity is not None:
        lines.append(dumps(view.activity))
    if view.error:
        lines.append(f"error: {view.error}")
    return "\n".join(lines)


def _part(part: Any) -> str:
    from msgspec import to_builtins

    value = to_builtins(part)
    if value.get("type") == "text":
        return str(value.get("text", ""))
    source = value.get("source", {})
    place = source.get("value", "") if source.get("type") != "data" else "data"
    return f"[{value.get('type')} {source.get('mimeType', '')} {place}]".replace("  ", " ")


def _arguments(call: ToolCallView) -> str:
    cut = " (cut off)" if call.state == "cut" else ""
    return f"with {call.arguments}{cut}" if call.arguments.strip() else f"with no arguments{cut}"


def _particulars(ending: RunEnding) -> str:
    """What the ending's line says behind its kind."""
    said = ""
    if ending.message:
        said += f": {ending.message}"
    if ending.code:
        said += f" ({ending.code})"
    asked = [item.message or item.reason for item in ending.interrupts]
    if asked:
        said += f", asks: {'; '.join(str(one) for one in asked)}"
    if ending.pending:
        said += f", {len(ending.pending)} tool call{'s' * (len(ending.pending) != 1)} unanswered"
    return said
