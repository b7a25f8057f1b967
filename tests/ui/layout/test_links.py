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
