"""Laws of the layout: how a text arrived is not seen in how it looks."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.ui.layout.texts import ANYTHING, MARKDOWN, NUMBERS, TEXTS, cuts
from transcript_tui.text import TAB, clean, marked
from transcript_tui.ui.layout import Document, DocumentStyles, JsonDocument, Mode
from transcript_tui.ui.layout.copying import text_of
from transcript_tui.ui.layout.document import Page
from transcript_tui.ui.layout.leaves import Leaf
from transcript_tui.ui.layout.markdown.blocks import Markdown
from transcript_tui.ui.layout.painter import Painter
from transcript_tui.ui.layout.rows import EVERYTHING, Row, copied_pieces

STYLES = DocumentStyles()
MODES: tuple[Mode, ...] = ("markdown", "source")
WIDTHS = st.sampled_from([1, 2, 3, 7, 12, 30, 60, 80, 120])


def rows(page: Page, width: int) -> list[list[tuple[str, object]]]:
    while page.read_on():
        pass
    page.settle(width, 0, 0)
    height = page.height(width)
    return [
        [(segment.text, segment.style) for segment in page.line(width, y)] for y in range(height)
    ]


def whole(text: str, mode: Mode = "markdown") -> Document:
    document = Document(mode, STYLES)
    document.replace(text)
    return document


def copied(document: Page, width: int) -> list[str]:
    """The lines that copying all of it gives, without blanks at their ends."""
    document.settle(width, 0, 0)
    rows = [document.copied(width, y) for y in range(document.height(width))]
    return trimmed(text_of(rows).split("\n"))


def trimmed(lines: list[str]) -> list[str]:
    kept = [line.rstrip(" ") for line in lines]
    while kept and not kept[-1]:
        kept.pop()
    return kept


@given(st.data(), TEXTS, WIDTHS, st.sampled_from(MODES))
def test_grown_is_whole(data: st.DataObject, text: str, width: int, mode: Mode) -> None:
    document = Document(mode, STYLES)
    for length in data.draw(cuts(text)):
        document.update(lambda start, end: text[start:end], length, open=True)
        rows(document, width)
    document.update(lambda start, end: text[start:end], len(text))
    assert rows(document, width) == rows(whole(text, mode), width)


@given(TEXTS, WIDTHS, st.integers(20, 60))
def test_read_in_steps_is_read_at_once(text: str, width: int, step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.ui.layout.source.STEP", step)
        patch.setattr("transcript_tui.ui.layout.source.LIMIT", 10)
        patch.setattr("transcript_tui.ui.layout.source.MARGIN", 5)
        patch.setattr("transcript_tui.ui.layout.likelyend.ENDING", step // 2)
        stepwise, at_once = whole(text), whole(text)
        at_once.read_on(whole=True)
        leaves, more = at_once._source.leaves, True
        while more:
            rest = stepwise.height(width)
            stepwise.settle(width, rest // 2, rest)
            more = stepwise.read_on()
            settled = stepwise._source.settled
            assert stepwise._source.leaves[:settled] == leaves[:settled]
        assert stepwise._source.leaves == leaves
        assert rows(stepwise, width) == rows(at_once, width)


@given(st.data(), TEXTS, WIDTHS, st.integers(4, 30))
def test_read_on_while_it_grows_and_shrinks(
    data: st.DataObject, text: str, width: int, step: int
) -> None:
    lengths = st.lists(st.tuples(st.integers(0, len(text)), st.integers(0, 4)), max_size=6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.ui.layout.source.STEP", step)
        patch.setattr("transcript_tui.ui.layout.source._EVERY", 2)
        patch.setattr("transcript_tui.ui.layout.likelyend.ENDING", step // 2)
        document = Document("markdown", STYLES)
        for length, steps in data.draw(lengths):
            document.update(lambda start, end: text[start:end], length, open=True)
            for _ in range(steps):
                document.read_on()
                document.settle(width, 0, 3)
                height = document.height(width)
                document.settle(width, max(0, height - 3), height)
        document.update(lambda start, end: text[start:end], len(text))
        assert rows(document, width) == rows(whole(text), width)


LONG: dict[str, str] = {
    "paragraphs": "".join(f"paragraph {n} with *some* words\n\n" for n in range(4_000)),
    "list": "".join(f"- item **{n}**\n" for n in range(8_000)),
    "table": "| a | b |\n|---|---|\n" + "| cell | `other` |\n" * 6_000,
    "code": "```python\n" + "x = f(1)  # y\n\n" * 7_000,
    "code and text": ("```python\nprint(1)\n\n\n```\n\ntext\n\n" * 2_000)[:-20],
    "quote": "> quoted words\n" * 8_000,
}


@pytest.mark.parametrize("name", LONG)
def test_the_end_is_mostly_guessed_right(name: str) -> None:
    document = whole(LONG[name])
    document.settle(60, document.height(60) - 40, document.height(60))
    height = document.height(60)
    guessed = [document.line(60, y).text for y in range(height - 40, height)]
    assert not document.complete
    document.read_on(whole=True)
    document.settle(60, -50, 0)
    height = document.height(60)
    assert [document.line(60, y).text for y in range(height - 40, height)] == guessed


@given(st.data(), TEXTS, WIDTHS)
def test_going_back_is_never_having_gone_on(data: st.DataObject, text: str, width: int) -> None:
    document = whole(text)
    rows(document, width)
    for length in data.draw(st.lists(st.integers(0, len(text)), min_size=1, max_size=4)):
        document.update(lambda start, end: text[start:end], length)
        assert rows(document, width) == rows(whole(text[:length]), width)


@given(st.data(), TEXTS, TEXTS, WIDTHS)
def test_going_back_and_on_again(data: st.DataObject, text: str, other: str, width: int) -> None:
    """What was read beyond a place is kept for coming again; another text makes it void."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.ui.layout.source._EVERY", 1)
        document = whole(text)
        rows(document, width)
        lengths = st.lists(st.integers(0, len(text)), min_size=1, max_size=6)
        for length in data.draw(lengths):
            document.update(lambda start, end: text[start:end], length)
            assert rows(document, width) == rows(whole(text[:length]), width)
        instead = text[: document.length] + other
        document.replace(instead)
        assert rows(document, width) == rows(whole(instead), width)


@given(TEXTS, WIDTHS)
def test_the_shortcut_of_simple_lines_is_only_that(text: str, width: int) -> None:
    expected = rows(whole(text), width)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Markdown, "_simple", lambda *_: False)
        assert rows(whole(text), width) == expected


@given(TEXTS, TEXTS, WIDTHS)
def test_another_text_is_that_text(first: str, second: str, width: int) -> None:
    document = whole(first)
    rows(document, width)
    document.replace(first[: len(first) // 2] + second)
    assert rows(document, width) == rows(whole(first[: len(first) // 2] + second), width)


@given(TEXTS, WIDTHS, st.sampled_from(MODES))
def test_no_row_is_wider_and_rich_measures_the_same(text: str, width: int, mode: Mode) -> None:
    document = whole(text, mode)
    document.settle(width, 0, 0)
    for y in range(document.height(width)):
        strip = document.line(width, y)
        assert strip.cell_length == sum(cell_len(segment.text) for segment in strip)
        # Containers and two-cell graphemes need room of their own.
        assert strip.cell_length <= max(width, 12)


@given(TEXTS, WIDTHS, st.sampled_from(MODES))
def test_nothing_harmful_is_drawn(text: str, width: int, mode: Mode) -> None:
    document = whole(text, mode)
    document.settle(width, 0, 0)
    for y in range(document.height(width)):
        drawn = document.line(width, y).text
        assert clean(drawn) or any(char in drawn for char in "\u200c\u200d\ufe0f\ufe0e\U000e0067")
        assert not any(char < " " or "\x7f" <= char < "\xa0" for char in drawn)
        assert "\u202e" not in drawn


@given(ANYTHING.filter(lambda text: text.isprintable() and text.isascii()), WIDTHS)
def test_source_loses_no_letter(text: str, width: int) -> None:
    drawn = "".join(copied(whole(text, "source"), width))
    assert drawn.replace(" ", "") == text.replace(" ", "")


@given(TEXTS, WIDTHS)
def test_copied_source_is_the_source(text: str, width: int) -> None:
    lines = [marked(line).expandtabs(TAB) for line in re.split("\r\n|\n|\r", text)]
    assert copied(whole(text, "source"), width) == trimmed(lines)


@given(TEXTS, WIDTHS, st.sampled_from(MODES))
def test_lines_that_were_cut_into_leaves_are_copied_whole(
    text: str, width: int, mode: Mode
) -> None:
    line = " ".join(re.split("\r\n|\n|\r", text)).replace("\t", " ")
    if mode == "markdown":
        line = "So: " + re.sub(r"[^\w ]+|_", "", line).strip(" ")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.ui.layout.source.LIMIT", 10)
        patch.setattr("transcript_tui.ui.layout.source.MARGIN", 5)
        assert copied(whole(line, mode), width) == trimmed([marked(line)])


@given(st.lists(ANYTHING, max_size=6), WIDTHS)
def test_copied_code_is_the_code(lines: list[str], width: int) -> None:
    code = [line for each in lines for line in re.split("\r\n|\n|\r", each) if "~~~" not in line]
    document = whole("\n".join(["~~~~ python", *code, "~~~~"]))
    assert copied(document, width) == trimmed([marked(line).expandtabs(TAB) for line in code])


@given(MARKDOWN, st.sampled_from([40, 60, 100]))
def test_what_is_copied_does_not_depend_on_the_width(text: str, width: int) -> None:
    document = whole(text)
    assert copied(document, width) == copied(document, 10_000)


@given(st.data(), MARKDOWN, WIDTHS, st.sampled_from(MODES))
def test_copied_at_once_is_copied_row_by_row(
    data: st.DataObject, text: str, width: int, mode: Mode
) -> None:
    untouched, settled = whole(text, mode), whole(text, mode)
    settled.settle(width, 0, 0)
    height = settled.height(width)
    first = data.draw(st.integers(0, height))
    last = data.draw(st.integers(first, height))
    left, right = data.draw(st.integers(0, width)), data.draw(st.integers(0, width))
    given_rows = [
        settled.copied(width, y, left if y == first else 0, right if y == last - 1 else EVERYTHING)
        for y in range(first, last)
    ]
    pieces = copied_pieces(settled.rows_between(width, first, last), left, right)
    assert [row for piece in pieces for row in piece] == given_rows
    # All of it, though nobody laid it out: there may be more rows than were guessed.
    stack = untouched._stack(width)
    guessed = stack.height
    pieces = copied_pieces(untouched.rows_between(width, 0, guessed), 0, EVERYTHING)
    everything = [settled.copied(width, y) for y in range(height)]
    assert [row for piece in pieces for row in piece] == everything
    assert not stack.laid_out()


@given(st.data(), MARKDOWN, st.sampled_from(MODES))
def test_parts_of_rows_are_copied_whole_together(
    data: st.DataObject, text: str, mode: Mode
) -> None:
    document = whole(text, mode)
    document.settle(60, 0, 0)
    for y in range(document.height(60)):
        row = document.copied(60, y)
        cell = data.draw(st.integers(0, 60))
        before, after = document.copied(60, y, 0, cell), document.copied(60, y, cell)
        if row is None or before is None or after is None:
            assert row is before is after is None
            continue
        for one, left, right in zip(row.texts, before.texts, after.texts, strict=True):
            # A grapheme that is cut is in both; so is the mark of a list.
            assert one is not None
            assert one.startswith(left or "")
            assert one.endswith((right or "").lstrip(" "))
            assert len(one) <= len(left or "") + len(right or "")


@given(st.data(), TEXTS, WIDTHS)
def test_places_are_found_again(data: st.DataObject, text: str, width: int) -> None:
    document = whole(text)
    document.settle(width, 0, 0)
    height = document.height(width)
    for y in range(height):
        assert document.place(width, document.anchor(width, y)) == y
    if text:
        y, x = document.locate(width, data.draw(st.integers(0, len(text) - 1)))
        assert 0 <= y < max(1, height)
        assert 0 <= x <= max(width, 12)


@given(st.data(), st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
), WIDTHS)  # fmt: skip
def test_json_grown_is_whole(data: st.DataObject, value: object, width: int) -> None:
    text = json.dumps(value, indent=data.draw(st.sampled_from([None, 1])))
    grown = JsonDocument(STYLES)
    for length in data.draw(cuts(text)):
        grown.update(text[:length], open=True)
        rows(grown, width)
    grown.update(text)
    at_once = JsonDocument(STYLES)
    at_once.update(text)
    assert rows(grown, width) == rows(at_once, width)
    drawn = "".join(at_once.line(width, y).text for y in range(at_once.height(width)))
    assert "".join(drawn.split()) == "".join(text.split())


@given(st.lists(st.text(max_size=60) | NUMBERS, min_size=1, max_size=12), st.integers(1, 30))
def test_json_in_steps_is_json_at_once(value: list[object], step: int) -> None:
    at_once = JsonDocument(STYLES)
    at_once.update(json.dumps(value))
    expected = rows(at_once, 40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.ui.layout.json.source.STEP", step)
        stepwise = JsonDocument(STYLES)
        stepwise.update(json.dumps(value))
        while stepwise.read_on():
            stepwise.settle(40, 0, 20)
        assert rows(stepwise, 40) == expected


@given(TEXTS, WIDTHS)
def test_json_takes_any_text(text: str, width: int) -> None:
    document = JsonDocument(STYLES)
    document.update(text, open=True)
    rows(document, width)


@pytest.mark.parametrize("mode", MODES)
def test_the_same_row_is_the_same_object(mode: Mode) -> None:
    document = Document(mode, STYLES)
    document.replace("one\n\ntwo\n\nthree")
    first = document.line(40, 0)
    document.replace("one\n\ntwo\n\nthree and more")
    assert document.line(40, 0) is first


@given(MARKDOWN)
def test_links_are_where_they_are_shown(text: str) -> None:
    document = whole(text)
    document.settle(60, 0, 0)
    for link in document.links(60, 0, document.height(60)):
        shown = document.line(60, link.y).crop(link.x, link.end).text
        assert shown == link.text


@pytest.mark.parametrize("fence", ["```", "~~~", "  ```"])
def test_a_fence_that_arrives_sign_by_sign_is_never_shown_as_code(fence: str) -> None:
    opened = f"before\n\n{fence.strip()}python\nx = 1\n"
    document = Document("markdown", STYLES)
    for length in range(len(opened), len(opened + fence) + 1):
        document.replace((opened + fence)[:length], open=True)
        shown = [document.line(40, y).text for y in range(document.height(40))]
        assert not any(sign in row for row in shown for sign in "`~"), shown
    # Nothing more comes: then it is a line of the code.
    document.replace(opened + fence[:-1], open=False)
    assert fence[:-1] in document.line(40, document.height(40) - 1).text


@pytest.mark.parametrize(("words", "all_of_it"), [(4, True), (60, False)])
def test_what_nobody_looks_at_is_laid_out_where_it_is_little(
    words: int, all_of_it: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Leaf] = []
    draw = Painter.rows

    def watched(painter: Painter, leaf: Leaf, width: int) -> list[Row]:
        drawn.append(leaf)
        return draw(painter, leaf, width)

    monkeypatch.setattr(Painter, "rows", watched)
    document = Document("markdown", STYLES)
    document.replace("\n\n".join(["a **word** " * words] * 60))
    document.height(60)
    document.settle(60, -20, 0)
    document.lines(60, document.height(60) - 20, document.height(60))
    assert document.exact(60) == all_of_it
    assert len(drawn) == (60 if all_of_it else 3)
