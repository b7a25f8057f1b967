"""Plain text: a speaker a line, what was said indented below, so that no text forges one."""

from __future__ import annotations

from collections.abc import Iterator

from transcript_tui.export.blocks import Block, Call, Note, Piece, Spoken, blocks, separated
from transcript_tui.text import inert, inline
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.transcript import Transcript

_INDENT = "  "


def pieces(transcript: Transcript, position: int = LATEST) -> Iterator[Piece]:
    """Only lines without indent are this program's own words."""
    return separated(blocks(transcript, position), _block)


def _block(block: Block) -> str:
    return "\n".join(_lines(block)) + "\n"


def _lines(block: Block) -> list[str]:
    if isinstance(block, Note):
        return [f"-- {inline(block.text)}"]
    return [_label(block), *_said(block)]


def _label(spoken: Spoken) -> str:
    label = spoken.role + (f" ({inline(spoken.speaker)})" if spoken.speaker else "")
    marks = "".join(f" [{inline(mark)}]" for mark in spoken.marks)
    return f"{label}:{marks}"


def _said(spoken: Spoken) -> list[str]:
    lines = _indented(spoken.text) + _indented(spoken.json)
    lines += [f"{_INDENT}[{inline(part)}]" for part in spoken.parts]
    for call in spoken.calls:
        lines += _called(call)
    return lines


def _called(call: Call) -> list[str]:
    lines = [f"{_INDENT}> {inline(call.name)} [{call.state}]"]
    lines += [_INDENT + line for line in _indented(call.arguments)]
    if call.result is not None:
        lines.append(f"{_INDENT}= {_label(call.result)}")
        lines += [_INDENT + line for line in _said(call.result)]
    return lines


def _indented(text: str) -> list[str]:
    return [(_INDENT + line).rstrip() for line in inert(text).split("\n")] if text else []
