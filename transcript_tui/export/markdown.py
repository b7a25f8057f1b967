"""Markdown: speakers are headings, tool calls are folded, what was said stays Markdown.

Text from outside keeps its emphasis, lists, tables and code, and loses what would change
the document around it: it makes no heading, no HTML, loads no image and ends its fences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from transcript_tui.export.blocks import Block, Call, Note, Piece, Spoken, blocks, separated
from transcript_tui.text import inert, inline
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.transcript import Transcript

_PUNCTUATION: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|~<>&$^=:\"'/@])")
_FENCE: Final = re.compile(r"^([ \t]*)(`{3,}(?=[^`]*$)|~{3,})")
_CONTAINERS: Final = re.compile(r"^(?:[ \t]|>|[-*+](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$))*")
_HEADING: Final = re.compile(r"^(#{1,6}(?=[ \t]|$)|=+(?=[ \t]*$)|-+(?=[ \t]*$))")
_TAG: Final = re.compile(r"<(?=[A-Za-z/!?])")
_TICKS: Final = re.compile(r"`+")


def pieces(transcript: Transcript, position: int = LATEST) -> Iterator[Piece]:
    return separated(blocks(transcript, position), _block)


def _block(block: Block) -> str:
    if isinstance(block, Note):
        return f"*{literal(block.text)}*\n"
    return f"### {_label(block)}\n\n{_said(block)}"


def _label(spoken: Spoken) -> str:
    name = f" · {literal(spoken.speaker)}" if spoken.speaker else ""
    marks = "".join(f" *({literal(mark)})*" for mark in spoken.marks)
    return f"{spoken.role}{name}{marks}"


def _said(spoken: Spoken) -> str:
    pieces: list[str] = []
    if spoken.text:
        told = fenced(spoken.text) if spoken.role == "tool" else prose(spoken.text)
        pieces.append(_folded("reasoning", told) if spoken.role == "reasoning" else told)
    if spoken.json:
        pieces.append(fenced(spoken.json, "json"))
    pieces += [f"\\[{literal(part)}\\]\n" for part in spoken.parts]
    pieces += [_call(call) for call in spoken.calls]
    return "\n".join(pieces)


def _call(call: Call) -> str:
    told = [fenced(call.arguments, "json")] if call.arguments else []
    if call.result is not None:
        told += [f"**{_label(call.result)}**\n", _said(call.result)]
    name = f"tool call <code>{escape(inline(call.name))}</code> [{call.state}]"
    return _folded(name, "\n".join(told))


def _folded(summary: str, told: str) -> str:
    return f"<details>\n<summary>{summary}</summary>\n\n{told}\n</details>\n"


def literal(text: str) -> str:
    """``text`` on one line, every character for itself."""
    return _PUNCTUATION.sub(r"\\\1", inline(text))


def fenced(text: str, language: str = "") -> str:
    """``text`` as a code block that nothing in it can end."""
    shown = inert(text)
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{shown}\n{fence}\n"


def prose(text: str) -> str:
    """Markdown from outside that stays within its message."""
    written = _Prose()
    for line in inert(text).split("\n"):
        written.add(line)
    return "\n".join(written.finish()) + "\n"


class _Prose:
    """Lines, outside and inside of fenced code.

    Inside a fence nothing is changed, so what counts as inside must be inside for every
    reader, whatever list or paragraph the lines may stand in: a line indented less than its
    fence ends it here, and closing lines are written as their opening was.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.fence: str | None = None
        self.indent = 0
        self.balanced = True
        """No earlier line of the paragraph leaves a code span open."""

    def add(self, line: str) -> None:
        if self.fence is not None:
            if self._within(line, self.fence):
                return
            self._end_fence(self.fence)
        opening = _FENCE.match(line)
        if opening is None:
            self.lines.append(self._tamed(line))
            return
        self.indent = _width(opening[1])
        self.fence = opening[2]
        self.lines.append(" " * self.indent + _disarmed(line[opening.end(1) :]))

    def finish(self) -> list[str]:
        if self.fence is not None:
            self._end_fence(self.fence)
        return self.lines

    def _within(self, line: str, fence: str) -> bool:
        """Whether ``line`` belongs to the open fence, as its last line perhaps."""
        told = line.strip(" \t")
        indent = _width(line[: len(line) - len(line.lstrip(" \t"))])
        if not told:
            self.lines.append("")
        elif indent < self.indent:
            return False
        elif indent < self.indent + 4 and told.startswith(fence) and set(told) == {fence[0]}:
            self._end_fence(fence)
        else:
            # Deep in a paragraph it may be no fence at all: then tags would be tags.
            self.lines.append(line if self.indent < 4 else _disarmed(line))
        return True

    def _end_fence(self, fence: str) -> None:
        self.lines.append(" " * self.indent + fence)
        self.fence, self.balanced = None, self.indent < 4

    def _tamed(self, line: str) -> str:
        if not line.strip(" \t"):
            self.balanced = True
            return line
        start = _CONTAINERS.match(line)
        at = 0 if start is None else start.end()
        if _HEADING.match(line[at:]) or _FENCE.match(line[at:]):
            line = f"{line[:at]}\\{line[at:]}"
        elif at == len(line) and line.rstrip(" \t").endswith("-"):
            # Alone under a paragraph, a dash is the underline of a heading.
            before, _, after = line.rpartition("-")
            line = f"{before}\\-{after}"
        return self._without_tags(line)

    def _without_tags(self, line: str) -> str:
        """Tags and images taken apart, except within code spans that every reader sees."""
        spans, whole = _spans(line)
        sure = self.balanced and whole and "|" not in line
        self.balanced = self.balanced and whole
        pieces, done = [], 0
        for begin, end in spans if sure else ():
            pieces += [_disarmed(line[done:begin]), line[begin:end]]
            done = end
        return "".join([*pieces, _disarmed(line[done:])])


def _width(white: str) -> int:
    return len(white.expandtabs(4))


def _disarmed(text: str) -> str:
    return _TAG.sub("&lt;", text).replace("![", "!\\[")


def _spans(line: str) -> tuple[list[tuple[int, int]], bool]:
    """Code spans of a line, and whether all backticks belong to one."""
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(line)]
    if any(start and line[start - 1] == "\\" for start, _ in runs):
        return [], False
    spans: list[tuple[int, int]] = []
    index = 0
    while index < len(runs):
        start, end = runs[index]
        closing = next(
            (
                other
                for other in range(index + 1, len(runs))
                if runs[other][1] - runs[other][0] == end - start
            ),
            None,
        )
        if closing is None:
            return spans, False
        spans.append((start, runs[closing][1]))
        index = closing + 1
    return spans, True
