"""Whether a file can be written, before anything is spent on what is to go into it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from transcript_tui.errors import unwritable

__all__ = ["check_writable", "could_be_lost", "is_terminal"]


def check_writable(file: Path) -> None:
    """Raises :class:`UsageError`. What is seen only when writing is said then."""
    try:
        fault = _fault(file)
    except OSError as error:
        # Even looking there is denied, or no name can be so long.
        raise unwritable(file, error) from None
    if fault:
        raise unwritable(file, OSError(fault, os.strerror(fault)))


def could_be_lost(file: Path) -> bool:
    """Whether writing ``file`` could replace something: devices and pipes hold nothing, but what
    is written to a terminal as it came may do anything to it."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISCHR(mode):
        return is_terminal(file)
    return not stat.S_ISFIFO(mode)


def is_terminal(file: Path) -> bool:
    """Whether that device is one."""
    try:
        fd = os.open(file, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.isatty(fd)
    finally:
        os.close(fd)


def _fault(file: Path) -> int:
    """The ``errno`` that writing ``file`` would meet, as far as can be told before; else 0."""
    if file.is_dir():
        return errno.EISDIR
    if not file.parent.exists():
        return errno.ENOENT
    if not file.parent.is_dir():
        return errno.ENOTDIR
    return 0 if os.access(file if file.exists() else file.parent, os.W_OK) else errno.EACCES
