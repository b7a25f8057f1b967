"""Words out, shape in: payloads that can be shown to strangers.

Order, types, sizes and ids stay, and so do the names that the protocol needs (tools, steps,
activity types, models) and the names of members, which patches point at. Everything else that
anybody wrote becomes letters of the same length in UTF-8, digits become ones, and arguments
that are JSON stay JSON. Pure: a payload goes in, one comes out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from transcript_tui.wire.jsontext import NotJson, dumps, is_json, parse

__all__ = ["Redactor", "Removed", "words"]

KEPT: Final = frozenset(
    {
        "type", "role", "id", "timestamp", "subtype", "op", "path", "from", "mimeType",
        "toolCallName", "activityType", "stepName", "protocolVersion", "code", "provider",
        "model", "encryptedValueType", "status",
    }
)  # fmt: skip
"""Members whose strings say what something is, not what somebody said; so do all ``…Id``."""

FREE: Final = frozenset(
    {
        "snapshot", "value", "event", "rawEvent", "result", "state", "forwardedProps",
        "metadata", "parameters", "responseSchema", "payload",
    }
)  # fmt: skip
"""Members that hold JSON of the application's own: nothing in it is the protocol's."""

NAMED: Final = frozenset({"CUSTOM", "SUBAGENT_STARTED", "function", "tools"})
"""Where ``name`` names a thing and not a person: an event's type, or the member around it."""

_ID: Final = re.compile(r"(?:^i|I)ds?\Z")
_LITERALS: Final = ("true", "false", "null")


class _Filler(dict[int, str]):
    """Code point → what stands in its place; white space and ASCII punctuation stay."""

    def __missing__(self, code: int) -> str:
        self[code] = filled = _filling(chr(code), code)
        return filled


def _filling(character: str, code: int) -> str:
    """A letter (or a one) of the same length in UTF-8, and in UTF-16 too."""
    if code < 0x80:
        if character.isalpha():
            return "x" if character.islower() else "X"
        return "1" if character.isdigit() else character
    if character.isspace():
        return character
    if 0xD800 <= code < 0xE000:
        # Halves of a pair may stand in two deltas: joined they are one letter again.
        return chr(0xD835) if code < 0xDC00 else chr(0xDC31)
    return "\u03c7" if code < 0x800 else "\u1e8d" if code < 0x10000 else "\U0001d431"


_FILLER: Final = _Filler()


def words(text: str) -> str:
    """``text`` without its words; as long as it was."""
    return text.translate(_FILLER)


class Removed:
    """What was taken out, by place: ``TEXT_MESSAGE_CONTENT /delta``."""

    def __init__(self) -> None:
        self.values: Counter[str] = Counter()
        self.characters: Counter[str] = Counter()

    def note(self, place: str, text: str) -> None:
        self.values[place] += 1
        self.characters[place] += len(text)

    def sentences(self) -> list[str]:
        """A line a place, in the order in which they came."""
        return [
            f"{place}: {count:,} value{'s' * (count != 1)}, {self.characters[place]:,} characters"
            for place, count in self.values.items()
        ]


class Redactor:
    """Redacts the payloads of one source, in order: arguments go on from delta to delta."""

    def __init__(self) -> None:
        self.removed = Removed()
        self._arguments: dict[str, _JsonText] = {}
        self._chunked = ""
        """The call that chunks without an id belong to."""

    def payload(self, payload: bytes) -> bytes:
        """One payload; what is no JSON object loses all its words."""
        try:
            value = parse(payload)
        except NotJson:
            return self._text("not JSON", payload.decode("utf-8", "replace")).encode()
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str):
            redacted = self._free("no event", value)
        elif kind in ("TOOL_CALL_ARGS", "TOOL_CALL_CHUNK"):
            redacted = self._of_call(kind, value)
        else:
            redacted = self._typed(kind, kind, value)
        return dumps(redacted).encode()

    def given(self, run_input: object) -> Any:
        """A ``RunAgentInput``."""
        return self._typed("input", "input", run_input)

    def tail(self, tail: bytes) -> bytes:
        """Bytes of a frame that never ended."""
        return self._text("cut", tail.decode("utf-8", "replace")).encode() if tail else b""

    def _typed(self, place: str, around: str, value: Any) -> Any:
        """JSON whose members the protocol knows; ``around`` is the type or member it is in."""
        if isinstance(value, str):
            return self._text(place, value)
        if isinstance(value, list):
            return [self._typed(place, around, one) for one in value]
        if isinstance(value, dict):
            return {key: self._member(place, around, key, one) for key, one in value.items()}
        return value

    def _member(self, place: str, around: str, key: str, value: Any) -> Any:
        if (key in KEPT or _ID.search(key)) and _is_plain(value):
            return value
        if key == "name" and around in NAMED:
            return value
        inner = f"{place} /{key}" if " " not in place else f"{place}/{key}"
        if key in FREE or (key == "content" and isinstance(value, dict)):
            return self._free(inner, value)
        if key in ("arguments", "content") and isinstance(value, str):
            return self._json_text(inner, value)
        return self._typed(inner, key, value)

    def _of_call(self, kind: str, value: dict[str, Any]) -> Any:
        """An event with a piece of a call's arguments, which began in the events before it."""
        redacted = self._typed(kind, kind, {**value, "delta": None})
        delta, call = value.get("delta"), value.get("toolCallId", self._chunked)
        if isinstance(call, str):
            self._chunked = call
        if isinstance(delta, str) and isinstance(call, str):
            self.removed.note(f"{kind} /delta", delta)
            redacted["delta"] = self._arguments.setdefault(call, _JsonText()).filled(delta)
        elif "delta" in value:
            redacted["delta"] = self._typed(f"{kind} /delta", "delta", delta)
        else:
            del redacted["delta"]
        return redacted

    def _free(self, place: str, value: Any) -> Any:
        """JSON of the application's own: every string, and the digits of every number."""
        if isinstance(value, str):
            return self._text(place, value)
        if isinstance(value, list):
            return [self._free(place, one) for one in value]
        if isinstance(value, dict):
            return {key: self._free(place, one) for key, one in value.items()}
        if isinstance(value, bool) or value is None:
            return value
        return self._number(place, value)

    def _number(self, place: str, value: float) -> Any:
        written = dumps(value)
        self.removed.note(place, written)
        return parse(_JsonText().filled(f"[{written}]").encode())[0]

    def _text(self, place: str, text: str) -> str:
        if text:
            self.removed.note(place, text)
        return words(text)

    def _json_text(self, place: str, text: str) -> str:
        """A string that may hold JSON: then what is inside stays JSON."""
        if text[:1] not in "{[" or not is_json(text):
            return self._text(place, text)
        self.removed.note(place, text)
        return _JsonText().filled(text)


def _is_plain(value: Any) -> bool:
    """No object, and no list of any: an id, or ids."""
    if isinstance(value, list):
        return all(isinstance(one, str) for one in value)
    return not isinstance(value, dict)


class _JsonText:
    """JSON as text that comes in pieces: filled character by character.

    Names of members, the three literals, escapes and signs stay; what does not begin as an
    object or array is no JSON, and has only words.
    """

    def __init__(self) -> None:
        self._step: Callable[[str], str] = self._start
        self._open: list[str] = []
        self._name = False
        """A string that begins here is the name of a member."""
        self._bare = ""
        """What there is of a literal or number."""
        self._escape = 0
        """Characters of an escape still to come; -1: the one that says how many."""

    def filled(self, piece: str) -> str:
        return "".join([self._step(character) for character in piece])

    def _start(self, character: str) -> str:
        if character.isspace():
            return character
        self._step = self._outside if character in "{[" else words
        return self._step(character)

    def _outside(self, character: str) -> str:
        if character.isalnum() or character in "+-.":
            return self._within_bare(character)
        self._bare = ""
        if character == '"':
            self._step = self._inside
        elif character in "{[":
            self._open.append(character)
            self._name = character == "{"
        elif character in "}]":
            del self._open[-1:]
            self._name = False
        elif character in ",:":
            self._name = character == "," and self._open[-1:] == ["{"]
        return words(character)

    def _within_bare(self, character: str) -> str:
        """A literal's letters stay, a number's digits become ones."""
        self._bare += character
        if any(literal.startswith(self._bare) for literal in _LITERALS):
            return character
        exponent = character in "eE" and self._bare[0] in "-0123456789"
        return character if exponent else words(character)

    def _inside(self, character: str) -> str:
        if self._escape:
            return self._within_escape(character)
        if character == "\\":
            self._escape = -1
        elif character == '"':
            self._step = self._outside
        return character if self._name else words(character)

    def _within_escape(self, character: str) -> str:
        """``\\n`` stays; the digits of ``\\u0041`` become those of a letter."""
        if self._escape < 0:
            self._escape = 4 if character == "u" else 0
            return character
        place = 4 - self._escape
        self._escape -= 1
        return character if self._name else "0078"[place]
