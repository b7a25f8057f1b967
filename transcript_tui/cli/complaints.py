"""Errors and remarks on stderr: in sentences, and never with a control character of theirs."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from transcript_tui.errors import TranscriptError
from transcript_tui.text import safe

__all__ = ["complain", "remark"]


def complain(error: TranscriptError, source: str = "") -> None:
    """``source`` is named where the sentence does not do so itself."""
    said = str(error)
    where = _where(source, said)
    hint = f"\n  {error.hint}" if error.hint else ""
    sys.stderr.write(f"transcript-tui: {safe(where + said + hint)}\n")
    sys.stderr.flush()


def remark(sentences: Iterable[str], source: str = "") -> None:
    """What is worth knowing and is no failure; ``source`` as for :func:`complain`."""
    for sentence in sentences:
        sys.stderr.write(f"note: {safe(_where(source, sentence) + sentence)}\n")


def _where(source: str, sentence: str) -> str:
    """A name that is a mere word may stand in the sentence by chance: “not an event log”."""
    named = source in sentence and not source.isalpha()
    return f"{source}: " if source and not named else ""
