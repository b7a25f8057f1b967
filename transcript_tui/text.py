"""The gate: every text from outside passes it on its way to a terminal or into a file.

What comes out holds no control (C0, C1, DEL), no line separator but ``\\n``, no bidirectional
override, embedding, isolate or mark, no lone surrogate and no invisible formatting, except
joiners and variation selectors where writing needs them (emoji, Arabic, Indic scripts).
Which code points these are is said here once, for every way out; only the signs differ that
stand in their place: one cell on the screen (:func:`safe`), in a file (:func:`inert`) the code
point's number, and in JSON its escape (:func:`escaped`). Passing twice changes nothing.

Markup is not this module's concern: text is never markup anywhere.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

TAB: Final = 4
"""Columns between tab stops."""

_C0: Final = {code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"}
_C1: Final = dict.fromkeys(range(0x80, 0xA0), "␦")
_SHOWN: Final = {
    **_C0,
    0x7F: "␡",
    **_C1,
    0x85: "␤",
    0x9B: "␛",  # the one-byte CSI
    0x2028: "↵",
    0x2029: "¶",
    # Embeddings, overrides, isolates: seen, but without effect.
    0x202A: "⇒",
    0x202B: "⇐",
    0x202C: "⇎",
    0x202D: "⇒",
    0x202E: "⇐",
    0x2066: "⇒",
    0x2067: "⇐",
    0x2068: "⇔",
    0x2069: "⇎",
    # Letters without ink: names made of them would look empty.
    0x115F: "␣",
    0x1160: "␣",
    0x3164: "␣",
    0xFFA0: "␣",
    0xFFFE: "\ufffd",
    0xFFFF: "\ufffd",
}
"""What a sign stands for: code point → its sign on the screen."""
_SIGNED: Final = frozenset(map(chr, _SHOWN))
_GONE: Final = (
    "\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2060-\u2065\u206a-\u206f"
    "\ufeff\ufff0-\ufffb\U00013430-\U00013455\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
"""What is left out: it would be drawn as nothing."""
_JOINING: Final = "\u200c\u200d\ufe00-\ufe0f\U000e0000-\U000e0fff"
"""What stays only where writing needs it."""
_SURROGATES: Final = "\ud800-\udfff"
"""Halves of characters: pairs are joined, a lone one becomes U+FFFD."""


def _in_file(code: int, sign: str) -> str:
    return sign if code in _C0 or code == 0x7F or sign == "\ufffd" else f"⟨U+{code:04X}⟩"


_ON_SCREEN: Final = str.maketrans(_SHOWN)
_IN_FILE: Final = str.maketrans({code: _in_file(code, sign) for code, sign in _SHOWN.items()})

_SEEING: Final = re.escape("".join(map(chr, _SHOWN)))
_SUSPECT: Final = re.compile(f"[{_SEEING}{_GONE}{_SURROGATES}{_JOINING}\t]")
_ASCII_SUSPECT: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f]")
_SEEN: Final = re.compile(f"[{_SEEING}]")
_UNWANTED: Final = re.compile(f"[{_GONE}]+")
_JOINERS: Final = re.compile(f"[{_JOINING}]+")
_ESCAPED: Final = re.compile(f"[{_SEEING}{_GONE}{_SURROGATES}]")
_HANGING: Final = re.compile(f"[\ud800-\udbff{_JOINING}]")
_BREAKS: Final = re.compile("\r\n?")
_TAGS: Final = re.compile("[\U000e0000-\U000e0fff]+")
_FLAG: Final = "\U0001f3f4"
_CANCEL: Final = "\U000e007f"
_KEYS: Final = tuple("0123456789#*")

ELLIPSIS: Final = "…"


def is_whole(text: str) -> bool:
    """Whether no half of a surrogate pair is in it."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def mended(text: str) -> str:
    """``text`` with surrogate pairs joined and each lone half shown as U+FFFD."""
    if is_whole(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean(text: str) -> bool:
    """Whether the gate would not change ``text``."""
    if text.isascii():
        return text.isprintable() or _ASCII_SUSPECT.search(text) is None
    return _SUSPECT.search(text) is None


def safe(text: str, *, tabs: int = TAB) -> str:
    """``text`` made harmless; line breaks stay (as ``\\n``), tabs become spaces. Idempotent."""
    if clean(text):
        return text
    if "\r" in text:
        text = _BREAKS.sub("\n", text)
    text = marked(text)
    return text.expandtabs(tabs) if "\t" in text else text


def unfinished(char: str) -> bool:
    """Whether what follows decides what the gate makes of ``char``: half of an emoji or of CRLF,
    what joins or selects, a hidden letter."""
    return char == "\r" or _HANGING.match(char) is not None


def inert(text: str) -> str:
    """:func:`safe` for a file or the clipboard: tabs stay, and signs name what they stand for."""
    return text if clean(text) else _gated(_BREAKS.sub("\n", text), _IN_FILE)


def inline(text: str) -> str:
    """:func:`inert` on one line."""
    return " ".join(inert(text).split())


def escaped(text: str) -> str:
    """JSON ``text`` with escapes for all that :func:`safe` would change: the same value."""
    if clean(text):
        return text
    # Only a line end within no string can stand there as it is.
    return _JOINERS.sub(_escape_joiners, _ESCAPED.sub(_escape, _BREAKS.sub("\n", text)))


def _escape(match: re.Match[str]) -> str:
    import json  # not every verb has to do with JSON

    return json.dumps(match.group())[1:-1]


def _escape_joiners(match: re.Match[str]) -> str:
    found = match.group()
    return found if _joiners(match) == found else _escape(match)


def label(text: str, limit: int | None = None) -> str:
    """``text`` for one row: a line break is shown as ``⏎``; at most ``limit`` characters."""
    if limit is not None and len(text) > 8 * limit + 64:
        # What certainly falls away needs no gate.
        text = text[: 8 * limit + 64]
    text = safe(text).replace("\n", "⏎")
    if limit is None or len(text) <= limit:
        return text
    return trimmed(text, limit)


def trimmed(text: str, limit: int) -> str:
    """At most ``limit`` characters of ``text``, an ellipsis for the rest, no grapheme cut."""
    end = max(0, limit - 1)
    while end > 0 and extends(text[end], text[end - 1]):
        end -= 1
    return text[:end] + ELLIPSIS


def marked(text: str) -> str:
    """:func:`safe` for text whose breaks and tabs somebody else takes care of."""
    return text if clean(text) else _gated(text, _ON_SCREEN)


def _gated(text: str, signs: dict[int, str]) -> str:
    # What joins and selects first: what is drawn as a sign has nothing to do with it.
    text = _JOINERS.sub(_joiners, _UNWANTED.sub("", mended(text)))
    # Translating costs ten times as much as looking.
    return text.translate(signs) if _SEEN.search(text) else text


def _joiners(match: re.Match[str]) -> str:
    """Joiners and selectors where they mean something; hidden letters shown; the rest gone."""
    text, start, end = match.string, match.start(), match.end()
    run = match.group()
    before = text[start - 1] if start else ""
    if before in _SIGNED:
        before = ""  # a sign is drawn for it, that nothing belongs to
    after = text[end] if end < len(text) else ""
    if tags := _TAGS.search(run):
        return _hidden(run, tags.group(), before)
    kept = ""
    if run[0] >= "\ufe00" and _selects(before):
        kept, run = run[0], run[1:]
    if run[:1] in ("\u200c", "\u200d") and before and after and _joins(before, after):
        kept += run[0]
    return kept


def _selects(before: str) -> bool:
    """Whether a variation selector behind ``before`` may mean something: of ASCII only key caps
    have variants, and a selector behind each letter would be a hidden text."""
    return before in _KEYS if before.isascii() else not before.isspace()


def _hidden(run: str, tags: str, before: str) -> str:
    if before == _FLAG and run == tags and tags[-1] == _CANCEL and len(tags) <= 8:
        return run
    if len(tags) == 1 and tags >= "\U000e0100" and _ideograph(before):
        return tags
    letters = "".join(
        chr(ord(tag) - 0xE0000) for tag in tags if "\U000e0020" <= tag <= "\U000e007e"
    )
    return f"⟦{letters}⟧" if letters else ""


def _ideograph(char: str) -> bool:
    return bool(char) and unicodedata.east_asian_width(char) == "W"


@lru_cache(4096)
def pictograph(char: str) -> bool:
    """Whether ``char`` is drawn as a picture: what emoji sequences are made of."""
    code = ord(char)
    return (
        0x1F000 <= code <= 0x1FAFF
        or 0x2190 <= code <= 0x2BFF
        or code in (0xFE0F, 0x20E3, 0x3030, 0x303D, 0x3297, 0x3299, 0xA9, 0xAE)
    )


@lru_cache(4096)
def _shaped(char: str) -> bool:
    """Whether ``char`` belongs to a script whose letters join: Arabic to Indic, Mongolian."""
    code = ord(char)
    return (
        0x0600 <= code <= 0x0DFF
        or 0x0E00 <= code <= 0x109F
        or 0x1780 <= code <= 0x18AF
        or 0x1B00 <= code <= 0x1C4F
        or 0xA800 <= code <= 0xABFF
        or 0xFB50 <= code <= 0xFEFC
        or 0x10A00 <= code <= 0x11FFF
        or 0x1E900 <= code <= 0x1E95F
    )


def _joins(before: str, after: str) -> bool:
    return (pictograph(before) and pictograph(after)) or (_shaped(before) and _shaped(after))


@lru_cache(8192)
def combining(char: str) -> bool:
    """Whether ``char`` is drawn onto what stands before it."""
    code = ord(char)
    if code < 0x300:
        return False
    return (
        unicodedata.category(char) in ("Mn", "Me", "Mc")
        or code in (0x200C, 0x200D)
        or 0x1F3FB <= code <= 0x1F3FF
        or 0x1160 <= code <= 0x11FF
        or 0xD7B0 <= code <= 0xD7FB
        or 0xE0020 <= code <= 0xE007F
    )


def extends(char: str, before: str) -> bool:
    """Whether a cut between ``before`` and ``char`` could fall within a grapheme."""
    if char < "\u0300":
        return False
    return (
        combining(char)
        or before == "\u200d"
        or ("\U0001f1e6" <= char <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff")
        or (before >= "\u0900" and unicodedata.combining(before) == 9)
    )
