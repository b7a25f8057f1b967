"""Words of laid-out JSON, by what they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

_WORDS: Final = re.compile(
    r"""(?P<key>"(?:[^"\\]|\\.)*+"(?=[ ]*:))|(?P<more>⟨[\d,]+ more characters⟩)"""
    r"""|(?P<string>"(?:[^"\\]|\\.)*+"?)|(?P<number>-?\d[-+.\deE]*)"""
    r"""|(?P<literal>true|false|null)|(?P<punctuation>[{}\[\],:]+)"""
)


def words(line: str) -> Iterator[tuple[str, str]]:
    """All of a line as (text, what it is).

    That is one of the kinds that a theme colours (``key``, ``string``, …), ``more`` where
    characters were left out, or nothing.
    """
    at = 0
    for match in _WORDS.finditer(line):
        if match.start() > at:
            yield line[at : match.start()], ""
        at = match.end()
        yield match.group(), match.lastgroup or ""
    if at < len(line):
        yield line[at:], ""
