"""Whether texts contain what a filter asks for, while they grow."""

from __future__ import annotations

from typing import Final

__all__ = ["FilterText"]

LONG: Final = 4_000
"""Characters of a text from which on it is remembered how far it was looked through."""
KEPT: Final = 64
"""Such texts."""


class FilterText:
    """Of a long text that grew only the end is looked at again."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, int], tuple[str, str, bool]] = {}
        """(what was sought, the text then, whether it was there), by place."""

    def within(self, place: tuple[int, int], text: str, wanted: str) -> bool:
        """Smart case: what has no capitals is found in any. ``place``: of the text."""
        if len(text) < LONG:
            return _contains(text, wanted)
        before, known, found = self._known.pop(place, ("", "", False))
        if before != wanted or not text.startswith(known):
            known, found = "", False
        found = found or _contains(text[max(0, len(known) - len(wanted)) :], wanted)
        self._known[place] = wanted, text, found
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]
        return found


def _contains(text: str, wanted: str) -> bool:
    return wanted in (text.lower() if wanted == wanted.lower() else text)
