"""What a run starts from: the messages and state of a ``RunAgentInput``, any subset of one."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import msgspec

from transcript_tui.errors import UsageError
from transcript_tui.protocol.compatibility import Boundary
from transcript_tui.protocol.enforcement import enforce
from transcript_tui.protocol.events import MessagesSnapshot
from transcript_tui.protocol.plans import Removal
from transcript_tui.protocol.pointer import Path, pointer
from transcript_tui.protocol.shapes import Message

__all__ = ["Given", "modern", "read_input"]


@dataclass(frozen=True, slots=True)
class Given:
    messages: tuple[Message, ...] = ()
    state: Any = msgspec.UNSET
    thread_id: str | None = None
    left_out: tuple[str, ...] = ()
    """What the transcript cannot hold, a sentence each: no stream warns of it."""


def read_input(value: Any) -> Given:
    """Read decoded JSON; raises :class:`UsageError` that names what is malformed and where.

    Messages are judged as those of a snapshot are: retired shapes translated, unknown
    properties left out.
    """
    if not isinstance(value, Mapping):
        raise UsageError("The input is no JSON object.", _HINT)
    messages = value.get("messages", [])
    event = {"type": "MESSAGES_SNAPSHOT", "messages": modern(messages)}
    report = enforce(event, MessagesSnapshot)
    if report.faults:
        fault = report.faults[0]
        raise UsageError(
            f"The input is malformed: {pointer(fault.path)} is {fault.found}, where "
            f"{fault.expected} is expected.",
            _HINT,
        )
    thread_id = value.get("threadId")
    return Given(
        tuple(msgspec.convert(event, MessagesSnapshot).messages),
        value.get("state", msgspec.UNSET),
        thread_id if isinstance(thread_id, str) else None,
        tuple(_left_out(removal) for removal in report.removals[:_MANY]),
    )


def _left_out(removal: Removal) -> str:
    return f"{pointer(removal.path)} of the input is left out of the transcript: {removal.what}."


def modern(messages: Any) -> Any:
    """A copy of ``messages`` (decoded JSON), retired shapes (``binary`` parts, listed nulls) in
    today's spelling; whatever else they hold stays."""
    event: dict[str, Any] = {"type": "MESSAGES_SNAPSHOT", "messages": deepcopy(messages)}
    Boundary().translate(event, _say_nothing)
    return event["messages"]


def _say_nothing(sentence: str, path: Path) -> None:
    """What is given beforehand is nobody's stream: nothing is warned about."""


_MANY = 20
"""Things left out that are told of; more of the same kind would say nothing new."""

_HINT = 'An input is a RunAgentInput or a part of one, such as {"messages": [...], "state": {}}.'
