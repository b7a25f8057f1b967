"""Whether a file can be written, before anything is spent on what is to go into it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from transcript_tui.errors import unwritable

__all__ = ["check_writable"]


def check_writable(file: Path) -> None:
    """Raises :class:`UsageError`. What is seen only when writing is said then."""
    try:
        fault = _fault(file)
    except OSError as error:
        # Even looking there is denied, or no name can be so long.
        raise unwritable(file, error) from None
    if fault:
        raise unwritable(file, OSError(fault, os.strerror(fault)))


def _fault(file: Path) -> int:
    """The ``errno`` that writing ``file`` would meet, as far as can be told before; else 0."""
    if file.is_dir():
        return errno.EISDIR
    if not file.parent.exists():
        return errno.ENOENT
    if not file.parent.is_dir():
        return errno.ENOTDIR
    return 0 if os.access(file if file.exists() else file.parent, os.W_OK) else errno.EACCES
