"""What laying out costs: opening and growing texts of a megabyte. Ratios count, not times.

    python -m tests.benchmarks.layout

Opening: to the first and to the last screenful, and to having read all of it (which a view does a
little at a time, see ``huge``).
CPU time of this process only. "first" and "last" are the first and the last tenth of the tokens.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Final

from transcript_tui.ui.layout import Document, DocumentStyles, JsonDocument, Mode
from transcript_tui.ui.themes import load_themes

WIDTH: Final = 100
SCREEN: Final = 40
TOKEN: Final = 5
MEGABYTE: Final = 1_000_000

_PARAGRAPH: Final = (
    "The quick **brown** fox jumps over the `lazy` dog, and [a link](https://example.com/x) says "
    "*why* it does so again and again. "
)
_PARTS: Final = (
    "## A heading\n",
    _PARAGRAPH * 3,
    "```python\n" + "def f(x):\n    return x + 1  # comment\n" * 8 + "```\n",
    "".join(f"- item {number} with **some** text that goes on\n" for number in range(8)),
    "| a | b | c |\n|---|---|---|\n" + "| cell one | cell two | `three` |\n" * 6,
    _PARAGRAPH,
)

TEXTS: Final[dict[str, tuple[Mode, Callable[[int], str]]]] = {
    "Markdown": ("markdown", lambda size: markdown(size)),
    "one paragraph": ("markdown", lambda size: (_PARAGRAPH * (size // 100))[:size]),
    "one line, no space": ("markdown", lambda size: "x" * size),
    "one line, wide": ("markdown", lambda size: "日本語の" * (size // 4)),
    "one code block": ("markdown", lambda size: "```python\n" + "x = f(1)  # y\n" * (size // 14)),
    "one list": ("markdown", lambda size: "- item **one** is this\n" * (size // 23)),
    "one table": ("markdown", lambda size: "| a | b |\n|-|-|\n" + "| c | `d` |\n" * (size // 12)),
    "source": ("source", lambda size: markdown(size)),
}


def markdown(size: int) -> str:
    parts: list[str] = []
    length = 0
    while length < size:
        part = _PARTS[len(parts) % len(_PARTS)] + "\n\n"
        parts.append(part)
        length += len(part)
    return "".join(parts)[:size]


def styles() -> DocumentStyles:
    return DocumentStyles.from_variables(load_themes()[0]["dusk"].colors)


def spent(work: Callable[[], object]) -> float:
    """Milliseconds of CPU."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def show(page: Document | JsonDocument, first: int) -> None:
    """Ask for a screenful, as a view does."""
    height = page.height(WIDTH)
    page.settle(WIDTH, first, first + SCREEN if first >= 0 else 0)
    height = page.height(WIDTH)
    start = first if first >= 0 else max(0, height + first)
    for y in range(start, min(height, start + SCREEN)):
        page.line(WIDTH, y)


def opening(name: str) -> tuple[float, float, float]:
    """Milliseconds to the first and to the last screenful of a megabyte, and for all the rest."""
    mode, make = TEXTS[name]
    text = make(MEGABYTE)
    taken = []
    for first in (0, -SCREEN):
        document = Document(mode, styles())
        document.replace(text)
        taken.append(spent(lambda page=document, at=first: show(page, at)))
    return taken[0], taken[1], spent(lambda: document.read_on(whole=True))


def growing(name: str, tokens: int = 8_000) -> tuple[float, float]:
    """Milliseconds a token, over the first and the last tenth."""
    mode, make = TEXTS[name]
    # The screen is full from the beginning: otherwise the first tokens have less to draw.
    before = "a line\n\n" * SCREEN
    text = before + make(tokens * TOKEN)
    document = Document(mode, styles())
    times: list[float] = []
    for number in range(1, tokens + 1):
        length = len(before) + number * TOKEN
        document.update(lambda a, b: text[a:b], length, open=True)
        times.append(spent(lambda: show(document, -SCREEN)))
    tenth = tokens // 10
    return sum(times[:tenth]) / tenth, sum(times[-tenth:]) / tenth


def main() -> None:
    out = sys.stdout
    out.write(f"{'1 MB':<22}{'first screen':>14}{'last screen':>14}{'the rest':>14}\n")
    for name in TEXTS:
        first, last, rest = opening(name)
        out.write(f"{name:<22}{first:>11.1f} ms{last:>11.1f} ms{rest:>11.1f} ms\n")
    out.write(f"\n{'8,000 tokens':<22}{'first':>14}{'last':>14}{'last ÷ first':>14}\n")
    for name in TEXTS:
        first, last = growing(name)
        out.write(f"{name:<22}{first:>11.3f} ms{last:>11.3f} ms{last / first:>14.2f}\n")


if __name__ == "__main__":
    main()
