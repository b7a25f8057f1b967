"""What a view keeps for each entry of a transcript, read again only where an entry changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from transcript_tui.transcript.model import AnyEntry

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape

__all__ = ["PerEntry"]

MANY: Final = 2_048
"""Changed entries beyond which all are read again, in slices: whom else each changes takes
microseconds to tell, and is told of all before the first slice."""


class PerEntry:
    """Something of each entry at a position. Subclasses say what: they read, and forget."""

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self.position = 0
        self.read = 0
        """Entries that were read, from the first on."""
        self._again: set[int] = set()
        """Entries among them that changed since."""
        self._state = self._now()

    def _now(self) -> tuple[int, int]:
        """What was read of another one of these is void."""
        return self._tape.generation, self._tape.transcript.revision

    @property
    def entries(self) -> list[AnyEntry]:
        return self._tape.transcript.entries

    @property
    def known(self) -> int:
        """Entries that were read and are the tape's still: it may have been folded anew."""
        return self.read if self._state[0] == self._tape.generation else 0

    def go_to(self, position: int, enough: Callable[[], bool]) -> bool:
        """Read on until all is as of ``position``, or it is ``enough``; ``True``: there is more."""
        self._note_changes(position)
        born = self._tape.transcript.count_at(position)
        self.forget(born)
        while self._again:
            key = self._again.pop()
            if key < self.read:
                self._read(key)
            if enough():
                return True
        while self.read < born:
            self._read(self.read)
            self.read += 1
            if enough():
                return True
        return False

    def forget(self, born: int = 0) -> None:
        """Entries from ``born`` on are not there, or to be read from the start."""
        if born < self.read:
            self._forget(born)
            self.read = born

    def _note_changes(self, position: int) -> None:
        before, state = self.position, self._now()
        same = state == self._state
        changed = self._tape.transcript.changes(before, position) if same else None
        self.position, self._state = position, state
        if changed is None or len(changed) > MANY:
            self.forget()
            self._again.clear()
            return
        for key in changed:
            self._again |= {key, *self._affected(key, before), *self._affected(key, position)}

    def _affected(self, key: int, position: int) -> set[int]:
        """Other entries that read differently when entry ``key`` changes, as it is there."""
        raise NotImplementedError

    def _read(self, key: int) -> None:
        """Read an entry, for the first time or again."""
        raise NotImplementedError

    def _forget(self, born: int) -> None:
        """What was read of the entries from ``born`` on does not count."""
        raise NotImplementedError
