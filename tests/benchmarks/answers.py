"""An answer that is no stream: what it says is read in proportion to it, whatever it is."""

from __future__ import annotations

from tests.benchmarks.measuring import cpu, head, judge
from tests.session.pages import UNENDED, of_size
from transcript_tui.session.sources.answers import body_gist
from transcript_tui.session.sources.http import BODY


def main() -> None:
    head("A web page where a stream should be")
    dearest = max(cost(shape, BODY) for shape in UNENDED)
    judge(f"the dearest of {BODY:,} characters (CPU)", dearest * 1000, 20, " ms")
    grown = max(cost(shape, 8 * BODY) / cost(shape, BODY) for shape in UNENDED)
    judge("… eight times as many, in times", grown, 16)


def cost(shape: str, size: int) -> float:
    page = "<html>" + of_size(shape, size)
    return cpu(lambda: body_gist(page, "text/html"), 5)


if __name__ == "__main__":
    main()
