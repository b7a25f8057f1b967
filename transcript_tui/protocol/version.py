"""The protocol version we speak, and how another one compares."""

from __future__ import annotations

import re
from typing import Final

from transcript_tui.protocol.findings import quoted

__all__ = ["PROTOCOL_VERSION", "version_warning"]

PROTOCOL_VERSION: Final = "1.1"

_GRAMMAR: Final = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)


def _components(version: str) -> tuple[int, int] | None:
    found = _GRAMMAR.fullmatch(version)
    return (int(found[1]), int(found[2])) if found else None


def version_warning(declared: str) -> str | None:
    """What to say about a producer that declares ``declared``; nothing if it is not newer."""
    version = _components(declared)
    if version is None:
        return (
            f"The producer declares protocol version {quoted(declared)}, which we cannot "
            f"interpret; we speak {PROTOCOL_VERSION} and read on."
        )
    if version > (_components(PROTOCOL_VERSION) or (0, 0)):
        return (
            f"The producer declares protocol version {declared}, newer than the "
            f"{PROTOCOL_VERSION} we speak; what is new in it is dropped."
        )
    return None
