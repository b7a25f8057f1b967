"""The transcript of a source: all its streams, all its positions, one value."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final

from transcript_tui.protocol.findings import Warned
from transcript_tui.transcript.history import BEFORE, LATEST, History
from transcript_tui.transcript.living import JsonHistory
from transcript_tui.transcript.model import MANY, AnyEntry, Message, Run, Subagent
from transcript_tui.transcript.stretches import Stretches

_FEW: Final = 4_096
"""Payloads whose changes are always listed."""
_AN_ENTRY: Final = 12
"""Payloads whose changes cost about as much to list as one entry costs to read again; over more
than so many for each entry reading everything is cheaper."""


class Transcript:
    """What was folded so far. Written by the reducer and the pipeline only."""

    def __init__(self) -> None:
        self.entries: list[AnyEntry] = []
        self.runs: list[Run] = []
        self.late: set[int] = set()
        """Keys of messages that a snapshot lists before others, though it was the first to tell
        of them: they stand behind those."""
        self.ends: list[int] = []
        """Keys of the entries where runs or bytes ended: ``RunEnd`` and ``Cut``."""
        self.state = JsonHistory({}, BEFORE)
        """The shared state of the conversation; ``{}`` while nothing set it."""
        self.touched = array("i")
        """One per payload: the key of the entry it changed, ``NOTHING`` or ``MANY``."""
        self.groups: dict[int, frozenset[int]] = {}
        """Which entries, for payloads that are ``MANY`` and change few enough to list."""
        self.books: History[int] = History(0, BEFORE)
        """The conversation (thread) that messages and state belong to."""
        self.noted: list[tuple[int, Warned]] = []
        """(stamp, warning) of everything warned about in all streams, in order of stamps."""
        self.rejected: list[tuple[int, int]] = []
        """(stamp of the first violation, last payload of its stream) of each rejected stream."""
        self.revision = 0
        """Grows when something changes without a further payload (the bytes end, a run's input
        comes in): what was read at the last position is to be read again."""
        self._stretches = Stretches(self.touched, self.groups)
        self.births = array("i")
        self.calls: dict[str, list[Message]] = {}
        """Messages that carry a call of this id, in the order they met it."""
        self.subagents: dict[str, list[Subagent]] = {}

    @property
    def length(self) -> int:
        """Payloads folded; also the last position."""
        return len(self.touched)

    def count_at(self, position: int) -> int:
        """Entries born by ``position``: those are ``entries[:count]``."""
        return bisect_left(self.births, position)

    def held(self, position: int = LATEST) -> Iterator[AnyEntry]:
        """The entries that stand at ``position``, in order of first appearance."""
        for index in range(self.count_at(position)):
            entry = self.entries[index]
            if position <= entry.dropped:
                yield entry

    def changes(self, one: int, other: int) -> set[int] | None:
        """Keys of the entries that differ between two positions; ``None``: reread everything."""
        start, end = sorted((max(one, 0), max(other, 0)))
        if end - start > max(_FEW, _AN_ENTRY * len(self.entries)):
            return None
        return self._stretches.changed(start, end, len(self.entries))

    def changes_among(self, count: int, one: int, other: int) -> set[int] | None:
        """The same of the first ``count`` entries, however far apart the positions are: what lies
        between is looked through the first time only."""
        start, end = sorted((max(one, 0), max(other, 0)))
        return self._stretches.changed(start, min(end, self.length), count)

    def payloads_of(self, key: int, start: int, end: int) -> list[int]:
        """The payloads from ``start`` to ``end`` that made or changed an entry, in order."""
        touched = self.touched
        found = set(_places(touched, key, start, end))
        found.update(
            number
            for number in _places(touched, MANY, start, end)
            if key in self.groups.get(number, ())
        )
        born = self.entries[key].born
        if start <= born < end:
            found.add(born)
        return sorted(found)

    def message_by_call(self, call_id: str, position: int = LATEST) -> int | None:
        """Key of the message that carries the call ``call_id``; the first one held."""
        for message in self.calls.get(call_id, ()):
            if message.held(position) and any(
                call.id == call_id for call in message.body_at(position).calls_at(position)
            ):
                return message.key
        return None

    def holder_of(self, message: Message, position: int = LATEST) -> int | None:
        """Key of the message with the call that ``message`` is the answer of: there it is shown;
        ``None`` where it stands for itself."""
        call_id = message.body_at(position).tool_call_id
        key = None if call_id is None else self.message_by_call(call_id, position)
        holder = None if key is None else self.entries[key]
        if not isinstance(holder, Message):
            return None
        calls = holder.body_at(position).calls_at(position)
        answers = (call.answer(position) for call in calls if call.id == call_id)
        return holder.key if any(answer is message for answer in answers) else None

    def subagent(self, owner: str, position: int = LATEST) -> Subagent | None:
        """The announcement of an invocation; the latest where runs use an id again."""
        for subagent in reversed(self.subagents.get(owner, ())):
            if subagent.born < position:
                return subagent
        return None

    def state_at(self, position: int = LATEST) -> Any:
        """The shared state; never mutated afterwards."""
        return self.state.at(position)

    def warnings(self, position: int = LATEST) -> list[tuple[int, Warned]]:
        """(stamp, warning) of what was warned about by ``position``, in order of stamps."""
        return self.noted[: self.warned_at(position)]

    def warned_at(self, position: int = LATEST) -> int:
        """How many warnings there are by ``position``."""
        return bisect_left(self.noted, position, key=lambda pair: pair[0])

    def after_violation(self, stamp: int) -> bool:
        """Whether what a payload brought was read on past a violation in its stream."""
        return any(first < stamp <= last for first, last in self.rejected)

    def conversation(self, position: int = LATEST) -> list[Message]:
        """The messages of the conversation in the protocol's order: a tool result stands behind
        the message that called, wherever it came (what the reference client holds)."""
        book = self.books.at(position)
        ordered: dict[Message | None, Message] = {}
        last: Message | None = None
        for entry in self.entries[: self.count_at(position)]:
            if not isinstance(entry, Message) or entry.book != book:
                continue
            place = last if entry.after is None else entry.after
            follower = ordered.get(place)
            if follower is not None:
                ordered[entry] = follower
            ordered[place] = entry
            if follower is None:
                last = entry
        found: list[Message] = []
        message = ordered.get(None)
        while message is not None:
            if position <= message.dropped:
                found.append(message)
            message = ordered.get(message)
        return found

    def messages(self, position: int = LATEST) -> list[dict[str, Any]]:
        """The conversation as AG-UI messages: a next ``RunAgentInput``'s, and activity messages."""
        from transcript_tui.transcript.queries import as_message

        return [as_message(message, position) for message in self.conversation(position)]


def _places(numbers: array[int], wanted: int, start: int, end: int) -> Iterator[int]:
    """Where a number stands, by a search in C: there may be a million of them."""
    with suppress(ValueError):
        while True:
            start = numbers.index(wanted, start, end)
            yield start
            start += 1
