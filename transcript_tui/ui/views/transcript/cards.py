"""Cards within a message: tool calls with their results, content parts, activities."""

from __future__ import annotations

import re
from typing import Any, Final, assert_never

from msgspec import UNSET
from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from transcript_tui.protocol.shapes import (
    ContentPart,
    DataSource,
    FileSource,
    TextPart,
    UrlSource,
)
from transcript_tui.text import label
from transcript_tui.transcript.model import Message, MessageView, ToolCallView, ToolState
from transcript_tui.ui.amounts import count, duration, size
from transcript_tui.ui.layout import JsonDocument, Mode, readable, readable_json
from transcript_tui.ui.views.transcript.asjson import begins_as_json, is_structure
from transcript_tui.ui.views.transcript.draft import Draft
from transcript_tui.ui.views.transcript.rows import Piece, cut, row, within
from transcript_tui.wire.jsontext import dumps

RESULT_LINES: Final = 12
"""Lines of a result that are shown before it is opened."""
ARGUMENT_LINES: Final = 24
ACTIVITY_LINES: Final = 16

_STATES: Final[dict[ToolState, tuple[str, str]]] = {
    "streaming": ("…", "arguments streaming"),
    "complete": ("○", "waiting for the result"),
    "answered": ("✓", "answered"),
    "pending": ("◌", "pending, left to the front end"),
    "cut": ("✂", "cut off"),
}
_SHORT_STATES: Final[dict[ToolState, str]] = {
    "streaming": "streaming",
    "complete": "waiting",
    "answered": "answered",
    "pending": "pending",
    "cut": "cut off",
}

_MARKDOWN: Final = re.compile(
    r"^(#{1,6} |[-*+] |\d+[.)] |> |```|~~~|\|.*\|\s*$)|\*\*\S|\]\(https?:", re.MULTILINE
)


def call_folded(draft: Draft, call: ToolCallView) -> bool:
    """Whether a call is drawn as one line."""
    if draft.opened is not None:
        return not draft.opened
    mode = draft.scene.options.tools
    return mode == "folded" or (mode == "when-done" and call.state in ("answered", "pending"))


def result_of(draft: Draft, call: ToolCallView) -> MessageView | None:
    """The tool message that answered a call, where it is held."""
    if call.result is None:
        return None
    entry = draft.scene.transcript.entries[call.result]
    position = draft.scene.position
    if isinstance(entry, Message) and entry.held(position):
        return entry.at(position)
    return None


def tool_card(draft: Draft, index: int, call: ToolCallView) -> None:
    """A call: its name, state, duration, arguments and result."""
    draft.foldable = True
    if call_folded(draft, call):
        draft.folded = True
        _one_line(draft, call)
        return
    edge = draft.scene.palette.rule
    _head(draft, call, edge)
    side = row(("│ ", edge))
    if call.arguments.strip():
        _arguments(draft, index, call, side)
    if call.encrypted:
        draft.within(side, row(encrypted_mark(draft)))
    result = result_of(draft, call)
    if result is not None:
        _result_head(draft, result, edge)
        result_body(draft, f"result:{index}", result, side)
    draft.edge(("╰─", edge))


def _state(draft: Draft, call: ToolCallView, *, short: bool) -> tuple[str, Style]:
    palette = draft.scene.palette
    sign, words = _STATES[call.state]
    style = {
        "streaming": palette.speakers["tool"],
        "complete": palette.speakers["tool"],
        "answered": palette.success,
        "pending": palette.warning,
        "cut": palette.danger,
    }[call.state]
    result = result_of(draft, call)
    if result is not None and result.error is not None:
        sign, words, style = "✗", "answered with an error", palette.danger
        return f"{sign} {'error' if short else words}", style
    if call.state == "complete" and draft.scene.run_over(call.started):
        return ("✂ no result" if short else "✂ no result came"), palette.danger
    return f"{sign} {_SHORT_STATES[call.state] if short else words}", style


def _took(draft: Draft, call: ToolCallView) -> str:
    end = call.answered if call.answered is not None else call.ended
    if end == call.started:
        # Told as a whole, by a snapshot.
        return ""
    return duration(draft.scene.between(call.started, end))


def _head(draft: Draft, call: ToolCallView, edge: Style) -> None:
    palette = draft.scene.palette
    narrow = draft.width < 56
    state, style = _state(draft, call, short=narrow)
    took = _took(draft, call)
    right: list[Piece] = [(f" {state}", style)]
    name = cut(label(call.name), max(8, draft.width - 30 if not narrow else draft.width - 18))
    if took and min(12, cell_len(name)) + len(state) + len(took) < draft.width - 10:
        right.append((f" · {took}", palette.dim))
    draft.ruled([(f"⚙ {name} ", palette.speakers["tool"])], right, edge, "─", "╭─ ")


def _result_head(draft: Draft, result: MessageView, edge: Style) -> None:
    palette = draft.scene.palette
    left: list[Piece] = [("result ", palette.dim)]
    if result.error is not None:
        left.append((f"error: {label(result.error)} ", palette.danger))
    draft.ruled(left, (), edge, "─", "├─ ")


def _one_line(draft: Draft, call: ToolCallView) -> None:
    palette = draft.scene.palette
    state, style = _state(draft, call, short=True)
    took = _took(draft, call)
    result = result_of(draft, call)
    answer = _glance(result.content()) if result is not None else ""
    arguments = _glance(call.arguments)
    right: list[Piece] = [(state, style)]
    if took and draft.width >= 48:
        right.append((f" · {took}", palette.dim))
    left: list[Piece] = [
        ("⚙ ", palette.speakers["tool"]),
        (label(call.name), palette.speakers["tool"]),
    ]
    room = draft.width - 6 - len(state) - len(took) - len(call.name)
    if arguments and room > 8:
        left.append((" " + cut(arguments, room // 2 if answer else room), palette.base))
    if answer and room > 16:
        left.append((" → " + cut(answer, room // 2), palette.dim))
    draft.sides(left, right)


def _glance(text: str) -> str:
    """The beginning of a text in one line."""
    return label(" ".join(readable_json(text[:400]).split()))


def _arguments(draft: Draft, index: int, call: ToolCallView, side: Strip) -> None:
    if draft.scene.options.buffered and call.state == "streaming":
        written = count(call.length, "character")
        draft.within(side, row((f"writing… {written}", draft.scene.palette.dim)))
        return
    name = f"arguments:{index}"
    growing = call.state == "streaming"
    if _json_so_far(draft, name, call):
        document: Any = _json(draft, name, call.arguments, growing=growing)
    else:
        document = draft.shelf.text(name, call.text, call.length, "source", growing=growing)
    _limited(draft, name, document, side, ARGUMENT_LINES)


def _json_so_far(draft: Draft, name: str, call: ToolCallView) -> bool:
    """Whether arguments are JSON, or look like the beginning of it."""
    return begins_as_json(call) or _is_json(draft, name, call.arguments)


def _limited(draft: Draft, name: str, document: Any, side: Strip | None, limit: int) -> None:
    """A flow of at most ``limit`` lines, until the reader opens the item."""
    opened = draft.opened is True
    flow = draft.flow(name, document, side, None if opened else limit)
    if flow.hidden:
        draft.foldable = draft.folded = True
        draft.more(side, count(flow.hidden, "more line"))


def result_body(draft: Draft, name: str, result: MessageView, side: Strip | None) -> None:
    """What a tool answered: JSON, Markdown or text, and content parts."""
    if result.parts:
        content_parts(draft, name, result.parts, side)
        return
    text = result.content()
    if result.text is None or not text.strip():
        empty = row(("(empty)", draft.scene.palette.dim))
        draft.within(side, empty)
        return
    markdown = draft.scene.options.markdown
    if markdown and _is_json(draft, name, text):
        document: Any = _json(draft, name, text)
    elif markdown and _MARKDOWN.search(text, 0, 20_000):
        document = draft.shelf.text(name, result.text, result.length, "markdown")
    else:
        document = draft.shelf.text(name, result.text, result.length, "source")
    _limited(draft, name, document, side, RESULT_LINES)


def _json(draft: Draft, name: str, text: str, *, growing: bool = False) -> JsonDocument:
    """A JSON text as it is read; the inspector has it as it came."""
    shown = draft.shelf.recall(f"readable {name}", text, lambda: readable(text))
    return draft.shelf.json(name, shown, growing=growing)


def _is_json(draft: Draft, name: str, text: str) -> bool:
    return draft.shelf.recall(name, text, lambda: is_structure(text))


def content_parts(
    draft: Draft, name: str, parts: tuple[ContentPart, ...], side: Strip | None = None
) -> None:
    """Content that is a list: texts as text, media as a line each; nothing is fetched."""
    for number, part in enumerate(parts):
        if isinstance(part, TextPart):
            mode: Mode = "markdown" if draft.scene.options.markdown else "source"
            document = draft.shelf.text(f"{name}:{number}", part.text, len(part.text), mode)
            draft.flow(f"{name}:{number}", document, side)
            continue
        draft.within(side, _media(draft, part))


def _media(draft: Draft, part: Any) -> Strip:
    palette = draft.scene.palette
    kind = type(part).__struct_config__.tag
    signs = {"image": "▦", "audio": "♪", "video": "▷", "document": "▤"}
    source = part.source
    mime = "" if source.mime_type is UNSET else label(source.mime_type)
    pieces: list[Piece] = [(f"{signs.get(kind, '▤')} {kind}", palette.strong)]
    if mime:
        pieces.append((f" {mime}", palette.dim))
    pieces.append((f" {_source(source)}", palette.base))
    return within(pieces, max(8, draft.width - 4))


def _source(source: DataSource | UrlSource | FileSource) -> str:
    match source:
        case DataSource():
            return f"{size(len(source.value) * 3 // 4 - source.value[-2:].count('='))} inline"
        case UrlSource():
            return label(source.value)
        case FileSource():
            provider = "" if source.provider is UNSET else f" of {label(source.provider)}"
            return f"file {label(source.value)}{provider}"
        case _:
            assert_never(source)


def encrypted_mark(draft: Draft) -> Piece:
    return ("▩ an encrypted value is attached (never shown)", draft.scene.palette.dim)


def activity_card(draft: Draft, content: dict[str, Any]) -> None:
    """An activity's content, as structure."""
    if not content:
        draft.line(("(nothing yet)", draft.scene.palette.dim))
        return
    text = dumps(content)
    side = row(("│ ", draft.scene.palette.rule))
    _limited(draft, "activity", draft.shelf.json("activity", text), side, ACTIVITY_LINES)
