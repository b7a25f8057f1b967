"""A million events at full speed: memory, order, and a screen that goes on answering keys."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tests.benchmarks.measuring import head, say
from tests.benchmarks.streams import dumps, events, sse

COUNT: Final = 1_000_000
PAGE: Final = resource.getpagesize()


def main() -> None:
    head(f"{COUNT:,} events at full speed, from another process over loopback")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.sse"
        digest = hashlib.sha256()
        with path.open("wb") as file:
            for event, frame in zip(events(COUNT), sse(events(COUNT)), strict=True):
                digest.update(dumps(event))
                file.write(frame)
        for part in PARTS:
            # A process each, so that one's memory is not the other's.
            command = [sys.executable, "-m", "tests.benchmarks.million", part, str(path)]
            subprocess.run([*command, digest.hexdigest()], check=True)


SENDER: Final = """
import asyncio, sys
async def answer(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    writer.write(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n"
                 b"Connection: close\\r\\n\\r\\n")
    with open(sys.argv[1], "rb") as file:
        while part := file.read(65536):
            writer.write(part)
            await writer.drain()
    writer.close()
async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


@asynccontextmanager
async def _sent(path: str) -> AsyncIterator[str]:
    sender = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SENDER, path, stdout=asyncio.subprocess.PIPE
    )
    assert sender.stdout is not None
    port = int(await sender.stdout.readline())
    try:
        yield f"http://127.0.0.1:{port}/"
    finally:
        sender.terminate()
        await sender.wait()


def _resident() -> int:
    """Bytes in memory now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE


async def _receive(path: str, digest: str) -> None:
    await _take(path, digest)


async def _record(path: str, digest: str) -> None:
    kept = Path(f"{path}.recorded")
    await _take(path, digest, kept)
    assert _digest_of(kept) == digest, "the recording is not what arrived"


def _digest_of(kept: Path) -> str:
    from transcript_tui.wire import Frame, open_reader

    found, reader = hashlib.sha256(), open_reader()
    with kept.open("rb") as file:
        while part := file.read(1 << 20):
            for piece in reader.feed(part):
                if isinstance(piece, Frame):
                    found.update(piece.payload)
    return found.hexdigest()


async def _take(path: str, digest: str, kept: Path | None = None) -> None:
    from transcript_tui.session.session import Session
    from transcript_tui.session.sources.http import HttpRequest, HttpSource

    async with _sent(path) as url:
        session = Session(HttpSource(HttpRequest(url=url)))
        if kept is not None:
            session.record(kept)
        gc.collect()
        before, began = _resident(), time.perf_counter()
        running = asyncio.create_task(session.run())
        wall, used = zip(*[lag async for lag in _lags(running.done)], strict=True)
        await running
    taken = time.perf_counter() - began
    assert session.tape.length == COUNT, session.tape.length
    found = hashlib.sha256()
    for number in range(COUNT):
        found.update(session.tape.payload(number))
    assert found.hexdigest() == digest, "a frame was lost or moved"
    size = session.bytes_received
    what = "received, folded, in order" if kept is None else "the same, recorded meanwhile"
    say(f"{what}, events a second", f"{COUNT / taken:,.0f}")
    say("memory ÷ bytes received", f"{(_resident() - before) / size:.2f}", "≤ 4")
    say("longest the event loop was kept", f"{1000 * max(wall):.0f} ms", "< 100 ms")
    say("longest, CPU of this process", f"{1000 * max(used):.0f} ms", "< 100 ms")


async def _lags(over: Callable[[], bool]) -> AsyncIterator[tuple[float, float]]:
    """By how much the event loop oversleeps, and what was computed meanwhile; in seconds."""
    while not over():
        began, used = time.perf_counter(), time.process_time()
        await asyncio.sleep(0.01)
        yield time.perf_counter() - began - 0.01, time.process_time() - used


async def _view(path: str, digest: str) -> None:
    from transcript_tui.session.session import Session
    from transcript_tui.session.sources.http import HttpRequest, HttpSource
    from transcript_tui.ui.app import TranscriptApp

    async with _sent(path) as url:
        session = Session(HttpSource(HttpRequest(url=url)))
        app = TranscriptApp(session)
        async with app.run_test(size=(120, 40)):
            while app.main.view is None:  # noqa: ASYNC110 - nobody tells when it is there
                await asyncio.sleep(0.01)
            answers = [one async for one in _answers(app)]
    wall, used = (sorted(kind) for kind in zip(*answers, strict=True))
    assert session.tape.length == COUNT
    say("keys pressed while it streams", f"{len(wall):,}")
    say("key to its effect on the screen, median", f"{1000 * wall[len(wall) // 2]:.0f} ms")
    say("p99", f"{1000 * wall[math.floor(0.99 * (len(wall) - 1))]:.0f} ms")
    say("slowest", f"{1000 * wall[-1]:.0f} ms", "< 100 ms")
    say("slowest, CPU of this process", f"{1000 * used[-1]:.0f} ms", "< 100 ms")
    say("memory ÷ bytes received, with the viewer", f"{_resident() / session.bytes_received:.2f}")


async def _answers(app: object) -> AsyncIterator[tuple[float, float]]:
    """Wall and CPU seconds from a key to the screen drawn anew because of it, key after key."""
    from textual.events import Key

    from transcript_tui.ui.app import TranscriptApp

    assert isinstance(app, TranscriptApp)
    view, session = app.main.view, app.main.session
    assert view is not None
    assert session is not None
    while session.receiving:
        was, drawn = view.options.markdown, asyncio.Event()
        began, used = time.perf_counter(), time.process_time()
        app.post_message(Key("m", "m"))
        while view.options.markdown == was:  # noqa: ASYNC110 - what is measured
            await asyncio.sleep(0.002)
        app.main.call_after_refresh(drawn.set)
        await drawn.wait()
        yield time.perf_counter() - began, time.process_time() - used
        await asyncio.sleep(0.05)


PARTS: Final = {"receive": _receive, "record": _record, "view": _view}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        asyncio.run(PARTS[sys.argv[1]](sys.argv[2], sys.argv[3]))
    else:
        main()
