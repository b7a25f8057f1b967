"""A file followed by its name, whatever becomes of it: each look at it is the same small work,
however long the file is. What :mod:`file` calls in threads.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import IO, Final, Literal

from transcript_tui.errors import FileUnreadable
from transcript_tui.session.sources.reading import open_log, read_piece, unreadable

__all__ = ["PIECE", "Change", "Followed", "is_pipe"]

PIECE: Final = 1 << 20
"""Bytes read from a file at once: each reading is a walk to another thread and back."""

Change = Literal["", "truncated", "replaced", "deleted"]
"""How a file is not what it was."""


class Followed:
    """An open file, where it was opened by the name ``path``."""

    def __init__(self, path: Path) -> None:
        """Raises :class:`FileUnreadable`."""
        self.path = path
        self._open()

    def _open(self) -> None:
        self.file: IO[bytes] = open_log(self.path)

    def read(self, size: int = PIECE) -> bytes:
        """What comes next, at most ``size`` bytes; raises :class:`FileUnreadable`."""
        return read_piece(self.file, str(self.path), size)

    def change(self) -> Change:
        """Raises :class:`FileUnreadable`."""
        try:
            held = os.fstat(self.file.fileno())
            if held.st_size < self.file.tell():
                return "truncated"
        except OSError as error:
            raise unreadable(str(self.path), error) from None
        return self._renamed(held)

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
