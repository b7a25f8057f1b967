"""Values that remember when they changed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.text import mended
from transcript_tui.transcript.history import History, Openings, Text


def test_history_answers_for_any_position() -> None:
    history = History("a", 3)
    history.set("b", 5)
    history.set("c", 5)
    assert [history.at(position) for position in (0, 4, 5, 6)] == ["a", "a", "a", "c"]
    assert history.now == "c"
    assert history.versions() == [(3, "a"), (5, "c")]


def test_openings_tell_open_closed_and_cut() -> None:
    openings = Openings()
    openings.open(1)
    openings.close(4)
    openings.open(6)
    openings.close(8, cut=True)
    assert [openings.since(position) for position in (1, 2, 5, 7, 9)] == [None, 1, None, 6, None]
    assert [openings.ended(position) for position in (2, 5, 7, 9)] == [None, 4, None, 8]
    assert [openings.cut(position) for position in (5, 7, 9)] == [False, False, True]
    assert openings.count() == 2


def test_text_reads_ranges_and_earlier_positions() -> None:
    text = Text()
    for stamp in range(600):
        text.append("ab", stamp)
    assert text.length == 1200
    assert text.length_at(10) == 20
    assert text.read(3, 6) == "bab"
    assert text.read(0, 5000) == text.read()
    assert text.first_stamp() == 0
    assert (text.last_stamp(10), text.pieces(10)) == (9, 10)
    assert list(text.stamps(3)) == [0, 1, 2]
    assert Text().first_stamp() is None
    assert Text().last_stamp() is None


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["", "a", "é", "\ud83d", "\ude00", "😀", "x\ud83d", "\ude00y", "\ud83d\ud83d"]
        )
    ),
    max_size=12,
)


@given(PIECES)
def test_halves_join_and_lone_ones_show(pieces: list[str]) -> None:
    one_by_one, at_once = Text(), Text()
    earlier: list[str] = []
    for stamp, piece in enumerate(pieces):
        one_by_one.append(piece, stamp)
        earlier.append(one_by_one.read())
    at_once.extend(pieces, 0)
    for text in (one_by_one, at_once):
        text.close(len(pieces))
        assert text.read() == mended("".join(pieces))
        assert text.length == len(text.read())
        # Text only grows: what was there before is a prefix of what is there now.
        for stamp, was in enumerate(earlier):
            assert text.read(0, text.length_at(stamp + 1)) == was


def test_an_emoji_split_across_a_closing_is_whole_when_reopened() -> None:
    text = Text()
    text.append("ok \ud83d", 1)
    text.close(2)
    assert text.read() == "ok \ufffd"
    again = text.reopened()
    assert again is not text
    assert again.length_at(3) == 3
    again.append("\ude00!", 4)
    assert again.read() == "ok 😀!"
    assert text.read() == "ok \ufffd"
    assert again.reopened() is again


@pytest.mark.parametrize("text", ["", "plain", "größer 東京", "👩‍🌾"])
def test_whole_text_is_left_alone(text: str) -> None:
    assert mended(text) is text
