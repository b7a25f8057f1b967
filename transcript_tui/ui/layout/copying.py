"""Rows to plain text: lines that were only wrapped are whole again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile

from transcript_tui.ui.layout.rows import Copied

Texts = list[str | None]


class _Line:
    """A line that rows are put together to, column by column."""

    def __init__(self, row: Copied) -> None:
        self.texts: Texts = list(row.texts)
        self.between = row.between
        self._blanks = [""] * len(row.texts)
        """What stands before whatever comes next: of a row of blanks nothing else is left."""

    def go_on(self, texts: Iterable[str | None], joints: Iterable[str]) -> None:
        for at, (text, joint) in enumerate(zip(texts, joints, strict=True)):
            if text:
                before = self.texts[at]
                self.texts[at] = before + self._blanks[at] + joint + text if before else text
                self._blanks[at] = ""
            elif text is not None:
                self._blanks[at] += joint


def text_of(rows: Iterable[Copied | None]) -> str:
    """What rows one below the other give; ``None``: a row of decoration."""
    lines: list[_Line] = []
    for row in rows:
        if row is None:
            continue
        if row.joints is None or not lines:
            lines.append(_Line(row))
        else:
            lines[-1].go_on(row.texts, row.joints)
    return "\n".join([line.between.join(_reached(line.texts)) for line in lines])


def _reached(line: Texts) -> list[str]:
    """The columns that were selected, from the first to the last."""
    kept = list(dropwhile(lambda text: text is None, line))
    while kept and kept[-1] is None:
        kept.pop()
    return [text or "" for text in kept]
