"""What became of a payload, for the rows that show payloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape


@dataclass(frozen=True, slots=True)
class VerdictLook:
    word: str
    sign: str
    style: str
    bad: bool = False


_LOOKS: Final = (
    VerdictLook("delivered", "✓", "success"),
    VerdictLook("dropped", "⊘", "warning"),
    VerdictLook("stripped", "~", "warning"),
    VerdictLook("rejected", "⚑", "error", True),
    VerdictLook("after a violation", "·", "dim"),
)
_UNKNOWN: Final = VerdictLook("not judged yet", " ", "dim")


def verdict_of(tape: Tape, number: int) -> VerdictLook:
    verdicts = tape.pipeline.verdicts
    return _LOOKS[verdicts[number]] if number < len(verdicts) else _UNKNOWN
