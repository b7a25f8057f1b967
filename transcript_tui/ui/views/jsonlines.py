"""A payload as lines that are safe to show: JSON laid out and coloured, anything else as it is."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from transcript_tui.ui.text import label
from transcript_tui.ui.views.rows import Cells

LIMIT: Final = 200_000
"""Bytes of a payload that are laid out; what is longer is cut, and says so."""

_TOKEN: Final = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=\s*:)'
    r'|(?P<string>"(?:[^"\\]|\\.)*"?)'
    r"|(?P<number>-?\d[\d.eE+-]*)"
    r"|(?P<literal>\btrue\b|\bfalse\b|\bnull\b)"
    r"|(?P<punctuation>[{}\[\],:]+)"
)


def payload_lines(payload: bytes) -> list[Cells]:
    """The payload, pretty-printed where it is JSON."""
    if len(payload) > LIMIT:
        text = payload[:LIMIT].decode("utf-8", "replace")
        note = f"… {len(payload) - LIMIT:,} more bytes are not shown"
        return [*_raw(text), [(note, "warning")]]
    text = payload.decode("utf-8", "replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return [[("This is not JSON:", "error")], *_raw(text)]
    return json_lines(value)


def json_lines(value: Any) -> list[Cells]:
    """A JSON value, laid out and coloured."""
    try:
        laid_out = json.dumps(value, indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return [[("nested too deeply to be laid out", "warning")]]
    return [colored(label(line)) for line in laid_out.split("\n")]


def colored(line: str) -> Cells:
    """One gated line of JSON as cells."""
    cells: list[tuple[str, str]] = []
    end = 0
    for match in _TOKEN.finditer(line):
        if match.start() > end:
            cells.append((line[end : match.start()], ""))
        cells.append((match.group(), f"json-{match.lastgroup}"))
        end = match.end()
    if end < len(line):
        cells.append((line[end:], ""))
    return cells


def _raw(text: str) -> list[Cells]:
    return [[(label(line), "foreground")] for line in text.split("\n")]
