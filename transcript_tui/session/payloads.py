"""Payload bytes by number, packed; old ones may move to a temporary file.

A payload costs its own bytes and eight more. Blocks that are full may be spilled, oldest
first, when together they pass ``spill_at``: reading them again is one ``pread``.
"""

from __future__ import annotations

import os
import tempfile
from array import array
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import IO, Final

__all__ = ["Payloads"]

BLOCK: Final = 1 << 20
"""Bytes after which a block is closed."""
BIG: Final = 1 << 14
"""Bytes appended together that are a block as they are."""
SPILL_AT: Final = 64 << 20
"""Bytes held in memory before the oldest blocks go to disk."""


class Payloads:
    """A list of bytes that only grows."""

    __slots__ = ("_blocks", "_ends", "_held", "_open", "_spill_at", "_spilled", "_starts", "_total")

    def __init__(self, spill_at: int = SPILL_AT) -> None:
        self._ends = array("Q")
        self._blocks: list[bytes | int] = []
        """Closed blocks: their bytes, or where they begin in the spill file."""
        self._starts: list[int] = [0]
        """Where each block begins, the open one last."""
        self._open = bytearray()
        self._total = 0
        self._held = 0
        self._spill_at = spill_at
        self._spilled: IO[bytes] | None = None

    def __len__(self) -> int:
        return len(self._ends)

    def append(self, payload: bytes) -> None:
        self.extend((payload,))

    def extend(self, payloads: Sequence[bytes]) -> bytes:
        """Append several; they are given back as one piece."""
        joined = b"".join(payloads)
        self._ends.fromlist(list(accumulate(map(len, payloads), initial=self._total))[1:])
        self._total = self._ends[-1] if self._ends else 0
        if len(joined) >= BIG:
            # A block of its own: copied once.
            self._close_block()
            self._add_block(joined, self._total)
            return joined
        self._open += joined
        if len(self._open) >= BLOCK:
            self._close_block()
        return joined

    def __getitem__(self, number: int) -> bytes:
        start = self._ends[number - 1] if number else 0
        return self._cut(bisect_right(self._starts, start) - 1, start, self._ends[number])

    def between(self, start: int, end: int) -> list[bytes]:
        """Payloads ``start`` to ``end``; those of one block are cut out of one copy."""
        found: list[bytes] = []
        ends = self._ends
        while start < end:
            first = ends[start - 1] if start else 0
            block = bisect_right(self._starts, first) - 1
            stop = end
            if block < len(self._blocks):
                stop = bisect_right(ends, self._starts[block + 1], start, end)
            copy = self._cut(block, first, ends[stop - 1])
            places = [at - first for at in ends[start:stop]]
            found += [copy[a:b] for a, b in pairwise((0, *places))]
            start = stop
        return found

    def fitting(self, start: int, most: int, size: int) -> int:
        """How many from ``start`` on are ``size`` bytes together, at most ``most``; one in any
        case."""
        before = self._ends[start - 1] if start else 0
        end = min(start + most, len(self._ends))
        return max(1, bisect_right(self._ends, before + size, min(start, end), end) - start)

    def _cut(self, block: int, start: int, end: int) -> bytes:
        """The bytes from ``start`` to ``end`` of all payloads, which lie in ``block``."""
        base = self._starts[block]
        if block == len(self._blocks):
            return bytes(memoryview(self._open)[start - base : end - base])
        held = self._blocks[block]
        if isinstance(held, bytes):
            return held[start - base : end - base]
        assert self._spilled is not None
        return os.pread(self._spilled.fileno(), end - start, held + start - base)

    def _close_block(self) -> None:
        if self._open:
            self._add_block(bytes(self._open), self._starts[-1] + len(self._open))
            self._open = bytearray()

    def _add_block(self, block: bytes, end: int) -> None:
        self._blocks.append(block)
        self._held += len(block)
        self._starts.append(end)
        if self._held > self._spill_at:
            self._spill()

    def _spill(self) -> None:
        """Move the older half of what is held to the file; without room, keep it in memory."""
        try:
            if self._spilled is None:
                prefix = "transcript-tui-"
                self._spilled = tempfile.TemporaryFile(prefix=prefix)  # noqa: SIM115 - lives as long as the tape
            for index, block in enumerate(self._blocks):
                if self._held <= self._spill_at // 2:
                    return
                if isinstance(block, bytes):
                    at = self._spilled.seek(0, os.SEEK_END)
                    self._spilled.write(block)
                    self._spilled.flush()
                    self._blocks[index] = at
                    self._held -= len(block)
        except OSError:
            # A full or read-only disk: memory is the better place then, and asking again at
            # every block would only cost time.
            self._spill_at *= 2
