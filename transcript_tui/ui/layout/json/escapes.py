"""Letters that a producer wrote as escapes (``\\u65e5``), as most JSON writers in Python do."""

from __future__ import annotations

import re
from typing import Final

_ESCAPE: Final = re.compile(
    r"\\u(?:(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|([0-9a-f]{4}))|\\.",
    re.IGNORECASE | re.DOTALL,
)
_JOINING: Final = "\u200c\u200d\u3000"
"""They are not printable by themselves, but belong into words and emoji."""


def readable(text: str) -> str:
    """A JSON text, whole or not, whose letters stand for themselves. What has a meaning for JSON
    or cannot be seen (controls, marks of direction, half a surrogate pair) stays an escape."""
    return _ESCAPE.sub(_letter, text) if "\\u" in text else text


def readable_json(text: str) -> str:
    """:func:`readable` where ``text`` begins as an object or array does."""
    return readable(text) if text[:64].lstrip()[:1] in ("{", "[") else text


def spelled_length(text: str, end: int) -> int:
    """With how many of its characters ``text`` spells the first ``end`` of what is readable."""
    saved = 0
    for match in _ESCAPE.finditer(text):
        if match.start() - saved >= end:
            break
        saved += len(match.group()) - len(_letter(match))
    return end + saved


def _letter(match: re.Match[str]) -> str:
    high, low, unit = match.groups()
    if high:
        code = 0x10000 + ((int(high, 16) - 0xD800) << 10) + (int(low, 16) - 0xDC00)
    elif unit:
        code = int(unit, 16)
    else:
        return match.group()
    letter = chr(code)
    seen = code >= 0xA0 and (letter.isprintable() or letter in _JOINING)
    return letter if seen else match.group()
