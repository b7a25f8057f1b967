"""Statistics, events at a glance, and lines that wrap."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import accumulate

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from tests.conftest import examples
from tests.ui.layout.texts import NUMBERS
from transcript_tui.text import label
from transcript_tui.ui.layout import laid_out
from transcript_tui.ui.layout.json.source import JsonSource
from transcript_tui.ui.textualtheme import textual_theme
from transcript_tui.ui.themes import load_themes
from transcript_tui.ui.views.eventfilter import EventFilter
from transcript_tui.ui.views.jsonlines import json_lines, payload_lines
from transcript_tui.ui.views.lines import Fact, Lines, Row, rows_of
from transcript_tui.ui.views.payloads import glance, type_of
from transcript_tui.ui.views.tally import KEPT, Tally, count_some


def payload(kind: str, **fields: object) -> bytes:
    return json.dumps({"type": kind, **fields}).encode()


def test_times_and_pace() -> None:
    tally = Tally()
    events = [
        (payload("RUN_STARTED"), 1.0),
        (payload("TOOL_CALL_START"), 1.5),
        (payload("TEXT_MESSAGE_CONTENT", delta="a"), 2.0),
        (payload("TEXT_MESSAGE_CONTENT", delta="b"), 2.1),
        (payload("TEXT_MESSAGE_CONTENT", delta="c"), 4.1),
    ]
    for event, at in events:
        tally.add(event, at)
    assert (tally.first_event, tally.marks.first_tool, tally.marks.first_text) == (1.0, 1.5, 2.0)
    assert tally.marks.longest == pytest.approx(2.0)
    assert tally.marks.longest_at == 4
    assert tally.pace() == pytest.approx(2 / 2.1)
    assert tally.pace_now() == 1.0
    assert tally.gap_p95 == pytest.approx(2.0)
    tally.add(payload("TEXT_MESSAGE_CONTENT", delta="d"), 4.2)
    tally.add(payload("TEXT_MESSAGE_CONTENT", delta="e"), 4.3)
    assert tally.pace_now() == 3.0
    tally.add(payload("RUN_FINISHED"), 9.0)
    assert tally.pace_now() == 0.0
    assert tally.kinds["TEXT_MESSAGE_CONTENT"] == 5
    assert tally.held_back == 0


def test_a_proxy_that_holds_back_shows() -> None:
    tally = Tally()
    for number in range(20):
        stamp = 1_796_000_000_000 + 100 * number
        tally.add(payload("CUSTOM", timestamp=stamp), 5.0 + number / 10_000)
    assert tally.held_back > 10


def test_a_stream_that_arrives_as_it_was_sent_does_not() -> None:
    tally = Tally()
    for number in range(20):
        tally.add(payload("CUSTOM", timestamp=1_796_000_000_000 + 100 * number), number / 10)
    assert tally.held_back == 0


KINDS = st.sampled_from(["RUN_STARTED", "TEXT_MESSAGE_CONTENT", "TOOL_CALL_START", "CUSTOM"])
PAYLOADS = st.builds(
    payload,
    KINDS,
    delta=st.sampled_from(["", "word"]),
    timestamp=st.integers(0, 3).map(lambda number: 1_796_000_000_000 + 400 * number),
)
ARRIVED = st.tuples(PAYLOADS, st.none() | st.sampled_from([0.001, 0.3, 0.7, 2.1]))
"""A payload, and seconds since the one before; ``None``: when it came is not known."""


@given(st.lists(ARRIVED, max_size=60), st.integers(1, 20), st.data())
def test_counting_back_and_forth_is_counting_anew(
    arrived: list[tuple[bytes, float | None]], kept: int, data: st.DataObject
) -> None:
    payloads = [one for one, _ in arrived]
    passed = accumulate((gap or 0.0 for _, gap in arrived), initial=0.0)
    times = [None if gap is None else at for at, (_, gap) in zip(passed, arrived, strict=False)]
    tally = Tally()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("transcript_tui.ui.views.tally.KEPT", kept)
        patched.setattr("transcript_tui.ui.views.tally.LARGE", 1)
        for position in data.draw(st.lists(st.integers(0, len(payloads)), max_size=8)):
            # Wherever it is interrupted, it may be asked for something else.
            steps = iter(range(data.draw(st.integers(0, 70))))
            count_some(
                tally, position, payloads.__getitem__, times.__getitem__,
                lambda steps=steps: next(steps, None) is None,
            )  # fmt: skip
        for position in (tally.count, data.draw(st.integers(0, len(payloads)))):
            anew = Tally()
            for one in (tally, anew):
                count_some(one, position, payloads.__getitem__, times.__getitem__, lambda: False)
            assert tally == anew
            assert list(tally.kinds.items()) == list(anew.kinds.items())
            assert tally.gap_p95 == anew.gap_p95


def test_one_step_back_looks_at_little() -> None:
    payloads = [payload("TEXT_MESSAGE_CONTENT", delta="x")] * 100_000
    asked: list[int] = []

    def ask(number: int) -> bytes:
        asked.append(number)
        return payloads[number]

    tally = Tally()
    count_some(tally, len(payloads), payloads.__getitem__, lambda n: n / 10, lambda: False)
    count_some(tally, len(payloads) - 1, ask, lambda n: n / 10, lambda: False)
    assert len(asked) <= 1 + KEPT


def test_counting_can_be_interrupted() -> None:
    whole, parts = Tally(), Tally()
    events = [payload("A", n=number) for number in range(1000)]
    count_some(whole, 1000, events.__getitem__, lambda _: None, lambda: False)
    rounds = 0
    while count_some(parts, 1000, events.__getitem__, lambda _: None, lambda: True):
        rounds += 1
    assert rounds > 5
    assert whole == parts


@settings(max_examples=examples(100))
@given(st.binary(max_size=200))
def test_anything_can_be_glanced_at(data: bytes) -> None:
    look = glance(data)
    assert look.size == len(data)
    for text in (look.type, look.ids, look.content):
        assert "\n" not in text
        assert label(text) == text
    for line in payload_lines(data):
        assert all(label(cell) == cell for cell, _ in line)
    EventFilter.parse(data.decode("latin-1")).matches(data, "delivered")


def test_a_long_payload_is_cut_and_says_so() -> None:
    shown = list(payload_lines(payload("CUSTOM", value="x" * 300_000)))
    assert "more bytes are not shown" in shown[-1][0][0]


def test_what_is_nested_as_deep_as_can_be_read_can_be_glanced_at() -> None:
    # Writing takes a little more of the stack than reading: just before that is no event any more.
    for depth in range(100, 1200):
        look = glance(b'{"type": "CUSTOM", "value": ' + b"[" * depth + b"]" * depth + b"}")
        assert look.type in ("CUSTOM", "not an event")


def test_types_by_their_looks() -> None:
    assert type_of(payload("RUN_STARTED")) == "RUN_STARTED"
    assert type_of(b'{"a": 1}') == "?"


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("", True),
        ("type:text", True),
        ("type:tool", False),
        ("type:tool type:text", True),
        ("id:m1", True),
        ("id:m2", False),
        ("hello", True),
        ("Hello", True),
        ("HELLO", False),
        ("verdict:deliv", True),
        ("verdict:dropped", False),
        ("type:text id:m1 hello", True),
        ("type: x", False),
    ],
)
def test_the_events_filter(written: str, found: bool) -> None:
    event = payload("TEXT_MESSAGE_CONTENT", messageId="m1", delta="Hello")
    assert EventFilter.parse(written).matches(event, "delivered") is found


@settings(max_examples=examples(150))
@given(st.lists(st.text(max_size=40), max_size=4), st.integers(2, 30))
@example(["00\xa0"], 2)
def test_wrapping_keeps_all_but_spaces(texts: list[str], width: int) -> None:
    rows = list(rows_of([(text, "") for text in texts], width))
    for row in rows:
        assert sum(cell_len(text) for text, _ in row.cells) <= width
    joined = "".join(text for row in rows for text, _ in row.cells)
    assert joined.replace(" ", "") == "".join(texts).replace(" ", "")


def test_what_has_no_room_stands_below_its_like() -> None:
    def told(rows: Iterator[Row]) -> list[str]:
        return ["".join(text for text, _ in row.cells) for row in rows]

    assert told(rows_of(Fact([("id      ", ""), ("aaaa bbbb", "")]), 16)) == [
        "id      aaaa",
        "        bbbb",
    ]
    # Where nothing can be broken apart, it does not leave its name.
    assert told(rows_of(Fact([("id      ", ""), ("a" * 12, "")]), 16)) == [
        "id      aaaaaaaa",
        "        aaaa",
    ]
    assert told(rows_of([('    "key": ', ""), ('"aaaa bbbb"', "")], 20)) == [
        '    "key": "aaaa',
        '      bbbb"',
    ]


@pytest.mark.parametrize(("size", "counted"), [(10, 64), (1_000_000, 1)])
def test_whether_it_is_enough_is_asked_sooner_of_large_payloads(size: int, counted: int) -> None:
    """Of many small ones it would cost more than counting them."""
    tally, payload = Tally(), b'{"type":"RAW","event":"' + b"x" * size + b'"}'
    assert count_some(tally, 1_000, lambda _: payload, lambda _: None, lambda: True)
    assert tally.count == counted


VALUES = st.text(max_size=80) | NUMBERS


@given(st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=3)), st.integers(1, 60))
def test_json_is_laid_out_bit_by_bit_as_at_once(value: list[object], step: int) -> None:
    text = json.dumps(value * 3)
    whole = JsonSource(longest=len(text))
    whole.update(lambda start, end: text[start:end], len(text), open=False, whole=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.ui.layout.json.source.STEP", step)
        assert list(laid_out(text)) == [line for leaf in whole.leaves for line in leaf.lines]


@pytest.mark.parametrize("number", ["1" * 150_000, "0." + "3" * 150_000, "-1e" + "5" * 150_000])
def test_a_number_longer_than_a_bit_is_laid_out(number: str) -> None:
    """It made no step forward, and the viewer stood still."""
    shown = "".join("".join(laid_out(f'{{"value": [{number}, true]}}')).split())
    assert shown == f'{{"value":[{number},true]}}'


def test_lines_that_are_made_when_looked_at_are_equal_where_they_are_of_the_same() -> None:
    one, other = {"a": 1}, {"a": 1}
    assert json_lines(one) == json_lines(one)
    assert hash(json_lines(one)) == hash(json_lines(one))
    assert json_lines(one) != json_lines(other)


class Lined(App[None]):
    def compose(self) -> ComposeResult:
        yield Lines()


async def test_lines_are_wrapped_beside_their_scrollbar() -> None:
    app = Lined()
    for theme in load_themes()[0].values():
        app.register_theme(textual_theme(theme))
    app.theme = "dusk"
    async with app.run_test(size=(30, 6)) as pilot:
        lines = app.query_one(Lines)
        lines.show_lines([[("word " * 4 + f"the end{number}", "")] for number in range(9)])
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        shown = "\n".join("".join(segment.text for segment in strip) for strip in strips)
        assert "end0" in shown
        assert "…" not in shown
