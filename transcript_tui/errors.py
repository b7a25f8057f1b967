"""Everything that can go wrong outside a stream, as sentences for people.

    TranscriptError            what happened, where, and what to do
    ├── UsageError             the command line or a setting is wrong
    ├── SourceError            a source cannot be read or reached
    │   ├── ConnectionFailed   no answer: refused, unknown host, TLS, timeout
    │   ├── AnswerRefused      an HTTP answer that is no event stream
    │   └── FileUnreadable     a directory, no permission, binary, empty
    │       └── FileMissing    not there, or not yet
    └── SettingsError          the settings file or a theme is broken

What is wrong *inside* a stream is no exception: it is a ``Violation`` or a ``Warned``
(``protocol/findings.py``), and what came before it stands.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final


class TranscriptError(Exception):
    """``str(error)`` is one sentence that says what happened and where; ``hint`` what to do."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    @property
    def in_full(self) -> str:
        """Both, in one line."""
        return f"{self} {self.hint}".rstrip()


class UsageError(TranscriptError):
    """The command line or a setting is wrong."""


class SourceError(TranscriptError):
    """A source cannot be read or reached; ``body`` holds what was answered, if anything."""

    def __init__(self, message: str, hint: str = "", body: str = "") -> None:
        super().__init__(message, hint)
        self.body = body


class ConnectionFailed(SourceError):
    """No answer at all."""


class AnswerRefused(SourceError):
    """An HTTP answer that is no event stream."""


class FileUnreadable(SourceError):
    """A file that cannot be read as events."""


class FileMissing(FileUnreadable):
    """A file that is not there."""


class SettingsError(TranscriptError):
    """The settings file or a theme is broken."""


_TO_DO: Final = {
    errno.ENOENT: "Make its folder first, or name another file.",
    errno.ENOTDIR: "What should be its folder is a file: name another.",
    errno.EISDIR: "That is a folder: name a file in it.",
    errno.EACCES: "Name a file where you may write.",
    errno.EPERM: "Name a file where you may write.",
    errno.EROFS: "Name a file where you may write.",
    errno.ENOSPC: "Make room, or name a file on another disk.",
    errno.EDQUOT: "Make room, or name a file on another disk.",
    errno.ENXIO: "If it is a pipe, start what reads it first.",
    errno.ENAMETOOLONG: "Give it a shorter name.",
}


def unwritable(file: Path | str, error: OSError) -> UsageError:
    """Why nothing can be written into ``file``, and what to do."""
    reason = (error.strerror or "the system refused").lower()
    hint = _TO_DO.get(error.errno or 0, "Name another file.")
    return UsageError(f"{file} cannot be written: {reason}.", hint)


def not_readable(file: str, error: OSError) -> UsageError:
    """Why a file that something was asked for with cannot be read, and what to do; ``file`` is
    what it is, and its name."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return UsageError(f"There is no {file}.", "Check the spelling and the folder.")
    if error.errno == errno.EISDIR:
        return UsageError(f"The {file} is a folder.", "Name a file in it.")
    if error.errno in (errno.EACCES, errno.EPERM):
        return UsageError(f"The {file} may not be read: permission denied.", "Check its rights.")
    reason = (error.strerror or "the system refused").lower()
    return UsageError(f"The {file} cannot be read: {reason}.", "Check what it is.")
