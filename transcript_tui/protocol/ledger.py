"""The warnings of one stream, those that repeat counted instead of repeated."""

from __future__ import annotations

from typing import Final

from transcript_tui.protocol.findings import Warned
from transcript_tui.protocol.pointer import Path, pointer, positionless

__all__ = ["Ledger"]

_COUNTED: Final = frozenset(
    {"unknown-event", "unknown-property", "patch-unknown-op", "retired-shape"}
)
"""Rules said once per event type and path, with a count; all others are said each time."""


class Ledger:
    """Appends to ``warnings``; event numbers are given with each warning."""

    __slots__ = ("_counted", "occurrences", "warnings")

    def __init__(self) -> None:
        self.warnings: list[Warned] = []
        self.occurrences = 0
        self._counted: dict[tuple[str, str, Path], Warned] = {}

    def warn(
        self, rule: str, event: int | None, message: str, *, kind: str = "", path: Path = ()
    ) -> None:
        """``kind`` is the event's type; ``message`` may be that of the first of many."""
        self.occurrences += 1
        if rule not in _COUNTED:
            self.warnings.append(Warned(rule, event, message, pointer(path) or None))
            return
        key = (rule, kind, positionless(path))
        known = self._counted.get(key)
        if known is not None:
            known.count += 1
            return
        warned = Warned(rule, event, message, pointer(path) or None)
        self._counted[key] = warned
        self.warnings.append(warned)
