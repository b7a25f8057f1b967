"""Tool calls and their results (events/tool-calls)."""

from __future__ import annotations

from typing import assert_never

from transcript_tui.protocol.events import ToolCallArgs, ToolCallEnd, ToolCallResult, ToolCallStart
from transcript_tui.protocol.findings import quoted
from transcript_tui.transcript.model import NEVER, Message, ToolCall
from transcript_tui.transcript.reduce.fold import Fold, given
from transcript_tui.transcript.reduce.streamed import made_by_call


def apply(fold: Fold, event: ToolCallStart | ToolCallArgs | ToolCallEnd | ToolCallResult) -> None:
    match event:
        case ToolCallArgs():
            _extend(fold, event)
        case ToolCallStart():
            _open(fold, event)
        case ToolCallEnd():
            _close(fold, event)
        case ToolCallResult():
            _answer(fold, event)
        case _:
            assert_never(event)


def _open(fold: Fold, event: ToolCallStart) -> None:
    fold.started_calls[event.tool_call_id] = None
    call = fold.book.call(event.tool_call_id)
    if call is None:
        call = _new_call(fold, event)
    else:
        _continue(fold, call, event)
        fold.hanging.append(call)
    call.run.set(fold.run, fold.stamp)
    fold.open_item("call", event.tool_call_id, call)
    fold.merge(call, event.metadata)
    fold.touch(call.message.key)


def _new_call(fold: Fold, event: ToolCallStart) -> ToolCall:
    message = _parent(fold, event)
    call = ToolCall(event.tool_call_id, event.tool_call_name, fold.stamp)
    call.message = message
    call.owner = given(event.subagent_run_id)
    if message.body.calls is None:
        message.body.calls = []
    message.body.calls.append(call)
    fold.register_call(call)
    return call


def _parent(fold: Fold, event: ToolCallStart) -> Message:
    """The assistant message that the call hangs on; made here where none is held."""
    # The reference client reads an empty id as none.
    parent_id = given(event.parent_message_id) or None
    parent = None if parent_id is None else fold.book.by_id.get(parent_id)
    if parent is not None and parent.body.role == "assistant":
        return parent
    message_id = event.tool_call_id if parent is not None or parent_id is None else parent_id
    if parent is not None:
        fold.warn(
            "parent-role",
            f"Tool call {quoted(event.tool_call_id)} names as its parent the message "
            f"{quoted(parent_id)}, which is of role {parent.body.role}; it gets an assistant "
            "message of its own.",
            "/parentMessageId",
        )
    if message_id in fold.book.by_id:
        fold.warn(
            "id-taken",
            f"Tool call {quoted(event.tool_call_id)} makes a message of its own, but a message "
            "has that id already; both stand.",
            "/toolCallId",
        )
    return fold.add_message(message_id, made_by_call(fold, given(event.subagent_run_id)))


def _continue(fold: Fold, call: ToolCall, event: ToolCallStart) -> None:
    """A START for a held call: arguments append, another name replaces the old."""
    name = call.name.now
    if event.tool_call_name != name:
        call.name.set(event.tool_call_name, fold.stamp)
        fold.warn(
            "call-renamed",
            f"The START that continues tool call {quoted(call.id)} names the tool "
            f"{quoted(event.tool_call_name)} instead of {quoted(name)}; the new name stands.",
            "/toolCallName",
        )
    parent = given(event.parent_message_id)
    if parent is not None and parent != call.message.id:
        fold.warn(
            "reopen-disagrees",
            f"The START that continues tool call {quoted(call.id)} names the parent "
            f"{quoted(parent)}; it hangs on message {quoted(call.message.id)}.",
            "/parentMessageId",
        )
    call.reopen_arguments(fold.stamp)


def _extend(fold: Fold, event: ToolCallArgs) -> None:
    call = _standing(fold, event)
    if call is not None:
        call.arguments.append(event.delta, fold.stamp)
        fold.merge(call, event.metadata)
        fold.touch(call.message.key)


def _close(fold: Fold, event: ToolCallEnd) -> None:
    call = _standing(fold, event)
    fold.close_item("call", event.tool_call_id)
    if call is not None:
        fold.merge(call, event.metadata)
        fold.touch(call.message.key)


def _standing(fold: Fold, event: ToolCallArgs | ToolCallEnd) -> ToolCall | None:
    call = fold.book.call(event.tool_call_id)
    if call is None:
        fold.warn(
            "dropped-open",
            f"A snapshot dropped tool call {quoted(event.tool_call_id)} while it was open; what "
            "comes for it is dropped.",
            "/toolCallId",
        )
    return call


def _answer(fold: Fold, event: ToolCallResult) -> None:
    """A result is a message of its own, behind the message that called and its results."""
    fold.answered_calls.add(event.tool_call_id)
    if event.message_id in fold.book.by_id:
        fold.warn(
            "id-taken",
            f"A result for tool call {quoted(event.tool_call_id)} has the id "
            f"{quoted(event.message_id)} of a message that is held; both stand.",
            "/messageId",
        )
    body = fold.body("tool", event.subagent_run_id)
    body.tool_call_id = event.tool_call_id
    body.whole = True
    if isinstance(event.content, str):
        body.text = fold.whole_text(event.content)
    else:
        body.parts = tuple(event.content)
    call = fold.book.call(event.tool_call_id)
    behind = None if call is None else _last_result(call)
    message = fold.add_message(event.message_id, body, behind=behind)
    if call is not None:
        call.message.last_result = message
    fold.merge(body, event.metadata)
    fold.touch(message.key)


def _last_result(call: ToolCall) -> Message:
    """The last of the tool messages right behind the message that called."""
    caller = call.message
    behind = caller.last_result
    if behind is None or behind.dropped != NEVER or behind.body.role != "tool":
        behind = caller
    while behind.following is not None and behind.following.body.role == "tool":
        behind = behind.following
    return behind
