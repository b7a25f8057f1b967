"""Our reading of Markdown's blocks against markdown-it's, which has the whole text at once."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from tests.ui.layout.texts import MARKDOWN
from transcript_tui.ui.cells import width_of
from transcript_tui.ui.layout import Document, DocumentStyles
from transcript_tui.ui.layout.leaves import Item, Leaf
from transcript_tui.ui.layout.source import Source

ORACLE = MarkdownIt("commonmark").enable("table")
Shape = tuple[str, tuple[str, ...], Any]


def lines_of(text: str) -> list[str]:
    lines = [line.strip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def theirs(text: str) -> list[Shape]:
    shapes: list[Shape] = []
    where: list[str] = []
    counts: list[int | None] = []
    used: list[bool] = []
    cells: list[list[str]] = []
    kind = ""
    for token in ORACLE.parse(text):
        match token.type:
            case "blockquote_open":
                where.append(">")
                used[:] = [True] * len(used)
                used.append(True)
            case "bullet_list_open":
                used[:] = [True] * len(used)
                counts.append(None)
            case "ordered_list_open":
                used[:] = [True] * len(used)
                counts.append(int(token.attrs.get("start", 1)))
            case "list_item_open":
                count = counts[-1]
                where.append(token.markup if count is None else f"{count}{token.markup}")
                used.append(False)
                counts[-1] = None if count is None else count + 1
            case "list_item_close":
                if not used[-1]:
                    shapes.append(("item", tuple(where), None))
                where.pop()
                used.pop()
            case "blockquote_close":
                where.pop()
                used.pop()
            case "bullet_list_close" | "ordered_list_close":
                counts.pop()
            case "paragraph_open" | "heading_open":
                kind = token.type.removesuffix("_open")
            case "table_open":
                kind, cells = "table", []
            case "tr_open":
                cells.append([])
            case "table_close":
                shapes.append(("table", tuple(where), cells))
            case "inline" if kind == "table":
                cells[-1].append(token.content)
            case "inline":
                level = len(token.content) * 0
                shapes.append((kind, tuple(where), lines_of(token.content) or level))
            case "fence" | "code_block" | "html_block" | "hr":
                shapes.append(_leaf(token, tuple(where)))
        if shapes and token.type in ("inline", "fence", "code_block", "html_block", "hr"):
            used[:] = [True] * len(used)
        if token.type in ("paragraph_open", "heading_open", "table_open"):
            used[:] = [True] * len(used)
    return shapes


def _leaf(token: Token, where: tuple[str, ...]) -> Shape:
    kind = {"code_block": "code", "html_block": "html", "hr": "rule"}.get(token.type, token.type)
    return kind, where, None if kind == "rule" else lines_of(token.content)


def ours(text: str) -> list[Shape]:
    source = Source("markdown")
    source.update(lambda start, end: text[start:end], len(text), open=False)
    whole: list[Leaf] = []
    for leaf in source.leaves:
        # A long block stands in several leaves; the structure is that of the block.
        if leaf.part:
            whole[-1] = replace(whole[-1], lines=[*whole[-1].lines, *leaf.lines])
        else:
            whole.append(leaf)
    return [_shape(leaf) for leaf in whole]


def _shape(leaf: Leaf) -> Shape:
    where = tuple(
        (container.sign if container.number is None else f"{container.number}{container.sign}")
        if isinstance(container, Item)
        else ">"
        for container in leaf.containers
    )
    if leaf.kind in ("rule", "item"):
        return leaf.kind, where, None
    if leaf.kind == "table":
        from transcript_tui.ui.layout.table import _cells

        assert leaf.head is not None
        return (
            "table",
            where,
            [list(leaf.head.cells), *(_cells(line, leaf.head) for line in leaf.lines)],
        )
    return leaf.kind, where, lines_of(leaf.text) or 0 if leaf.kind in (
        "paragraph", "heading"
    ) else lines_of(leaf.text)  # fmt: skip


APART = re.compile(
    r"""
    [\t\\]                                     # tabs are columns of four, escaped pipes are cells
    | ^[ >]*(?:[-*+#]|\d+[.)]).*\|            # "- a | b", "# a | b": no table, as on GitHub
    | \|.*\n[ >]*-+[ ]*$                       # "a |" underlined: a heading
    # And where markdown-it is not CommonMark:
    | ^[ ]*>.*\|.*\n[ ]*\|?[ ]*:?-             # a quote's line is no table's head
    | [.)][ ]*\n[ >]*\n[ >]*\n                 # blank lines after an empty item end no list
    | \]:.*\n[ >]*(?:[ ]{4}|[-+*\d])           # a definition is a paragraph: not all interrupts it
    """,
    re.M | re.X,
)
"""Where the two differ on purpose."""


def comparable(text: str) -> bool:
    return not APART.search(re.sub(r"\r\n?", "\n", text))


@given(MARKDOWN.filter(comparable))
def test_blocks_are_those_of_markdown_it(text: str) -> None:
    assert ours(text) == theirs(text)


@pytest.mark.parametrize(
    "text",
    [
        "a\nb\n\nc",
        "# H\ntext\n## H2 ##\n####### no",
        "Setext\n===\n\ntwo\nlines\n---\n",
        "- a\n- b\n\n  c\n- d\n\n\ne",
        "1. a\n2. b\n7. c\n\n1) d",
        "- a\n  - b\n    - c\n  - d\n- e",
        "> a\nb\n> c\n\nd",
        "> - a\n> - b\n>\n> c",
        "```py\ncode\n\n  more\n```\ntext",
        "```\nopen",
        "- ```\n  in item\n  ```\n- next",
        "- ```\nnot in item",
        "    code\n\n    more\n\n\ntext",
        "a\n    not code",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 |\n\ntext",
        "intro\n| a | b |\n|---|---|\n| 1 | 2 |\n> q",
        "| a |\n|---|---|",
        "<div>\nhi\n\n*x*\n</div>",
        "<!-- a\n\nb -->\ntext",
        "***\n---\n_ _ _",
        "-\n  a",
        "-\n\n  a",
        "- a\n-\n- b",
        "1.\n\n1.\n\n7. a",
        "1.\n\n1)\n\n- a\n  1.\n\n  1. b\n1. c",
        "> 4.\n>\n> 1. a\n\n1. b",
        "```\nword\n\n\n\n\nword\n\n\n---\n\n\n",
        "1986. A year",
        "text\n2. no list",
        "text\n1. list",
        "* a\n* * *\n* b",
        "[a]: http://x\ntext [a]",
        ">     code\n> text",
        "-     code\n- text",
        "> ```\n> a\nb",
    ],
)
def test_blocks(text: str) -> None:
    assert ours(text) == theirs(text)


@pytest.mark.parametrize(
    ("width", "first"),
    [(60, " hotel        │   price │ breakfast │ remarks"), (40, "hotel: Schweizerhof")],
)
def test_words_stay_whole_in_columns_or_the_table_is_records(width: int, first: str) -> None:
    text = (
        "| hotel | price | breakfast | remarks |\n|---|--:|---|---|\n"
        "| Schweizerhof | CHF 420 | yes | opposite the station, quiet rooms to the courtyard |"
    )
    document = Document("markdown", DocumentStyles())
    document.replace(text)
    shown = [document.line(width, y).text.rstrip() for y in range(document.height(width))]
    assert shown[0] == first
    assert any("courtyard" in line for line in shown)


def test_marks_that_have_no_room_are_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each against all that were left, a line of quotes in quotes took seconds for a row."""
    measured = 0

    def counted(text: str) -> int:
        nonlocal measured
        measured += 1
        return width_of(text)

    monkeypatch.setattr("transcript_tui.ui.layout.painter.width_of", counted)
    document = Document("markdown", DocumentStyles())
    document.replace(">" * 1_500 + " deep")
    drawn = [document.line(40, y).text for y in range(document.height(40))]
    assert [row.strip("│ ") for row in drawn] == ["deep"]
    assert 1_500 <= measured <= 3_100
