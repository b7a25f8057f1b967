"""Saved logs and pipes, read off the event loop's thread, a piece at a time."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, Final

from transcript_tui.errors import FileMissing, FileUnreadable
from transcript_tui.session.clock import Clock, RealClock
from transcript_tui.session.logs.registry import recognise
from transcript_tui.session.sources.followed import Change, Followed, is_pipe
from transcript_tui.session.sources.reading import (
    CHUNK,
    check_size,
    foreign_pieces,
    read_foreign,
    unreadable,
)
from transcript_tui.session.sources.source import Absent, Back, Lost, Note, Opened, Received
from transcript_tui.wire.reader import MAX_FRAME

__all__ = ["FileSource", "StdinSource"]

POLL: Final = 0.2
"""Seconds between two looks at a file that is followed."""
MISSED: Final = 5
"""Looks at nothing, after which it is said: what rotates logs deletes first, too, then creates."""


class FileSource:
    """A file; ``follow`` waits for it where it is not there, and keeps reading as it grows, is
    written anew, replaced or deleted (``tail -F``)."""

    run_input: Mapping[str, Any] | None = None
    url: str | None = None
    method: str | None = None
    is_log = True

    def __init__(
        self,
        path: Path | str,
        *,
        follow: bool = False,
        played: bool = False,
        max_frame: int = MAX_FRAME,
        clock: Clock | None = None,
    ) -> None:
        """``played``: not shown as it comes, though through a pipe. ``max_frame``, in bytes,
        limits the frames of logs that are framed here."""
        self._path = Path(path)
        self._clock: Clock = clock or RealClock()
        self._follow = follow
        self._max_frame = max_frame
        self.live = follow or (is_pipe(self._path) and not played)

    @property
    def label(self) -> str:
        return str(self._path)

    async def receive(self) -> AsyncGenerator[Received, None]:
        told = False
        while True:
            try:
                async with aclosing(self._read()) as reading:
                    async for received in reading:
                        yield received
                return
            except FileMissing:
                if not self._follow:
                    raise
            if not told:
                told = True
                yield Absent(_awaited(self._path))
            await self._clock.sleep(POLL)

    def _read(self) -> AsyncGenerator[Received, None]:
        if is_pipe(self._path):
            return _from_pipe(self._path, self.label, self._max_frame)
        return self._from_file()

    async def _from_file(self) -> AsyncGenerator[Received, None]:
        log = await asyncio.to_thread(Followed, self._path, skip_hole=self._follow)
        try:
            size = os.fstat(log.file.fileno()).st_size
            head = await asyncio.to_thread(log.read, CHUNK)
            foreign = recognise(head)
            if foreign is not None:
                for received in await asyncio.to_thread(
                    foreign_pieces, foreign, head, log.file, self.label, self._max_frame
                ):
                    yield received
                if self._follow:
                    yield Note(f"What is a {foreign.name} is read as a whole: it is not followed.")
                return
            yield Opened(total=None if self._follow or not size else size)
            chunk = head
            while chunk:
                yield chunk
                chunk = await asyncio.to_thread(log.read)
            if self._follow:
                async with aclosing(self._followed(log)) as followed:
                    async for received in followed:
                        yield received
        finally:
            log.close()

    async def _followed(self, log: Followed) -> AsyncGenerator[Received, None]:
        """What is added to the file from here on, and what takes its place; never ends."""
        presence = _Presence(self._path)
        while True:
            change = await asyncio.to_thread(log.change)
            if change not in ("truncated", "overwritten"):
                # Also of a replaced one: its last lines may have been written after the last look.
                while more := await asyncio.to_thread(log.read):
                    yield more
            why_not = await asyncio.to_thread(log.reopen) if change else None
            for news in presence.look(change, why_not):
                yield news
            if not change or why_not is not None:
                await self._clock.sleep(POLL)


class _Presence:
    """What is to be said of a followed file, look by look."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._missed = 0
        """Looks since it was last there."""
        self._told = ""

    def look(self, change: Change, why_not: FileUnreadable | None) -> Sequence[Received]:
        """``why_not``: what was changed could not be opened anew."""
        if why_not is not None:
            self._missed += 1
            return self._away(why_not)
        told, self._told, self._missed = self._told, "", 0
        if change:
            return self._anew("replaced" if change == "deleted" else change, bool(told))
        back = f"{self._path} is there again: it goes on where it was."
        return (Note(back), Back()) if told else ()

    def _away(self, why_not: FileUnreadable) -> Sequence[Received]:
        said = f"{why_not} It is looked at again until it can be read."
        if isinstance(why_not, FileMissing):
            said = f"{self._path} was deleted: it is waited for."
        if self._missed < MISSED or said == self._told:
            return ()
        self._told = said
        return Note(said), Absent(said)

    def _anew(self, how: str, was_away: bool) -> Sequence[Received]:
        what = "is there again" if was_away else f"was {how}"
        return (
            Lost(FileUnreadable(f"{self._path} was {how}.")),
            Note(f"{self._path} {what}: it is read anew, as a new stream."),
            Opened(),
        )


def _awaited(path: Path) -> str:
    """Said where nothing is there yet: it may be a slip, and should be seen as one."""
    folder = "" if path.parent.is_dir() else f" There is no folder {path.parent}, either."
    return f"Waiting for {path} to appear.{folder}"


class StdinSource:
    """A pipe or a redirected file; ``fd`` is read by a thread of its own.

    The thread cannot be interrupted while it waits for a silent pipe; being a daemon it
    holds nobody up.
    """

    run_input: Mapping[str, Any] | None = None
    url: str | None = None
    method: str | None = None
    is_log = True

    def __init__(
        self,
        fd: int = 0,
        *,
        played: bool = False,
        label: str = "stdin",
        max_frame: int = MAX_FRAME,
    ) -> None:
        """``played``: not shown as it comes, but as a saved log is."""
        self._fd = fd
        self.live = not played
        self.label = label
        self._max_frame = max_frame

    def receive(self) -> AsyncGenerator[Received, None]:
        return _from_pipe(self._fd, self.label, self._max_frame)


async def _from_pipe(pipe: Path | int, name: str, max_frame: int) -> AsyncGenerator[Received, None]:
    """What comes through a descriptor, or a pipe that is opened and closed here."""
    chunks: asyncio.Queue[bytes | FileUnreadable] = asyncio.Queue()
    # Chunks that may wait: a fast pipe must not fill the memory.
    room = threading.Semaphore(16)
    loop = asyncio.get_running_loop()
    pump = threading.Thread(
        target=_pump, args=(pipe, name, loop, chunks, room), name="pipe", daemon=True
    )
    pump.start()
    head = await _next(chunks, room)
    foreign = recognise(head)
    if foreign is None:
        yield Opened()
    whole = bytearray()
    while head:
        if foreign is None:
            yield head
        else:
            whole += head
            check_size(foreign, len(whole), name)
        head = await _next(chunks, room)
    if foreign is not None:
        for received in await asyncio.to_thread(
            read_foreign, foreign, bytes(whole), name, max_frame
        ):
            yield received


async def _next(chunks: asyncio.Queue[bytes | FileUnreadable], room: threading.Semaphore) -> bytes:
    chunk = await chunks.get()
    room.release()
    if isinstance(chunk, FileUnreadable):
        raise chunk
    return chunk


def _pump(
    pipe: Path | int,
    name: str,
    loop: asyncio.AbstractEventLoop,
    chunks: asyncio.Queue[bytes | FileUnreadable],
    room: threading.Semaphore,
) -> None:
    """The thread: reads until the pipe ends, fails, or nobody listens any more."""
    # The loop may be closed: nobody listens.
    with suppress(RuntimeError):
        try:
            fd = pipe if isinstance(pipe, int) else os.open(pipe, os.O_RDONLY)
        except OSError as error:
            loop.call_soon_threadsafe(chunks.put_nowait, unreadable(name, error))
            return
        try:
            found: bytes | FileUnreadable = b"-"
            while found and isinstance(found, bytes):
                room.acquire()
                found = _read(fd, name)
                loop.call_soon_threadsafe(chunks.put_nowait, found)
        finally:
            if fd != pipe:
                os.close(fd)


def _read(fd: int, name: str) -> bytes | FileUnreadable:
    try:
        return os.read(fd, CHUNK)
    except OSError as error:
        return unreadable(name, error)
