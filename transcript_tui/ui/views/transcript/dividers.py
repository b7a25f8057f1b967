"""What stands between messages: runs, steps, subagents, passthrough, endings and breaks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from msgspec import UNSET
from rich.style import Style

from transcript_tui.protocol.shapes import Interrupt, TokenUsage
from transcript_tui.text import label, safe
from transcript_tui.transcript.model import (
    Cut,
    Ending,
    Message,
    Passthrough,
    Rejection,
    Run,
    RunEnd,
    RunEnding,
    RunStart,
    Step,
    Subagent,
    SubagentEnding,
)
from transcript_tui.transcript.statistics import counted
from transcript_tui.ui.amounts import count, duration
from transcript_tui.ui.endings import ENDING_SIGNS
from transcript_tui.ui.tokens import token_words
from transcript_tui.ui.views.transcript.draft import Draft
from transcript_tui.ui.views.transcript.entrytexts import carried
from transcript_tui.ui.views.transcript.palette import SIGNS
from transcript_tui.ui.views.transcript.rows import Piece, cells_of, cut, row
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.wire.jsontext import dumps

ENDINGS: Final[dict[Ending, str]] = {
    "finished": "run finished",
    "interrupted": "run interrupted: it asks",
    "cancelled": "run cancelled",
    "failed": "run failed",
    "truncated": "run truncated: the stream ended before the run did",
    "rejected": "run rejected: the stream broke the protocol",
}
"""Words of the six endings."""

ID_SHOWN: Final = 20
"""Characters of a run's or thread's id in a divider; the inspector shows it whole."""
TAIL_SHOWN: Final = 400
"""Bytes of a cut tail or a rejected payload that are shown in place."""


def _rule(
    draft: Draft, left: Sequence[Piece], right: Sequence[Piece] = (), fill: str = "─"
) -> None:
    rule = draft.scene.palette.rule
    draft.ruled([*left, (" ", rule)], right, rule, fill, fill * 2 + " ")


def _stamp(draft: Draft, stamp: int) -> list[Piece]:
    when = draft.scene.when(stamp)
    return [(f" {when}", draft.scene.palette.dim)] if when else []


def draw_run_start(draft: Draft, entry: RunStart) -> None:
    run, palette = entry.run, draft.scene.palette
    left: list[Piece] = [("run", palette.strong), (f" {_name(run)}", palette.base)]
    if draft.width >= 60 and run.thread_id is not None:
        left.append((f" · thread {label(run.thread_id, ID_SHOWN)}", palette.dim))
    if run.parent_run_id is not None:
        left.append((f" · after {label(run.parent_run_id, ID_SHOWN)}", palette.dim))
    _rule(draft, left, _stamp(draft, entry.born), "━")
    draft.blank()


def _name(run: Run) -> str:
    return label(run.run_id, ID_SHOWN) if run.run_id is not None else "outside any run"


def draw_run_end(draft: Draft, entry: RunEnd) -> None:
    scene, palette = draft.scene, draft.scene.palette
    ending = entry.run.ending.at(scene.position)
    if ending is None:
        _rule(draft, [("run", palette.dim)], (), "━")
        draft.blank()
        return
    style = palette.endings[ending.kind]
    left: list[Piece] = [(f"{ENDING_SIGNS[ending.kind]} {ENDINGS[ending.kind]}", style)]
    right = _stamp(draft, ending.stamp)
    took = duration(scene.between(entry.run.started, ending.stamp))
    for words in filter(None, (took, tokens(ending.usage))):
        # Half a number would be another number.
        if cells_of([*left, *right]) + len(words) + len("━━  · ") < draft.width:
            left.append((f" · {words}", palette.dim))
    _rule(draft, left, right, "━")
    _ending_details(draft, ending, style)
    draft.blank()


def _ending_details(draft: Draft, ending: RunEnding, style: Style) -> None:
    palette = draft.scene.palette
    if ending.message:
        draft.sentence(safe(ending.message), style, [("  ", palette.base)])
    if ending.code:
        draft.sentence(f"code {label(ending.code)}", palette.dim, [("  ", palette.base)])
    for interrupt in ending.interrupts:
        _interrupt(draft, interrupt, ending.stamp)
    if ending.pending:
        names = ", ".join(label(name) for name in _names(draft, ending.pending, ending.stamp))
        draft.sentence(
            f"left to the front end: {names}", palette.warning, [("  ◌ ", palette.warning)]
        )
    if ending.result is not None and ending.result is not UNSET:
        _open_value(draft, "result", ending.result)


def _interrupt(draft: Draft, interrupt: Interrupt, stamp: int) -> None:
    palette = draft.scene.palette
    asked = interrupt.message if interrupt.message is not UNSET else interrupt.reason
    style = palette.endings["interrupted"]
    draft.sentence(safe(asked), style, [("  ? ", style)])
    notes = [f"reason {label(interrupt.reason)}"] if interrupt.message is not UNSET else []
    if interrupt.tool_call_id is not UNSET:
        (name,) = _names(draft, [interrupt.tool_call_id], stamp)
        notes.append(f"tool call {label(name)}")
    if interrupt.subagent_run_id is not UNSET:
        notes.append(f"subagent {draft.scene.speaker(interrupt.subagent_run_id)}")
    if interrupt.expires_at is not UNSET:
        notes.append(f"expires {label(interrupt.expires_at)}")
    if notes:
        draft.sentence(" · ".join(notes), palette.dim, [("    ", palette.base)])
    if interrupt.response_schema is not UNSET:
        _open_value(draft, f"schema:{label(interrupt.id)}", interrupt.response_schema, "expects")


def _open_value(draft: Draft, name: str, value: Any, words: str = "result") -> None:
    """A JSON value: one line, all of it when the item is opened."""
    palette = draft.scene.palette
    text = dumps(value)
    draft.foldable = True
    if draft.opened:
        draft.line((f"  {words}", palette.dim))
        draft.flow(name, draft.shelf.json(name, text), row(("  │ ", palette.rule)))
        return
    draft.folded = True
    draft.sides([(f"  {words} ", palette.dim), (label(text[:1000]), palette.base)])


def _names(draft: Draft, ids: Iterable[str], stamp: int) -> list[str]:
    """Tool names of calls, their ids where they were not held, as the run ended at ``stamp``.

    A later run may take the calls away, or use their ids again: that is no news of this run.
    """
    transcript, position = draft.scene.transcript, stamp + 1
    names: list[str] = []
    for call_id in ids:
        key = transcript.message_by_call(call_id, position)
        entry = transcript.entries[key] if key is not None else None
        calls = entry.at(position).tool_calls if isinstance(entry, Message) else ()
        names.append(next((call.name for call in calls if call.id == call_id), call_id))
    return names


def tokens(usage: Iterable[TokenUsage] | None) -> str:
    """What was read and written, summed over providers and models; else all, where that is what
    was reported."""
    counts = counted(usage or ())
    both = {name: n for name, n in counts.items() if name in ("inputTokens", "outputTokens")}
    if both:
        return f"{' + '.join(token_words(both))} tokens"
    return f"{counts['totalTokens']:,} tokens" if "totalTokens" in counts else ""


def draw_step(draft: Draft, entry: Step) -> None:
    scene, palette = draft.scene, draft.scene.palette
    done = entry.finished is not None and entry.finished < scene.position
    left: list[Piece] = [("step ", palette.dim), (label(entry.name), palette.base)]
    if entry.owner is not None:
        left.append((f" · {scene.speaker(entry.owner)}", palette.speakers["subagent"]))
    if done:
        took = duration(scene.between(entry.born, entry.finished))
        left.append((f" ✓ {took}".rstrip(), palette.dim))
    elif scene.run_over(entry.born):
        left.append((" ✂ never finished", palette.danger))
    else:
        left.append((" … open", palette.dim))
    _rule(draft, left, _stamp(draft, entry.born), "┄")
    draft.blank()


def draw_subagent(draft: Draft, entry: Subagent) -> None:
    scene, palette = draft.scene, draft.scene.palette
    style = palette.speakers["subagent"]
    draft.bar = style
    ending = entry.ending.at(scene.position)
    left: list[Piece] = [
        (f"{SIGNS['subagent']} ", style),
        ("subagent ", style),
        (label(entry.name), palette.strong),
    ]
    if entry.parent is not None:
        # Where several run side by side, what stands above need not be what it stands in.
        left.append((f" · under {scene.speaker(entry.parent)}", style))
    left += _subagent_state(scene, entry, ending)
    draft.sides(left, _stamp(draft, entry.born))
    if entry.description:
        draft.sentence(safe(entry.description), palette.dim)
    if ending is not None and ending.message:
        code = f" ({label(ending.code)})" if ending.code else ""
        draft.sentence(safe(ending.message) + code, palette.danger)
    draft.blank()


def _subagent_state(scene: Scene, entry: Subagent, ending: SubagentEnding | None) -> list[Piece]:
    palette = scene.palette
    if ending is None and scene.run_over(entry.born):
        return [(" ✂ never finished", palette.danger)]
    if ending is None:
        return [(" … running", palette.dim)]
    sign, words, ink = {
        "finished": ("✓", "finished", palette.success),
        "suspended": (ENDING_SIGNS["interrupted"], "suspended: it asks", palette.warning),
        "failed": ("✗", "failed", palette.danger),
    }[ending.kind]
    took = duration(scene.between(entry.born, ending.stamp))
    return [(f" {sign} {words}", ink), *([(f" · {took}", palette.dim)] if took else [])]


def draw_passthrough(draft: Draft, entry: Passthrough) -> None:
    scene, palette = draft.scene, draft.scene.palette
    name = f" {label(entry.name)}" if entry.name else ""
    value = carried(entry, scene.payload(entry.born))
    draft.foldable = bool(value)
    head: list[Piece] = [(f"⋯ {entry.kind}", palette.strong), (name, palette.base)]
    if not draft.opened:
        draft.folded = bool(value)
        head.append((" " + label(" ".join(value[:1000].split())), palette.dim))
        draft.sides(head, _stamp(draft, entry.born))
    else:
        draft.sides(head, _stamp(draft, entry.born))
        draft.flow("value", draft.shelf.json("value", value), row(("│ ", palette.rule)))
    draft.blank()


def draw_rejection(draft: Draft, entry: Rejection) -> None:
    palette, violation = draft.scene.palette, entry.violation
    style = palette.endings["rejected"]
    draft.bar = style
    words = "a further violation" if entry.after else "the stream was rejected here"
    draft.sides(
        [(f"{ENDING_SIGNS['rejected']} {words}", style), (f" · {violation.rule}", palette.strong)],
        _stamp(draft, entry.born),
    )
    draft.sentence(safe(violation.message), palette.base)
    where = f"event {violation.event}"
    if violation.path:
        where += f" at {label(violation.path)}"
    key = draft.scene.keys.named("problems")
    draft.sentence(f"{where} · {key} tells more" if key else where, palette.dim)
    if violation.likely:
        draft.sentence(f"likely: {safe(violation.likely)}", palette.dim)
    if draft.opened is True:
        payload = draft.scene.payload(entry.born)
        text = payload.decode("utf-8", "replace")
        document = draft.shelf.text("payload", text, len(text), "source")
        draft.flow("payload", document, row(("│ ", palette.rule)))
    draft.foldable, draft.folded = True, draft.opened is not True
    draft.blank()


def draw_cut(draft: Draft, entry: Cut) -> None:
    palette = draft.scene.palette
    style = palette.endings["truncated"]
    words = {
        "truncated": f"{ENDING_SIGNS['truncated']} the bytes end here, in mid-run",
        "gap": "╳ a gap: what follows is another stream",
    }[entry.kind]
    _rule(draft, [(words, style)], _stamp(draft, entry.born), "╌")
    if entry.message:
        draft.sentence(safe(entry.message), palette.base, [("  ", palette.base)])
    if entry.tail:
        text = label(entry.tail[:TAIL_SHOWN].decode("utf-8", "replace"))
        left = f"{count(len(entry.tail), 'byte')} of an unfinished frame: "
        draft.sentence(cut(left + text, draft.width * 4), palette.dim, [("  ", palette.base)])
    draft.blank()
