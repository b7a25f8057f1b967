"""The likely cause of a violation, where it is known: a sentence beside it, not a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import cache
from typing import Final

from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.plans import Fault

__all__ = ["cause_of_fault", "cause_of_text"]

NULLS: Final = (
    "The producer dumps its models without omitting empty fields; optional fields without a "
    "value must be left out (in Python: exclude_none=True)."
)
SNAKE: Final = (
    "The producer writes field names in snake_case, where the protocol has camelCase (in "
    "Python: by_alias=True)."
)
SENTINEL: Final = (
    "The producer ends its stream with a sentinel as the OpenAI API does; AG-UI has none, "
    "RUN_FINISHED is the end."
)
MARKUP: Final = "A proxy or the server sent an error page in place of events."
SEVERAL: Final = "Several events were put into one payload; each needs a data line of its own."
GLUED: Final = (
    "Two frames were glued together: the line end and blank line between them were lost, or two "
    "writers share one stream without a lock."
)
CUT: Final = "The payload was cut: a buffer or length limit broke the event into pieces."
HEARTBEAT: Final = (
    "A heartbeat comment was written into the middle of a data line; comments go between frames."
)
PYTHON: Final = "The producer prints Python's repr of a dict in place of JSON (json.dumps)."
NOT_A_NUMBER: Final = (
    "The producer's JSON library writes NaN or Infinity, which JSON does not have."
)
CONTROL: Final = (
    "A raw line break or control character stands inside a string; JSON wants it escaped."
)
TWICE: Final = "The payload was framed as SSE twice: it begins with a field name of its own."
EMPTY: Final = "A data line with nothing after it was sent, for example as a heartbeat."
WRAPPED: Final = "The event is wrapped in another object, or this is an error body, not an event."
STRUCTURED: Final = (
    "The producer sends a value as it is where text is expected; it must be made JSON text first "
    "(in Python: json.dumps)."
)
PRETTY: Final = (
    "Pretty-printed JSON was written over several lines; each line is read as a payload."
)


_TEXTS: Final = ("content", "delta", "arguments")
"""Fields in which producers put values that should be text."""


def cause_of_fault(names: Collection[str], faults: Iterable[Fault], unknown: int = 0) -> str | None:
    """Why a described field is wrong; ``names`` are those of the event's properties, of which
    the last ``unknown`` are not described."""
    faults = list(faults)
    if any(fault.found == "null" for fault in faults):
        return NULLS
    missing = [str(fault.path[-1]) for fault in faults if fault.found == "missing"]
    snakes = [name for name in names if "_" in name]
    if snakes and not set(snakes).isdisjoint(map(_snake, missing)):
        return SNAKE
    if "type" in missing and len(faults[0].path) == 1:
        return WRAPPED
    for fault in faults:
        for matches, cause in _FAULT_CAUSES:
            if matches(fault):
                return cause
    strange = list(names)[len(names) - unknown :]
    top = [str(fault.path[0]) for fault in faults if len(fault.path) == 1]
    if missing and strange and missing[0] in top:
        found = ", ".join(map(quoted, strange[:3]))
        return f"The field {missing[0]} is here under another name: {found} is not described."
    return None


def _at(fault: Fault, *names: str) -> bool:
    return fault.path[-1] in names


_FAULT_CAUSES: Final[tuple[tuple[Callable[[Fault], object], str], ...]] = (
    (
        lambda one: _at(one, "delta", "patch") and one.expected == "a list",
        "A patch is a list of JSON Patch operations (RFC 6902), not the fields that changed.",
    ),
    (lambda one: _at(one, *_TEXTS) and one.found == "an object", STRUCTURED),
    (
        lambda one: _at(one, "timestamp"),
        "Timestamps are whole milliseconds since 1970; Python's time.time() gives seconds with "
        "fractions, others give nanoseconds or ISO texts.",
    ),
    (
        lambda one: _at(one, "role") and one.found == "'tool'",
        "A tool's answer is a TOOL_CALL_RESULT, not a message that is streamed.",
    ),
    (
        lambda one: _at(one, "role") and len(one.path) == 1 and one.found != "missing",
        "A role of the producer's own model was passed on; it must be mapped to one of the "
        "protocol's.",
    ),
    (
        lambda one: _at(one, "outcome"),
        'An outcome is an object that names its type, as {"type": "success"}.',
    ),
    (
        lambda one: one.expected == "a JSON Pointer" and one.found != "missing",
        "A place in a document is written as /name/0, with a slash before each part.",
    ),
    (
        lambda one: _at(one, "threadId", "runId") and one.found == "missing",
        "The event is made without the ids that the run was started with.",
    ),
)
"""Asked of each fault in this order; the first that fits is the cause."""


def cause_of_text(payload: bytes) -> str | None:
    """Why a payload is not JSON, or not an object."""
    text = payload.strip()
    if len(text) > 2 * _WINDOW:
        text = text[:_WINDOW] + b"\xff" + text[-_WINDOW:]
    for matches, cause in _TEXT_CAUSES:
        if matches(text):
            return cause
    return None


_WINDOW: Final = 65_536
"""Bytes looked at, at either end."""

_CAMEL: Final = re.compile(r"(?<=[a-z])([A-Z])")


@cache  # asked only for names that the protocol describes
def _snake(name: str) -> str:
    return _CAMEL.sub(r"_\1", name).lower()


_HEARTBEAT: Final = re.compile(rb": ?(?:keep-?alive|heart-?beat|ping|noop)\b", re.I)
_CONSTANT: Final = re.compile(rb"[:\[,]\s*-?(?:NaN|Infinity)\b")
_REPR: Final = re.compile(rb"\{\s*'|:\s*(?:None|True|False)\b")
_RAW_CONTROL: Final = re.compile(rb"[\x00-\x1f]")
_JOINT: Final = re.compile(rb"\}\s*,?\s*\{\s*\"type\"")
_FRAME_INSIDE: Final = re.compile(rb".data:\s*\{", re.S)
_FIELD: Final = re.compile(rb"(?:data|event|id|retry):")


def _is_cut(text: bytes) -> bool:
    if text.startswith(b"{"):
        return not text.endswith(b"}")
    return text.endswith(b"}") and not text.startswith(b"[")


def _is_pretty(text: bytes) -> bool:
    return text in (b"{", b"}", b"[", b"]", b"},", b"[{") or (
        text.startswith(b'"') and text.endswith(b",")
    )


_TEXT_CAUSES: Final[tuple[tuple[Callable[[bytes], object], str], ...]] = (
    (lambda text: not text, EMPTY),
    (lambda text: text.upper() in (b"[DONE]", b"DONE", b"NULL", b"[END]"), SENTINEL),
    (lambda text: text.startswith(b"<"), MARKUP),
    (_FIELD.match, TWICE),
    (_HEARTBEAT.search, HEARTBEAT),
    (_FRAME_INSIDE.search, GLUED),
    (lambda text: text.startswith(b'[{"') or _JOINT.search(text), SEVERAL),
    (_is_pretty, PRETTY),
    (_CONSTANT.search, NOT_A_NUMBER),
    (_REPR.search, PYTHON),
    (_is_cut, CUT),
    (_RAW_CONTROL.search, CONTROL),
)
"""Asked in this order; the first that fits is the cause."""
