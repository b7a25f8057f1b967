"""Which entries are items at all, and how tall one is likely to be before it is laid out."""

from __future__ import annotations

from typing import Final, assert_never

from transcript_tui.transcript.model import (
    AnyEntry,
    Cut,
    Message,
    Passthrough,
    Rejection,
    RunEnd,
    RunStart,
    Step,
    Subagent,
)
from transcript_tui.ui.views.transcript.filtermatch import passes
from transcript_tui.ui.views.transcript.scene import Scene

CELLS_A_CHARACTER: Final = 1.15
"""Wrapping leaves the ends of lines empty."""
CALL_LINES: Final = 8
ACTIVITY_LINES: Final = 6


def likely_height(entry: AnyEntry, scene: Scene) -> int:
    """Lines that the entry will take; 0 = it is no item here, even where the filter wants it.

    Asked of every entry, so messages are looked at without making the view of them.
    """
    if not entry.held(scene.position):
        return 0
    match entry:
        case Message():
            return _message_lines(entry, scene)
        case Passthrough():
            asked = scene.options.passthrough
            return 2 * (asked or scene.last_words.shown(entry.key, scene.position))
        case RunStart() | RunEnd() | Step() | Subagent():
            return 2
        case Rejection() | Cut():
            return 5
        case _:
            assert_never(entry)


def _message_lines(message: Message, scene: Scene) -> int:
    options, position = scene.options, scene.position
    body = message.body_at(position)
    text = body.text_at(position)
    length = 0 if text is None else text.length_at(position)
    calls = len(body.calls_at(position))
    if body.role == "tool" and (options.tools == "hidden" or _in_card(message, scene)):
        return 0
    if body.role == "reasoning" and options.reasoning == "hidden":
        return 0
    if options.tools == "hidden" and calls and not length and not body.parts:
        return 0
    if body.role == "reasoning" and options.reasoning in ("folded", "when-done"):
        return 2
    room = max(8, scene.width - 4)
    lines = 2 + int(length * CELLS_A_CHARACTER / room + (length > 0))
    if options.tools != "hidden":
        lines += calls * (1 if options.tools == "folded" else CALL_LINES)
    if body.activity is not None:
        lines += ACTIVITY_LINES
    return lines + len(body.parts or ())


def _in_card(message: Message, scene: Scene) -> bool:
    return scene.transcript.holder_of(message, scene.position) is not None


def filtered_out(entry: AnyEntry, scene: Scene) -> bool:
    """Whether the filter hides the entry."""
    wanted = scene.options.filter
    if wanted is None or not wanted:
        return False
    view = entry.at(scene.position) if isinstance(entry, Message) else None
    return not passes(entry, view, wanted, scene)
