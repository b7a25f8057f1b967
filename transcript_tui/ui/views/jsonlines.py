"""A payload as lines that are safe to show: JSON laid out and coloured, anything else as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from transcript_tui.text import label
from transcript_tui.ui.layout import laid_out, words
from transcript_tui.ui.views.styledcells import Cells
from transcript_tui.wire.jsontext import NotJson, dumps, parse

LIMIT: Final = 200_000
"""Bytes of a payload that are laid out; what is longer is cut, and says so."""


class Laid:
    """Lines that are made as far as somebody looks at them; two of the same value are equal."""

    __slots__ = ("_make", "_of")

    def __init__(self, make: Callable[[Any], Iterable[Cells]], of: object) -> None:
        """``of``: never changed afterwards."""
        self._make = make
        self._of = of

    def __iter__(self) -> Iterator[Cells]:
        return iter(self._make(self._of))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Laid) and self._make is other._make and self._of is other._of

    def __hash__(self) -> int:
        return hash((self._make, id(self._of)))


def payload_lines(payload: bytes) -> Laid:
    """The payload, laid out where it is JSON."""
    return Laid(_payload, payload)


def json_lines(value: Any) -> Laid:
    """A JSON value, laid out and coloured."""
    return Laid(_json, value)


def _payload(payload: bytes) -> Iterator[Cells]:
    if len(payload) > LIMIT:
        yield from _raw(payload[:LIMIT].decode("utf-8", "replace"))
        yield [(f"… {len(payload) - LIMIT:,} more bytes are not shown", "warning")]
        return
    text = payload.decode("utf-8", "replace")
    try:
        parse(payload)
    except NotJson:
        yield [("This is not JSON:", "error")]
        yield from _raw(text)
    else:
        yield from _colored(text)


def _json(value: Any) -> Iterator[Cells]:
    return _colored(dumps(value))


def _colored(text: str) -> Iterator[Cells]:
    for line in laid_out(text):
        yield [(word, f"json-{kind}" if kind else "") for word, kind in words(line)]


def _raw(text: str) -> Iterator[Cells]:
    for line in text.split("\n"):
        yield [(label(line), "foreground")]
