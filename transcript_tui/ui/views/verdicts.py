"""What became of a payload, for the rows that show payloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from transcript_tui.protocol.stream import Verdict
from transcript_tui.transcript.pipeline import VERDICTS

if TYPE_CHECKING:
    from transcript_tui.session.tape import Tape


@dataclass(frozen=True, slots=True)
class VerdictLook:
    word: str
    sign: str
    style: str
    bad: bool = False


_LOOKS: Final[dict[Verdict, VerdictLook]] = {
    "delivered": VerdictLook("delivered", "✓", "success"),
    "warned": VerdictLook("warned", "~", "warning"),
    "dropped": VerdictLook("dropped", "⊘", "warning"),
    "rejected": VerdictLook("rejected", "⚑", "error", True),
    "after": VerdictLook("after a violation", "·", "dim"),
}
_UNKNOWN: Final = VerdictLook("not judged yet", " ", "dim")


def verdict_of(tape: Tape, number: int) -> VerdictLook:
    verdicts = tape.pipeline.verdicts
    return _LOOKS[VERDICTS[verdicts[number]]] if number < len(verdicts) else _UNKNOWN
