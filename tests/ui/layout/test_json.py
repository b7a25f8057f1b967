"""Where JSON breaks into lines, also while it grows."""

from __future__ import annotations

import json

from transcript_tui.ui.layout import DocumentStyles, JsonDocument
from transcript_tui.ui.layout.json.indenter import COMPACT

STYLES = DocumentStyles()
HOURS = {f"{hour}:00": {"sky": "sun", "celsius": hour} for hour in (10, 12, 14)}


def lines(text: str, *, open: bool = False, width: int = 90) -> list[str]:
    document = JsonDocument(STYLES)
    document.update(text, open=open)
    return [document.line(width, y).text.rstrip() for y in range(document.height(width))]


def test_what_fits_stands_in_one_line() -> None:
    assert lines('{"since":"14:00","limit":[1,2]}') == ['{"since": "14:00", "limit": [1, 2]}']


def test_only_what_does_not_fit_is_broken_out() -> None:
    assert lines(json.dumps(HOURS)) == [
        "{",
        '  "10:00": {"sky": "sun", "celsius": 10},',
        '  "12:00": {"sky": "sun", "celsius": 12},',
        '  "14:00": {"sky": "sun", "celsius": 14}',
        "}",
    ]


def test_what_is_not_yet_whole_breaks_out_when_it_no_longer_fits() -> None:
    text = json.dumps(HOURS)
    assert lines(text[:40], open=True) == ['{"10:00": {"sky": "sun", "celsius": 10},']
    assert lines(text[:60], open=True) == [
        "{",
        '  "10:00": {"sky": "sun", "celsius": 10},',
        '  "12:00": {"sky": "s',
    ]


def test_empty_containers_are_never_broken() -> None:
    key = "k" * COMPACT
    assert lines(json.dumps({key: {}, "list": []})) == [
        "{",
        f'  "{key}": {{}},',
        '  "list": []',
        "}",
    ]


def test_a_line_is_no_wider_than_it_may_be() -> None:
    nested = json.loads("[" * 20 + "1, 2, 3" + "]" * 20)
    value = {"nested": nested, "list": list(range(100, 140)), "hours": HOURS}
    for line in lines(json.dumps(value)):
        assert len(line.rstrip(",")) <= COMPACT


def test_what_is_no_json_is_shown_as_it_came() -> None:
    for text in ('{"a" 1}', "[1,]", '{"a":1]', "{1:2}", "[1 2]", "]", '{"a":1}}', "01", '{"a",}'):
        assert lines(text) == [text]
