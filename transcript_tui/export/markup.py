"""Markdown from outside as HTML that stays within its message: nothing in it is loaded or run.

No HTML of theirs, no images, no headings above the page's own, and links to web and mail
addresses only, which a reader has to follow by hand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Final

from transcript_tui.text import inert

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

__all__ = ["markup"]

_FOLLOWED: Final = re.compile(r"(?:https?://|mailto:)[^\x00-\x20\x7f]+$", re.IGNORECASE)
_ALIGNED: Final = re.compile(r"text-align:(center|right)")
DEEPEST: Final = 6
"""The level of headings below which HTML has none."""
OWN: Final = 2
"""Levels of headings that the page itself has."""
NESTED: Final = 60
"""Levels of lists and quotes; the reader leaves out what is deeper."""
LONGEST: Final = 50_000
"""Characters of a message that are read as Markdown; a longer one is shown as it came. The
reader takes 2 µs for a character of prose and 40 for each of many brackets that nothing closes."""


def markup(text: str) -> str | None:
    """HTML of ``text``; ``None`` where it is too long or nested too deeply for Markdown."""
    if len(text) > LONGEST:
        return None
    reader = _reader()
    environment: dict[str, Any] = {}
    tokens = reader.parse(inert(text), environment)
    if any(token.level >= NESTED - 2 for token in tokens):
        return None
    # Entities may stand for what the gate took out, so the outcome passes it, too.
    return inert(reader.renderer.render(tokens, reader.options, environment))


@lru_cache(maxsize=1)
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt

    wanted = {"html": False, "breaks": True, "xhtmlOut": False, "maxNesting": NESTED}
    reader = MarkdownIt("commonmark", wanted)
    reader.enable(["table", "strikethrough"]).disable("image")
    reader.validateLink = lambda url: _FOLLOWED.match(url) is not None  # type: ignore[method-assign]  # the library's own way
    reader.core.ruler.push("tame", lambda state: _tame(state.tokens))
    for kind in ("fence", "code_block"):
        reader.add_render_rule(kind, _code)
    return reader


def _tame(tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(DEEPEST, int(token.tag[1]) + OWN)}"
        aligned = _ALIGNED.match(str(token.attrs.pop("style", "")))
        if aligned is not None:
            # The page's policy forbids styles that stand in the text.
            token.attrs["class"] = aligned[1]
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs = {"href": child.attrs["href"], "rel": "noopener noreferrer"}


def _code(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    return f'<pre class="code" dir="auto">\n{escape(tokens[index].content.rstrip())}</pre>\n'
