"""What of a call is shown as JSON: the cards draw it, and search reads what they show."""

from __future__ import annotations

from typing import Final

from transcript_tui.transcript.model import ToolCallView
from transcript_tui.ui.layout import readable
from transcript_tui.wire.jsontext import is_json

__all__ = ["begins_as_json", "is_structure", "shown_arguments", "shown_result"]

GROWING: Final = 20_000
"""Characters up to which arguments are shown as JSON while they stream: it reads all of them."""


def begins_as_json(call: ToolCallView) -> bool:
    """Whether arguments that are not whole look like the beginning of JSON and are not long."""
    if call.state not in ("streaming", "cut") or call.length >= GROWING:
        return False
    return _first(call.text.read(0, min(64, call.length))) in ("{", "[")


def is_structure(text: str) -> bool:
    """Whether a text is a JSON object or array; its ends are looked at first."""
    ends = _first(text[:64]) in ("{", "[") and text[-64:].rstrip()[-1:] in ("}", "]")
    return ends and is_json(text)


def shown_arguments(call: ToolCallView) -> str:
    """A call's arguments as they read: letters as letters where they are shown as JSON."""
    text = call.arguments
    # Most have no escapes, and to ask whether a long one is whole looks at its ends first.
    as_json = "\\u" in text and (begins_as_json(call) or is_structure(text))
    return readable(text) if as_json else text


def shown_result(text: str, *, markdown: bool) -> str:
    """A result as it reads; as source text it is what came."""
    return readable(text) if markdown and "\\u" in text and is_structure(text) else text


def _first(text: str) -> str:
    return text.lstrip()[:1]
