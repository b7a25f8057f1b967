"""Writes a recording in a thread beside the event loop: a disk that stands holds up nobody."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Final

from transcript_tui.errors import UsageError
from transcript_tui.log import LOGGER
from transcript_tui.session.recorder import Recorder
from transcript_tui.session.recording import AT_ONCE, Recording, Step

__all__ = ["NOTICEABLE", "PATIENCE", "Scribe"]

NOTICEABLE: Final = 1.0
"""Seconds without progress after which somebody who looks on is told so."""
PATIENCE: Final = 5.0
"""Seconds without progress after which leaving waits no longer."""
_FAR: Final = 2 * AT_ONCE
"""Events behind."""
_GRACE: Final = 0.01
"""Seconds that a step is waited for then, at most."""


class Scribe:
    """One recording, written on as its tape grows.

    One step is on its way at a time, and what arrives meanwhile waits on the tape, where it is
    anyhow. All of this is used by one thread, the event loop's; the writer does steps, and no
    more.
    """

    def __init__(
        self, recording: Recording, now: Callable[[], float], changed: Callable[[], None]
    ) -> None:
        """``now`` gives monotonic seconds; ``changed`` is called, in the event loop, when there is
        something new to be shown."""
        self._recording = recording
        self._now = now
        self._changed = changed
        self._wanted = self._ending = False
        self._caught_up = False
        """All that had arrived was written once."""
        self._handed = 0.0
        """When the step on its way was handed over."""
        self._steps: SimpleQueue[Step | None] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._tell: Callable[[], object] | None = None
        """Tells the event loop, from the writer's thread, that the step is done."""
        self._taken = threading.Event()
        """Nothing is on its way."""
        self._taken.set()
        self._quiet = asyncio.Event()
        """Nothing is on its way, and nothing is left."""
        self._quiet.set()
        self._told: tuple[object, ...] = ()

    @property
    def recorder(self) -> Recorder:
        return self._recording.recorder

    @property
    def part(self) -> float | None:
        """How much is written where it was begun late and is behind for that, 0 to 1."""
        late = self._wanted and not self._caught_up and self.left > AT_ONCE
        return self._recording.part if late and self.recorder.state != "failed" else None

    @property
    def left(self) -> int:
        """Events that have arrived and are not in the file."""
        return self._recording.left

    @property
    def stands(self) -> float:
        """Seconds for which the disk has kept the step on its way."""
        return 0.0 if self._taken.is_set() else self._now() - self._handed

    # What is wanted ------------------------------------------------------------------------

    def keep_up(self) -> None:
        """What is on the tape is to be written."""
        self._wanted = True
        if self.left > _FAR:
            # A writer that lacks the processor, no disk, gets it: it would be further and further
            # behind a stream at full speed, and all that would be lost with the program.
            self._taken.wait(max(0.0, _GRACE - self.stands))
        self._advance()

    def end(self) -> None:
        """Nothing more will come: the file is closed once everything is in it."""
        self._ending = True
        self._advance()

    def go_on(self) -> None:
        """More will come after all."""
        self._ending = False
        self._advance()

    async def done(self) -> None:
        """Wait until everything is written; where it is to end, until the file is closed."""
        await self._quiet.wait()

    def leave(self, tell: Callable[[str], None], patience: float = PATIENCE) -> UsageError | None:
        """The same without an event loop, as long as the disk takes something every so many
        seconds.

        ``tell`` gets a sentence where that is long. Returns what went wrong here, if anything.
        """
        before = self.recorder.error
        try:
            whole = self._settle(min(NOTICEABLE, patience))
            if not whole:
                tell(f"Still writing {self.recorder.path}. Ctrl+C leaves it as it is.")
                whole = self._settle(patience)
        except KeyboardInterrupt:
            whole = False
        if not whole:
            self._give_up()
        return self.recorder.error if before is None else None

    def _settle(self, patience: float) -> bool:
        """Whether all was written, without a pause of so many seconds."""
        self._advance()
        while not self._quiet.is_set():
            if not self._taken.wait(patience):
                return False
            self._advance()
        return True

    def _give_up(self) -> None:
        # Of the step on its way, some may be in the file.
        left = self.left
        lost = f"up to {left:,} of {left + self.recorder.frames:,} events" if left else "the end"
        why = f"{self.recorder.path} takes nothing more: {lost} may be missing."
        self.recorder.give_up(UsageError(why, "What it took before can be replayed."))
        self._dismiss()

    # Step by step --------------------------------------------------------------------------

    def _advance(self) -> None:
        """Hand over what comes next, unless something is on its way."""
        if not self._taken.is_set():
            return
        step = self._next()
        if step is not None:
            self._hand_over(step)
            return
        self._caught_up = self._caught_up or self._wanted
        self._quiet.set()
        if self.recorder.state in ("done", "failed"):
            self._dismiss()

    def _next(self) -> Step | None:
        recorder = self.recorder
        if recorder.state == "done":
            return None if self._ending else recorder.resume
        step = self._recording.next() if self._wanted else None
        if step is None and self._ending and recorder.state != "failed":
            return recorder.finish
        return step

    def _hand_over(self, step: Step) -> None:
        self._taken.clear()
        self._quiet.clear()
        self._handed = self._now()
        self._tell = None
        with suppress(RuntimeError):
            # There is no loop any more where somebody leaves.
            tell = asyncio.get_running_loop().call_soon_threadsafe
            # Who is told may look for what is around (Textual's app), which no other thread has.
            self._tell = partial(tell, self._was_taken, context=copy_context())
        if self._writer is None:
            # A daemon: what never comes back from the disk must not keep the program.
            self._writer = threading.Thread(target=self._write, name="recording", daemon=True)
            self._writer.start()
        self._steps.put(step)

    def _dismiss(self) -> None:
        """Let the writer's thread end, once it is done with what it has."""
        if self._writer is not None:
            self._steps.put(None)
            self._writer = None

    def _write(self) -> None:
        """The writer's thread."""
        while (step := self._steps.get()) is not None:
            self._do(step)
            tell = self._tell
            self._taken.set()
            if tell is not None:
                with suppress(RuntimeError):
                    # Closed meanwhile: whoever leaves looks after the rest.
                    tell()

    def _do(self, step: Step) -> None:
        try:
            step()
        except Exception as error:
            # As everything of the recording: no reason to end the viewing.
            LOGGER.error("The recording stopped", exc_info=error)
            why = f"{self.recorder.path} cannot be written: {type(error).__name__}."
            self.recorder.give_up(UsageError(why, "The log says more."))

    def _was_taken(self) -> None:
        stood = self._now() - self._handed >= NOTICEABLE
        self._advance()
        news = (self.recorder.state, self.recorder.bytes > 0, self.part)
        if stood or news != self._told:
            self._told = news
            self._changed()
