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

    def again(self, rule: str, kind: str, path: Path) -> bool:
        """Count one more of a warning that was said already; false where it was not."""
        known = self._counted.get((rule, kind, positionless(path)))
        if known is None:
            return False
        known.count += 1
        self.occurrences += 1
        return True

    def warn(
        self, rule: str, event: int | None, message: str, *, kind: str = "", path: Path = ()
    ) -> None:
        """Say a warning; of those that are counted, the first (ask ``again`` before).

        ``kind`` is the event's type.
        """
        self.occurrences += 1
        warned = Warned(rule, event, message, pointer(path) or None)
        self.warnings.append(warned)
        if rule in _COUNTED:
            self._counted[rule, kind, positionless(path)] = warned
