"""Which entries are items at all, and how tall one is likely to be before it is laid out."""

from __future__ import annotations

from typing import Final, assert_never

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
from transcript_tui.ui.views.transcript.options import Filter
from transcript_tui.ui.views.transcript.plain import searchable
from transcript_tui.ui.views.transcript.scene import Scene

BAD: Final = ("failed", "truncated", "rejected")
CELLS_A_CHARACTER: Final = 1.15
"""Wrapping leaves the ends of lines empty."""
CALL_LINES: Final = 8


def likely_height(entry: AnyEntry, scene: Scene) -> int:
    """Lines that the entry will take; 0 = it is no item here."""
    if not entry.held(scene.position):
        return 0
    match entry:
        case Message():
            view = entry.at(scene.position)
            return _message_lines(view, scene) if _message_shown(view, scene) else 0
        case Passthrough():
            shown = scene.options.passthrough or entry.key in scene.unasked
            return 2 * (shown and _wanted(entry, None, scene))
        case RunStart() | RunEnd() | Step() | Subagent():
            return 2 * _wanted(entry, None, scene)
        case Rejection() | Cut():
            return 5 * _wanted(entry, None, scene)
        case _:
            assert_never(entry)


def _message_shown(view: MessageView, scene: Scene) -> bool:
    options = scene.options
    if view.role == "tool" and in_card(view, scene):
        return False
    if view.role == "reasoning" and options.reasoning == "hidden":
        return False
    if options.tools == "hidden" and (view.role == "tool" or _only_calls(view)):
        return False
    return _wanted(scene.transcript.entries[view.key], view, scene)


def _only_calls(view: MessageView) -> bool:
    return bool(view.tool_calls) and not view.length and not view.parts


def in_card(view: MessageView, scene: Scene) -> bool:
    """Whether a tool message is shown within the card of the call it answers."""
    if view.tool_call_id is None:
        return False
    key = scene.transcript.message_by_call(view.tool_call_id, scene.position)
    if key is None:
        return False
    holder = scene.transcript.entries[key]
    if not isinstance(holder, Message):
        return False
    return any(call.result == view.key for call in holder.at(scene.position).tool_calls)


def _message_lines(view: MessageView, scene: Scene) -> int:
    if view.role == "reasoning" and scene.options.reasoning in ("folded", "when-done"):
        return 2
    room = max(8, scene.width - 4)
    lines = 2 + int(view.length * CELLS_A_CHARACTER / room + (view.length > 0))
    if scene.options.tools != "hidden":
        card = 1 if scene.options.tools == "folded" else CALL_LINES
        lines += card * len(view.tool_calls)
    if view.activity is not None:
        lines += min(8, 2 + len(view.activity))
    return lines + len(view.parts)


def _wanted(entry: AnyEntry, view: MessageView | None, scene: Scene) -> bool:
    wanted = scene.options.filter
    return wanted is None or not wanted or passes(entry, view, wanted, scene)


def kinds_of(entry: AnyEntry, view: MessageView | None, scene: Scene) -> tuple[str, ...]:
    """What the filter calls an entry."""
    if view is not None:
        if view.role in ("tool", "reasoning", "activity"):
            return (view.role,)
        return ("message", "tool") if view.tool_calls else ("message",)
    match entry:
        case Message():
            return ("message",)
        case RunEnd():
            ending = entry.run.ending.at(scene.position)
            bad = ending is not None and ending.kind in BAD
            return ("run", "problem") if bad else ("run",)
        case RunStart():
            return ("run",)
        case Step():
            return ("step",)
        case Subagent():
            return ("subagent",)
        case Passthrough():
            return ("passthrough",)
        case Rejection() | Cut():
            return ("problem",)
        case _:
            assert_never(entry)


def passes(entry: AnyEntry, view: MessageView | None, wanted: Filter, scene: Scene) -> bool:
    """Whether an entry is one of those that the filter asks for."""
    if wanted.kinds and wanted.kinds.isdisjoint(kinds_of(entry, view, scene)):
        return False
    if wanted.roles and (view is None or view.role not in wanted.roles):
        return False
    if wanted.speakers and (view is None or (view.name or "").lower() not in wanted.speakers):
        return False
    if wanted.subagents and not wanted.subagents & _owners(entry, view, scene):
        return False
    return not wanted.text or _contains(entry, wanted.text, scene)


def _owners(entry: AnyEntry, view: MessageView | None, scene: Scene) -> set[str]:
    """Names and ids of the invocations that an entry belongs to, lower case."""
    if isinstance(entry, Subagent):
        owner: str | None = entry.id
    elif view is not None:
        owner = view.owner
    else:
        owner = getattr(entry, "owner", None)
    if owner is None:
        return {"main"}
    names: set[str] = set()
    for subagent in scene.lineage(owner):
        if isinstance(subagent, Subagent):
            names |= {subagent.name.lower(), subagent.id.lower()}
        else:
            names.add(subagent.lower())
    return names


def _contains(entry: AnyEntry, text: str, scene: Scene) -> bool:
    ignore = text == text.lower()
    found = "\n".join(part for _, part in searchable(entry, scene))
    return text in (found.lower() if ignore else found)
