"""Activity messages (events/activity)."""

from __future__ import annotations

from typing import assert_never

from transcript_tui.protocol.events import ActivityDelta, ActivitySnapshot
from transcript_tui.protocol.findings import quoted
from transcript_tui.transcript.history import History
from transcript_tui.transcript.living import JsonHistory
from transcript_tui.transcript.model import Body, Message
from transcript_tui.transcript.patch import PatchFailed
from transcript_tui.transcript.reduce.fold import Fold, given


def apply(fold: Fold, event: ActivitySnapshot | ActivityDelta) -> None:
    match event:
        case ActivitySnapshot():
            _snapshot(fold, event)
        case ActivityDelta():
            _amend(fold, event)
        case _:
            assert_never(event)


def _snapshot(fold: Fold, event: ActivitySnapshot) -> None:
    message = fold.book.by_id.get(event.message_id)
    if message is None:
        message = fold.add_message(event.message_id, _body(fold, event))
    elif message.body.role != "activity":
        if not _takes_over(fold, event, message):
            return
    elif event.replace is not False:
        _replace(fold, event, message)
    fold.merge(message.body, event.metadata)
    fold.touch(message.key)


def _body(fold: Fold, event: ActivitySnapshot) -> Body:
    body = fold.body("activity", event.subagent_run_id)
    body.activity_type = History(event.activity_type, fold.stamp)
    body.activity = JsonHistory(event.content, fold.stamp)
    return body


def _takes_over(fold: Fold, event: ActivitySnapshot, message: Message) -> bool:
    """A message of another kind has the id: it is replaced, unless the event says not to."""
    replaced = event.replace is not False
    fold.warn(
        "id-taken",
        f"The activity {quoted(event.message_id)} has the id of a message of role "
        f"{message.body.role}, "
        + ("which it replaces." if replaced else "which stands, as the event asks."),
        "/messageId",
    )
    if replaced:
        fold.forget_calls(message.body)
        fold.touch_callers(message.body)
        message.replace(_body(fold, event))
    return replaced


def _replace(fold: Fold, event: ActivitySnapshot, message: Message) -> None:
    """Content and type are replaced, metadata stays, the owner is minted again."""
    body = message.body
    owner = given(event.subagent_run_id)
    if owner != body.owner:
        body = body.again(fold.stamp)
        body.owner = owner
        message.replace(body)
    assert body.activity is not None
    assert body.activity_type is not None
    body.activity.set(event.content, fold.stamp)
    body.activity_type.set(event.activity_type, fold.stamp)


def _amend(fold: Fold, event: ActivityDelta) -> None:
    message = fold.book.by_id.get(event.message_id)
    if message is None or message.body.activity is None or message.body.activity_type is None:
        held = "is not held" if message is None else f"is of role {message.body.role}"
        fold.warn(
            "activity-missing",
            f"The activity {quoted(event.message_id)} {held}; its amendment is skipped.",
            "/messageId",
        )
        return
    # Metadata does not wait on the patch (the reference client merges it either way).
    fold.merge(message.body, event.metadata)
    fold.touch(message.key)
    try:
        message.body.activity.patch(event.patch, fold.stamp, kind=dict)
    except PatchFailed as failure:
        fold.warn(
            "patch-failed",
            f"The activity {quoted(event.message_id)} keeps its content: {failure}.",
            f"/patch/{failure.index}",
        )
        return
    message.body.activity_type.set(event.activity_type, fold.stamp)
