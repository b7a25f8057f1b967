"""gentui sessions: what the user did and what came, in one list."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from transcript_tui.session.logs.foreign import (
    Exchange,
    Foreign,
    Log,
    frames,
    number_of,
    objects,
    strangers,
    text_of,
    texts,
)
from transcript_tui.session.redaction import safe_url

__all__ = ["GENTUI"]

_USERS: Final = ("user", "resume", "submit", "new")
"""What the user did; what the agent says of it comes after."""


def _interpret(document: Mapping[str, Any], max_frame: int) -> Log:
    """Each run of events is a connection; what the user said before it was its input."""
    log = Log(url=safe_url(_target(document.get("target"))) or None)
    said: list[dict[str, Any]] = []
    events: list[tuple[Any, float | None]] = []
    other = 0
    unknown = strangers(document.get("items"))

    def close() -> None:
        nonlocal said, events
        if events or said:
            at = events[0][1] if events else None
            run_input = {"messages": said} if said else None
            log.exchanges.append(Exchange(frames(events, max_frame), run_input, at))
        said, events = [], []

    for number, item in enumerate(objects(document.get("items"))):
        kind = item.get("kind")
        if kind in _USERS and events:
            close()
        if kind == "event" and (event := _event(item)) is not None:
            events.append((event, number_of(item.get("t"))))
        elif kind == "user":
            said.append({"id": f"user-{number}", "role": "user", "content": _said(item)})
        elif kind in _USERS:
            other += 1
        else:
            unknown += 1
    close()
    log.leave_out(other, "action", "of the user left out")
    log.leave_out(unknown, "unknown item")
    return log


def _target(target: Any) -> str:
    return target if isinstance(target, str) else text_of(target, "url")


def _event(item: dict[str, Any]) -> dict[str, Any] | None:
    """The wire event, which stands in what gentui made of it; or itself, as others write it."""
    held = item.get("event")
    if not isinstance(held, dict):
        return None
    inner = held.get("event")
    if isinstance(inner, dict):
        return inner
    return held if "type" in held else None


def _said(item: dict[str, Any]) -> str:
    for name in ("text", "content", "message"):
        if said := texts(item.get(name)):
            return said
    return texts(item["message"].get("content")) if isinstance(item.get("message"), dict) else ""


GENTUI: Final = Foreign(
    name="gentui session",
    signature=re.compile(rb'\{\s*"format"\s*:\s*"gentui-session"'),
    arrays=frozenset({"items"}),
    interpret=_interpret,
)
