"""A log read to its end before anything is done with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource, StdinSource
from transcript_tui.wire.reader import MAX_FRAME

if TYPE_CHECKING:
    from transcript_tui.session.sources.source import Source
    from transcript_tui.session.tape import Tape

__all__ = ["read_log", "receive", "redacted"]


def read_log(name: str, *, max_frame: int = MAX_FRAME) -> Session:
    """What the file ``name`` (``-``: stdin) holds; raises :class:`SourceError`."""
    source: Source = (
        StdinSource(max_frame=max_frame) if name == "-" else FileSource(name, max_frame=max_frame)
    )
    return receive(Session(source, kind="replay", max_frame=max_frame))


def receive(session: Session) -> Session:
    """Everything the session's source has; raises :class:`SourceError` where that is nothing.

    What was left out, and an error after something had come, is said on stderr.
    """
    import asyncio

    from transcript_tui.cli.complaints import complain, remark

    asyncio.run(session.run())
    if session.error is not None and not session.tape.length:
        raise session.error
    remark(session.notes)
    if session.error is not None:
        complain(session.error, session.label)
    nothing = session.nothing_came()
    if nothing is not None:
        remark([nothing.in_full])
    return session


def redacted(session: Session, *, keep_going: bool = False) -> Tape:
    """The session's tape without its words; what is gone is said on stderr."""
    from functools import partial

    from transcript_tui.session.redacted import redacted_tape
    from transcript_tui.text import safe
    from transcript_tui.transcript.pipeline import Pipeline

    tape, removed = redacted_tape(session.tape, partial(Pipeline, keep_going=keep_going))
    for sentence in removed.sentences():
        sys.stderr.write(f"removed: {safe(sentence)}\n")
    return tape
