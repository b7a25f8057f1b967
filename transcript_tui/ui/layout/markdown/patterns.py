"""What blocks of Markdown begin and end with, as :mod:`starts` looks for it."""

from __future__ import annotations

import re
from typing import Final, Literal

Align = Literal["left", "right", "center"]

HEADING: Final = re.compile(r"(#{1,6})(?:[ ]+|$)(.*?)(?:[ ]+#+)?[ ]*$")
FENCE: Final = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
RULE: Final = re.compile(r"(?:(?:\*[ ]*){3,}|(?:-[ ]*){3,}|(?:_[ ]*){3,})$")
SETEXT: Final = re.compile(r"(=+|-+)[ ]*$")
BULLET: Final = re.compile(r"([-+*])(?:[ ]|$)")
ORDERED: Final = re.compile(r"(\d{1,9})([.)])(?:[ ]|$)")
DELIMITERS: Final = re.compile(r"[ ]*\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*\|?[ ]*$")
DEFINITION: Final = re.compile(
    r"""[ ]{0,3}\[((?:[^\[\]\\]|\\.)+)\]:[ ]*(<[^<>\n]*>|[^\s<]\S*)"""
    r"""(?:[ ]+("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\([^()]*\)))?[ ]*$"""
)
_TAGS: Final = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|"
    "h6|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|"
    "option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTES: Final = (
    r"""(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^"'=<>`\s]+|'[^']*'|"[^"]*"))?)*\s*"""
)
HTML: Final[tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...]] = (
    (
        re.compile(r"<(?:script|pre|style|textarea)(?:\s|>|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(rf"</?(?:{_TAGS})(?:\s|/?>|$)", re.IGNORECASE), None),
    (re.compile(rf"(?:<[A-Za-z][\w-]*{_ATTRIBUTES}/?>|</[A-Za-z][\w-]*\s*>)\s*$"), None),
)
"""How each kind of HTML block begins, and ends (``None``: at a blank line)."""
HTML_IN_PARAGRAPH: Final = HTML[:-1]
"""Any tag begins a block, but not in the middle of a paragraph."""
SIGNS: Final = frozenset(">#`~<=-*_+0123456789| :")
"""What a line may begin with that is more than text."""


def align_of(mark: str) -> Align:
    mark = mark.strip()
    if mark.endswith(":"):
        return "center" if mark.startswith(":") else "right"
    return "left"


_PIPE: Final = re.compile(r"(?<!\\)\|")


def split_row(line: str) -> list[str]:
    """The cells of a table's row."""
    line = line.strip()
    if line.startswith("|"):
        line = line[1:]
    cells = [cell.strip().replace("\\|", "|") for cell in _PIPE.split(line)]
    if len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells
