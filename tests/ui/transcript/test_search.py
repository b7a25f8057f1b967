"""Searching as the transcript grows finds what searching at its end finds."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from transcript_tui.ui.views.transcript.search import Search, compile_pattern

TEXT = st.text("ab\n ", max_size=30)


def finish(search: Search) -> None:
    search.step(lambda: False)


@given(
    st.lists(st.tuples(st.integers(0, 5), TEXT), max_size=20), st.sampled_from(["a", "ab", "b+"])
)
@settings(max_examples=150)
def test_growing_equals_reading_at_the_end(pieces: list[tuple[int, str]], pattern: str) -> None:
    texts: list[str] = []
    search = Search(pattern, lambda key: [("text", texts[key])], 0, 0)
    for key, piece in pieces:
        if key >= len(texts):
            texts.append(piece)
            search.resize(len(texts))
        else:
            texts[key] += piece
            search.changed([key])
        finish(search)
    expected = {
        key: [match.span() for match in re.finditer(pattern, text)]
        for key, text in enumerate(texts)
    }
    found = {key: [(s, e) for _, s, e in search.hits(key)] for key in range(len(texts))}
    assert found == expected
    assert search.count == sum(map(len, expected.values()))


def test_going_round() -> None:
    texts = ["x", "", "xx", "y"]
    search = Search("x", lambda key: [("text", texts[key])], 2, 4)
    finish(search)
    assert search.find(2, 0) == (2, 0)
    assert search.find(2, 1) == (2, 1)
    assert search.find(2, 2) == (0, 0)
    assert search.find_back(2, 0) == (0, 0)
    assert search.find_back(0, 0) == (2, 1)
    assert search.number(2, 1) == 3


def test_it_begins_where_the_reader_is() -> None:
    looked: list[int] = []

    def texts(key: int) -> list[tuple[str, str]]:
        looked.append(key)
        return []

    search = Search("x", texts, 3, 5)
    finish(search)
    assert looked == [3, 4, 0, 1, 2]
    assert search.complete


def test_smart_case() -> None:
    assert compile_pattern("abc")[0].search("xABCx")
    assert not compile_pattern("Abc")[0].search("xabcx")


def test_what_is_no_regular_expression_is_text() -> None:
    pattern, error = compile_pattern("f(x")
    assert pattern.search("call f(x)")
    assert error


def test_growth_reads_only_the_end() -> None:
    text = ["line with x\n" * 10_000]
    search = Search("x", lambda key: [("text", text[0])], 0, 1)
    finish(search)
    assert search.count == 10_000
    text[0] += "x"
    search.changed([0])
    finish(search)
    assert search.count == 10_001


def test_shrinking_counts_again() -> None:
    text = ["xxx"]
    search = Search("x", lambda key: [("text", text[0])], 0, 1)
    finish(search)
    text[0] = "x"
    search.changed([0])
    finish(search)
    assert search.count == 1
