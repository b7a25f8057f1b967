"""Seeking in 200,000 events: finding what is shown at a position, and painting it.

    python -m tests.benchmarks seek

*Finding* reads the newest screenful of a position: the entries that stand there, their values,
their text, and the state. *Painting* is a seek in the whole viewer, until nothing is left to be
drawn. CPU milliseconds of this process, garbage collection included.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from tests.benchmarks.measuring import head, say
from tests.benchmarks.streams import events, recording
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.transcript.model import Message
from transcript_tui.ui.app import TranscriptApp

COUNT: Final = 200_000
SEEKS: Final = 300
SCREEN: Final = 40
"""Rows: at most as many entries, and so many times the width of characters of each."""
VARIANTS: Final = {"plain": "short messages", "one-message": "one long message"}


def main() -> None:
    head(f"Seeking in {COUNT:,} events, {SEEKS} places at random (CPU)")
    for variant, name in VARIANTS.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "run.sse"
            with path.open("wb") as file:
                file.writelines(recording(events(COUNT, variant=variant)))
            asyncio.run(_measure(path, name))


async def _measure(path: Path, name: str) -> None:
    session = Session(FileSource(path), kind="replay", playing=False)
    app = TranscriptApp(session)
    async with app.run_test(size=(120, SCREEN)):
        while session.receiving or app.main.view is None:  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        session.player.seek(COUNT)
        await _painted(app)
        _tell(f"{name}: found", await _costs(lambda at: _find(session, at)), 5)
        _tell(f"{name}: painted", await _costs(lambda at: _seek(app, session, at)), 50)


async def _costs(work: Callable[[int], Awaitable[None]]) -> list[float]:
    """Milliseconds each, in order of size."""
    places, costs = random.Random(11), []
    for _ in range(SEEKS):
        began = time.process_time()
        await work(places.randrange(1, COUNT))
        costs.append(1000 * (time.process_time() - began))
    return sorted(costs)


async def _find(session: Session, at: int) -> None:
    session.player.seek(at)
    position, transcript = session.player.position, session.tape.transcript
    transcript.state_at(position)
    index, found = transcript.count_at(position), 0
    while index and found < SCREEN:
        index -= 1
        entry = transcript.entries[index]
        if isinstance(entry, Message) and entry.held(position):
            found += 1
            view = entry.at(position)
            if view.text is not None:
                view.text.read(max(0, view.length - SCREEN * 120), view.length)


async def _seek(app: TranscriptApp, session: Session, at: int) -> None:
    session.player.seek(at)
    app.main.paint_soon()
    await _painted(app)


async def _painted(app: TranscriptApp) -> None:
    view, session = app.main.view, app.main.session
    assert view is not None
    assert session is not None
    while view.position != session.player.position:  # noqa: ASYNC110 - what is measured
        await asyncio.sleep(0.002)
    drawn = asyncio.Event()
    app.main.call_after_refresh(drawn.set)
    await drawn.wait()


def _tell(what: str, costs: list[float], aim: int) -> None:
    say(f"{what}, median", f"{costs[len(costs) // 2]:.2f} ms")
    say(f"{what}, the slowest", f"{costs[-1]:.2f} ms", f"≤ {aim} ms")


if __name__ == "__main__":
    main()
