"""A log read to its end before anything is done with it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource, StdinSource
from transcript_tui.wire.reader import MAX_FRAME

if TYPE_CHECKING:
    from transcript_tui.session.sources.source import Source

__all__ = ["read_log", "receive"]


def read_log(name: str, *, max_frame: int | None = None) -> Session:
    """What the file ``name`` (``-``: stdin) holds; raises :class:`SourceError`."""
    source: Source = StdinSource() if name == "-" else FileSource(name)
    return receive(Session(source, kind="replay", max_frame=max_frame or MAX_FRAME))


def receive(session: Session) -> Session:
    """Everything the session's source has; raises :class:`SourceError` where that is nothing.

    What was left out, and an error after something had come, is said on stderr.
    """
    import asyncio

    from transcript_tui.cli.complaints import complain
    from transcript_tui.ui.text import safe

    asyncio.run(session.run())
    if session.error is not None and not session.tape.length:
        raise session.error
    for note in session.notes:
        sys.stderr.write(f"note: {safe(note)}\n")
    if session.error is not None:
        complain(session.error, session.label)
    return session
