"""Text from outside, made harmless for a text file: nothing in it drives a terminal."""

from __future__ import annotations

import re
from typing import Final

from transcript_tui.transcript.history import mended

__all__ = ["inert", "inline"]

_BREAKS: Final = re.compile("\r\n?")
_SHOWN: Final = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"},
    0x7F: "␡",
    **{code: f"⟨U+{code:04X}⟩" for code in range(0x80, 0xA0)},
    # What turns the direction of what follows, or hides what is there.
    **{
        code: f"⟨U+{code:04X}⟩"
        for code in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
    },
    0x2028: "⟨U+2028⟩",
    0x2029: "⟨U+2029⟩",
    0xFEFF: "⟨U+FEFF⟩",
}


def inert(text: str) -> str:
    """``text`` with controls and direction overrides as visible characters; ``\\n`` and tabs
    stay. Idempotent."""
    if text.isascii() and text.isprintable():
        return text
    return mended(_BREAKS.sub("\n", text)).translate(_SHOWN)


def inline(text: str) -> str:
    """The same on one line."""
    return " ".join(inert(text).split())
