"""The views around the transcript: what a token costs with each of them open, 100 against
10,000 messages, and for how long opening, copying and exporting hold everything else up.

CPU milliseconds of an event and its painting at 120 × 40 (medians, the best of four runs, taken in
turns with the few and the many messages, so that a busy moment meets both); a hold is what the
event loop's thread works (CPU) between two turns of it.
``python -m tests.benchmarks.panes``
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from tests.benchmarks.measuring import head, judge, say
from tests.benchmarks.streams import Event, dumps, events, recording
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.views.pane import PANES
from transcript_tui.ui.views.transcript import Filter
from transcript_tui.wire.frames import Frame

FEW, MANY, MASS = 100, 10_000, 1_000_000
ROUNDS: Final = 30
TURNS: Final = 4
PAUSE: Final = 0.05
"""Seconds between two events: each is painted before the next."""
OTHERS: Final = ("nothing", "a search with hits", "a search without", "a filter")
"""What may be going on besides a view that is open."""
LONGEST: Final = 100
"""Milliseconds that nothing may hold everything else up."""


def conversation(messages: int) -> Iterator[Event]:
    """Messages, a quarter with a tool call, a third followed by what is warned about; the state
    grows with them. The last one is open."""
    yield {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    rows = [{"name": f"row {number}", "tags": ["a", "b"]} for number in range(messages)]
    yield {"type": "STATE_SNAPSHOT", "snapshot": {"rows": rows}}
    for number in range(messages):
        name, call = f"m{number}", f"c{number}"
        yield {"type": "TEXT_MESSAGE_START", "messageId": name, "role": "assistant"}
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": "some plain words"}
        yield {"type": "TEXT_MESSAGE_END", "messageId": name}
        if number % 4 == 0:
            start = {"toolCallId": call, "toolCallName": "search", "parentMessageId": name}
            yield {"type": "TOOL_CALL_START", **start}
            yield {"type": "TOOL_CALL_END", "toolCallId": call}
            result = {"messageId": f"r{number}", "toolCallId": call, "content": "3 hits"}
            yield {"type": "TOOL_CALL_RESULT", **result}
        if number % 3 == 0:
            yield {"type": f"FUTURE_{number}"}
    yield {"type": "TEXT_MESSAGE_START", "messageId": "last", "role": "assistant"}


async def until(holds: Callable[[], object]) -> None:
    while not holds():  # noqa: ASYNC110 - what is shown sets no event
        await asyncio.sleep(PAUSE)


@asynccontextmanager
async def opened(log: Path) -> AsyncIterator[tuple[TranscriptApp, Session]]:
    session = Session(FileSource(log), kind="replay", speed=float("inf"))
    app = TranscriptApp(session, ViewerOptions(theme="dusk", animation=False, clipboard="osc52"))
    async with app.run_test(size=(120, 40)):
        await until(
            lambda: not session.receiving and app.main.facts.position == session.tape.length
        )
        await asyncio.sleep(1.0)
        yield app, session


async def event_costs(log: Path, what: str) -> float:
    """CPU milliseconds of an event that changes what is shown, and its painting."""
    async with opened(log) as (app, session):
        tape, costs = session.tape, []
        await _begin(app, what)
        for number in range(ROUNDS):
            before, length = time.process_time(), tape.length
            payload = dumps(_event(what, number))
            tape.take([Frame(payload, length, length, tape.duration + 0.02)])
            session.player.seek(tape.length)
            app.main.paint_soon()
            await asyncio.sleep(PAUSE)
            costs.append(time.process_time() - before)
    return statistics.median(costs) * 1000


def _event(what: str, number: int) -> Event:
    if what == "state":
        change = {"op": "replace", "path": f"/rows/{number * 3}/name", "value": f"new {number}"}
        return {"type": "STATE_DELTA", "delta": [change]}
    if what == "problems":
        return {"type": f"LATER_{number}"}
    return {"type": "TEXT_MESSAGE_CONTENT", "messageId": "last", "delta": f" word{number}"}


async def _begin(app: TranscriptApp, what: str) -> None:
    view = app.main.view
    assert view is not None
    match what:
        case "a search with hits" | "a search without":
            view.search("plain" if "with hits" in what else "nowhere")
            await until(lambda: view.search_state is not None and view.search_state.complete)
        case "a filter":
            view.set_filter(Filter.parse("words"))
        case "nothing":
            pass
        case _:
            await _open(app, what)
    await asyncio.sleep(1.0)


async def _open(app: TranscriptApp, name: str) -> None:
    """Open a view, until it has read all there is."""
    view = app.main.view
    assert view is not None
    if name == "inspector":
        view.select(view.here())
    app.main.open_pane(name)
    await asyncio.sleep(0.2)
    await until(lambda: "%" not in str(app.main.pane_order[-1].border_subtitle))


async def hold(act: Callable[[], Any]) -> float:
    """The longest work between two turns of everything else while something was done, in
    milliseconds of CPU: on a busy machine wall time would tell of others."""
    longest, over = 0.0, False

    async def beat() -> None:
        nonlocal longest
        last = time.thread_time()
        while not over:
            await asyncio.sleep(0.002)
            now = time.thread_time()
            longest, last = max(longest, now - last), now

    beating = asyncio.create_task(beat())
    await asyncio.sleep(0)
    result = act()
    if asyncio.iscoroutine(result):
        await result
    await asyncio.sleep(0.1)
    over = True
    await beating
    return longest * 1000


async def holds(log: Path, folder: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    async with opened(log) as (app, _):

        async def work(begin: Callable[[], Any]) -> None:
            begin()
            await until(lambda: app.main.work is None)

        for name in PANES:
            found[f"opening {name}"] = await hold(lambda name=name: _open(app, name))
            app.main.close_pane(app.main.pane_order[-1])
            await asyncio.sleep(PAUSE)
        found["copying all"] = await hold(lambda: work(app.main.action_copy_transcript))
        for ending in ("md", "html", "json", "txt"):
            file = str(folder / f"{time.monotonic_ns()}.{ending}")
            found[f"exporting {ending}"] = await hold(
                lambda file=file: work(lambda: app.main.export_to(file))
            )
    return found


def _least(tries: list[dict[str, float]]) -> dict[str, float]:
    return {name: min(one[name] for one in tries) for name in tries[0]}


async def report() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        logs = {}
        for size in (FEW, MANY):
            logs[size] = folder / f"{size}.sse"
            logs[size].write_bytes(b"".join(recording(conversation(size))))
        head(f"An event with it open: {MANY:,} messages ÷ {FEW} (CPU at 120 × 40, medians)")
        for what in (*OTHERS, *PANES):
            turns = [[await event_costs(log, what) for log in logs.values()] for _ in range(TURNS)]
            few, many = map(min, zip(*turns, strict=True))
            judge(what, many / few, 1.3)
            say("… at", f"{few:.1f}, {many:.1f} ms")
        mass = folder / "mass.sse"
        mass.write_bytes(b"".join(recording(events(MASS))))
        for title, log in ((f"{MANY:,} messages", logs[MANY]), (f"{MASS:,} events", mass)):
            head(f"The longest that anything else waits, {title} (CPU, the better of two)")
            for what, longest in _least([await holds(log, folder) for _ in range(2)]).items():
                judge(what, longest, LONGEST, " ms")


def main() -> None:
    asyncio.run(report())


if __name__ == "__main__":
    main()
