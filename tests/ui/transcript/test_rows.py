"""Sentences that wrap: what an error or an interrupt says."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.conftest import examples
from transcript_tui.text import safe
from transcript_tui.ui import cells
from transcript_tui.ui.views.lines import rows_of
from transcript_tui.ui.views.transcript import rows


@settings(max_examples=examples(150))
@given(st.text(max_size=80).map(safe), st.integers(2, 30))
def test_wrapping_keeps_all_but_spaces(text: str, width: int) -> None:
    wrapped = rows.wrap(text, width)
    assert all(cell_len(line) <= width for line in wrapped)
    assert "".join(wrapped).replace(" ", "") == text.replace(" ", "").replace("\n", "")


@pytest.mark.parametrize("letter", ["a", "漢"])
@pytest.mark.parametrize(
    ("measure", "wrap"),
    [
        ((rows, "cell_len"), rows.wrap),
        ((cells, "rich_cell_len"), lambda text, width: list(rows_of([(text, "")], width))),
    ],
    ids=["sentence", "line"],
)
def test_a_long_word_is_not_measured_for_each_of_its_rows(
    letter: str,
    measure: tuple[ModuleType, str],
    wrap: Callable[[str, int], list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    measured = 0

    def counted(text: str) -> int:
        nonlocal measured
        measured += len(text)
        return cell_len(text)

    monkeypatch.setattr(*measure, counted)
    assert len(wrap(letter * 20_000, 40)) == 20_000 * cell_len(letter) // 40
    assert measured < 40 * 20_000
