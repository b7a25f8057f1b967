"""Verification: what may follow what, on expanded events (the fatal rules on sequences).

One :class:`Verification` a stream. ``checks`` maps an event's class to the check of its
kind; a check that finds a breach changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from msgspec import UNSET

from transcript_tui.protocol import breaches
from transcript_tui.protocol.breaches import Breach, Owner, named_owner, owner_name
from transcript_tui.protocol.events import (
    ActivityDelta,
    ActivitySnapshot,
    BaseEvent,
    Custom,
    Expanded,
    MessagesSnapshot,
    Raw,
    ReasoningEncryptedValue,
    ReasoningEnd,
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningMessageStart,
    ReasoningStart,
    RunError,
    RunFinished,
    RunStarted,
    StateDelta,
    StateSnapshot,
    StepFinished,
    StepStarted,
    SubagentError,
    SubagentFinished,
    SubagentStarted,
    TextMessageContent,
    TextMessageEnd,
    TextMessageStart,
    ToolCallArgs,
    ToolCallEnd,
    ToolCallResult,
    ToolCallStart,
)
from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.items import Items
from transcript_tui.protocol.shapes import (
    ActivityMessage,
    AssistantMessage,
    Message,
    ReasoningMessage,
)

__all__ = ["Phase", "Verification"]

Phase = Literal["new", "active", "finished", "failed"]

_ABSENT: Final[Any] = object()


Check = Callable[[Any], Breach | None]


class Verification:
    """The state of one stream, and the checks on it."""

    def __init__(self) -> None:
        self.phase: Phase = "new"
        self._assumed = False
        self.thread_id: str | None = None
        """Of the stream's first run; every later one has the same."""
        self.run_id: str | None = None
        """Of the latest run; ``None`` where that was only assumed."""
        self._run_thread: str | None = None
        self.text = Items("text message", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "messageId", {})
        self.calls = Items("tool call", "TOOL_CALL_START", "TOOL_CALL_END", "toolCallId", {})
        thoughts: dict[str, Owner] = {}
        self.reasoning = Items(
            "reasoning message",
            "REASONING_MESSAGE_START",
            "REASONING_MESSAGE_END",
            "messageId",
            thoughts,
        )
        self.spans = Items(
            "reasoning span", "REASONING_START", "REASONING_END", "messageId", thoughts
        )
        self.activities: dict[str, Owner] = {}
        self.steps: dict[tuple[Owner, str], None] = {}
        self.subagents: dict[str, None] = {}
        self.ended_subagents: set[str] = set()
        self._inside = self._checks()
        self._outside: dict[type[BaseEvent], Check] = dict.fromkeys(self._inside, self._out_of_run)
        self._outside[RunStarted] = self._run_started
        self._outside[RunError] = self._run_error
        self.checks = self._outside
        """The checks that hold now: outside of a run, nearly everything is a breach."""

    def _checks(self) -> dict[type[BaseEvent], Check]:
        """What is asked of each kind of event within a run."""
        return {
            TextMessageStart: self._text_start,
            TextMessageContent: self._text_content,
            TextMessageEnd: self._text_end,
            ToolCallStart: self._call_start,
            ToolCallArgs: self._call_args,
            ToolCallEnd: self._call_end,
            ToolCallResult: self._call_result,
            StateSnapshot: self._nothing,
            StateDelta: self._nothing,
            MessagesSnapshot: self._messages_snapshot,
            ActivitySnapshot: self._activity_snapshot,
            ActivityDelta: self._activity_delta,
            Raw: self._nothing,
            Custom: self._nothing,
            RunStarted: self._run_started,
            RunFinished: self._run_finished,
            RunError: self._run_error,
            StepStarted: self._step_started,
            StepFinished: self._step_finished,
            ReasoningStart: self._span_start,
            ReasoningMessageStart: self._reasoning_start,
            ReasoningMessageContent: self._reasoning_content,
            ReasoningMessageEnd: self._reasoning_end,
            ReasoningEnd: self._span_end,
            ReasoningEncryptedValue: self._encrypted_value,
            SubagentStarted: self._subagent_started,
            SubagentFinished: self._subagent_ended,
            SubagentError: self._subagent_ended,
        }

    def check(self, event: Expanded) -> Breach | None:
        return self.checks[type(event)](event)

    def _enter(self, phase: Phase) -> None:
        self.phase = phase
        self._assumed = False
        self.checks = self._inside if phase == "active" else self._outside

    def assume_run(self) -> None:
        """Read on after a wrong first event, or a rejected start, as if a run had been opened;
        one that is announced after all then begins as it should."""
        self._clear()
        self.run_id = self._run_thread = None
        self._enter("active")
        self._assumed = True

    def _clear(self) -> None:
        for items in (self.text, self.calls, self.reasoning, self.spans):
            items.clear()
        self.activities.clear()
        self.steps.clear()
        self.subagents.clear()
        self.ended_subagents.clear()

    # Runs

    def _out_of_run(self, event: BaseEvent) -> Breach:
        if self.phase == "new":
            return breaches.first_event(event)
        end = "RUN_FINISHED" if self.phase == "finished" else "RUN_ERROR"
        return breaches.after_close(event, end, self.run_id)

    def _run_started(self, event: RunStarted) -> Breach | None:
        if self.phase == "active" and not self._assumed:
            return breaches.run_nested(event, self.run_id)
        if self.thread_id is not None and event.thread_id != self.thread_id:
            return breaches.another_thread(event, self.thread_id)
        self._clear()
        self.thread_id = self._run_thread = event.thread_id
        self.run_id = event.run_id
        self._enter("active")
        if event.input is not UNSET:
            self._seed(event.input.messages, authoritative=False)
        return None

    def _run_finished(self, event: RunFinished) -> Breach | None:
        breach = (
            breaches.finish_disagrees(event, self._run_thread, self.run_id)
            or self._anything_open()
            or breaches.bad_interrupts(event)
        )
        if breach is None:
            self._enter("finished")
        return breach

    def _anything_open(self) -> Breach | None:
        still: list[str] = []
        ends: list[str] = []
        for items in (self.text, self.reasoning, self.spans, self.calls):
            still += [f"{items.name} {quoted(id)}" for id in items.open]
            ends += [items.end] if items.open else []
        for owner, name in self.steps:
            still.append(
                f"step {quoted(name)}" + ("" if owner is None else f" of {owner_name(owner)}")
            )
        ends += ["STEP_FINISHED"] if self.steps else []
        still += [f"subagent {quoted(id)}" for id in self.subagents]
        ends += ["SUBAGENT_FINISHED"] if self.subagents else []
        return breaches.open_at_finish(still, ends) if still else None

    def _run_error(self, event: RunError) -> Breach | None:
        if self.phase == "failed":
            return self._out_of_run(event)
        self._clear()
        self._enter("failed")
        return None

    # Streamed items: the same discipline for each namespace, spelled out for the hot ones

    def _start(self, items: Items, id: str, tag: Any) -> Breach | None:
        if id in items.open:
            return items.started_twice(id)
        named = None if tag is UNSET else tag
        owner = items.owners.get(id, _ABSENT)
        if owner is _ABSENT:
            items.owners[id] = owner = named
        elif tag is not UNSET and named != owner:
            return items.disagrees(id, owner, named)
        items.open[id] = owner
        return None

    def _end(self, items: Items, id: str, tag: Any) -> Breach | None:
        owner = items.open.get(id, _ABSENT)
        if owner is _ABSENT:
            return items.not_open(id, items.end)
        if tag is not UNSET and tag != owner:
            return items.disagrees(id, owner, tag)
        del items.open[id]
        items.closed.add(id)
        return None

    def _continued(self, items: Items, id: str, kind: str, tag: Any) -> Breach | None:
        owner = items.open.get(id, _ABSENT)
        if owner is _ABSENT:
            return items.not_open(id, kind)
        if tag is not UNSET and tag != owner:
            return items.disagrees(id, owner, tag)
        return None

    def _text_start(self, event: TextMessageStart) -> Breach | None:
        return self._start(self.text, event.message_id, event.subagent_run_id)

    def _text_content(self, event: TextMessageContent) -> Breach | None:
        tag = event.subagent_run_id
        if tag is UNSET and event.message_id in self.text.open:
            return None
        return self._continued(self.text, event.message_id, "TEXT_MESSAGE_CONTENT", tag)

    def _text_end(self, event: TextMessageEnd) -> Breach | None:
        return self._end(self.text, event.message_id, event.subagent_run_id)

    def _call_start(self, event: ToolCallStart) -> Breach | None:
        id, tag = event.tool_call_id, event.subagent_run_id
        inherited = _ABSENT
        if event.parent_message_id is not UNSET:
            inherited = self.text.owners.get(event.parent_message_id, _ABSENT)
        if inherited is not _ABSENT and tag is UNSET:
            tag = UNSET if inherited is None else inherited
        if id in self.calls.open:
            return self.calls.started_twice(id)
        named = None if tag is UNSET else tag
        if inherited is not _ABSENT and named != inherited:
            return breaches.other_parent(event, named, inherited)
        owner = self.calls.owners.get(id, _ABSENT)
        if owner is not _ABSENT and inherited is not _ABSENT and owner != inherited:
            return breaches.other_parent(event, owner, inherited)
        return self._start(self.calls, id, tag)

    def _call_args(self, event: ToolCallArgs) -> Breach | None:
        tag = event.subagent_run_id
        if tag is UNSET and event.tool_call_id in self.calls.open:
            return None
        return self._continued(self.calls, event.tool_call_id, "TOOL_CALL_ARGS", tag)

    def _call_end(self, event: ToolCallEnd) -> Breach | None:
        return self._end(self.calls, event.tool_call_id, event.subagent_run_id)

    def _call_result(self, event: ToolCallResult) -> Breach | None:
        # It makes a message of its own, whose owner is who ran the tool.
        self.text.restate(event.message_id, named_owner(event), authoritative=True)
        return None

    def _span_start(self, event: ReasoningStart) -> Breach | None:
        return self._start(self.spans, event.message_id, event.subagent_run_id)

    def _span_end(self, event: ReasoningEnd) -> Breach | None:
        return self._end(self.spans, event.message_id, event.subagent_run_id)

    def _reasoning_start(self, event: ReasoningMessageStart) -> Breach | None:
        return self._start(self.reasoning, event.message_id, event.subagent_run_id)

    def _reasoning_content(self, event: ReasoningMessageContent) -> Breach | None:
        kind = "REASONING_MESSAGE_CONTENT"
        return self._continued(self.reasoning, event.message_id, kind, event.subagent_run_id)

    def _reasoning_end(self, event: ReasoningMessageEnd) -> Breach | None:
        return self._end(self.reasoning, event.message_id, event.subagent_run_id)

    def _encrypted_value(self, event: ReasoningEncryptedValue) -> Breach | None:
        id, tag = event.entity_id, event.subagent_run_id
        places = (self.calls,) if event.subtype == "tool-call" else (self.text, self.reasoning)
        for items in places:
            owner = items.owners.get(id, _ABSENT)
            if owner is not _ABSENT:
                return items.disagrees(id, owner, tag) if tag not in (UNSET, owner) else None
        return None

    # Steps, subagents, activities, snapshots

    def _step_started(self, event: StepStarted) -> Breach | None:
        key = (named_owner(event), event.step_name)
        if key in self.steps:
            return breaches.step_open(event, key[0])
        self.steps[key] = None
        return None

    def _step_finished(self, event: StepFinished) -> Breach | None:
        owner = named_owner(event)
        key = (owner, event.step_name)
        if key in self.steps:
            del self.steps[key]
            return None
        others = [other for other, name in self.steps if name == event.step_name]
        return breaches.step_not_open(event, owner, others)

    def _subagent_started(self, event: SubagentStarted) -> Breach | None:
        id, parent = event.subagent_run_id, event.parent_subagent_run_id
        if id in self.subagents:
            return breaches.subagent_open(id)
        if id in self.ended_subagents:
            return breaches.subagent_reused(id)
        known = parent is UNSET or parent in self.subagents or parent in self.ended_subagents
        if not known:
            return breaches.subagent_parent(event)
        self.subagents[id] = None
        return None

    def _subagent_ended(self, event: SubagentFinished | SubagentError) -> Breach | None:
        id = event.subagent_run_id
        if id not in self.subagents:
            return breaches.subagent_not_open(event, ended=id in self.ended_subagents)
        del self.subagents[id]
        self.ended_subagents.add(id)
        return None

    def _activity_snapshot(self, event: ActivitySnapshot) -> Breach | None:
        if event.replace is not False or event.message_id not in self.activities:
            self.activities[event.message_id] = named_owner(event)
        return None

    def _activity_delta(self, event: ActivityDelta) -> Breach | None:
        owner = self.activities.get(event.message_id, _ABSENT)
        tag = event.subagent_run_id
        if owner is _ABSENT or tag is UNSET or tag == owner:
            return None
        return breaches.other_owner("activity", event.message_id, owner, tag)

    def _messages_snapshot(self, event: MessagesSnapshot) -> Breach | None:
        self._seed(event.messages, authoritative=True)
        return None

    def _seed(self, messages: Iterable[Message], *, authoritative: bool) -> None:
        """Put owners of restated history on record; a snapshot replaces, an echo only adds."""
        for message in messages:
            owner = named_owner(message)
            if isinstance(message, ActivityMessage):
                if authoritative or message.id not in self.activities:
                    self.activities[message.id] = owner
            elif isinstance(message, ReasoningMessage):
                self.reasoning.restate(message.id, owner, authoritative=authoritative)
                self.spans.restate(message.id, owner, authoritative=authoritative)
            else:
                self.text.restate(message.id, owner, authoritative=authoritative)
            if isinstance(message, AssistantMessage) and message.tool_calls is not UNSET:
                for call in message.tool_calls:
                    self.calls.restate(call.id, owner, authoritative=authoritative)

    def _nothing(self, event: BaseEvent) -> Breach | None:
        """State and passthrough: allowed anywhere in a run, owned by nobody."""
        return None
