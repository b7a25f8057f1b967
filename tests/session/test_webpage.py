"""What is read out of a page that stands where a stream should."""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.session.pages import UNENDED, of_size
from transcript_tui.session.sources.answers import body_gist
from transcript_tui.session.sources.webpage import words


@pytest.mark.parametrize(
    ("page", "title", "text"),
    [
        ("<title>Oops</title><p>no such <b>run</b></p>", "Oops", "no such run"),
        ("<TITLE lang=en>\n Two\n words </TITLE\n>", "Two words", ""),
        ("<title>one</title><svg><title>two</title></svg>", "one", ""),
        ("<title>a &lt; b</title>c &amp; d&nbsp;e", "a < b", "c & d e"),
        ("<head><style>p { color: red }</style></head><p>seen", "", "seen"),
        ("<script>if (a<b && c>d) x = '<p>no</p>'</SCRIPT >after", "", "after"),
        ("before<!-- <b>no</b> <script> -->after", "", "before after"),
        ("<scripts>a word</scripts><styled>another", "", "a word another"),
        ("<!DOCTYPE html><?xml?>text", "", "text"),
        ("a < b, and no tag", "", "a < b, and no tag"),
        # What never ends takes in the rest, as in a browser.
        ("a<script>b", "", "a"),
        ("a<!--b", "", "a"),
        ("<title>all of it", "all of it", ""),
    ],
)
def test_title_and_words(page: str, title: str, text: str) -> None:
    assert words(page) == (title, text)


MARKS: Final = [*UNENDED, "</title>", "</script>", "-->", ">", "x", " ", "&"]


@given(st.lists(st.sampled_from(MARKS)))
def test_no_tag_is_a_word(marks: list[str]) -> None:
    _, text = words("".join(marks))
    assert not re.search(r"<script *>|<title *>|<!--", text)


@pytest.mark.parametrize("shape", UNENDED)
def test_a_hostile_page_has_a_gist(shape: str) -> None:
    """Each took seconds, on the event loop: ``tests.benchmarks answers`` says the cost."""
    assert len(body_gist("<html>so it is" + of_size(shape, 65_536), "text/html")) <= 300
