"""Whether an entry is one of those that the filter asks for."""

from __future__ import annotations

import re
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
from transcript_tui.ui.views.transcript.entrytexts import searchable
from transcript_tui.ui.views.transcript.filter import Filter
from transcript_tui.ui.views.transcript.lastwords import BAD
from transcript_tui.ui.views.transcript.scene import Scene

_WORD: Final = re.compile(r"\w+")


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
    if wanted.speakers and (view is None or not wanted.speakers & _called(view.name or "")):
        return False
    if wanted.subagents and not wanted.subagents & _owners(entry, view, scene):
        return False
    return not wanted.text or _contains(entry, wanted.text, scene)


def _owners(entry: AnyEntry, view: MessageView | None, scene: Scene) -> set[str]:
    """What the invocations that an entry belongs to are called, and their ids, lower case."""
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
            names |= _called(subagent.name) | {subagent.id.lower()}
        else:
            names.add(subagent.lower())
    return names


def _called(name: str) -> set[str]:
    """A name and its words: whoever is the “Research Agent” is found as “research”, too, and
    “Breeze's advocate” as “breeze”."""
    name = name.lower()
    return {name, *name.split(), *_WORD.findall(name)}


def _contains(entry: AnyEntry, text: str, scene: Scene) -> bool:
    return any(
        scene.filter_text.within((entry.key, number), part, text)
        for number, (_, part) in enumerate(searchable(entry, scene))
    )
