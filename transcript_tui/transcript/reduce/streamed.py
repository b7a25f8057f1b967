"""What text and reasoning messages share: they are opened, grow and are closed."""

from __future__ import annotations

from typing import Literal

from transcript_tui.protocol.events import (
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningMessageStart,
    TextMessageContent,
    TextMessageEnd,
    TextMessageStart,
)
from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.shapes import Role
from transcript_tui.transcript.history import Text
from transcript_tui.transcript.model import Body, Message
from transcript_tui.transcript.reduce.fold import Fold, given

Space = Literal["text", "reasoning"]


def open_message(
    fold: Fold,
    space: Space,
    role: Role,
    name: str | None,
    event: TextMessageStart | ReasoningMessageStart,
) -> None:
    """A START: a new message, or the same one continued where it stands."""
    message = fold.book.by_id.get(event.message_id)
    if message is None:
        body = fold.body(role, event.subagent_run_id)
        body.name = name
        body.text = Text()
        message = fold.add_message(event.message_id, body)
    elif message.body.role == "activity":
        _taken(fold, event.message_id, f"{space} for it is dropped")
        return
    else:
        _continue(fold, space, message)
        _compare(fold, space, message, role, name, given(event.subagent_run_id))
    fold.open_item(space, event.message_id, message)
    fold.merge(message.body, event.metadata)
    fold.touch(message.key)


def _continue(fold: Fold, space: Space, message: Message) -> None:
    """A half of a surrogate pair that was given up at the closing waits again."""
    text = message.body.text
    if text is not None and text.reopened() is not text:
        body = message.body.again(fold.stamp)
        body.text = text.reopened()
        body.whole = False
        message.replace(body)


def _compare(
    fold: Fold, space: Space, message: Message, role: Role, name: str | None, owner: str | None
) -> None:
    """Say where a reopening START disagrees; what is established stands."""
    body = message.body
    if (space == "text") == (body.role in ("tool", "reasoning")):
        _taken(fold, message.id, f"{space} for it is appended")
        return
    disagreeing = [
        f"{what} {quoted(told)} (established: {quoted(ours)})"
        for what, ours, told in (
            ("role", body.role, role),
            ("name", body.name, name if name is not None else body.name),
            ("owner", body.owner, owner),
        )
        if ours != told
    ]
    if disagreeing:
        fold.warn(
            "reopen-disagrees",
            f"The START that continues message {quoted(message.id)} names another "
            f"{', '.join(disagreeing)}; what was established stands.",
        )


def _taken(fold: Fold, message_id: str, consequence: str) -> None:
    role = fold.book.by_id[message_id].body.role
    fold.warn(
        "id-taken",
        f"The id {quoted(message_id)} is that of a message of role {role}; {consequence}.",
        "/messageId",
    )


def extend_message(
    fold: Fold, space: Space, event: TextMessageContent | ReasoningMessageContent
) -> None:
    message = _standing(fold, space, event)
    if message is not None:
        _growing(fold, message).append(event.delta, fold.stamp)
        fold.merge(message.body, event.metadata)
        fold.touch(message.key)


def _growing(fold: Fold, message: Message) -> Text:
    """The text that a delta is appended to; made here where a message has none."""
    body = message.body
    if body.text is None:
        if body.parts is not None:
            # Text for the id of a message whose content is a list of parts takes its place.
            body = body.again(fold.stamp)
            body.parts = None
            body.whole = False
            message.replace(body)
        body.text = Text()
        body.text_since = fold.stamp
    return body.text


def close_message(fold: Fold, space: Space, event: TextMessageEnd | ReasoningMessageEnd) -> None:
    message = _standing(fold, space, event)
    fold.close_item(space, event.message_id)
    if message is not None:
        fold.merge(message.body, event.metadata)
        fold.touch(message.key)


def _standing(
    fold: Fold,
    space: Space,
    event: TextMessageContent | TextMessageEnd | ReasoningMessageContent | ReasoningMessageEnd,
) -> Message | None:
    """The message that an open id stands for; where there is none, the event is dropped."""
    message = fold.book.by_id.get(event.message_id)
    if message is None:
        fold.warn(
            "dropped-open",
            f"A snapshot dropped message {quoted(event.message_id)} while it was open; what "
            "comes for it is dropped.",
            "/messageId",
        )
        return None
    if message.body.role == "activity":
        _taken(fold, event.message_id, f"{space} for it is dropped")
        return None
    return message


def made_by_call(fold: Fold, owner: str | None) -> Body:
    """The body of an assistant message that a tool call makes: no content yet."""
    body = fold.body("assistant")
    body.owner = owner
    body.calls = []
    return body
