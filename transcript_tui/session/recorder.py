"""Writes a recording as things arrive: a valid SSE stream, readable however it ends.

Frames are handed to the operating system as they arrive and whole, those that came together in
one write, so that a process killed at any moment leaves at most the last frame cut. Trouble
with the disk is a state to be shown, never an exception: viewing goes on.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC
from pathlib import Path
from typing import Any, Final, Literal

from transcript_tui.errors import UsageError, unwritable
from transcript_tui.files import could_be_lost
from transcript_tui.session.clock import moment
from transcript_tui.wire import recording

__all__ = ["Recorder", "RecorderState"]

RecorderState = Literal["ready", "recording", "done", "failed"]

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
_BLANK: Final = b"\n\n"
"""What ends a frame, and is in none."""


class Recorder:
    """One recording. Look at ``state``; where it is ``failed``, ``error`` says why.

    All that writes may wait for the disk; one thread does it at a time, and any may look on.
    """

    def __init__(self, path: Path, *, force: bool = False) -> None:
        """``force`` replaces a file that exists."""
        self.path = path
        self.state: RecorderState = "ready"
        self.error: UsageError | None = None
        self.frames = 0
        self.bytes = 0
        self._force = force
        self._fd = -1
        self._made = False
        """The file was not there before."""

    @property
    def problem(self) -> str:
        """Why it failed, a sentence; empty where it did not."""
        return "" if self.error is None else str(self.error)

    def reserve(self) -> None:
        """Open the file, so that what is wrong with the place is known before anybody is asked
        for anything. What is in it stays until :meth:`start`."""
        self._made = False
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_BINARY", 0)
        # A pipe that nobody reads is an error then, instead of a viewer that waits for ever.
        flags |= getattr(os, "O_NONBLOCK", 0)
        try:
            # What is recorded may be confidential: nobody else may read it unless told so.
            try:
                self._fd = os.open(self.path, flags | os.O_EXCL, 0o600)
                self._made = True
            except FileExistsError:
                if not self._force and could_be_lost(self.path):
                    there = f"{self.path} exists already; --force replaces it."
                    return self._fail(UsageError(there))
                self._fd = os.open(self.path, flags, 0o600)
            os.set_blocking(self._fd, True)
        except OSError as error:
            return self._cannot(error)
        return None

    def start(
        self,
        *,
        started: float | None,
        url: str | None = None,
        method: str | None = None,
    ) -> None:
        """Say what is recorded, in a file that is empty then.

        ``started`` is in seconds since the epoch, left out where no calendar has it; ``url`` must
        be free of secrets.
        """
        if self._fd < 0 and self.state == "ready":
            self.reserve()
        if self.state == "failed":
            return
        self.state = "recording"
        if not self._made:
            self._mend()
        self._write(recording.header_line(_iso(started), url, method) + "\n")

    def input(self, run_input: Mapping[str, Any]) -> None:
        """What the connection was started with."""
        self._write(recording.input_line(run_input) + "\n")

    def frame(self, payload: bytes, at: float | None) -> None:
        """One payload, with the seconds since time 0 when it arrived."""
        self.frames_of([(payload, at)])

    def frames_of(self, payloads: Sequence[tuple[bytes, float | None]]) -> None:
        """The same for several, in one write: a call of the system costs more than a frame."""
        if payloads:
            before = self.bytes
            block = b"".join(_frame(payload, at) for payload, at in payloads)
            self._write_bytes(block)
            # Where the disk was full, so many as there was room for.
            self.frames += block.count(_BLANK, 0, self.bytes - before)

    def stream(self, number: int, at: float | None) -> None:
        """A new connection begins."""
        self._write(recording.stream_line(number, at or 0.0) + "\n")

    def too_long(self, limit: int) -> None:
        """Of the payload that follows only the head is there: it had more than so many bytes."""
        self._write(recording.too_long_line(limit) + "\n")

    def framing_crlf(self) -> None:
        self._write(recording.framing_line() + "\n")

    def cut(self, tail: bytes, at: float | None) -> None:
        """The bytes of a frame that never ended."""
        self._write(recording.cut_line(at or 0.0, tail) + "\n\n")

    def finish(self) -> None:
        """Nothing more will come; where nothing ever came, everything is as it was before."""
        try:
            self._close()
        except OSError as error:
            # Where writing is put off (a network's file system), closing says what failed.
            return self._cannot(error)
        if self.state == "ready" and self._made:
            with suppress(OSError):
                # The folder may have gone, or its rights: an empty file does no harm.
                self.path.unlink()
        if self.state != "failed":
            self.state = "done"
        return None

    def resume(self) -> None:
        """Go on behind what is there, after :meth:`finish`."""
        if self.state != "done":
            return None
        if not self.bytes:
            self.state = "ready"
            return self.reserve()
        try:
            self._fd = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
            found = os.fstat(self._fd)
        except FileNotFoundError:
            return self._fail(UsageError(f"{self.path} was deleted; recording has stopped."))
        except OSError as error:
            return self._cannot(error)
        if stat.S_ISREG(found.st_mode) and found.st_size != self.bytes:
            # Behind what is not ours, nothing of ours would be found again.
            return self._fail(UsageError(f"{self.path} was changed; recording has stopped."))
        self.state = "recording"
        return None

    def give_up(self, error: UsageError) -> None:
        """Nothing more will be written, whatever another thread may be in the middle of."""
        # The reason first: whoever looks on does so between any two.
        self.error = error
        self.state = "failed"

    def _write(self, text: str) -> None:
        self._write_bytes(text.encode("utf-8", "replace"))

    def _write_bytes(self, block: bytes) -> None:
        if self.state != "recording":
            return
        try:
            # Writing to a deleted file goes well and is lost: the folder vanished.
            if os.fstat(self._fd).st_nlink == 0 and self.path != Path(os.devnull):
                return self._fail(UsageError(f"{self.path} was deleted; recording has stopped."))
            self._write_whole(block)
        except OSError as error:
            self._mend()
            return self._cannot(error)
        return None

    def _write_whole(self, block: bytes) -> None:
        written = 0
        try:
            while written < len(block):
                written += os.write(self._fd, memoryview(block)[written:])
        except OSError:
            # Of frames that do not all fit, those that do stay.
            written = len(b"".join(block[:written].rpartition(_BLANK)[:2]))
            raise
        finally:
            self.bytes += written

    def _mend(self) -> None:
        """Take back what is there and not ours: of a replaced file, or half of a block."""
        try:
            os.ftruncate(self._fd, self.bytes)
        except OSError:
            # A device or a file system that is gone: there is nothing to mend.
            return

    def _cannot(self, error: OSError) -> None:
        self._fail(unwritable(self.path, error))

    def _fail(self, error: UsageError) -> None:
        self.give_up(error)
        with suppress(OSError):
            # Closing may report the write that failed before; it has been said.
            self._close()

    def _close(self) -> None:
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


def _frame(payload: bytes, at: float | None) -> bytes:
    folded = b"\n" in payload or b"\r" in payload
    if at is not None and not folded:
        # Nearly every one: put together in one step, as a stream may be as fast as it likes.
        return b": +%.3f\ndata: %b\n\n" % (at, payload)
    head = b"" if at is None else recording.offset_line(at).encode() + b"\n"
    # A payload's own line ends (a blank within JSON) become lines of the frame.
    lines = _LINE_END.split(payload) if folded else [payload]
    return head + b"\n".join(b"data: " + line for line in lines) + b"\n\n"


def _iso(seconds: float | None) -> str | None:
    at = None if seconds is None else moment(seconds, UTC)
    return None if at is None else at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
