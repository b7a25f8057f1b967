"""When Python looks for garbage. Its collector is steered from here alone, phase by phase:

* *starting* (the program, then the screen): what is made lives to the end, and looking through
  it costs a tenth of the start; :func:`starting`, :func:`started`;
* *folding a huge payload*: all that is made of it lives on, and looking through it again and
  again would make a byte of 30 MB twice as dear as one of 3 MB; :func:`undisturbed`;
* *receiving*: what arrived lives on, too; :class:`Arrived` takes it out of sight;
* *showing*: a full pass takes as long as a painting; :class:`Shown` waits for a still screen.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

__all__ = ["Arrived", "Shown", "looking", "started", "starting", "undisturbed"]

SPARED: Final = 20_000
"""Payloads after which what is there is no longer looked through."""
STILL: Final = 0.5
"""Seconds without a painting after which nobody waits."""
DUE: Final = 10
"""Passes over the younger objects after which a full one is due (Python's own measure)."""


def starting() -> None:
    """Much will be made that stays: no looking until it has :func:`started`."""
    gc.disable()


def started() -> None:
    """Look from here on, and leave alone what is there already."""
    gc.freeze()
    gc.enable()


def looking() -> bool:
    """Whether garbage is looked for now."""
    return gc.isenabled()


@contextmanager
def undisturbed() -> Iterator[None]:
    """While it lasts nothing is looked for; afterwards it is."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


class Arrived:
    """What arrived lives to the end: looking through all of it again and again would stop
    everything for a third of a second in some 300,000 events."""

    def __init__(self) -> None:
        self._spared = 0

    def grown(self, length: int) -> None:
        """``length`` payloads have arrived."""
        if length - self._spared >= SPARED:
            self._spared = length
            gc.collect(1)
            gc.freeze()


class Shown:
    """Full passes while nobody waits: call :meth:`painted` after each painting.

    A full pass over what the screen keeps takes as long as a painting does. Left alone it comes
    in the middle of one, every dozen seeks; here it comes when the screen has been still for a
    moment, and in between only ten times as rarely. While nothing is painted this sleeps.
    """

    def __init__(self) -> None:
        self._painted_at = 0.0
        self.waiting = False
        """A look is due in a moment."""
        gc.set_threshold(*gc.get_threshold()[:2], 10 * DUE)

    def painted(self) -> None:
        """Within the event loop, which tells when the screen has been still."""
        self._painted_at = _loop().time()
        if not self.waiting:
            self._wait(STILL)

    def _wait(self, seconds: float) -> None:
        self.waiting = True
        _loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self.waiting = False
        left = self._painted_at + STILL - _loop().time()
        if left > 0:
            self._wait(left)
        elif gc.get_count()[2] >= DUE:
            gc.collect()


def _loop() -> AbstractEventLoop:
    # This module is loaded before anything else, and most verbs start without an event loop.
    from asyncio import get_running_loop

    return get_running_loop()
