"""The transcript made into text for a file or the clipboard, while everything else goes on."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from transcript_tui.ui.work import Work

if TYPE_CHECKING:
    # Imported when there is something to write, and not before.
    from transcript_tui.export import Colors, Format, Piece
    from transcript_tui.session.session import Session

__all__ = ["write"]

STRETCH: Final = 0.05
"""Seconds of work in a thread after which it is looked at how far it is."""


async def write(format: Format, session: Session, colors: Colors | None, work: Work) -> str:
    """The transcript as it stands at the position that is shown now.

    It is read here, a few milliseconds at a time, and made text of in a thread. Playing and
    receiving go on meanwhile: what comes later changes nothing at an earlier position. Only an
    end without an event (a lost connection) does at the last one; then it is read anew.
    """
    transcript, position = session.tape.transcript, session.player.position
    while True:
        revision = transcript.revision
        pieces = format.pieces(transcript, position, colors)
        text = await _write(pieces, max(1, transcript.count_at(position)), work)
        if transcript.revision == revision:
            return text


async def _write(pieces: Iterator[Piece], count: int, work: Work) -> str:
    from transcript_tui.session.turns import Turns

    turns = Turns()
    turns.begin()
    texts: list[str] = []
    read: deque[Piece] = deque()
    number = 0

    async def catch_up() -> None:
        """Make text of all that was read."""
        while read:
            texts.append(await asyncio.to_thread(_text, read))
            work.done((number - len(read)) / count)
        turns.begin()

    for piece in pieces:
        number += 1
        read.append(piece)
        if turns.over:
            await catch_up()
    await catch_up()
    return await asyncio.to_thread("".join, texts)


def _text(read: deque[Piece]) -> str:
    """Of as many as there is time for: it is soon over where nobody waits for it any more."""
    until = time.monotonic() + STRETCH
    texts: list[str] = []
    while read and time.monotonic() < until:
        texts.append(read.popleft()())
        # The event loop's thread may be waiting for its turn: not for five milliseconds each.
        time.sleep(0)
    return "".join(texts)
