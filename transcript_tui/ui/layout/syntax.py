"""Colours for code: Pygments' words in the theme's styles, a line at a time.

Code comes in leaves. The state of the lexer at the end of one leaf is where the next one
goes on, so that a string over many lines keeps its colour; every ``leaves.RESYNC`` of them it
begins afresh, so that the middle of a huge block can be drawn without reading all of it.

Pygments has no types (and is imported when the first code is met): hence the ignores.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from rich.style import Style

from transcript_tui.ui.cells import Span

if TYPE_CHECKING:
    from pygments.lexer import Lexer  # type: ignore[import-untyped]  # brings no types

_LOG: Final = logging.getLogger(__name__)

COLORED: Final = 1_000
"""Characters of a line beyond which it stays without colours."""
_COMMENT: Final = "/*"
"""On top of a lexer's states: the leaf before ended within such a comment."""
LexerState = tuple[str, ...]
"""The states that Pygments' lexer stands in, the innermost last."""
ROOT: Final[LexerState] = ("root",)

_FAMILIES: Final[Mapping[str, str]] = {
    "Token.Comment": "comment",
    "Token.Comment.Preproc": "keyword",
    "Token.Keyword": "keyword",
    "Token.Keyword.Type": "type",
    "Token.Keyword.Constant": "literal",
    "Token.Name": "name",
    "Token.Name.Function": "function",
    "Token.Name.Class": "type",
    "Token.Name.Builtin": "function",
    "Token.Name.Builtin.Pseudo": "literal",
    "Token.Name.Decorator": "function",
    "Token.Name.Exception": "type",
    "Token.Name.Tag": "keyword",
    "Token.Name.Attribute": "function",
    "Token.Name.Constant": "literal",
    "Token.Literal": "literal",
    "Token.Literal.String": "string",
    "Token.Literal.String.Doc": "comment",
    "Token.Literal.Number": "number",
    "Token.Operator": "operator",
    "Token.Operator.Word": "keyword",
    "Token.Punctuation": "operator",
    "Token.Generic.Deleted": "literal",
    "Token.Generic.Inserted": "string",
    "Token.Generic.Heading": "keyword",
    "Token.Generic.Subheading": "function",
    "Token.Generic.Prompt": "comment",
}
_LANGUAGE: Final = re.compile(r"[\w+#.-]+")


def language(info: str) -> str:
    """The language that a fence names: its first word."""
    found = _LANGUAGE.match(info.strip().removeprefix("{").removeprefix("."))
    return found.group() if found else ""


@lru_cache(64)
def _lexer(name: str) -> Lexer | None:
    if not name:
        return None
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]  # brings no types
    from pygments.util import ClassNotFound  # type: ignore[import-untyped]  # brings no types

    try:
        return get_lexer_by_name(name.lower(), stripnl=False, ensurenl=False)
    except (ClassNotFound, ImportError):
        return None


@lru_cache(1024)
def _family(token: Any) -> str:
    while token is not None:
        name = _FAMILIES.get(str(token))
        if name is not None:
            return name
        token = token.parent
    return ""


_Words = list[tuple[Any, str]]


def colored(
    text: str, name: str, base: Style, styles: Mapping[str, Style], stack: LexerState = ROOT
) -> tuple[list[list[Span]], LexerState]:
    """``text`` in lines of spans, and the state in which the lexer left it."""
    lexer = _lexer(name) if styles else None
    if lexer is None or len(text) > COLORED:
        return [[Span(line, base)] for line in text.split("\n")], stack
    words, stack = _in_comment(lexer, text, stack)
    painted = {family: base + style for family, style in styles.items()}
    lines: list[list[Span]] = [[]]
    for style, value in _merged(words, painted, base):
        if "\n" not in value:
            lines[-1].append(Span(value, style))
            continue
        first, *rest = value.split("\n")
        if first:
            lines[-1].append(Span(first, style))
        lines += [[Span(part, style)] if part else [] for part in rest]
    return lines, stack


def _merged(words: _Words, styles: Mapping[str, Style], base: Style) -> Iterator[tuple[Style, str]]:
    """Neighbours in one style are one piece; space looks like what stands before it."""
    last, text = base, ""
    for token, value in words:
        style = styles.get(_family(token), base)
        if style is last or value.isspace():
            text += value
            continue
        if text:
            yield last, text
        last, text = style, value
    if text:
        yield last, text


def _in_comment(lexer: Lexer, text: str, stack: LexerState) -> tuple[_Words, LexerState]:
    """Comments over many lines, which most lexers take only as a whole."""
    before: _Words = []
    if stack[-1] == _COMMENT:
        end = text.find("*/") + 2
        if end < 2:
            return [(_comment(), text)], stack
        before, text, stack = [(_comment(), text[:end])], text[end:], stack[:-1]
    start = text.rfind(_COMMENT)
    if start < 0 or text.find("*/", start + 2) >= 0 or not _has_comments(lexer):
        words, stack = _words(lexer, text, stack)
        return [*before, *words], stack
    words, stack = _words(lexer, text[:start], stack)
    if words and _family(words[-1][0]) in ("string", "comment"):
        words, stack = _words(lexer, text, stack)
        return [*before, *words], stack
    return [*before, *words, (_comment(), text[start:])], (*stack, _COMMENT)


def _comment() -> Any:
    from pygments.token import Comment  # type: ignore[import-untyped]  # brings no types

    return Comment


@lru_cache(64)
def _has_comments(lexer: Lexer) -> bool:
    """Whether ``/* … */`` is a comment in the language."""
    words, _ = _words(lexer, "/* x */", ROOT)
    return bool(words) and _family(words[0][0]) == "comment"


_TOLD: Final[set[str]] = set()
"""Languages of which it was logged that their lexer failed."""


def _words(lexer: Lexer, text: str, stack: LexerState) -> tuple[_Words, LexerState]:
    from pygments.lexer import RegexLexer

    # What goes wrong within a lexer costs its colours, nothing else.
    try:
        if (
            isinstance(lexer, RegexLexer)
            and type(lexer).get_tokens_unprocessed is RegexLexer.get_tokens_unprocessed
        ):
            return _run(lexer, text, stack)
        return [(token, value) for _, token, value in lexer.get_tokens_unprocessed(text)], stack
    except Exception:
        if lexer.name not in _TOLD:
            _TOLD.add(lexer.name)
            _LOG.warning("%s has no colours: its lexer failed", lexer.name, exc_info=True)
        return [(None, text)], ROOT


def _run(lexer: Any, text: str, stack: LexerState) -> tuple[_Words, LexerState]:
    """The rules of a lexer, followed from a state to a state.

    Pygments keeps both to itself: a test says what is no longer so in another version of it.
    """
    rules = lexer._tokens
    words: _Words = []
    states, at = list(stack), 0
    while at < len(text):
        for match_at, action, change in rules[states[-1]]:
            match = match_at(text, at)
            if not match:
                continue
            if action is not None:
                words.extend(_act(lexer, action, match))
            at = match.end()
            if change is not None:
                _change(states, change)
            break
        else:
            if text[at] == "\n":
                states = ["root"]
            words.append((None, text[at]))
            at += 1
    return words, tuple(states[-16:])


def _act(lexer: Any, action: Any, match: re.Match[str]) -> Iterator[tuple[Any, str]]:
    from pygments.token import _TokenType

    if type(action) is _TokenType:
        yield action, match.group()
    else:
        for _, token, value in action(lexer, match):
            yield token, value


def _change(states: list[str], change: Any) -> None:
    if isinstance(change, tuple):
        for each in change:
            if each == "#pop":
                _pop(states, 1)
            elif each == "#push":
                states.append(states[-1])
            else:
                states.append(each)
    elif isinstance(change, int):
        _pop(states, abs(change))
    elif change == "#push":
        states.append(states[-1])


def _pop(states: list[str], count: int) -> None:
    del states[max(1, len(states) - count) :]
