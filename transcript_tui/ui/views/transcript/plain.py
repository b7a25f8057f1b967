"""The texts of an entry as they came: what search looks through and what is copied."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final, assert_never

from msgspec import UNSET

from transcript_tui.protocol.shapes import ContentPart, TextPart
from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    RunEnd,
    RunStart,
    Step,
    Subagent,
)
from transcript_tui.ui.views.transcript.scene import Scene

Named = tuple[str, str]
"""A text and its name within the item, as :class:`blocks.Flow` names it; ``""`` = the label."""

_LINK: Final = re.compile(r"""(?:https?://|mailto:)[^\s<>"'`\])}|\\]+""", re.IGNORECASE)


def searchable(entry: AnyEntry, scene: Scene) -> Iterator[Named]:
    """Everything of an entry that is shown, folded or not."""
    match entry:
        case Message():
            yield from _message(entry.at(scene.position), scene)
        case RunStart():
            yield "", entry.run.run_id or ""
        case RunEnd():
            ending = entry.run.ending.at(scene.position)
            if ending is not None:
                yield "", f"{ending.message or ''} {ending.code or ''}".strip()
                for interrupt in ending.interrupts:
                    yield "", _known(interrupt.message) or interrupt.reason
        case Step():
            yield "", entry.name
        case Subagent():
            yield "", f"{entry.name} {entry.description or ''}".strip()
        case Passthrough():
            yield "payload", scene.payload(entry.born).decode("utf-8", "replace")
        case Rejection():
            yield "", f"{entry.violation.rule} {entry.violation.message}"
        case Cut():
            yield "", entry.message
        case _:
            assert_never(entry)


def _known(value: Any) -> str:
    return "" if value is UNSET else str(value)


def _message(view: MessageView, scene: Scene) -> Iterator[Named]:
    if view.name:
        yield "", view.name
    if view.error:
        yield "", view.error
    if view.text is not None and view.length:
        yield ("result" if view.role == "tool" else "text"), view.content()
    for number, part in enumerate(view.parts):
        yield f"part:{number}", _part(part)
    if view.activity is not None:
        yield "activity", json.dumps(view.activity, ensure_ascii=False)
    for number, call in enumerate(view.tool_calls):
        yield "", call.name
        yield f"arguments:{number}", call.arguments
        yield from _result(number, call.result, scene)


def _result(number: int, key: int | None, scene: Scene) -> Iterator[Named]:
    entry = scene.transcript.entries[key] if key is not None else None
    if isinstance(entry, Message) and entry.held(scene.position):
        view = entry.at(scene.position)
        if view.error:
            yield "", view.error
        yield f"result:{number}", _said(view)


def _part(part: ContentPart) -> str:
    if isinstance(part, TextPart):
        return part.text
    value = "" if part.source.__struct_config__.tag == "data" else part.source.value
    return f"{part.__struct_config__.tag} {_known(part.source.mime_type)} {value}".strip()


def _said(view: MessageView) -> str:
    return "\n".join(map(_part, view.parts)) if view.parts else view.content()


def source_of(entry: AnyEntry, scene: Scene) -> str:
    """What copying an item gives: its text as it came, calls with arguments and results."""
    if not isinstance(entry, Message):
        return "\n".join(text for _, text in searchable(entry, scene) if text)
    view = entry.at(scene.position)
    parts = [_said(view)]
    if view.activity is not None:
        parts.append(json.dumps(view.activity, ensure_ascii=False, indent=2))
    for number, call in enumerate(view.tool_calls):
        parts.append(f"{call.name}({call.arguments})")
        parts.extend(text for name, text in _result(number, call.result, scene) if name)
    return "\n".join(part for part in parts if part)


def links_of(entry: AnyEntry, scene: Scene) -> list[str]:
    """``http``, ``https`` and ``mailto`` links in an entry, each once, in order."""
    found: dict[str, None] = {}
    for _, text in searchable(entry, scene):
        for match in _LINK.finditer(text):
            found.setdefault(match.group().rstrip(".,;:!?"))
    return list(found)
