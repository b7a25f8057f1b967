"""What every readable format shows, in order: who said what, and how runs ended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, assert_never

from msgspec import UNSET

from transcript_tui.protocol.shapes import ContentPart, DataSource, FileSource, TextPart, UrlSource
from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    Run,
    RunEnd,
    RunStart,
    Step,
    Subagent,
    ToolCallView,
    ToolState,
)
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.wire.jsontext import dumps

__all__ = ["Block", "Call", "Note", "Piece", "Spoken", "blocks", "nothing", "separated"]

Piece = Callable[[], str]
"""A piece of the written transcript: everything was read, it is only to be made text of."""


NoteKind = Literal["run", "ending", "problem"]

STATES: Final[dict[ToolState, str]] = {
    "streaming": "arguments still streaming",
    "complete": "no result",
    "answered": "answered",
    "pending": "left to the front end",
    "cut": "cut off",
}


@dataclass(frozen=True, slots=True)
class Call:
    name: str
    state: str
    arguments: str
    result: Spoken | None


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message. All text is as it came: formats make it harmless."""

    role: str
    speaker: str
    """``name``, the subagent's name, or both; empty where there is neither."""
    text: str
    parts: tuple[str, ...]
    """Media, described; never fetched."""
    calls: tuple[Call, ...]
    marks: tuple[str, ...]
    """What else is to be said of it: still open, cut off, an error …"""
    activity: dict[str, Any] | None = None
    """An activity's content."""

    @property
    def json(self) -> str:
        return "" if self.activity is None else dumps(self.activity, indent=2)


@dataclass(frozen=True, slots=True)
class Note:
    """Not said by anybody: where a run begins or ends, what went wrong."""

    kind: NoteKind
    text: str


Block = Spoken | Note


def blocks(transcript: Transcript, position: int) -> Iterator[Block | None]:
    """What stands at ``position``. Steps, subagents and passthrough events are left out;
    ``None`` comes for an entry that says nothing."""
    shown = _Reading(transcript, position)
    for entry in transcript.held(position):
        told = shown.block(entry)
        if told:
            yield from told
        else:
            yield None


def separated(told: Iterator[Block | None], write: Callable[[Block], str]) -> Iterator[Piece]:
    """Blocks as text, with an empty line between two of them."""
    write_next, write_after = write, partial(_after, write)
    for block in told:
        yield nothing if block is None else partial(write_next, block)
        if block is not None:
            write_next = write_after


def _after(write: Callable[[Block], str], block: Block) -> str:
    return "\n" + write(block)


def nothing() -> str:
    """The piece of an entry that says nothing."""
    return ""


class _Reading:
    def __init__(self, transcript: Transcript, position: int) -> None:
        self.transcript = transcript
        self.position = position

    def block(self, entry: AnyEntry) -> list[Block]:
        match entry:
            case Message():
                if self.transcript.holder_of(entry, self.position) is not None:
                    return []
                return [self._spoken(entry.at(self.position))]
            case RunStart():
                first = entry.run.index == 0
                return [] if first else [Note("run", f"run {entry.run.run_id}")]
            case RunEnd():
                return [Note("ending", sentence) for sentence in _ending(entry.run, self.position)]
            case Rejection():
                told = entry.violation
                further = "A further violation" if entry.after else "The stream was rejected here"
                return [Note("problem", f"{further}: {told.rule}: {told.message}")]
            case Cut():
                return [Note("problem", entry.message or "The stream ended in mid-run: truncated.")]
            case Step() | Subagent() | Passthrough():
                return []
            case _:
                assert_never(entry)

    def _spoken(self, view: MessageView) -> Spoken:
        texts = [part.text for part in view.parts if isinstance(part, TextPart)]
        return Spoken(
            role=view.role,
            speaker=self._speaker(view),
            text=view.content() or "\n\n".join(texts),
            parts=tuple(_described(part) for part in view.parts if not isinstance(part, TextPart)),
            calls=tuple(self._call(call) for call in view.tool_calls),
            marks=tuple(_marks(view)),
            activity=view.activity,
        )

    def _speaker(self, view: MessageView) -> str:
        names = [] if view.name is None else [view.name]
        if view.activity_type is not None:
            names.append(view.activity_type)
        if view.owner is not None:
            subagent = self.transcript.subagent(view.owner, self.position)
            names.append(f"subagent {view.owner if subagent is None else subagent.name}")
        return ", ".join(names)

    def _call(self, call: ToolCallView) -> Call:
        answer = None if call.result is None else self.transcript.entries[call.result]
        result = self._spoken(answer.at(self.position)) if isinstance(answer, Message) else None
        return Call(call.name, STATES[call.state], call.arguments, result)


def _marks(view: MessageView) -> list[str]:
    marks: list[str] = []
    if view.open:
        marks.append("still being written")
    if view.cut:
        marks.append("cut off")
    if view.error is not None:
        marks.append(f"error: {view.error}")
    if view.encrypted:
        marks.append("with an encrypted value")
    return marks


def _described(part: ContentPart) -> str:
    assert not isinstance(part, TextPart)
    source, kind = part.source, str(part.__struct_config__.tag)
    mime = "" if source.mime_type is UNSET else f" ({source.mime_type})"
    match source:
        case DataSource():
            return f"{kind}{mime}, {len(source.value)} characters of base64"
        case UrlSource():
            return f"{kind}{mime} at {source.value}"
        case FileSource():
            return f"{kind}{mime}, provider's file {source.value}"
        case _:
            assert_never(source)


def _ending(run: Run, position: int) -> list[str]:
    """Sentences on how a run ended; a plain finish needs none."""
    ending = run.ending.at(position)
    if ending is None or ending.kind in ("rejected", "truncated"):
        return []
    sentences: list[str] = []
    if ending.kind != "finished":
        code = "" if ending.code is None else f" ({ending.code})"
        about = "" if ending.message is None else f": {ending.message}{code}"
        sentences.append(f"The run {_WORDS[ending.kind]}{about}")
    for interrupt in ending.interrupts:
        asked = interrupt.reason if interrupt.message is UNSET else interrupt.message
        sentences.append(f"It waits for an answer: {asked}")
    if ending.pending:
        sentences.append(f"Tool calls left to the front end: {', '.join(ending.pending)}")
    return sentences


_WORDS: Final = {
    "failed": "failed",
    "cancelled": "was cancelled",
    "interrupted": "was interrupted",
}
