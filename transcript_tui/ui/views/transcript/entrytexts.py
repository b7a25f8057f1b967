"""The texts of an entry: what search looks through, as it reads, and what is copied, as it came."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, assert_never

import msgspec
from msgspec import UNSET

from transcript_tui.protocol.shapes import ContentPart, TextPart
from transcript_tui.text import escaped, inert, label
from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Message,
    MessageView,
    Passthrough,
    Rejection,
    RunEnd,
    RunEnding,
    RunStart,
    Step,
    Subagent,
)
from transcript_tui.ui.layout import readable
from transcript_tui.ui.views.transcript.asjson import shown_arguments, shown_result
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.wire.jsontext import dumps

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
            yield "", entry.run.thread_id or ""
        case RunEnd():
            ending = entry.run.ending.at(scene.position)
            if ending is not None:
                yield from _ending(ending)
        case Step():
            yield "", entry.name
        case Subagent():
            yield "", entry.name
            yield "", entry.description or ""
            failure = entry.ending.at(scene.position)
            if failure is not None:
                yield "", failure.message or ""
                yield "", failure.code or ""
        case Passthrough():
            yield "", f"{entry.kind} {entry.name}".strip()
            yield "value", carried(entry, scene.payload(entry.born))
        case Rejection():
            yield "", f"{entry.violation.rule} {entry.violation.message}"
        case Cut():
            yield "", entry.message
        case _:
            assert_never(entry)


def _ending(ending: RunEnding) -> Iterator[Named]:
    yield "", ending.message or ""
    yield "", ending.code or ""
    for interrupt in ending.interrupts:
        yield "", _known(interrupt.message)
        yield "", interrupt.reason
        if interrupt.response_schema is not UNSET:
            schema = dumps(interrupt.response_schema)
            yield f"schema:{label(interrupt.id)}", schema
    if ending.result is not None and ending.result is not UNSET:
        yield "result", dumps(ending.result)


class _Carrier(msgspec.Struct):
    value: msgspec.Raw = msgspec.Raw()
    event: msgspec.Raw = msgspec.Raw()


_carrier: Final = msgspec.json.Decoder(_Carrier).decode


def carried(entry: Passthrough, payload: bytes) -> str:
    """What CUSTOM or RAW carries, as it is read; all of the payload where that cannot be told."""
    try:
        found = _carrier(payload)
        return readable(bytes(found.value if entry.kind == "CUSTOM" else found.event).decode())
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return payload.decode("utf-8", "replace")


def _known(value: Any) -> str:
    return "" if value is UNSET else str(value)


def _message(view: MessageView, scene: Scene) -> Iterator[Named]:
    for name in (scene.speaker(view.owner), view.activity_type, view.name):
        if name:
            yield "", name
    if view.error:
        yield "", view.error
    if view.role == "tool":
        yield from _answer("result", view, scene)
    elif view.parts:
        yield from _parts("part", view)
    elif view.text is not None and view.length:
        yield "text", view.content()
    if view.activity is not None:
        yield "activity", dumps(view.activity)
    for number, call in enumerate(view.tool_calls):
        yield "", call.name
        yield f"arguments:{number}", shown_arguments(call)
        result = _result(call.result, scene)
        if result is not None:
            if result.error:
                yield "", result.error
            yield from _answer(f"result:{number}", result, scene)


def _result(key: int | None, scene: Scene) -> MessageView | None:
    entry = scene.transcript.entries[key] if key is not None else None
    if isinstance(entry, Message) and entry.held(scene.position):
        return entry.at(scene.position)
    return None


def _answer(name: str, view: MessageView, scene: Scene) -> Iterator[Named]:
    if view.parts:
        yield from _parts(name, view)
    else:
        yield name, shown_result(view.content(), markdown=scene.options.markdown)


def _parts(name: str, view: MessageView) -> Iterator[Named]:
    """Texts as texts; the others are told in a row each."""
    for number, part in enumerate(view.parts):
        yield f"{name}:{number}" if isinstance(part, TextPart) else "", _part(part)


def _part(part: ContentPart) -> str:
    if isinstance(part, TextPart):
        return part.text
    value = "" if part.source.__struct_config__.tag == "data" else part.source.value
    said = (str(part.__struct_config__.tag), _known(part.source.mime_type), value)
    return " ".join([each for each in said if each])


def _said(view: MessageView) -> str:
    return "\n".join(map(_part, view.parts)) if view.parts else view.content()


def source_of(entry: AnyEntry, scene: Scene) -> str:
    """What copying an item gives: its text unrendered, calls with arguments and results.

    Whoever pastes it into a shell or a prompt sees what would act there.
    """
    if isinstance(entry, Passthrough):
        return escaped(scene.payload(entry.born).decode("utf-8", "replace"))
    if not isinstance(entry, Message):
        return inert("\n".join(text for _, text in searchable(entry, scene) if text))
    view = entry.at(scene.position)
    parts = [_said(view)]
    if view.activity is not None:
        parts.append(dumps(view.activity, indent=2))
    for call in view.tool_calls:
        parts.append(f"{call.name}({call.arguments})")
        result = _result(call.result, scene)
        if result is not None:
            parts.append(_said(result))
    return inert("\n".join(part for part in parts if part))


def links_of(entry: AnyEntry, scene: Scene) -> list[str]:
    """``http``, ``https`` and ``mailto`` links in an entry, each once, in order."""
    found: dict[str, None] = {}
    for _, text in searchable(entry, scene):
        for match in _LINK.finditer(text):
            found.setdefault(match.group().rstrip(".,;:!?"))
    return list(found)
