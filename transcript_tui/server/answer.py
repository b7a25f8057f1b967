"""One answer of the server: a run as an event stream, with the faults that were asked for.

An ASGI response of its own, because a fault is exactly what a framework's response prevents:
an answer that breaks off, a frame cut in its middle.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Final

from starlette.types import Receive, Scope, Send

from transcript_tui.server.rounds import in_round
from transcript_tui.server.script import Line, Script, ScriptRun, rename
from transcript_tui.session.clock import Clock

__all__ = ["EventAnswer", "Faults", "out_of_reach"]

GARBAGE: Final = b'{"type":"TEXT_MESSAGE_CONTENT",garbled'
COALESCE: Final = 65_536
"""Bytes sent at once where nothing is waited for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What is to go wrong; nothing by default. Payloads are counted from 0."""

    drop_after: int | None = None
    """The connection breaks after this many payloads."""
    truncate_frame: bool = False
    """The last frame sent is cut in its middle, and the answer breaks off there."""
    stall: float | None = None
    """Seconds of silence: before the drop, or in the middle of the run."""
    status: int | None = None
    """Answer with this status instead."""
    garble: int | None = None
    """This payload is not JSON."""
    crlf: bool = False
    chunk_bytes: int | None = None
    """Bytes in one chunk, one write each."""
    no_final_blank_line: bool = False


def out_of_reach(script: Script, faults: Faults) -> Iterator[str]:
    """A sentence for each fault whose place is behind the last event: nobody would meet it."""
    events = len(script.whole().lines)
    if faults.garble is not None and faults.garble >= events:
        yield f"--garble {faults.garble} changes nothing: there {_only(events)}, numbered from 0."
    if faults.drop_after is not None and faults.drop_after > events:
        yield (
            f"--drop-after {faults.drop_after} takes nothing away: there {_only(events)}; "
            "the connection breaks off behind the last."
        )


def _only(events: int) -> str:
    return "is only 1 event" if events == 1 else f"are only {events:,} events"


class EventAnswer:
    """An ASGI application that sends one run."""

    def __init__(
        self,
        run: ScriptRun,
        *,
        clock: Clock,
        faults: Faults,
        speed: float,
        idle_cap: float,
        loop: bool = False,
        thread: str | None = None,
        run_id: str | None = None,
        round: int = 0,
    ) -> None:
        """``speed`` may be infinite; ``thread`` and ``run_id`` replace the first run's ids;
        ``round``: how often it was sent before."""
        self._run = run
        self._clock = clock
        self._faults = faults
        self._speed = speed
        self._idle_cap = idle_cap
        self._loop = loop
        self._round = round
        self._thread = thread
        self._run_id = run_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the end, or until the client has gone; what fails on our side is raised."""
        sending = asyncio.ensure_future(self._send(send))
        leaving = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.gather(sending, leaving, return_exceptions=True)
        if not sending.cancelled():
            sending.result()

    async def _send(self, send: Send) -> None:
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async for block in self._blocks():
            for part in _parts(block, self._faults.chunk_bytes):
                await send({"type": "http.response.body", "body": part, "more_body": True})
        if not self._breaks_off():
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _breaks_off(self) -> bool:
        """Returning without the end of the body makes the server close the connection."""
        faults = self._faults
        return faults.drop_after is not None or faults.truncate_frame or bool(self._run.tail)

    async def _blocks(self) -> AsyncIterator[bytes]:
        """Frames, put together as long as nothing is waited for between them."""
        block = bytearray()
        while True:
            lines = self._run.lines[: self._faults.drop_after]
            stall_at = self._stall_at(lines)
            for number, line in enumerate(lines):
                wait = min(line.wait, self._idle_cap) / self._speed
                if number == stall_at:
                    wait += self._faults.stall or 0.0
                if wait > 0 or len(block) > COALESCE:
                    yield bytes(block)
                    block.clear()
                    await self._clock.sleep(wait)
                block += self._frame(number, line, last=number == len(lines) - 1)
            yield bytes(block)
            block.clear()
            if stall_at == len(lines):
                await self._clock.sleep(self._faults.stall or 0.0)
            if self._run.tail and self._faults.drop_after is None:
                yield self._run.tail
            if not self._loop or self._breaks_off() or not lines:
                return
            self._round += 1
            # Where nothing is waited for, nobody else would have a turn: not even to see that
            # the client has gone.
            await self._clock.sleep(0)

    def _stall_at(self, lines: tuple[Line, ...]) -> int:
        if self._faults.stall is None:
            return -1
        return len(lines) if self._faults.drop_after is not None else len(lines) // 2

    def _frame(self, number: int, line: Line, *, last: bool) -> bytes:
        payload = rename(in_round(line.payload, self._round), self._thread, self._run_id)
        if number == self._faults.garble:
            payload = GARBAGE
        end = b"\r\n" if self._faults.crlf else b"\n"
        data = end.join(b"data: " + part for part in payload.split(b"\n"))
        if last and self._faults.truncate_frame:
            return data[: len(data) // 2]
        if last and self._faults.no_final_blank_line and not self._loop:
            return data + end
        return data + end + end


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _parts(block: bytes, size: int | None) -> list[bytes]:
    if not block:
        return []
    if size is None:
        return [block]
    return [block[start : start + size] for start in range(0, len(block), size)]
