"""Every foreign log format: a file in this package and a line here."""

from __future__ import annotations

from typing import Final

from transcript_tui.session.logs.aimock import AIMOCK
from transcript_tui.session.logs.foreign import Foreign
from transcript_tui.session.logs.gentui import GENTUI
from transcript_tui.session.logs.har import HAR
from transcript_tui.session.logs.inspector import INSPECTOR
from transcript_tui.wire.inflating import MAGIC, Inflater

__all__ = ["FOREIGN", "recognise"]

FOREIGN: Final[tuple[Foreign, ...]] = (HAR, GENTUI, INSPECTOR, AIMOCK)

_HEAD: Final = 65_536
_PACKED: Final = 4096
"""Bytes of gzip that are looked into."""


def recognise(head: bytes) -> Foreign | None:
    """Whose log begins with ``head``, gzipped or not; ``None``: nobody's, it is read as events."""
    if head.startswith(MAGIC):
        head = b"".join(Inflater().feed(head[:_PACKED]))
    head = head[:_HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if not head.startswith(b"{"):
        return None
    return next((foreign for foreign in FOREIGN if foreign.signature.match(head)), None)
