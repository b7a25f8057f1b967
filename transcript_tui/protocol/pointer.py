"""JSON Pointers (RFC 6901): the places named in violations and warnings."""

from __future__ import annotations

__all__ = ["Path", "pointer", "positionless"]

Path = tuple[str | int, ...]
"""Keys and array positions from the event down."""


def pointer(path: Path) -> str:
    """``("messages", 3, "a/b")`` → ``/messages/3/a~1b``."""
    return "".join(f"/{escape(step) if isinstance(step, str) else step}" for step in path)


def escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def positionless(path: Path) -> Path:
    """The path with its array positions set aside: equal paths are one finding."""
    if len(path) < 2:
        return path
    return tuple([-1 if isinstance(step, int) else step for step in path])
