"""Searching as the transcript grows finds what searching at its end finds."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from transcript_tui.ui.views.transcript.filtertext import LONG, FilterText
from transcript_tui.ui.views.transcript.pattern import TOO_LONG, Pattern
from transcript_tui.ui.views.transcript.search import WINDOW, Hit, Search

TEXT = st.text("ab\n ", max_size=30)


def hits(search: Search, key: int) -> list[Hit]:
    found: list[Hit] = []
    while (hit := search.hit(key, len(found))) is not None:
        found.append(hit)
    return found


def finish(search: Search) -> None:
    search.step(lambda: False)


@given(
    st.lists(st.tuples(st.integers(0, 5), TEXT), max_size=20), st.sampled_from(["a", "ab", "b+"])
)
@settings(max_examples=examples(150))
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
        last = len(texts) - 1
        now = [match.span() for match in re.finditer(pattern, texts[last])]
        assert [(hit.start, hit.end) for hit in hits(search, last)] == now
    expected = {
        key: [match.span() for match in re.finditer(pattern, text)]
        for key, text in enumerate(texts)
    }
    found = {key: [(hit.start, hit.end) for hit in hits(search, key)] for key in range(len(texts))}
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
    assert Pattern("abc").spans("xABCx") == [(1, 4)]
    assert not Pattern("Abc").spans("xabcx")


def test_what_is_no_regular_expression_is_text() -> None:
    pattern = Pattern("f(x")
    assert pattern.spans("call f(x)") == [(5, 8)]
    assert pattern.error


@pytest.mark.parametrize("pattern", ["(a+)+b", r"(\w|\w\w)*!", r"(.*)(.*)(.*)x!", r"\w+x!"])
def test_an_expression_that_never_ends_is_text(pattern: str) -> None:
    texts = ["aa aa aaa", "a" * 200_000, f"the text {pattern} itself"]
    search = Search(pattern, lambda key: [("text", texts[key])], 0, 3)
    before = time.process_time()
    finish(search)
    assert time.process_time() - before < 5
    if search.error is not None:
        assert search.error == TOO_LONG
        assert [len(hits(search, key)) for key in range(3)] == [0, 0, 1]


def test_an_expression_that_never_ends_is_text_in_a_row() -> None:
    pattern = Pattern("(a+)+b")
    assert pattern.spans("a" * 60) == []
    assert pattern.error == TOO_LONG


@pytest.mark.parametrize("before", [0, 15_990, 16_000, 40_000])
def test_a_long_text_is_read_in_windows(before: int) -> None:
    text = "y" * before + "needle" + "z" * 40_000
    search = Search("needle|z+$", lambda key: [("text", text)], 0, 1)
    finish(search)
    assert [(hit.start, hit.end) for hit in hits(search, 0)] == [
        (before, before + 6),
        (before + 6, len(text)),
    ]


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


@pytest.mark.parametrize("needle", ["seam", "never"])
def test_a_long_text_that_grows_is_not_read_again(needle: str) -> None:
    looked: list[int] = []

    class Watched(Pattern):
        def spans(self, text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
            looked.append((len(text) if end is None else end) - start)
            return super().spans(text, start, end)

    text = "words " * WINDOW
    search = Search(needle, lambda _: [("text", text)], 0, 1)
    search.pattern = Watched(needle)
    finish(search)
    for piece in ("se", "am and ", "so on"):
        looked.clear()
        text += piece
        search.changed([0])
        finish(search)
        assert sum(looked) < WINDOW
    assert search.count == (needle == "seam")


@given(st.lists(st.text("aAbİß", max_size=5), min_size=1, max_size=12), st.text("abß", min_size=1))
@settings(max_examples=examples(150))
def test_a_filter_finds_in_what_grew_what_it_finds_in_all(pieces: list[str], wanted: str) -> None:
    sought, text = FilterText(), "." * LONG
    for piece in pieces:
        text += piece
        for seen in (text, text[: LONG + 1], text):
            assert sought.within((1, 0), seen, wanted) == (wanted in seen.lower())
