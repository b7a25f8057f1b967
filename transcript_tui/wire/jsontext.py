"""JSON text as JavaScript's ``JSON.parse`` takes it, and a writer that never fails.

``parse`` differs from :func:`json.loads` where JavaScript does: no NaN or Infinity, no byte
order mark, white space is only space, tab, LF and CR; integers stay exact at any length;
lone surrogates are legal; the last of doubled keys wins. Invalid UTF-8 reads as U+FFFD, as
the SSE format decodes it. Nesting deeper than ``MAX_DEPTH`` is refused.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, NoReturn

import msgspec

__all__ = ["MAX_DEPTH", "NotJson", "dumps", "is_object", "parse"]

MAX_DEPTH: Final = 256
"""Arrays and objects may nest this deep; more is refused in words, never a crash."""

MAX_DIGITS: Final = 100_000
"""Digits that the integers of a payload may have together, but for those that are short.
Exactness costs more time than their number, so there is an end."""

_LONG: Final = 4300
"""Digits that ``int`` reads unasked (``sys.int_info.default_max_str_digits``)."""


class NotJson(ValueError):
    """The text is not JSON; ``str`` says in words why. ``offset`` is in characters."""

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason)
        self.offset = offset


def parse(payload: bytes) -> Any:
    """The JSON value of ``payload``; raises :class:`NotJson`, and nothing else."""
    try:
        value = _decode_fast(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # msgspec refuses some legal texts too: lone surrogates, 1e999, integers of more
        # than 4300 digits. And it has no words for what is wrong with the others.
        value = _decode_carefully(payload)
    except RecursionError:
        raise _too_deep() from None
    if may_be_deep(payload) and too_deep(value):
        raise _too_deep()
    return value


def is_object(payload: bytes) -> bool:
    """Whether ``payload`` is one JSON object."""
    try:
        return isinstance(parse(payload), dict)
    except NotJson:
        return False


def is_json(text: str) -> bool:
    """Whether ``text`` is JSON, whatever it holds."""
    try:
        parse(text.encode("utf-8", "surrogatepass"))
    except NotJson:
        return False
    return True


_decode_fast = msgspec.json.Decoder().decode


def _decode_carefully(payload: bytes) -> Any:
    text = payload.decode("utf-8", "replace")
    try:
        return json.JSONDecoder(parse_constant=_no_constant, parse_int=_Integers()).decode(text)
    except json.JSONDecodeError as error:
        raise NotJson(_what_and_where(error), error.pos) from None
    except RecursionError:
        raise _too_deep() from None


def _what_and_where(error: json.JSONDecodeError) -> str:
    """``unterminated string starting at line 2, column 5``; most payloads have one line."""
    what = (error.msg[:1].lower() + error.msg[1:]).removesuffix(" at")
    if "\n" in error.doc:
        return f"{what} at line {error.lineno}, column {error.colno}"
    return f"{what} at character {error.colno}"


def _no_constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not JSON")


class _Integers:
    """Reads the integers of one payload, at any length."""

    def __init__(self) -> None:
        self._digits = 0
        """Of the long ones so far."""

    def __call__(self, text: str) -> int:
        if len(text) <= _LONG:
            return int(text)
        digits = text.removeprefix("-")
        self._digits += len(digits)
        if self._digits > MAX_DIGITS:
            one = len(digits) == self._digits
            what = "an integer of" if one else "long integers of, together,"
            raise NotJson(f"{what} {self._digits} digits, more than {MAX_DIGITS}")
        return -_exact(digits) if text.startswith("-") else _exact(digits)


def _exact(digits: str) -> int:
    """Halves put together: a fourteenth of the time that ``int`` takes for 100,000 digits."""
    if len(digits) <= _LONG:
        return int(digits)
    half = len(digits) // 2
    scale: int = 10 ** (len(digits) - half)
    return _exact(digits[:half]) * scale + _exact(digits[half:])


def _too_deep() -> NotJson:
    return NotJson(f"nested deeper than {MAX_DEPTH} levels")


def may_be_deep(payload: bytes) -> bool:
    """Whether there are enough brackets for more than ``MAX_DEPTH`` levels; cheap."""
    return len(payload) > 2 * MAX_DEPTH and payload.count(b"[") + payload.count(b"{") > MAX_DEPTH


def too_deep(value: Any) -> bool:
    """Whether ``value`` nests deeper than ``MAX_DEPTH``; level by level, without recursion."""
    level = [value] if type(value) in _CONTAINERS else []
    for _ in range(MAX_DEPTH):
        level = [item for outer in level for item in _items(outer) if type(item) in _CONTAINERS]
        if not level:
            return False
    return True


_CONTAINERS: Final = (dict, list)


def _items(container: Any) -> Iterable[Any]:
    return container.values() if type(container) is dict else container


_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_BEYOND_ASCII: Final = re.compile("[^\x00-\x7f]")


def dumps(
    value: Any, *, indent: int | None = None, compact: bool = False, ascii: bool = False
) -> str:
    """``value`` as JSON text; never fails on what :func:`parse` yields.

    ``compact``: without blanks, as on the wire. ``ascii``: everything beyond ASCII as escapes.

    Numbers that only JavaScript's parser takes (1e999) are written as they can be read
    again; lone surrogates are written as escapes, everything else as it is.
    """
    marks = (",", ":") if compact else None
    try:
        text = json.dumps(
            value, ensure_ascii=ascii, indent=indent, allow_nan=False, separators=marks
        )
    except ValueError:
        text = json.dumps(_marked(value), ensure_ascii=False, indent=indent, separators=marks)
        text = _MARKED.sub(r"\1", text).replace(2 * _MARK, _MARK)
    if text.isascii():
        return text
    escaped = _BEYOND_ASCII if ascii else _SURROGATE
    return escaped.sub(lambda found: json.dumps(found.group())[1:-1], text)


# ``json`` refuses infinity and integers of more than 4300 digits, and offers no way to write
# a number oneself: they travel as strings behind a mark, which is doubled where it stood.
_MARK: Final = "\ue000"
_MARKED: Final = re.compile(f'"{_MARK}(-?[0-9e]+)"')


def _marked(value: Any) -> Any:
    if isinstance(value, dict):
        return {_marked(key): _marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    if isinstance(value, str):
        return value.replace(_MARK, 2 * _MARK)
    if isinstance(value, float) and math.isinf(value):
        return _MARK + ("1e999" if value > 0 else "-1e999")
    if type(value) is int and value.bit_length() > 3 * _LONG:
        return _MARK + _written(value)
    return value


@lru_cache(64)
def _written(value: int) -> str:
    """A view writes what it shows again and again: 100,000 digits take 0.15 s each time."""
    return format(Decimal(value), "f")
