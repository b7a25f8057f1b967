"""Rows to plain text: lines that were only wrapped are whole again."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile

from transcript_tui.ui.layout.rows import Copied


class _Line:
    """A line that rows are put together to, column by column."""

    def __init__(self, row: Copied) -> None:
        # Joined at the end: a line of a megabyte is not copied for each of its rows.
        self._parts = [None if text is None else [text] for text in row.texts]
        self._between = row.between
        self._blanks = [""] * len(row.texts)
        """What stands before whatever comes next: of a row of blanks nothing else is left."""

    def go_on(self, texts: Iterable[str | None], joints: Iterable[str]) -> None:
        for at, (text, joint) in enumerate(zip(texts, joints, strict=True)):
            if text:
                parts = self._parts[at]
                if parts and parts[0]:
                    parts += (self._blanks[at], joint, text)
                else:
                    self._parts[at] = [text]
                self._blanks[at] = ""
            elif text is not None:
                self._blanks[at] += joint

    @property
    def text(self) -> str:
        """The columns that were selected, from the first to the last."""
        texts = [None if parts is None else "".join(parts) for parts in self._parts]
        kept = list(dropwhile(lambda text: text is None, texts))
        while kept and kept[-1] is None:
            kept.pop()
        return self._between.join([text or "" for text in kept])


class PlainText:
    """The text of rows that are given one below the other, as many at a time as one likes."""

    def __init__(self) -> None:
        # Of a whole transcript there may be a million: finished ones are no more than strings.
        self._lines: list[str] = []
        self._open: _Line | None = None
        """The last line, which may go on."""

    def add(self, rows: Iterable[Copied | None]) -> None:
        """``None``: a row of decoration."""
        for row in rows:
            if row is None:
                continue
            if row.joints is not None and self._open is not None:
                self._open.go_on(row.texts, row.joints)
                continue
            self._end_line()
            self._open = _Line(row)

    def finish(self) -> str:
        self._end_line()
        return "\n".join(self._lines)

    def _end_line(self) -> None:
        if self._open is not None:
            self._lines.append(self._open.text)
            self._open = None


def text_of(rows: Iterable[Copied | None]) -> str:
    """What rows one below the other give; ``None``: a row of decoration."""
    text = PlainText()
    text.add(rows)
    return text.finish()
