"""Rows to plain text: lines that were only wrapped are whole again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile

from transcript_tui.ui.layout.rows import Copied

Texts = list[str | None]


def text_of(rows: Iterable[Copied | None]) -> str:
    """What rows one below the other give; ``None``: a row of decoration."""
    lines: list[tuple[Texts, str]] = []
    for row in rows:
        if row is None:
            continue
        if row.joints is None or not lines:
            lines.append((list(row.texts), row.between))
            continue
        line = lines[-1][0]
        for at, (joint, text) in enumerate(zip(row.joints, row.texts, strict=True)):
            line[at] = _joined(line[at], joint, text)
    return "\n".join([between.join(_reached(line)) for line, between in lines])


def _joined(before: str | None, joint: str, after: str | None) -> str | None:
    return before + joint + after if before and after else before or after


def _reached(line: Texts) -> list[str]:
    """The columns that were selected, from the first to the last."""
    kept = list(dropwhile(lambda text: text is None, line))
    while kept and kept[-1] is None:
        kept.pop()
    return [text or "" for text in kept]
