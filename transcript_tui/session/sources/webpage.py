"""What a web page says in words: its title, and its text without markup and code.

Not ``html.parser``: in several of the versions of Python that are about, what never ends (a
comment, a script) costs it the square of the page. Here every search begins where the one
before it ended, and one that finds nothing is the last of all.
"""

from __future__ import annotations

import html
import re
from typing import Final

__all__ = ["words"]

_TAG: Final = re.compile(r"<!--|<(/?[a-z]*+)[^<>]*+>", re.IGNORECASE)
"""Nothing is tried twice: each ``*`` gives nothing back, and no tag goes past another ``<``."""

_ENDS: Final = {
    name: re.compile(re.escape(end), re.IGNORECASE)
    for name, end in {
        "<!--": "-->",
        "script": "</script",
        "style": "</style",
        "title": "</title",
    }.items()
}
"""What holds no markup: nothing but this ends it."""


def words(page: str) -> tuple[str, str]:
    """The page's title and its text, on a line each; each may be empty."""
    title = ""
    parts: list[str] = []
    at = 0
    while tag := _TAG.search(page, at):
        parts.append(page[at : tag.start()])
        at = tag.end()
        name = (tag[1] or tag[0]).lower()
        if name in _ENDS:
            end = _ENDS[name].search(page, at)
            held = page[at : end.start() if end else len(page)]
            title = title or (held if name == "title" else "")
            # The tag that ends a script is one of those that are passed over.
            at = len(page) if end is None else end.end() if name == "<!--" else end.start()
    parts.append(page[at:])
    return _plain(title), _plain(" ".join(parts))


def _plain(text: str) -> str:
    return " ".join(html.unescape(text).split())
