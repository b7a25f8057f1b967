"""The ``RunAgentInput`` that starts a run (``protocol.md``, "Framing")."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from transcript_tui.errors import UsageError
from transcript_tui.protocol.version import PROTOCOL_VERSION
from transcript_tui.transcript.given import modern
from transcript_tui.wire import jsontext

__all__ = ["build_run_input", "read_run_input"]

_SHAPE = 'A RunAgentInput is an object: {"messages": […], …}; a part of one will do.'


def build_run_input(
    messages: Sequence[str] = (),
    given: Mapping[str, Any] | None = None,
    thread: str | None = None,
) -> dict[str, Any]:
    """What is POSTed: ``given`` as it is, what is missing filled in, ``messages`` appended.

    Activity messages are the front end's own and are not sent (events/activity); retired shapes
    are sent in today's spelling (basic/versioning).
    """
    given = given or {}
    run_input: dict[str, Any] = {
        "threadId": thread or _fresh("thread"),
        "runId": _fresh("run"),
        "protocolVersion": PROTOCOL_VERSION,
        "state": {},
        "messages": [],
        "tools": [],
        "context": [],
        "forwardedProps": {},
        **given,
    }
    if thread is not None:
        run_input["threadId"] = thread
    messages_given = modern(_list(run_input["messages"]))
    held = [message for message in messages_given if not _is_activity(message)]
    run_input["messages"] = held + [
        {"id": _fresh("message"), "role": "user", "content": text} for text in messages
    ]
    return run_input


def read_run_input(text: str, name: str = "") -> dict[str, Any]:
    """The JSON object in ``text``, that of the file ``name``: any subset of a ``RunAgentInput``.
    Messages without an id, as other APIs write them, get one."""
    try:
        value = jsontext.parse(text.encode("utf-8", "surrogatepass"))
    except jsontext.NotJson as error:
        raise UsageError(f"{_input(name)} is not JSON: {error}.", _SHAPE) from None
    if not isinstance(value, dict):
        raise UsageError(f"{_input(name)} is not a JSON object.", _SHAPE)
    for message in _list(value.get("messages", []), name):
        if isinstance(message, dict):
            message.setdefault("id", _fresh("message"))
    return value


def _list(messages: Any, name: str = "") -> list[Any]:
    if not isinstance(messages, list):
        raise UsageError(f"{_input(name)} has messages that are not a list.", _SHAPE)
    return messages


def _input(name: str) -> str:
    return f"The input {name}".rstrip()


def _is_activity(message: Any) -> bool:
    return isinstance(message, dict) and message.get("role") == "activity"


def _fresh(kind: str) -> str:
    return f"{kind}-{uuid.uuid4()}"
