"""Servers on loopback that misbehave byte by byte, and sessions that ask them."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from transcript_tui.session.clock import FakeClock
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


def session_for(url: str, method: str = "POST", **more: Any) -> Session:
    """A session that asks ``url``; ``more`` goes to the request."""
    run_input: Mapping[str, Any] | None = None
    if method == "POST":
        run_input = build_run_input(["weather?"], thread="t")
    return Session(HttpSource(HttpRequest(url=url, run_input=run_input, **more)))


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


async def asleep(clock: FakeClock, *, somebody: bool = True) -> None:
    """Wait until somebody waits for ``clock``, or nobody does any more."""
    while bool(clock.sleeping) != somebody:  # noqa: ASYNC110 - a clock is no event
        await asyncio.sleep(0)
