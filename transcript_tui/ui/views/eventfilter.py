"""Which payloads the list of events shows: what was written into its filter, and asking it."""

from __future__ import annotations

from dataclasses import dataclass

from transcript_tui.ui.views.payloads import type_of


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Which payloads are listed; empty fields ask for nothing."""

    types: tuple[str, ...] = ()
    """Parts of type names, upper case."""
    ids: tuple[bytes, ...] = ()
    verdicts: tuple[str, ...] = ()
    """Words that say a verdict, or their beginnings."""
    words: tuple[bytes, ...] = ()

    @classmethod
    def parse(cls, written: str) -> EventFilter:
        """Read ``type:TEXT id:m1 verdict:dropped some words``; total."""
        types, ids, verdicts, words = [], [], [], []
        for word in written.split():
            prefix, colon, value = word.partition(":")
            match (prefix.lower() if colon and value else "", value):
                case ("type", _):
                    types.append(value.upper())
                case ("id", _):
                    ids.append(value.encode())
                case ("verdict", _):
                    verdicts.append(value.lower())
                case _:
                    words.append(word.encode())
        return cls(tuple(types), tuple(ids), tuple(verdicts), tuple(words))

    def __bool__(self) -> bool:
        return bool(self.types or self.ids or self.verdicts or self.words)

    def matches(self, payload: bytes, verdict: str) -> bool:
        if self.verdicts and not any(verdict.startswith(wanted) for wanted in self.verdicts):
            return False
        if self.types:
            kind = type_of(payload).upper()
            if not any(wanted in kind for wanted in self.types):
                return False
        if any(wanted not in payload for wanted in self.ids):
            return False
        return all(_has(payload, word) for word in self.words)


def _has(payload: bytes, word: bytes) -> bool:
    """Smart case: a word in small letters is found in any."""
    return word in payload or (word.islower() and word in payload.lower())
