"""Message items: a label that tells who speaks and how it stands, and what was said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from rich.cells import cell_len
from rich.style import Style

from transcript_tui.text import label
from transcript_tui.transcript.model import MessageView, Subagent
from transcript_tui.ui.amounts import count, duration
from transcript_tui.ui.layout import Mode
from transcript_tui.ui.views.transcript.cards import (
    activity_card,
    content_parts,
    encrypted_mark,
    result_body,
    tool_card,
)
from transcript_tui.ui.views.transcript.draft import Draft
from transcript_tui.ui.views.transcript.palette import SIGNS, Speaker
from transcript_tui.ui.views.transcript.rows import Piece, cut, cut_start
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.wire.jsontext import dumps

CARET: Final = "▌"
"""Stands where an open message grows. It does not blink."""
GLANCE: Final = 2_000
"""Characters that a folded item looks at for its one line."""
LEAST_GLIMPSE: Final = 8
"""Cells below which a glimpse tells nothing."""


def shown_length(view: MessageView, scene: Scene) -> int:
    """Characters of the text that are shown: in buffered mode those that a close has settled."""
    if scene.options.buffered and view.open and not view.cut:
        return view.settled
    return view.length


def draw_message(draft: Draft, view: MessageView) -> None:
    scene = draft.scene
    draft.bar = scene.palette.speakers[view.role]
    folded = _folded(draft, view)
    _label(draft, view, folded)
    if folded:
        draft.foldable = draft.folded = True
    else:
        _body(draft, view)
    draft.blank()


def _folded(draft: Draft, view: MessageView) -> bool:
    """Whether only the label is drawn."""
    if view.role == "reasoning":
        draft.foldable = True
        if draft.opened is not None:
            return not draft.opened
        mode = draft.scene.options.reasoning
        return mode == "folded" or (mode == "when-done" and not view.open)
    if view.tool_calls or view.role == "tool":
        return False
    draft.foldable = view.length > 0 or bool(view.activity)
    return draft.opened is False


def _body(draft: Draft, view: MessageView) -> None:
    if view.role == "tool":
        result_body(draft, "result", view, None)
    elif view.role == "activity":
        activity_card(draft, view.activity or {})
    elif view.parts:
        content_parts(draft, "part", view.parts)
    else:
        _text(draft, view)
    if view.encrypted:
        draft.line(encrypted_mark(draft))
    if draft.scene.options.tools != "hidden":
        for index, call in enumerate(view.tool_calls):
            tool_card(draft, index, call)


def _text(draft: Draft, view: MessageView) -> None:
    scene = draft.scene
    length = shown_length(view, scene)
    if view.text is not None and length:
        mode: Mode = "markdown" if scene.options.markdown else "source"
        growing = view.open and not view.cut
        document = draft.shelf.text(
            "text", view.text, length, mode, growing=growing, dimmed=view.role == "reasoning"
        )
        draft.flow("text", document)
    elif not view.open and not view.tool_calls and not view.encrypted:
        draft.line(("(empty)", scene.palette.dim))


def _label(draft: Draft, view: MessageView, folded: bool) -> None:
    scene = draft.scene
    palette = scene.palette
    style = palette.speakers[view.role]
    sign = SIGNS[cast(Speaker, view.role)]
    left: list[Piece] = [(f"{sign} ", style)]
    for subagent in scene.lineage(view.owner)[-1:]:
        name = subagent.name if isinstance(subagent, Subagent) else subagent
        left.append((f"{label(name)} ", palette.speakers["subagent"]))
        left.append(("· ", palette.dim))
    left.append((_role(view), style))
    if view.name:
        left.append((f" {label(view.name)}", palette.strong))
    left.extend(_marks(view, scene))
    if view.role == "reasoning":
        left.extend(_thought(draft, view, folded))
    stamp = scene.when(view.first if view.first is not None else _born(draft))
    if folded:
        taken = sum(cell_len(text) for text, _ in left) + cell_len(stamp) + (1 if stamp else 0)
        left.append((_glimpse(view, scene, draft.width - taken), palette.dim))
    draft.sides(left, ((stamp, palette.dim),) if stamp else ())


def _born(draft: Draft) -> int:
    return draft.scene.transcript.entries[draft.key].born


def _role(view: MessageView) -> str:
    if view.role == "activity" and view.activity_type:
        return f"activity {label(view.activity_type)}"
    if view.role == "tool":
        return "tool result"
    return view.role


def _marks(view: MessageView, scene: Scene) -> Sequence[Piece]:
    """How the message stands: written, reopened, cut, in error."""
    palette = scene.palette
    marks: list[Piece] = []
    if view.key in scene.transcript.late:
        # It stands where it came, behind what answers it.
        marks.append((" · brought late by a snapshot", palette.dim))
    if view.openings > 1:
        times = "" if view.openings == 2 else f" ×{view.openings - 1}"
        marks.append((f" ↻ reopened{times}", palette.warning))
    if view.cut:
        marks.append((" ✂ cut off", palette.danger))
    elif view.open:
        marks.append(_writing(view, scene))
    if scene.after_violation(scene.transcript.entries[view.key]):
        marks.append((" ┊ after a violation", palette.danger))
    elif view.last is not None and scene.transcript.after_violation(view.last):
        marks.append((" ┊ goes on after a violation", palette.danger))
    if view.role == "tool" and view.error is not None:
        marks.append((f" ✗ {label(view.error)}", palette.danger))
    return marks


def _writing(view: MessageView, scene: Scene) -> Piece:
    style: Style = scene.palette.dim
    if not scene.options.buffered:
        return (f" {CARET} writing", style)
    waiting = view.length - view.settled
    return (f" {CARET} writing… {count(waiting, 'char')}", style)


def _thought(draft: Draft, view: MessageView, folded: bool) -> Sequence[Piece]:
    """What a label says about reasoning: how long it took, and how much there is."""
    palette = draft.scene.palette
    pieces: list[Piece] = []
    took = duration(draft.scene.between(view.first, view.last))
    if took and not view.open and view.first != view.last:
        pieces.append((f" · {took}", palette.dim))
    if not folded:
        return pieces
    if view.encrypted and not shown_length(view, draft.scene):
        return [*pieces, (" · encrypted (never shown)", palette.dim)]
    if not view.open or not draft.scene.options.buffered:
        pieces.append((f" · {count(view.length, 'char')}", palette.dim))
    return pieces


def _glimpse(view: MessageView, scene: Scene, room: int) -> str:
    """A folded text in at most ``room`` cells: its beginning, or its end while it is thought."""
    length = shown_length(view, scene)
    lead = " · " if view.role == "reasoning" else " "
    room -= len(lead)
    if room < LEAST_GLIMPSE:
        return ""
    if view.activity is not None:
        return lead + cut(label(dumps(view.activity)[:GLANCE]), room)
    if view.text is None or not length:
        return ""
    if view.role == "reasoning" and view.open:
        text = view.text.read(max(0, length - GLANCE), length)
        return lead + cut_start(label(" ".join(text.split())), room)
    text = view.text.read(0, min(length, GLANCE))
    return lead + cut(label(" ".join(text.split())), room)
