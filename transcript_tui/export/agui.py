"""AG-UI JSON: what a next run would start from, so that ``watch --input`` takes it again.

Nothing is lost: what other formats show as signs are escapes here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from transcript_tui.export.blocks import Piece
from transcript_tui.text import escaped
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.queries import as_message
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.wire.jsontext import dumps

_INDENT: Final = 2


def pieces(transcript: Transcript, position: int = LATEST) -> Iterator[Piece]:
    """A part of a ``RunAgentInput``: the thread, its messages, its state."""
    threads = [run.thread_id for run in transcript.runs if run.started < position]
    known = [thread for thread in threads if thread is not None]
    yield partial(_head, known[-1] if known else None)
    lead = "\n"
    for message in transcript.conversation(position):
        yield partial(_listed, lead, as_message(message, position))
        lead = ",\n"
    yield partial(_foot, transcript.state_at(position), "]" if lead == "\n" else "\n  ]")


def _head(thread: str | None) -> str:
    told = "" if thread is None else f'  "threadId": {escaped(dumps(thread))},\n'
    return f'{{\n{told}  "messages": ['


def _listed(lead: str, message: dict[str, Any]) -> str:
    return f"{lead}    {_indented(message, 2)}"


def _foot(state: Any, closing: str) -> str:
    return f'{closing},\n  "state": {_indented(state, 1)}\n}}\n'


def _indented(value: Any, level: int) -> str:
    """``value`` as it is written within ``level`` others; no text in it has a line end."""
    written = escaped(dumps(value, indent=_INDENT))
    return written.replace("\n", "\n" + " " * _INDENT * level)
