"""Texts that laws are tried on: Markdown as it is written, as it is broken, and any text."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = st.sampled_from(
    ["word", "a", "longer-word", "日本語", "e\u0301", "👩\u200d👩\u200d👧", "🇩🇪", "שלום", "❤️",
     "नमस्ते", "**bold**", "*it*", "`code`", "~~gone~~", "[x](http://a.b/c)", "[ref][1]", "\\*",
     "https://a.b/c.", "&amp;", "<b>", "![alt](src.png)", "**", "*", "`", "_", "|", "x" * 40]
)  # fmt: skip
SENTENCE = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
PREFIX = st.sampled_from(
    ["", "", "", "", "- ", "* ", "1. ", "2) ", "> ", "  ", "   ", "    ", "  - ", "    - ", "> - ",
     "- - ", "# ", "### ", "\t", "- [ ] "]
)  # fmt: skip
WHOLE = st.sampled_from(
    ["", "", "", "---", "===", "- - -", "```", "```python", "~~~", "  ```", "| a | b |",
     "|---|--:|", "| 1 | 2 |", "-", "1.", ">", "#", "[1]: http://ref.example/", "<div>", "</div>",
     "<!--", "-->", "    code", "def f(): pass", "> ```", "- ```"]
)  # fmt: skip
LINE = st.one_of(st.tuples(PREFIX, SENTENCE).map("".join), WHOLE)
BREAK = st.sampled_from(["\n", "\n", "\n", "\n\n", "\r\n", "\r"])
MARKDOWN = st.lists(st.tuples(LINE, BREAK).map("".join), max_size=20).map("".join)
ANYTHING = st.text(st.characters(exclude_categories=()), max_size=200)
TEXTS = st.one_of(MARKDOWN, MARKDOWN, ANYTHING)


@st.composite
def cuts(draw: st.DrawFn, text: str) -> list[int]:
    """Ascending lengths that end with the whole text."""
    inner = draw(st.lists(st.integers(0, len(text)), max_size=8))
    return [*sorted(inner), len(text)]


NUMBERS = st.integers(-(10**80), 10**80) | st.floats(allow_nan=False, allow_infinity=False)
"""Of JSON, also such as are longer than a step in the tests."""
