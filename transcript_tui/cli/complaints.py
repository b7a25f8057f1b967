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
    where = f"{source}: " if source and source not in said else ""
    hint = f"\n  {error.hint}" if error.hint else ""
    sys.stderr.write(f"transcript-tui: {safe(where + said + hint)}\n")
    sys.stderr.flush()


def remark(sentences: Iterable[str], source: str = "") -> None:
    """What is worth knowing and is no failure; ``source`` as for :func:`complain`."""
    for sentence in sentences:
        where = f"{source}: " if source and source not in sentence else ""
        sys.stderr.write(f"note: {safe(where + sentence)}\n")
