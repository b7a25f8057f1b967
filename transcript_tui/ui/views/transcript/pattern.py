"""What is searched for: a regular expression that gives up when it takes too long.

Some expressions need time exponential in the text (``(a+)+b``). Python's ``re`` cannot be told
to stop, but it lets signals in: a timer of the process's own CPU time ends such a match, and the
pattern is plain text from then on. Where there is no such timer (Windows, other threads),
repetitions within repetitions are taken as text from the start.
"""

from __future__ import annotations

import re
import signal
import threading
from types import FrameType
from typing import Final

PATIENCE: Final = 0.25
"""Seconds of CPU time that one reading of a text may take."""
_TIMED: Final = hasattr(signal, "setitimer")
_NESTED: Final = re.compile(r"[+*}]\??\)[+*{]")
TOO_LONG: Final = "it takes too long"


class _TookTooLong(Exception):
    pass


def _give_up(number: int, frame: FrameType | None) -> None:
    raise _TookTooLong


class Pattern:
    """Smart case: capitals count when there are any; what is no regular expression is text."""

    __slots__ = ("_compiled", "error", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.error: str | None = None
        """Why the pattern is taken as plain text rather than as a regular expression."""
        try:
            self._compiled = re.compile(text, self._flags)
        except (re.error, RecursionError, OverflowError) as error:
            self._take_as_text(getattr(error, "msg", str(error)))

    @property
    def _flags(self) -> re.RegexFlag:
        return re.NOFLAG if any(map(str.isupper, self.text)) else re.IGNORECASE

    def _take_as_text(self, why: str) -> None:
        self.error = why
        self._compiled = re.compile(re.escape(self.text), self._flags)

    def spans(self, text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
        """The matches between ``start`` and ``end`` that are not empty."""
        end = len(text) if end is None else end
        if self.error is None:
            if _TIMED and threading.current_thread() is threading.main_thread():
                found = self._within_patience(text, start, end)
                if found is not None:
                    return found
                self._take_as_text(TOO_LONG)
            elif _NESTED.search(self.text):
                self._take_as_text(TOO_LONG)
        return self._all(text, start, end)

    def _all(self, text: str, start: int, end: int) -> list[tuple[int, int]]:
        matches = self._compiled.finditer(text, start, end)
        return [match.span() for match in matches if match.end() > match.start()]

    def _within_patience(self, text: str, start: int, end: int) -> list[tuple[int, int]] | None:
        # The timer of user time: waiting does not count, and SIGALRM is left to others.
        before = signal.signal(signal.SIGVTALRM, _give_up)
        try:
            signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
            try:
                return self._all(text, start, end)
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        except _TookTooLong:
            return None
        finally:
            signal.signal(signal.SIGVTALRM, before)
