"""Static HTML: one file, no script, nothing loaded from anywhere.

The policy in its head forbids everything but its one style sheet, named by its hash;
should any text ever get past the escaping, a browser still runs and fetches nothing.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from html import escape
from typing import Final

from transcript_tui.export.blocks import Block, Call, Note, Piece, Spoken, blocks, nothing
from transcript_tui.export.markup import markup
from transcript_tui.text import inert, inline
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.transcript import Transcript

Colors = Mapping[str, str]
"""A theme's: name (``role-user``) → ``#rrggbb``."""

_STYLE: Final = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
article { border-inline-start: 4px solid; padding: .25rem 1rem; margin: 1rem 0; }
h2 { font-size: 1rem; margin: 0; }
h2 small { font-weight: normal; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .5rem 0; }
pre.code { padding: .5rem; border-radius: 4px; }
pre.code, code { font: 14px/1.4 ui-monospace, monospace; }
p, ul, ol, blockquote, table { margin: .5rem 0; overflow-wrap: anywhere; }
ul, ol { padding-inline-start: 1.5rem; }
li > ul, li > ol { margin: 0; }
h3, h4, h5, h6 { font-size: 1rem; margin: .75rem 0 .25rem; }
h3 { font-size: 1.125rem; }
blockquote { border-inline-start: 3px solid; padding-inline-start: .75rem; margin-inline: 0; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid; padding: .125rem .5rem; text-align: start; overflow-wrap: normal; }
.right { text-align: right; }
.center { text-align: center; }
hr { border: 0; border-top: 1px solid; }
summary { cursor: pointer; }
p.note { border-block: 1px solid; padding: .25rem 0; }
p.problem { font-weight: bold; }
.reasoning .said { font-style: italic; }
"""
_COLORED: Final = """
body {{ background: {background}; color: {foreground}; }}
h1, summary, h2 small {{ color: {dim}; }}
pre {{ color: {foreground}; }}
pre.code {{ background: {code-background}; color: {code-foreground}; }}
p code, li code, td code {{ background: {code-background}; color: {code-foreground}; }}
a {{ color: {link}; }}
blockquote, th, td, hr {{ border-color: {rule}; }}
blockquote {{ color: {dim}; }}
p.note {{ border-color: {rule}; color: {dim}; }}
p.problem {{ border-color: {error}; color: {error}; }}
"""
_ROLE: Final = ".{0} {{ border-color: {1}; }}\n.{0} > h2 {{ color: {1}; }}\n"
_ROLES: Final = ("user", "assistant", "system", "developer", "tool", "reasoning", "activity")
_PREVIEW: Final = 80
"""Characters of a folded text that are seen."""
_WRITE_MARKDOWN: Final = ("assistant", "reasoning")
_COLOR: Final = re.compile(r"#[0-9a-fA-F]{6}")

_DARK: Final[Colors] = {
    "background": "#16161e", "foreground": "#e2e0ea", "dim": "#a5a2b4", "rule": "#4a4858",
    "error": "#ff8f8f", "code-background": "#20202b", "code-foreground": "#e2e0ea",
    "link": "#8fb0ff",
    "role-user": "#8fb0ff", "role-assistant": "#c9a8ff", "role-system": "#b4b8cc",
    "role-developer": "#f0b07a", "role-tool": "#93d18b", "role-reasoning": "#a9a6b8",
    "role-activity": "#7fd1cc",
}  # fmt: skip
_LIGHT: Final[Colors] = {
    "background": "#ffffff", "foreground": "#26232c", "dim": "#5f5b6b", "rule": "#cfcbd8",
    "error": "#a3231f", "code-background": "#f3f2f6", "code-foreground": "#26232c",
    "link": "#11589a",
    "role-user": "#11589a", "role-assistant": "#6a3a9c", "role-system": "#545a70",
    "role-developer": "#8d4308", "role-tool": "#2d6424", "role-reasoning": "#5b5763",
    "role-activity": "#0c6360",
}  # fmt: skip
_EITHER: Final = (
    "\n:root {{ color-scheme: light dark; }}\n{0}@media (prefers-color-scheme: dark) {{\n{1}}}\n"
)
"""Without a theme: as the reader's own system is, light or dark."""

_HEAD: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Transcript</title>
<style>{style}</style>
</head>
<body>
<h1>Transcript</h1>
"""
_FOOT: Final = "</body>\n</html>\n"


def pieces(
    transcript: Transcript, position: int = LATEST, colors: Colors | None = None
) -> Iterator[Piece]:
    """``colors`` that are the terminal's own mean nothing here: then there is no theme."""
    yield partial(_head, colors)
    for block in blocks(transcript, position):
        yield nothing if block is None else partial(_block, block)
    yield lambda: _FOOT


def _head(colors: Colors | None) -> str:
    style = _style(colors)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-{digest}'"
    return _HEAD.format(policy=policy, style=style)


def _style(colors: Colors | None) -> str:
    if colors is None or not all(_COLOR.fullmatch(colors.get(name, "")) for name in _DARK):
        return _STYLE + _EITHER.format(_colored(_LIGHT), _colored(_DARK))
    return _STYLE + _colored(colors)


def _colored(colors: Colors) -> str:
    roles = "".join(_ROLE.format(role, colors[f"role-{role}"]) for role in _ROLES)
    return _COLORED.format_map(colors) + roles


def _block(block: Block) -> str:
    if isinstance(block, Note):
        return f'<p class="note {block.kind}">{_inline(block.text)}</p>\n'
    return f'<article class="{block.role}">\n<h2>{_label(block)}</h2>\n{_said(block)}</article>\n'


def _label(spoken: Spoken) -> str:
    name = f" <bdi>{_inline(spoken.speaker)}</bdi>" if spoken.speaker else ""
    marks = "".join(f" <small>[{_inline(mark)}]</small>" for mark in spoken.marks)
    return f"{spoken.role}{name}{marks}"


def _said(spoken: Spoken) -> str:
    parts = "".join(f"<p>[{_inline(part)}]</p>\n" for part in spoken.parts)
    calls = "".join(_call(call) for call in spoken.calls)
    text = _text(spoken)
    if spoken.role == "reasoning" and text:
        text = f"<details>\n<summary>{_preview(spoken.text)}</summary>\n{text}</details>\n"
    return text + _pre(spoken.json, "code") + parts + calls


def _text(spoken: Spoken) -> str:
    """What models write is Markdown; what people and tools write is shown as it came."""
    written = markup(spoken.text) if spoken.role in _WRITE_MARKDOWN else None
    if written is None:
        return _pre(spoken.text, "")
    return f'<div class="said" dir="auto">\n{written}</div>\n' if spoken.text else ""


def _preview(text: str) -> str:
    """How a folded text begins."""
    begun = inline(text[: 4 * _PREVIEW])
    return escape(begun if len(begun) <= _PREVIEW else begun[:_PREVIEW].rstrip() + "…")


def _call(call: Call) -> str:
    name = f"<code><bdi>{_inline(call.name)}</bdi></code>"
    summary = f"<summary>tool call {name} [{call.state}]</summary>\n"
    result = ""
    if call.result is not None:
        told = f"<h2>{_label(call.result)}</h2>\n{_said(call.result)}"
        result = f'<section class="{call.result.role}">\n{told}</section>\n'
    return f"<details>\n{summary}{_pre(call.arguments, 'code')}{result}</details>\n"


def _pre(text: str, kind: str) -> str:
    # A line end right behind the tag would be swallowed: it is given one to swallow.
    return f'<pre class="{kind}" dir="auto">\n{escape(inert(text))}</pre>\n' if text else ""


def _inline(text: str) -> str:
    return escape(inline(text))
