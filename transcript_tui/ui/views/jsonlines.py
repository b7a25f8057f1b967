"""A payload as lines that are safe to show: JSON laid out and coloured, anything else as it is."""

from __future__ import annotations

from typing import Any, Final

from transcript_tui.ui.layout import laid_out, words
from transcript_tui.ui.text import label
from transcript_tui.ui.views.rows import Cells
from transcript_tui.wire.jsontext import NotJson, dumps, parse

LIMIT: Final = 200_000
"""Bytes of a payload that are laid out; what is longer is cut, and says so."""


def payload_lines(payload: bytes) -> list[Cells]:
    """The payload, laid out where it is JSON."""
    if len(payload) > LIMIT:
        text = payload[:LIMIT].decode("utf-8", "replace")
        note = f"… {len(payload) - LIMIT:,} more bytes are not shown"
        return [*_raw(text), [(note, "warning")]]
    text = payload.decode("utf-8", "replace")
    try:
        parse(payload)
    except NotJson:
        return [[("This is not JSON:", "error")], *_raw(text)]
    return _colored(text)


def json_lines(value: Any) -> list[Cells]:
    """A JSON value, laid out and coloured."""
    return _colored(dumps(value))


def _colored(text: str) -> list[Cells]:
    return [
        [(word, f"json-{kind}" if kind else "") for word, kind in words(line)]
        for line in laid_out(text)
    ]


def _raw(text: str) -> list[Cells]:
    return [[(label(line), "foreground")] for line in text.split("\n")]
