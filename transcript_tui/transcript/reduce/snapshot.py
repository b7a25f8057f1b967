"""MESSAGES_SNAPSHOT: the producer's whole set, reconciled by id (events/state).

Only what differs is changed, so that a snapshot that restates a long conversation costs
its reading and nothing on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET

from transcript_tui.protocol import shapes
from transcript_tui.protocol.events import MessagesSnapshot
from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.shapes import (
    ActivityMessage,
    AssistantMessage,
    ReasoningMessage,
    ToolMessage,
)
from transcript_tui.text import mended
from transcript_tui.transcript.history import History
from transcript_tui.transcript.living import JsonHistory, MetadataLog
from transcript_tui.transcript.model import Body, Message, Sealed, ToolCall
from transcript_tui.transcript.patch import same_json
from transcript_tui.transcript.reduce.fold import Fold, given


def apply(fold: Fold, event: MessagesSnapshot) -> None:
    told = {message.id: message for message in event.messages}
    if len(told) < len(event.messages):
        _warn_doubles(fold, event.messages)
    known = set(fold.book.by_id)
    _reconcile_held(fold, told, {_role(message) for message in event.messages})
    numbers = range(len(event.messages) - 1, -1, -1)
    last = next((number for number in numbers if event.messages[number].id in known), -1)
    for number, shape in enumerate(event.messages):
        if shape.id not in known:
            message = _append(fold, shape)
            if number < last:
                fold.transcript.late.add(message.key)


def _append(fold: Fold, shape: shapes.Message) -> Message:
    message = fold.add_message(shape.id, body_of(fold, shape))
    _reopen(fold, message)
    return message


def _reopen(fold: Fold, message: Message) -> None:
    """What was dropped while open and comes back is open still."""
    for space in ("text", "reasoning"):
        if (space, message.id) in fold.open_items:
            fold.open_item(space, message.id, message)
    for call in message.body.calls or ():
        if ("call", call.id) in fold.open_items and fold.book.call(call.id) is call:
            fold.open_item("call", call.id, call)


def _warn_doubles(fold: Fold, messages: Iterable[shapes.Message]) -> None:
    seen: set[str] = set()
    for index, message in enumerate(messages):
        if message.id in seen:
            fold.warn(
                "id-taken",
                f"The snapshot lists the id {quoted(message.id)} twice.",
                f"/messages/{index}/id",
            )
        seen.add(message.id)


def _reconcile_held(fold: Fold, told: dict[str, shapes.Message], roles: set[str]) -> None:
    """Replace in place what is restated, drop what is left out, keep what nobody else knows.

    ``roles`` are those of all messages listed, also of one whose id is listed again after it.
    """
    kept_roles = {"activity", "reasoning"} - roles
    previous: Message | None = None
    message = fold.book.first
    while message is not None:
        following = message.following
        shape = told.get(message.id)
        if shape is not None:
            _reconcile(fold, message, shape)
        if shape is None and message.body.role not in kept_roles:
            _drop(fold, message, previous)
        else:
            previous = message
        message = following


def _role(shape: shapes.Message) -> str:
    return str(shape.__struct_config__.tag)


def _drop(fold: Fold, message: Message, previous: Message | None) -> None:
    book = fold.book
    message.dropped = fold.stamp
    if previous is None:
        book.first = message.following
    else:
        previous.following = message.following
    if message is book.last:
        book.last = previous
    fold.forget(message)
    fold.touch(message.key)
    fold.touch_callers(message.body)


def _reconcile(fold: Fold, message: Message, shape: shapes.Message) -> None:
    old = message.body
    new = body_of(fold, shape, message)
    if _same(old, new):
        return
    fold.forget_calls(old)
    fold.touch_callers(old)
    message.replace(new)
    fold.register(message, new)
    fold.touch(message.key)
    for call in new.calls or ():
        if ("call", call.id) in fold.open_items and fold.book.call(call.id) is call:
            fold.open_items["call", call.id] = call


def _same(old: Body, new: Body) -> bool:
    """Whether ``new``, which shares with ``old`` whatever is equal, says anything else."""
    return (
        old.role == new.role
        and old.name == new.name
        and old.owner == new.owner
        and old.text is new.text
        and old.parts == new.parts
        and old.tool_call_id == new.tool_call_id
        and old.error == new.error
        and old.activity is new.activity
        and old.activity_type is new.activity_type
        and old.metadata is new.metadata
        and old.sealed is new.sealed
        and _same_calls(old.calls, new.calls)
    )


def _same_calls(old: list[ToolCall] | None, new: list[ToolCall] | None) -> bool:
    if not old or not new:
        return old == new
    return len(old) == len(new) and all(map(_is, old, new))


def _is(one: Any, other: Any) -> bool:
    return one is other


def body_of(fold: Fold, shape: shapes.Message, held: Message | None = None) -> Body:
    """The body that a message given whole makes; what equals ``held``'s is shared with it."""
    old = None if held is None else held.body
    role = shape.__struct_config__.tag
    body = fold.body(role, shape.subagent_run_id)  # type: ignore[arg-type]  # the tags are roles
    body.whole = True
    body.metadata = _metadata(fold, shape.metadata, old)
    if isinstance(shape, ActivityMessage):
        _activity(fold, shape, body, old)
        return body
    _content(fold, shape.content, body, old)
    body.sealed = _sealed(fold, shape, old)
    if isinstance(shape, ToolMessage):
        body.tool_call_id = shape.tool_call_id
        body.error = given(shape.error)
    elif not isinstance(shape, ReasoningMessage):
        body.name = given(shape.name)
    if isinstance(shape, AssistantMessage):
        body.calls = _calls(fold, shape, held)
        body.listed = body.calls is not None
    return body


def _content(fold: Fold, content: Any, body: Body, old: Body | None) -> None:
    if content is UNSET:
        return
    if not isinstance(content, str):
        body.parts = tuple(content)
    elif old is not None and old.text is not None and old.text.read() == mended(content):
        body.text, body.text_since = old.text, old.text_since
        body.whole = old.whole
    else:
        body.text = fold.whole_text(content)


def _activity(fold: Fold, shape: ActivityMessage, body: Body, old: Body | None) -> None:
    if old is not None and old.activity is not None and old.activity_type is not None:
        if same_json(old.activity.now, shape.content):
            body.activity = old.activity
        if old.activity_type.now == shape.activity_type:
            body.activity_type = old.activity_type
    body.activity = body.activity or JsonHistory(shape.content, fold.stamp)
    body.activity_type = body.activity_type or History(shape.activity_type, fold.stamp)


def _metadata(fold: Fold, told: Any, old: Body | ToolCall | None) -> MetadataLog | None:
    ours = None if old is None or old.metadata is None else old.metadata
    if told is UNSET:
        return None
    if ours is not None and same_json(ours.at(), told):
        return ours
    log = MetadataLog()
    log.merge(told, fold.stamp)
    return log


def _sealed(fold: Fold, shape: Any, old: Body | ToolCall | None) -> History[Sealed | None] | None:
    if shape.encrypted_value is UNSET:
        return None
    sealed = Sealed(shape.encrypted_value, given(shape.encrypted_value_type))
    if old is not None and old.sealed is not None and old.sealed.now == sealed:
        return old.sealed
    return History(sealed, fold.stamp)


def _calls(fold: Fold, shape: AssistantMessage, held: Message | None) -> list[ToolCall] | None:
    told = given(shape.tool_calls)
    if told is None:
        return None
    ours = {} if held is None else {call.id: call for call in held.body.calls or ()}
    return [_call(fold, call, ours.get(call.id)) for call in told]


def _call(fold: Fold, shape: shapes.ToolCall, old: ToolCall | None) -> ToolCall:
    arguments = mended(shape.function.arguments)
    metadata = _metadata(fold, shape.metadata, old)
    sealed = _sealed(fold, shape, old)
    same_text = old is not None and old.arguments.read() == arguments
    if (
        old is not None
        and same_text
        and old.name.now == shape.function.name
        and metadata is old.metadata
        and sealed is old.sealed
    ):
        return old
    return _new_call(fold, shape, old, same_text, metadata, sealed)


def _new_call(
    fold: Fold,
    shape: shapes.ToolCall,
    old: ToolCall | None,
    same_text: bool,
    metadata: MetadataLog | None,
    sealed: History[Sealed | None] | None,
) -> ToolCall:
    call = ToolCall(shape.id, shape.function.name, fold.stamp)
    call.arguments = fold.whole_text(shape.function.arguments)
    call.run.set(fold.run, fold.stamp)
    if old is not None:
        call.born, call.run, call.owner, call.openings = old.born, old.run, old.owner, old.openings
        if same_text:
            call.arguments = old.arguments
    call.metadata, call.sealed = metadata, sealed
    return call
