"""Saved logs and pipes, read off the event loop's thread, a piece at a time."""

from __future__ import annotations

import asyncio
import os
import stat
import threading
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import IO, Any, Final

from transcript_tui.errors import FileUnreadable
from transcript_tui.session.clock import Clock, RealClock
from transcript_tui.session.logs.registry import recognise
from transcript_tui.session.sources.reading import (
    CHUNK,
    check_size,
    foreign_pieces,
    open_log,
    read_foreign,
    read_piece,
    unreadable,
)
from transcript_tui.session.sources.source import Lost, Note, Opened, Received
from transcript_tui.wire.reader import MAX_FRAME

__all__ = ["FileSource", "StdinSource"]

PIECE: Final = 1 << 20
"""Bytes read from a file at once: each reading is a walk to another thread and back."""
POLL: Final = 0.2
"""Seconds between two looks at a file that is followed."""
MISSED: Final = 5
"""Looks at nothing, after which it is said: what rotates logs deletes first, too, then creates."""


class FileSource:
    """A file; ``follow`` keeps reading as it grows, is truncated or replaced (``tail -F``)."""

    run_input: Mapping[str, Any] | None = None
    url: str | None = None
    method: str | None = None
    is_log = True

    def __init__(
        self,
        path: Path | str,
        *,
        follow: bool = False,
        max_frame: int = MAX_FRAME,
        clock: Clock | None = None,
    ) -> None:
        """``max_frame``, in bytes, limits the frames of logs that are framed here."""
        self._path = Path(path)
        self._clock: Clock = clock or RealClock()
        self._follow = follow
        self._max_frame = max_frame
        self._pipe = _is_pipe(self._path)
        self.live = follow or self._pipe

    @property
    def label(self) -> str:
        return str(self._path)

    def receive(self) -> AsyncGenerator[Received, None]:
        if self._pipe:
            return _from_pipe(self._path, self.label, self._max_frame)
        return self._from_file()

    async def _from_file(self) -> AsyncGenerator[Received, None]:
        file = await asyncio.to_thread(open_log, self._path)
        try:
            size = os.fstat(file.fileno()).st_size
            head = await asyncio.to_thread(read_piece, file, self.label)
            foreign = recognise(head)
            if foreign is not None:
                for received in await asyncio.to_thread(
                    foreign_pieces, foreign, head, file, self.label, self._max_frame
                ):
                    yield received
                return
            yield Opened(total=None if self._follow or not size else size)
            chunk = head
            while chunk:
                yield chunk
                chunk = await asyncio.to_thread(read_piece, file, self.label, PIECE)
            if self._follow:
                async with aclosing(self._followed(file)) as followed:
                    async for received in followed:
                        yield received
        finally:
            file.close()

    async def _followed(self, file: IO[bytes]) -> AsyncGenerator[Received, None]:
        """What is added to the file from here on, and what takes its place; never ends."""
        missed = 0
        try:
            while True:
                changed = await asyncio.to_thread(_change, file, self._path)
                missed = missed + 1 if changed == "deleted" else 0
                if missed == MISSED:
                    yield Note(f"{self._path} was deleted: it is waited for.")
                if changed != "truncated":
                    # Also of a replaced one: its last lines may have been written after the last
                    # look.
                    while more := await asyncio.to_thread(read_piece, file, self.label, PIECE):
                        yield more
                there = changed and not missed
                anew = await asyncio.to_thread(_reopen, file, self._path) if there else None
                if anew is None:
                    await self._clock.sleep(POLL)
                    continue
                file = anew
                yield Lost(FileUnreadable(f"{self._path} was {changed}."))
                yield Note(f"{self._path} was {changed}: it is read anew, as a new stream.")
                yield Opened()
        finally:
            file.close()


class StdinSource:
    """A pipe or a redirected file; ``fd`` is read by a thread of its own.

    The thread cannot be interrupted while it waits for a silent pipe; being a daemon it
    holds nobody up.
    """

    run_input: Mapping[str, Any] | None = None
    url: str | None = None
    method: str | None = None
    is_log = True
    live = True

    def __init__(self, fd: int = 0, *, label: str = "stdin", max_frame: int = MAX_FRAME) -> None:
        self._fd = fd
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


def _is_pipe(path: Path) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        # Opening will say what is wrong.
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def _change(file: IO[bytes], path: Path) -> str:
    """How the followed file is not what it was: truncated, replaced, deleted, or not at all."""
    held = os.fstat(file.fileno())
    if held.st_size < file.tell():
        return "truncated"
    try:
        there = os.stat(path)
    except FileNotFoundError:
        return "deleted"
    except OSError:
        # The folder may not be looked into for a while, or its disk is away.
        return ""
    return "replaced" if (there.st_ino, there.st_dev) != (held.st_ino, held.st_dev) else ""


def _reopen(file: IO[bytes], path: Path) -> IO[bytes] | None:
    """The file that has the name now, from its beginning; the same one where it was truncated.

    ``None``: it went, or may not be read, between two looks. It is looked at again.
    """
    try:
        anew = open_log(path)
    except FileUnreadable:
        return None
    file.close()
    return anew
