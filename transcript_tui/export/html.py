"""Static HTML: one file, no script, nothing loaded from anywhere.

The policy in its head forbids everything but its one style sheet, named by its hash;
should any text ever get past the escaping, a browser still runs and fetches nothing.
"""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Final

from transcript_tui.export.blocks import Block, Call, Note, Spoken, blocks
from transcript_tui.export.inert import inert, inline
from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.transcript import Transcript

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
article { border-inline-start: 4px solid #888; padding: .25rem 1rem; margin: 1rem 0; }
article.user { border-color: #2b6cb0; }
article.assistant { border-color: #2f855a; }
article.tool, article.activity { border-color: #b7791f; }
article.reasoning { border-color: #805ad5; font-style: italic; }
h2 { font-size: 1rem; margin: 0; }
h2 small { font-weight: normal; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: .5rem 0; }
pre.code { font: 14px/1.4 ui-monospace, monospace; }
p.note { border-block: 1px solid #888; padding: .25rem 0; }
p.problem { border-color: #c53030; font-weight: bold; }
"""
_POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; "
    f"style-src 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'"
)
_HEAD: Final = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Transcript</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>Transcript</h1>
"""
_FOOT: Final = "</body>\n</html>\n"


def render(transcript: Transcript, position: int = LATEST) -> str:
    body = "".join(_block(block) for block in blocks(transcript, position))
    return _HEAD + body + _FOOT


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
    text = _pre(spoken.text, "")
    if spoken.role == "reasoning" and text:
        text = f"<details>\n<summary>reasoning</summary>\n{text}</details>\n"
    return text + _pre(spoken.json, "code") + parts + calls


def _call(call: Call) -> str:
    name = f"<code><bdi>{_inline(call.name)}</bdi></code>"
    summary = f"<summary>tool call {name} [{call.state}]</summary>\n"
    result = ""
    if call.result is not None:
        result = f"<h2>{_label(call.result)}</h2>\n{_said(call.result)}"
    return f"<details>\n{summary}{_pre(call.arguments, 'code')}{result}</details>\n"


def _pre(text: str, kind: str) -> str:
    # A line end right behind the tag would be swallowed: it is given one to swallow.
    return f'<pre class="{kind}" dir="auto">\n{escape(inert(text))}</pre>\n' if text else ""


def _inline(text: str) -> str:
    return escape(inline(text))
