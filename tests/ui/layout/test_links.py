"""An address stands beside a link where its text could be taken for another one, and only there."""

from __future__ import annotations

import pytest

from transcript_tui.ui.layout import Document, DocumentStyles


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("[its hours](https://a.example/h)", "its hours"),
        ("[https://a.example](https://b.example)", "https://a.example (https://b.example)"),
        ("<https://a.example>", "https://a.example"),
        ("[https://a.example](https://a.example/)", "https://a.example"),
        ("<mailto:ada@a.example>", "mailto:ada@a.example"),
        ("<ada@a.example>", "ada@a.example"),
        ("[mailto:ada@a.example](mailto:eve@b.example)",
         "mailto:ada@a.example (mailto:eve@b.example)"),
    ],
)  # fmt: skip
def test_where_the_address_is_told(text: str, shown: str) -> None:
    document = Document("markdown", DocumentStyles())
    document.replace(text)
    assert document.line(90, 0).text.rstrip() == shown


def test_an_address_that_comes_after_going_back_is_found() -> None:
    """Where a state was kept to go on from, definitions behind it were lost."""
    before = "[ref]\n\n" + "a paragraph\n\n" * 100
    text = before + "[ref]: https://a.example\n\nits end\n\n"
    document = Document("markdown", DocumentStyles())
    document.replace(text)
    assert document.line(90, 0).text.rstrip() == "ref"
    document.update(lambda start, end: text[start:end], len(before))
    assert document.line(90, 0).text.rstrip() == "[ref]"
    for length in (len(text) - 9, len(text)):
        document.update(lambda start, end: text[start:end], length)
        assert document.line(90, 0).text.rstrip() == "ref"
