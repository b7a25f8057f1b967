"""What the pipeline has to say about a stream: violations and warnings (``protocol.md``)."""

from __future__ import annotations

from msgspec import Struct

from transcript_tui.wire.jsontext import dumps

__all__ = ["Violation", "Warned", "quoted"]


# Structs rather than dataclasses: rejecting may not cost much more than accepting. And out of the
# garbage collector's sight: they hold text and numbers only, and there may be one for each event.
class Violation(Struct, frozen=True, gc=False):
    """Why a stream was rejected."""

    rule: str
    """A fatal rule id of ``protocol.md``."""
    event: int
    """The payload's number in its stream, from 0."""
    message: str
    """One sentence for people: what happened, with the ids and values concerned (untrusted)."""
    path: str | None = None
    """JSON Pointer into the event, where one place is at fault."""
    paths: tuple[str, ...] = ()
    """All places at fault; ``path`` is the first."""
    likely: str | None = None
    """The likely cause, a sentence, where it is known."""
    spec: str = ""
    """The page of the specification, such as ``events/lifecycle``."""
    expected: str | None = None
    """What a producer should have sent, a sentence."""


class Warned(Struct, gc=False):
    """What was dropped, stripped, translated or read against the letter; the stream goes on.

    Not frozen: ``count`` grows while the stream is read.
    """

    rule: str
    """A warning rule id of ``protocol.md``."""
    event: int | None
    """The number of the (first) payload concerned, from 0; ``None`` where none is."""
    message: str
    path: str | None = None
    """JSON Pointer into that payload."""
    count: int = 1
    """Times it occurred; array positions in the path are not told apart."""


_LONGEST = 120


def quoted(value: object) -> str:
    """A producer's value for a message: whole if short, and with nothing unprintable in it."""
    if not isinstance(value, str):
        text = dumps(value)
    elif len(value) > _LONGEST:
        text = repr(value[:_LONGEST] + "…")
    else:
        text = repr(value)
    return text if len(text) <= 2 * _LONGEST else text[: 2 * _LONGEST] + "…"
