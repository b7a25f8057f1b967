"""JSON Pointers (RFC 6901): the places named in violations and warnings."""

from __future__ import annotations

from transcript_tui.protocol.findings import quoted

__all__ = ["Path", "pointer", "positionless", "shown"]

Path = tuple[str | int, ...]
"""Keys and array positions from the event down."""


def pointer(path: Path) -> str:
    """``("messages", 3, "a/b")`` → ``/messages/3/a~1b``."""
    out = ""
    for step in path:
        out += "/" + (escape(step) if isinstance(step, str) else str(step))
    return out


def shown(path: Path) -> str:
    """The pointer for a message: whole if short, and with nothing unprintable in it."""
    text = pointer(path)
    return text if text.isprintable() and len(text) <= 120 else quoted(text)


def escape(key: str) -> str:
    if "~" in key or "/" in key:
        return key.replace("~", "~0").replace("/", "~1")
    return key


def positionless(path: Path) -> Path:
    """The path with its array positions set aside: equal paths are one finding."""
    if len(path) < 2:
        return path
    return tuple([-1 if isinstance(step, int) else step for step in path])
