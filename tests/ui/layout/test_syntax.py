"""Colours for code: that Pygments is as we take it to be, and what is done where it is not."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pygments.lexer import RegexLexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Keyword
from rich.style import Style

from transcript_tui.ui.layout import syntax
from transcript_tui.ui.layout.syntax import colored

WHY = (
    "Pygments has changed what is not public: ui/layout/syntax.py follows the rules of a lexer "
    "from a state to a state by itself, so that code can be coloured as it arrives. Without these "
    "two names every language is shown without colours."
)
BASE = Style()
STYLES = {"keyword": Style(bold=True), "string": Style(italic=True), "comment": Style(dim=True)}
CODE = {
    "python": 'def f(x):\n    return "a" + x  # so\n',
    "json": '{"a": [1, true, "b"]}\n',
    "rust": "fn main() { let a = 'x'; /* so */ }\n",
    "html": "<p class='x'>one<script>let a = 1;</script></p>\n",
}


def test_rules_are_kept_where_we_read_them() -> None:
    lexer = get_lexer_by_name("python")
    assert isinstance(lexer, RegexLexer), WHY
    rules = getattr(lexer, "_tokens", None)
    assert isinstance(rules, dict), WHY
    assert "root" in rules, WHY
    for match, action, change in rules["root"]:
        assert match("", 0) is None or isinstance(match("", 0), re.Match), WHY
        assert action is None or callable(action) or type(action) is type(Keyword), WHY
        assert change is None or isinstance(change, int | str | tuple), WHY


def test_a_token_is_of_the_type_that_we_ask_for() -> None:
    from pygments import token

    assert type(Keyword) is getattr(token, "_TokenType", None), WHY


@pytest.mark.parametrize("name", CODE)
def test_the_words_are_those_of_pygments(name: str) -> None:
    lexer = syntax._lexer(name)
    assert lexer is not None
    mine, _ = syntax._words(lexer, CODE[name], ("root",))
    theirs = [(token, value) for _, token, value in lexer.get_tokens_unprocessed(CODE[name])]
    assert list(letters(mine)) == list(letters(theirs)), WHY
    assert any(token is not None for token, _ in mine)


def letters(words: list[tuple[Any, str]]) -> Iterator[tuple[Any, str]]:
    """Letter by letter: how the words are cut says nothing."""
    for token, value in words:
        yield from ((token, letter) for letter in value if not letter.isspace())


def test_a_lexer_that_fails_costs_its_colours_and_is_logged_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(syntax, "_TOLD", set())
    lexer = syntax._lexer("python")
    monkeypatch.setattr(lexer, "_tokens", None, raising=False)
    # The records of the program do not go up to the root where a log is open.
    monkeypatch.setattr(logging.getLogger("transcript_tui"), "propagate", True)
    for _ in range(3):
        [line], stack = colored("return secret", "python", BASE, STYLES)
        assert [(span.text, span.style) for span in line] == [("return secret", BASE)]
        assert stack == ("root",)
    [record] = caplog.records
    assert "Python has no colours" in record.getMessage()
    assert record.exc_info is not None
    assert "secret" not in record.getMessage()
