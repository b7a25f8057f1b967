"""What the reducer keeps between events, besides the transcript that it writes."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import Any, Final, TypeVar, assert_never

from msgspec import UNSET, UnsetType

from transcript_tui.protocol.findings import Warned
from transcript_tui.protocol.shapes import Metadata, Role
from transcript_tui.transcript.history import LATEST, History, Text
from transcript_tui.transcript.living import MetadataLog
from transcript_tui.transcript.model import (
    MANY,
    NOTHING,
    AnyEntry,
    Body,
    Cut,
    Message,
    Run,
    RunEnd,
    RunEnding,
    RunStart,
    Sealed,
    Step,
    Subagent,
    ToolCall,
)
from transcript_tui.transcript.transcript import Transcript

T = TypeVar("T")
_LISTED: Final = 64
"""Entries changed by one payload that are listed; more, and everything is to be read again."""


class Book:
    """The conversation of one thread: what messages and calls are held, by id."""

    def __init__(self, index: int, thread_id: str | None) -> None:
        self.index = index
        self.thread_id = thread_id
        """``None`` until a run names it: what came as input belongs to the first thread."""
        self.by_id: dict[str, Message] = {}
        """The first held message of each id, in the protocol's order."""
        self.doubles: dict[str, list[Message]] = {}
        """Further held messages of an id that was taken."""
        self.calls: dict[str, list[ToolCall]] = {}
        """Held calls by id, in the order of their messages; the first one counts."""
        self.results: dict[str, list[tuple[int, Message]]] = {}
        """Tool messages by the call they answer, and since when they do."""
        self.first: Message | None = None
        self.last: Message | None = None
        """Ends of the protocol's order, linked by ``Message.following``."""
        self.state: Any = {}

    def call(self, call_id: str) -> ToolCall | None:
        calls = self.calls.get(call_id)
        return calls[0] if calls else None


class Fold:
    """The reducer's state: one for a whole source."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.log = transcript.touched.append
        """Takes the key of the one entry that a payload changed, or ``NOTHING`` or ``MANY``."""
        self.books = [Book(0, None)]
        self.book = self.books[0]
        self.stamp = -1
        """Number of the payload being applied, over all streams."""
        self.event = 0
        """Its number in its stream."""
        self.run: Run | None = None
        """The run that is open."""
        self.last_run: Run | None = None
        """The stream's latest run: what a late RUN_ERROR is about."""
        self.warnings: list[Warned] = []
        """Of the stream, by this stage."""
        self.warned = False
        """Something was warned about since somebody last looked."""
        self.touched = NOTHING
        self._group: set[int] = set()
        self._everything = False
        self.open_items: dict[tuple[str, str], Message | ToolCall] = {}
        """Open items by (namespace, id), to be cut where the run ends under them."""
        self.started_calls: dict[str, None] = {}
        self.answered_calls: set[str] = set()
        self.steps: dict[tuple[str | None, str], Step] = {}
        self.hanging: list[RunStart | Step | Subagent | ToolCall] = []
        """What tells whether the open run is over, or how it ended."""

    def begin_stream(self, warnings: list[Warned]) -> None:
        """Another stream begins: nothing is open, its warnings go to a list of its own."""
        self.warnings = warnings
        self.run = self.last_run = None

    # What a payload changed

    def touch(self, key: int) -> None:
        if self.touched == NOTHING:
            self.touched = key
        elif self.touched != key:
            if self.touched != MANY:
                self._group.add(self.touched)
                self.touched = MANY
            self._group.add(key)

    def touch_everything(self) -> None:
        """More than can be listed changes what it looks like."""
        self.touched = MANY
        self._everything = True

    def touch_item(self, item: Message | ToolCall) -> None:
        self.touch(item.message.key if isinstance(item, ToolCall) else item.key)

    def touch_callers(self, body: Body) -> None:
        """The calls that ``body`` answers, or answered, look different now, and so do their other
        answers: the latest one is shown with the call."""
        if body.tool_call_id is None:
            return
        calls = self.book.calls.get(body.tool_call_id, ())
        if len(calls) > _LISTED:
            self.touch_everything()
            return
        for call in calls:
            self.touch(call.message.key)
        if calls:
            self.touch_answers(calls[0])

    def touch_answers(self, call: ToolCall) -> None:
        """What answers ``call`` is shown with it from now on, or for itself."""
        if len(call.results) > _LISTED:
            self.touch_everything()
            return
        for _, answer in call.results:
            self.touch(answer.key)

    def commit(self) -> None:
        """The payload is applied."""
        transcript = self.transcript
        self.log(self.touched)
        if self.touched == MANY and not self._everything and len(self._group) <= _LISTED:
            transcript.groups[self.stamp] = frozenset(self._group)
        self.discard_touched()

    def discard_touched(self) -> None:
        self.touched = NOTHING
        if self._group or self._everything:
            self._group.clear()
            self._everything = False

    def warn(self, rule: str, message: str, path: str | None = None) -> None:
        warned = Warned(rule, self.event, message, path)
        self.warned = True
        self.warnings.append(warned)
        self.transcript.noted.append((self.stamp, warned))

    # Threads and runs

    def enter_thread(self, thread_id: str) -> None:
        """Go on with the thread's conversation; another thread's stays behind as it is."""
        if self.book.thread_id is None:
            self.book.thread_id = thread_id
        if self.book.thread_id == thread_id:
            return
        self.book.state = self.transcript.state.now
        book = next((book for book in self.books if book.thread_id == thread_id), None)
        if book is None:
            book = Book(len(self.books), thread_id)
            self.books.append(book)
        self.book = book
        self.transcript.books.set(book.index, self.stamp)
        self.transcript.state.set(book.state, self.stamp)
        self.touch_everything()

    def begin_run(
        self,
        thread_id: str | None,
        run_id: str | None,
        *,
        parent_run_id: str | None = None,
        protocol_version: str | None = None,
        shown: bool = True,
    ) -> Run:
        """A run is open from here; ``shown``: with a divider."""
        run = Run(
            len(self.transcript.runs),
            thread_id,
            run_id,
            self.stamp,
            parent_run_id,
            protocol_version,
            History(None, self.stamp - 1),
        )
        self.transcript.runs.append(run)
        self.run = self.last_run = run
        self.hanging.clear()
        if shown:
            start = RunStart(self.next_key(), self.stamp, run)
            self.hanging.append(start)
            self.add(start)
        return run

    def end_run(self, run: Run, ending: RunEnding) -> None:
        """Give the open run its ending, or another one; what hangs on that looks different now."""
        run.ending.set(ending, self.stamp)
        for one in self.hanging:
            if isinstance(one, ToolCall):
                if one.answer(LATEST) is None:
                    self.touch(one.message.key)
            elif not _finished(one):
                self.touch(one.key)

    def close_run(self) -> None:
        """Nothing is open any more."""
        self.cut_open_items()
        self.started_calls.clear()
        self.answered_calls.clear()
        self.steps.clear()
        self.hanging.clear()
        self.run = None

    def run_index(self) -> int:
        """Of the open run; -1 where one was only assumed, past a violation."""
        return -1 if self.run is None else self.run.index

    # Entries

    def next_key(self) -> int:
        return len(self.transcript.entries)

    def add(self, entry: AnyEntry) -> None:
        self.transcript.entries.append(entry)
        self.transcript.births.append(entry.born)
        if isinstance(entry, RunEnd | Cut):
            self.transcript.ends.append(entry.key)
        self.touch(entry.key)

    def add_message(self, id: str, body: Body, *, behind: Message | None = None) -> Message:
        """A new message at the end of the order, or ``behind`` another."""
        message = Message(self.next_key(), self.stamp, id, body)
        message.book = self.book.index
        self._place(message, behind)
        first = self.book.by_id.setdefault(id, message)
        if first is not message:
            later = message
            if message.anchor < first.anchor:
                # A result behind its caller stands before the older message of its id.
                self.book.by_id[id], later = message, first
            self.book.doubles.setdefault(id, []).append(later)
        self.register(message, body)
        self.add(message)
        return message

    def _place(self, message: Message, behind: Message | None) -> None:
        book = self.book
        if behind is not None and behind.following is not None:
            message.after = behind
            message.anchor = behind.anchor
            message.following = behind.following
            behind.following = message
            return
        if book.last is None:
            book.first = message
        else:
            book.last.following = message
        book.last = message

    def register(self, message: Message, body: Body) -> None:
        """Make the calls and the answer in ``body`` findable."""
        for call in body.calls or ():
            call.message = message
            self.register_call(call)
        if body.tool_call_id is not None:
            answers = self.results(body.tool_call_id)
            if not answers or answers[-1][1] is not message:
                answers.append((self.stamp, message))
            self.touch_callers(body)

    def register_call(self, call: ToolCall) -> None:
        call.results = self.results(call.id)
        self.touch_answers(call)
        self.hanging.append(call)
        held = self.book.calls.setdefault(call.id, [])
        insort(held, call, key=lambda one: one.message.key)
        known = self.transcript.calls.setdefault(call.id, [])
        place = bisect_left(known, call.message.key, key=lambda one: one.key)
        if place == len(known) or known[place] is not call.message:
            known.insert(place, call.message)

    def forget(self, message: Message) -> None:
        """``message`` is held no more: another one of its id, if any, counts from here."""
        others = self.book.doubles.get(message.id, [])
        if self.book.by_id[message.id] is not message:
            others.remove(message)
        elif others:
            self.book.by_id[message.id] = others.pop(0)
        else:
            del self.book.by_id[message.id]
        self.forget_calls(message.body)

    def forget_calls(self, body: Body) -> None:
        """The calls in ``body`` are held no more (dropped or replaced)."""
        for call in body.calls or ():
            self.book.calls[call.id].remove(call)
            self.touch_answers(call)

    def results(self, call_id: str) -> list[tuple[int, Message]]:
        return self.book.results.setdefault(call_id, [])

    def body(self, role: Role, owner: str | UnsetType = UNSET) -> Body:
        body = Body(role, self.stamp)
        body.owner = given(owner)
        return body

    # Growing

    def merge(self, target: Body | ToolCall, metadata: Metadata | UnsetType) -> None:
        """Merge an event's metadata into what the event builds (basic/metadata)."""
        if metadata is not UNSET:
            if target.metadata is None:
                target.metadata = MetadataLog()
            target.metadata.merge(metadata, self.stamp)

    def seal(self, target: Body | ToolCall, sealed: Sealed) -> None:
        if target.sealed is None:
            target.sealed = History(None, target.since if isinstance(target, Body) else target.born)
        target.sealed.set(sealed, self.stamp)

    def whole_text(self, content: str) -> Text:
        """Text that came at once."""
        text = Text()
        text.append(content, self.stamp)
        text.close(self.stamp)
        return text

    # Opening and closing

    def open_item(self, space: str, id: str, item: Message | ToolCall) -> None:
        item.openings.open(self.stamp)
        self.open_items[space, id] = item

    def close_item(self, space: str, id: str) -> None:
        item = self.open_items.pop((space, id), None)
        if item is not None:
            settle(item, self.stamp, cut=False)
            # Not always the message that has the id by now.
            self.touch_item(item)

    def cut_open_items(self) -> None:
        """The run ended under everything that is open: it stands as it is, marked."""
        for item in self.open_items.values():
            settle(item, self.stamp, cut=True)
            self.touch_item(item)
        self.open_items.clear()


def _finished(one: RunStart | Step | Subagent) -> bool:
    match one:
        case RunStart():
            return False
        case Step():
            return one.finished is not None
        case Subagent():
            return one.ending.now is not None
        case _:
            assert_never(one)


def settle(item: Message | ToolCall, stamp: int, *, cut: bool) -> None:
    """An opening of ``item`` ends."""
    item.openings.close(stamp, cut=cut)
    text = item.arguments if isinstance(item, ToolCall) else item.body.text
    if text is not None and item.openings.since() is None:
        text.close(stamp)


def given(value: T | UnsetType) -> T | None:
    """``None`` for what is absent."""
    return None if isinstance(value, UnsetType) else value
