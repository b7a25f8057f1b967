"""Servers on loopback that misbehave byte by byte, and sessions that ask them."""

from __future__ import annotations

import asyncio
import queue
import socket
import ssl
import struct
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from transcript_tui.session.clock import Clock
from transcript_tui.session.session import Session
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.session.sources.run_input import build_run_input

EVENTS = (
    b'{"type":"RUN_STARTED","threadId":"t","runId":"r"}',
    b'{"type":"TEXT_MESSAGE_START","messageId":"m"}',
    '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"Zürich "}'.encode(),
    b'{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"rain"}',
    b'{"type":"TEXT_MESSAGE_END","messageId":"m"}',
    b'{"type":"RUN_FINISHED","threadId":"t","runId":"r"}',
)
FRAMES = tuple(b"data: " + event + b"\n\n" for event in EVENTS)
STREAM = b"".join(FRAMES)

Answer = Callable[["Asked", asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Asked:
    """A request as the server saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Loopback:
    url: str
    port: int
    asked: list[Asked] = field(default_factory=list)
    connections: int = 0


def head(status: str = "200 OK", kind: str | None = "text/event-stream", **more: str) -> bytes:
    """A response's head; the body ends with the connection unless a length is given."""
    lines = [f"HTTP/1.1 {status}", "Connection: close"]
    if kind is not None:
        lines.append(f"Content-Type: {kind}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in more.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def says(*parts: bytes) -> Answer:
    """An answer of ``parts``, each in a write of its own; then the connection closes."""

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()

    return answer


def in_turn(*answers: Answer) -> Answer:
    """Each request gets the next one's answer."""
    left = iter(answers)

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        await next(left)(asked, writer)

    return answer


def chunk(body: bytes) -> bytes:
    """One chunk of a chunked body."""
    return f"{len(body):x}\r\n".encode() + body + b"\r\n"


def reset(writer: asyncio.StreamWriter) -> None:
    """Close with RST instead of FIN."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


@asynccontextmanager
async def answering(
    answer: Answer, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Loopback]:
    """A server that gives ``answer`` to everybody."""
    loopback = Loopback("", 0)
    open_writers: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        loopback.connections += 1
        open_writers.add(writer)
        try:
            asked = await _read(reader)
            loopback.asked.append(asked)
            await answer(asked, writer)
            writer.close()
            await writer.wait_closed()
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError):
            writer.close()
        finally:
            open_writers.discard(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    loopback.port = server.sockets[0].getsockname()[1]
    loopback.url = f"http{'s' if tls else ''}://127.0.0.1:{loopback.port}/agent"
    try:
        yield loopback
    finally:
        server.close()
        for writer in open_writers:
            writer.transport.abort()


async def _read(reader: asyncio.StreamReader) -> Asked:
    text = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = text.strip().split("\r\n")
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    method, path, _ = first.split(" ")
    return Asked(method, path, headers, body)


def stalls(*parts: bytes) -> Answer:
    """An answer of ``parts`` that never ends."""

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(b"".join(parts))
        await asyncio.Event().wait()

    return answer


def session_for(url: str, method: str = "POST", clock: Clock | None = None, **more: Any) -> Session:
    """A session that asks ``url``; ``more`` goes to the request."""
    run_input: Mapping[str, Any] | None = None
    if method == "POST":
        run_input = build_run_input(["weather?"], thread="t")
    source = HttpSource(HttpRequest(url=url, run_input=run_input, **more), clock=clock)
    return Session(source, clock=clock)


async def until(session: Session, met: Callable[[], bool]) -> None:
    """Wait until ``met`` after some change of ``session``."""
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    try:
        while not met():
            changed.clear()
            await asyncio.wait_for(changed.wait(), 10)
    finally:
        unsubscribe()


def text_of(session: Session) -> str:
    """What the assistant said."""
    return "".join(
        str(message.get("content", ""))
        for message in session.tape.transcript.messages()
        if message["role"] == "assistant"
    )


def ending_of(session: Session) -> str | None:
    """How the last run ended."""
    ending = session.tape.transcript.runs[-1].ending.now
    return ending.kind if ending else None


Serves = Callable[[asyncio.Event], AbstractAsyncContextManager[str]]
"""Yields an address to ask; the event is the caller's to set."""


@contextmanager
def in_thread(serves: Serves) -> Iterator[tuple[str, Callable[[], object]]]:
    """For tests that wait for another program: the address of a server in a thread of its own,
    and what sets its event."""
    told: queue.SimpleQueue[tuple[str, Callable[[], object], Callable[[], object]]]
    told = queue.SimpleQueue()

    async def serve() -> None:
        go_on, done = asyncio.Event(), asyncio.Event()
        call = asyncio.get_running_loop().call_soon_threadsafe
        async with serves(go_on) as url:
            told.put((url, partial(call, go_on.set), partial(call, done.set)))
            await done.wait()

    thread = threading.Thread(target=asyncio.run, args=(serve(),), daemon=True)
    thread.start()
    url, go_on, stop = told.get(timeout=20)
    try:
        yield url, go_on
    finally:
        stop()
        thread.join(20)
