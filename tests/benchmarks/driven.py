"""The viewer as it is used: in a pseudo-terminal, with keys, logs and a server of its own."""

from __future__ import annotations

import asyncio
import logging
import random
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.benchmarks.measuring import cpu, head, judge, say
from tests.benchmarks.pipeline import fold
from tests.benchmarks.streams import dumps, events, messages, sse
from tests.benchmarks.terminal import PROGRAM, Terminal, minimal

MESSAGES: Final = 10_000
TOKENS: Final = 40
"""A message."""
TRIES: Final = 5
RESTING: Final = 20.0
"""Seconds for which nothing happens."""
GROWING: Final = 10
"""Messages that grow at once."""
RATE: Final = 1_000
"""Tokens a second, in all of them."""
SECONDS: Final = 10.0
WHOLE: Final = "✓ finished".encode()
REPLAY: Final = (*PROGRAM, "replay", "--speed", "max")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        log = folder / "mass.sse"
        log.write_bytes(b"".join(sse(messages(MESSAGES, TOKENS))))
        floor = minimal(folder)
        _warm(floor, log)
        _opening(floor, log)
        with Terminal([*REPLAY, str(log)]) as terminal:
            terminal.until(WHOLE)
            terminal.settle(1.0)
            _moving(terminal)
            _resting(floor, terminal)
        _memory(floor, folder)
        _growing()


def _warm(floor: list[str], log: Path) -> None:
    """Bytecode is there, files are in the cache."""
    with Terminal(floor) as terminal:
        terminal.until(b"palette")
    with Terminal([*REPLAY, str(log)]) as terminal:
        terminal.until(WHOLE)


def _opening(floor: list[str], log: Path) -> None:
    head(f"{MESSAGES:,} messages, {MESSAGES * TOKENS:,} tokens from a file (CPU, pty)")
    data = log.read_bytes()
    floors, frames, firsts, wholes, folds = [], [], [], [], []
    for _ in range(TRIES):
        # In turns, so that a busy moment meets all of them.
        with Terminal(floor) as terminal:
            terminal.until(b"palette")
            floors.append(terminal.cpu)
        with Terminal([*REPLAY, str(log)]) as terminal:
            terminal.until(b"Help")
            frames.append(terminal.cpu)
            terminal.until(b"agent")
            firsts.append(terminal.cpu)
            terminal.until(WHOLE)
            wholes.append(terminal.cpu)
        folds.append(cpu(lambda: fold(data), 1))
    say("a minimal app's first paint", f"{min(floors):.2f} s")
    judge("first screen ÷ that", min(frames) / min(floors), 1.4)
    say("… with the log's text on it ÷ that", f"{min(firsts) / min(floors):.2f}")
    say("the events folded once", f"{min(folds):.2f} s")
    rest = (min(wholes) - min(firsts)) / min(folds)
    judge("from there until it is whole, at its end ÷ that", rest, 1.3)
    say("whole and at its end", f"{min(wholes):.2f} s")
    judge("a key while it is folded (wall, median)", _key_while_folding(log) * 1000, 100, " ms")


def _key_while_folding(log: Path) -> float:
    """Seconds from a key to its word in the status line."""
    waits = []
    for _ in range(TRIES):
        with Terminal([*REPLAY, str(log)]) as terminal:
            terminal.until(b"agent")
            asked = time.perf_counter()
            terminal.send(b"b")
            terminal.until(b"buffered")
            waits.append(terminal.last - asked)
            assert WHOLE not in terminal.output, "the file was whole before the key was answered"
    return statistics.median(waits)


def _moving(terminal: Terminal) -> None:
    head("Moving in it, key to the last byte of its painting (CPU and wall, medians, pty)")
    keys = random.Random(3)
    for name, act, times, aim in (
        ("page up", lambda: terminal.send(b"\x1b[5~"), 15, 50),
        ("jump to the first, to the end", _ends(terminal), 10, 50),
        ("jump to a random message", lambda: terminal.send(b"\r"), 10, 50),
        ("search hit", lambda: terminal.send(b"n"), 10, 50),
        ("resize by one column", _widths(terminal), 6, 120),
    ):
        if name == "search hit":
            terminal.send(b"/plain words\r")
            terminal.settle(2.0)
        spent, waited = [], []
        for _ in range(times):
            if "random" in name:
                terminal.send(f":message:m{keys.randrange(MESSAGES)}".encode())
                terminal.settle()
            before, began = terminal.cpu, time.perf_counter()
            act()
            terminal.settle()
            spent.append(terminal.cpu - before)
            waited.append(terminal.last - began)
        judge(name, statistics.median(spent) * 1000, aim, " ms")
        say("… wall", f"{statistics.median(waited) * 1000:.0f} ms")


def _ends(terminal: Terminal) -> Callable[[], None]:
    turns = iter(b"gG" * 100)
    return lambda: terminal.send(bytes((next(turns),)))


def _widths(terminal: Terminal) -> Callable[[], None]:
    turns = iter((99, 100) * 100)
    return lambda: terminal.resize(next(turns), 40)


def _resting(floor: list[str], terminal: Terminal) -> None:
    head(f"Nothing arrives for {RESTING:.0f} s (CPU, pty)")
    with Terminal(floor) as other:
        other.until(b"palette")
        time.sleep(2)
        other.settle(1.0)
        terminal.settle(1.0)
        before, mine = other.cpu, terminal.cpu
        time.sleep(RESTING)
        theirs, ours = (other.cpu - before) / RESTING, (terminal.cpu - mine) / RESTING
    judge(f"more than a minimal app ({theirs:.2%})", max(0.0, ours - theirs) * 100, 0.1, " %")


def _memory(floor: list[str], folder: Path) -> None:
    log = folder / "events.sse"
    log.write_bytes(b"".join(sse(events(200_000))))
    head("Memory over a minimal app, 200,000 events (pty)")
    with Terminal(floor) as terminal:
        terminal.until(b"palette")
        terminal.settle(1.0)
        least = terminal.memory
    with Terminal([*REPLAY, str(log)]) as terminal:
        terminal.until(WHOLE)
        terminal.settle(1.0)
        judge("÷ the file", (terminal.memory - least) / log.stat().st_size, 4)
    three = folder / "three.sse"
    three.write_bytes(b"".join(sse(events(3))))
    with Terminal([*REPLAY, str(three)]) as terminal:
        terminal.until(WHOLE)
        terminal.settle(1.0)
        say("… with three events", f"{(terminal.memory - least) / log.stat().st_size:.2f}")


# Growing ----------------------------------------------------------------------------------------


def _growing() -> None:
    head(f"{GROWING} messages growing at {RATE:,} tokens/s in all, Markdown on (pty)")
    with _sent() as (url, sent), Terminal([*PROGRAM, "watch", url]) as terminal:
        terminal.until(b"q0099 ")
        before, began = terminal.cpu, time.perf_counter()
        looked, seen = len(terminal.output), dict.fromkeys(sent, 0.0)
        while time.perf_counter() - began < SECONDS:
            terminal.read(0.5)
            for mark in re.findall(rb"q\d{4}", terminal.output[looked:]):
                seen.setdefault(mark, terminal.last)
            looked = max(0, len(terminal.output) - 5)
        share = (terminal.cpu - before) / (time.perf_counter() - began)
    waits = sorted(at - sent[mark] for mark, at in seen.items() if at)
    judge("of one core", share * 100, 40, " %")
    judge("arrival to paint, p95 (wall)", waits[int(len(waits) * 0.95)] * 1000, 50, " ms")
    say("… median of", f"{statistics.median(waits) * 1000:.0f} ms, {len(waits)}")


@contextmanager
def _sent() -> Iterator[tuple[str, dict[bytes, float]]]:
    """A server on loopback that streams, and when each numbered word of the last message left."""
    sent: dict[bytes, float] = {}
    loop = asyncio.new_event_loop()
    listening: list[asyncio.Server] = []

    async def listen() -> None:
        listening.append(
            await asyncio.start_server(lambda r, w: _stream(r, w, sent), "127.0.0.1", 0)
        )

    loop.run_until_complete(listen())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        # What is still to be sent when the viewer leaves meets a closed socket: nobody minds.
        logging.getLogger("asyncio").setLevel(logging.CRITICAL)
        yield f"http://127.0.0.1:{listening[0].sockets[0].getsockname()[1]}/", sent
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()


async def _stream(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, sent: dict[bytes, float]
) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
    opening = [{"type": "RUN_STARTED", "threadId": "t", "runId": "r"}]
    opening += [
        {"type": "TEXT_MESSAGE_START", "messageId": f"m{n}", "role": "assistant"}
        for n in range(GROWING)
    ]
    for event in opening:
        writer.write(b"data: " + dumps(event) + b"\n\n")
    began, number = time.perf_counter(), 0
    words = ("some **bold** words ", "and `code` to read ", "of a list\n\n- item ", "that grows ")
    while number < RATE * SECONDS * 1.5:
        due = int((time.perf_counter() - began) * RATE)
        for token in range(number, due):
            turn, name = divmod(token, GROWING)
            delta = words[turn % len(words)]
            if name == GROWING - 1:
                delta = f"q{turn:04} "
                sent[delta.strip().encode()] = time.perf_counter()
            event = {"type": "TEXT_MESSAGE_CONTENT", "messageId": f"m{name}", "delta": delta}
            writer.write(b"data: " + dumps(event) + b"\n\n")
        number = max(number, due)
        await asyncio.sleep(0.005)


if __name__ == "__main__":
    main()
