"""Which items the reader asked for: the filter, as it is written."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

Kind = Literal[
    "message",
    "tool",
    "reasoning",
    "activity",
    "subagent",
    "step",
    "run",
    "problem",
    "passthrough",
]
KINDS: Final[tuple[str, ...]] = get_args(Kind)
ROLES: Final = ("user", "assistant", "system", "developer", "tool", "reasoning", "activity")


@dataclass(frozen=True, slots=True)
class Filter:
    """Which items are shown; an empty field asks for nothing, so ``Filter()`` shows all."""

    roles: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    """Of ``KINDS``."""
    speakers: frozenset[str] = frozenset()
    """Names within a role, or words of them; lower case."""
    subagents: frozenset[str] = frozenset()
    """Names (or words of them) or ids of invocations, lower case; ``main`` = the parent agent."""
    text: str = ""
    """Words that the item must contain, in order; lower case ignores case."""

    @classmethod
    def parse(cls, words: str) -> Filter:
        """Read ``role:user,tool kind:tool speaker:bob subagent:"my helper" some words``; total."""
        found: dict[str, set[str]] = {name: set() for name in _PREFIXES.values()}
        text: list[str] = []
        for word in _WORD.findall(words):
            prefix, colon, values = word.partition(":")
            name = _PREFIXES.get(prefix.lower())
            if not colon or name is None or not values:
                text.append(word)
                continue
            given = (value.strip('"').lower() for value in _VALUE.findall(values))
            found[name].update(filter(None, given))
        sets = {name: frozenset(values) for name, values in found.items()}
        return cls(**sets, text=" ".join(text))

    def mistake(self) -> str:
        """What no item can ever have, in a sentence; empty where there is nothing of the kind."""
        for name, given, known in (("kind", self.kinds, KINDS), ("role", self.roles, ROLES)):
            for value in sorted(given.difference(known)):
                return f"There is no {name} {value!r}; there are {', '.join(known)}"
        return ""

    def describe(self) -> str:
        """The filter as it would be typed."""
        words = [
            f"{prefix}:{','.join(map(_spelled, sorted(values)))}"
            for prefix, name in _SPELLED.items()
            if (values := getattr(self, name))
        ]
        return " ".join([*words, self.text] if self.text else words)

    def __bool__(self) -> bool:
        return any(getattr(self, field.name) for field in fields(self))


_SPELLED: Final = {
    "role": "roles",
    "kind": "kinds",
    "speaker": "speakers",
    "subagent": "subagents",
}
_PREFIXES: Final = _SPELLED | {
    "roles": "roles",
    "kinds": "kinds",
    "name": "speakers",
    "agent": "subagents",
}
_WORD: Final = re.compile(
    rf'(?:{"|".join(_PREFIXES)}):(?:"[^"]*"?|\S)+|\S+',
    re.IGNORECASE,
)
"""One thing that is asked for; between quotes also with blanks, the second yet to be typed."""
_VALUE: Final = re.compile(r'"[^"]*"?|[^",]+')


def _spelled(value: str) -> str:
    return value if value.split() == [value] and "," not in value else f'"{value}"'
