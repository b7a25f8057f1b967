"""Runs a session where there is no screen, to its end or to whatever ends it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from transcript_tui.cli.complaints import remark
from transcript_tui.errors import UsageError
from transcript_tui.session.session import Session

__all__ = ["run_session"]


def run_session(
    open_session: Callable[[], Session], work: Callable[[Session], Coroutine[Any, Any, None]]
) -> tuple[Session, int, UsageError | None]:
    """Open a session, do ``work``, and record what arrived to the last, however that ends.

    Returns the session; 128 + n where signal n ended it, else 0; and what went wrong with the end
    of the recording, if anything did. Signals are heeded before the session is opened: that may
    make the file that is recorded to.
    """
    opened: list[Session] = []
    told: list[int] = []

    async def run() -> None:
        with ExitStack() as heeding:
            heeding.enter_context(_heeding(told))
            session = open_session()
            opened.append(session)
            if session.recorder is None:
                # Nothing is lost with the program.
                heeding.close()
            await work(session)

    try:
        asyncio.run(run())
    except KeyboardInterrupt:
        told.append(signal.SIGINT)
    except asyncio.CancelledError:
        if not told:
            raise
    finally:
        # Also where stdout is gone.
        unwritten = opened[0].leave(_say) if opened else None
    if not opened:
        raise KeyboardInterrupt
    return opened[0], 128 + told[0] if told else 0, unwritten


@contextmanager
def _heeding(told: list[int]) -> Iterator[None]:
    """Signals end the task as Ctrl+C does. One that comes again has its usual effect: the event
    loop may be kept by a stdout that nobody reads."""
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    assert task is not None
    before: dict[int, Any] = {}

    def end(number: int, _: object) -> None:
        signal.signal(number, before[number])
        told.append(number)
        loop.call_soon_threadsafe(task.cancel)

    for number in _ending():
        with suppress(ValueError):
            # In another thread than the main one the default stays.
            before[number] = signal.signal(number, end) or signal.SIG_DFL
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ending() -> Iterator[int]:
    """Signals that ask a program to end; not those that ``nohup`` shut out."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) != signal.SIG_IGN:
            yield number


def _say(sentence: str) -> None:
    with suppress(OSError):
        # Nobody may read it any more, which is no reason to write less.
        if sys.stderr.isatty():
            # Where the line of progress stands.
            sys.stderr.write("\r\x1b[K")
        remark([sentence])
