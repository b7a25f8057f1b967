"""A file followed by its name, whatever becomes of it: each look at it is the same small work,
however long the file is. What :mod:`file` calls in threads.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, Literal

from transcript_tui.errors import FileUnreadable
from transcript_tui.session.sources.reading import open_log, read_piece, unreadable

__all__ = ["PIECE", "Change", "Followed", "is_pipe"]

PIECE: Final = 1 << 20
"""Bytes read from a file at once: each reading is a walk to another thread and back."""
KEPT: Final = 4_096
"""Bytes that are remembered of either end of what was read, to be found there again."""

Change = Literal["", "truncated", "overwritten", "replaced", "deleted"]
"""How a file is not what it was."""


class Followed:
    """An open file, where it was opened by the name ``path``."""

    def __init__(self, path: Path, *, skip_hole: bool = False) -> None:
        """Raises :class:`FileUnreadable`. ``skip_hole``: the file may begin with one, as whoever
        does not append, but writes on where he was, leaves it behind when it is truncated (by
        what rotates logs)."""
        self.path = path
        self._skip_hole = skip_hole
        self._open()

    def _open(self) -> None:
        self.file: IO[bytes] = open_log(self.path)
        self._begin = 0
        """Where the first byte is that counts."""
        self._head = self._tail = b""
        self._found = (-1, -1)
        """Size, and time of the last change, when both ends were last found as they were."""

    def read(self, size: int = PIECE) -> bytes:
        """What comes next, at most ``size`` bytes; raises :class:`FileUnreadable`."""
        if self._skip_hole and not self._head:
            try:
                self._go_past_hole()
            except OSError as error:
                raise unreadable(str(self.path), error) from None
        piece = read_piece(self.file, str(self.path), size)
        self._head += piece[: KEPT - len(self._head)]
        self._tail = (self._tail + piece[-KEPT:])[-KEPT:]
        return piece

    def _go_past_hole(self) -> None:
        """To the first byte that is not 0; what was gone past once is not looked at again."""
        fd, at = self.file.fileno(), self._begin
        with suppress(OSError):
            # Not every file system knows; and at the end there is no data.
            at = os.lseek(fd, at, os.SEEK_DATA)
        while os.pread(fd, 1, at) == b"\0":
            piece = os.pread(fd, PIECE, at)
            at += len(piece) - len(piece.lstrip(b"\0"))
        self._begin = os.lseek(fd, at, os.SEEK_SET)

    def change(self) -> Change:
        """Raises :class:`FileUnreadable`."""
        try:
            held = os.fstat(self.file.fileno())
            if held.st_size < self.file.tell():
                return "truncated"
            if self._is_overwritten(held):
                return "overwritten"
        except OSError as error:
            raise unreadable(str(self.path), error) from None
        return self._renamed(held)

    def _is_overwritten(self, held: os.stat_result) -> bool:
        """Whether what was read is there no more, though the file is no shorter: another log was
        written into it since the last look."""
        state = (held.st_size, held.st_mtime_ns)
        if state == self._found:
            return False
        fd, read = self.file.fileno(), self.file.tell()
        head = os.pread(fd, len(self._head), self._begin)
        tail = os.pread(fd, len(self._tail), read - len(self._tail))
        if (head, tail) != (self._head, self._tail):
            return True
        # As it was before the looking: what is written meanwhile is looked at again.
        self._found = state
        return False

    def _renamed(self, held: os.stat_result) -> Change:
        """What has the name now."""
        try:
            there = os.stat(self.path)
        except FileNotFoundError:
            return "deleted"
        except OSError:
            # The folder may not be looked into for a while, or its disk is away.
            return ""
        return "replaced" if (there.st_ino, there.st_dev) != (held.st_ino, held.st_dev) else ""

    def reopen(self) -> FileUnreadable | None:
        """Go on with the file that has the name now, from its beginning; why not, where it is not
        there or may not be read."""
        held = self.file
        try:
            if is_pipe(self.path):
                # Opening it would wait for somebody who writes into it.
                return FileUnreadable(f"{self.path} is no file, but a pipe or a device.")
            self._open()
        except FileUnreadable as error:
            return error
        held.close()
        return None

    def close(self) -> None:
        self.file.close()


def is_pipe(path: Path) -> bool:
    """Whether it is read as it comes, and not from its beginning."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        # Opening will say what is wrong.
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)
