"""Files and pipes read without an event loop: what :mod:`file` calls in threads.

``check`` reads with :func:`read_all`: importing asyncio alone would take a tenth of its time
and as much memory as everything else together.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

from transcript_tui.errors import FileMissing, FileUnreadable
from transcript_tui.session.logs.foreign import Foreign
from transcript_tui.session.logs.registry import recognise
from transcript_tui.session.sources.source import Opened, Received
from transcript_tui.wire.inflating import MAGIC, Inflater
from transcript_tui.wire.reader import MAX_FRAME

__all__ = [
    "CHUNK",
    "check_size",
    "foreign_pieces",
    "open_log",
    "read_all",
    "read_foreign",
    "read_piece",
    "unreadable",
]

CHUNK: Final = 131_072
FOREIGN: Final = 1 << 30
"""Bytes that another program's log may have: it has to be in memory as a whole."""


def read_all(path: Path | int, max_frame: int = MAX_FRAME) -> Iterator[Received]:
    """Everything in a file, or what comes through a descriptor; raises :class:`FileUnreadable`.

    ``max_frame``, in bytes, limits the frames of logs that are framed here.
    """
    name = "stdin" if isinstance(path, int) else str(path)
    file = os.fdopen(path, "rb", 0, closefd=False) if isinstance(path, int) else open_log(path)
    with file:
        chunk = read_piece(file, name)
        foreign = recognise(chunk)
        if foreign is not None:
            yield from foreign_pieces(foreign, chunk, file, name, max_frame)
            return
        yield Opened()
        while chunk:
            yield chunk
            chunk = read_piece(file, name)


def open_log(path: Path) -> IO[bytes]:
    try:
        file = open(path, "rb", buffering=0)  # noqa: SIM115 - closed by who asked for it
    except IsADirectoryError:
        raise FileUnreadable(f"{path} is a folder, not a log.", "Name a file in it.") from None
    except OSError as error:
        raise unreadable(str(path), error) from None
    if stat.S_ISDIR(os.fstat(file.fileno()).st_mode):
        file.close()
        raise FileUnreadable(f"{path} is a folder, not a log.", "Name a file in it.")
    return file


def read_piece(file: IO[bytes], name: str, size: int = CHUNK) -> bytes:
    try:
        return file.read(size)
    except OSError as error:
        raise unreadable(name, error) from None


def foreign_pieces(
    foreign: Foreign, head: bytes, file: IO[bytes], name: str, max_frame: int
) -> list[Received]:
    """Another program's log, which has to be there as a whole."""
    parts, size = [head], len(head)
    while part := read_piece(file, name):
        parts.append(part)
        size += len(part)
        check_size(foreign, size, name)
    return read_foreign(foreign, b"".join(parts), name, max_frame)


def read_foreign(foreign: Foreign, content: bytes, name: str, max_frame: int) -> list[Received]:
    """The same of all of its bytes, which may be gzipped."""
    if content.startswith(MAGIC):
        inflater, parts, size = Inflater(), [], 0
        for start in range(0, len(content), CHUNK):
            for part in inflater.feed(content[start : start + CHUNK]):
                parts.append(part)
                size += len(part)
                check_size(foreign, size, name)
        content = b"".join(parts)
    return foreign.read(content, max_frame)


def check_size(foreign: Foreign, size: int, name: str) -> None:
    """Raises :class:`FileUnreadable` where another program's log is too large to be held."""
    if size >= FOREIGN:
        raise FileUnreadable(
            f"{name} is a {foreign.name} of more than {FOREIGN >> 20} MiB.",
            "Save only the requests that matter.",
        )


def unreadable(name: str, error: OSError) -> FileUnreadable:
    if error.errno == errno.ENOENT:
        return FileMissing(f"There is no file {name}.", "Check the spelling and the folder.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return FileUnreadable(
            f"{name} may not be read: permission denied.", "Check the file's rights."
        )
    reason = (error.strerror or "the system refused").lower()
    return FileUnreadable(f"{name} cannot be read: {reason}.")
