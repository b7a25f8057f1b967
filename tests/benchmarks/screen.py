"""What the transcript view costs a frame, beside a minimal Textual app in the same run.

CPU milliseconds (process time, medians) at 100 × 40: a token, a new line, pages, jumps,
resizing, and a message of a megabyte. ``python -m tests.benchmarks.screen``
"""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from collections.abc import Callable
from typing import Any, Final

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from tests.benchmarks.measuring import head, judge, say
from tests.ui.transcript.harness import (
    Event,
    MadeSession,
    ViewApp,
    closed,
    message,
    opened,
    said,
    settle,
    started,
    thought,
)

SIZE = (100, 40)
WORDS = "lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy".split()  # noqa: SIM905
ROUNDS = 40
PAUSE = 0.03
"""Seconds between two actions: each is painted before the next."""
AIMS: Final = {"token": 4.0, "line": 11.0, "resize": 120.0} | dict.fromkeys(
    ("page", "jump", "ends", "search hit"), 50.0
)
"""Milliseconds."""


class MinimalApp(App[None]):
    """One line that changes: the floor of what any Textual app costs."""

    def compose(self) -> ComposeResult:
        yield Static("", id="line")


async def measure(act: Callable[[int], Any], rounds: int = ROUNDS) -> float:
    """CPU milliseconds of an action and its painting, the median."""
    costs: list[float] = []
    for number in range(rounds):
        before = time.process_time()
        act(number)
        await asyncio.sleep(PAUSE)
        costs.append(time.process_time() - before)
    return statistics.median(costs) * 1000


def sentences(rng: random.Random, number: int) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(number))


def conversation(messages: int) -> list[Event]:
    """User, assistant with a list, and reasoning, in turns; a tenth of them long."""
    rng = random.Random(7)
    events = [started()]
    for number in range(messages):
        words = 200 if number % 10 == 0 else 25
        text = sentences(rng, words)
        if number % 3 == 0:
            events += message(f"m{number}", text, "user")
        elif number % 3 == 1:
            events += message(f"m{number}", f"**{number}** {text}\n\n- one\n- two `code`\n")
        else:
            events += thought(f"m{number}", text)
    return events


async def minimal() -> float:
    app = MinimalApp()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        line = app.query_one("#line", Static)
        return await measure(lambda number: line.update(f"token {number}"))


async def costs_of(messages: int) -> dict[str, float]:
    session = MadeSession(conversation(messages))
    tape = session.tape
    app = ViewApp(session)
    costs: dict[str, float] = {}
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        view = app.view

        def add(*events: Event) -> None:
            tape.add(*events)
            view.show(tape.length)

        add(opened("last"), said("last", "start"))
        costs["token"] = await measure(lambda number: add(said("last", f" w{number}")))
        costs["line"] = await measure(lambda number: add(said("last", f"\n\nline {number}")))
        add(closed("last"), opened("m0"))
        costs["token above"] = await measure(lambda number: add(said("m0", f" w{number}")))
        view.go_first()
        costs["token first"] = await measure(lambda number: add(said("m0", f" w{number}")))
        costs["line first"] = await measure(lambda number: add(said("m0", f"\n\nline {number}")))
        middle = f"m{messages // 6 * 3 + 1}"
        add(closed("m0"), opened(middle))
        view.jump_to(1 + messages // 6 * 3 + 1)
        costs["token middle"] = await measure(lambda number: add(said(middle, f" w{number}")))
        view.go_first()
        costs["page"] = await measure(lambda number: view.scroll_pages(1), 20)
        keys = random.Random(3)
        costs["jump"] = await measure(lambda number: view.jump_to(keys.randrange(1, messages)), 20)
        costs["ends"] = await measure(
            lambda number: view.go_first() if number % 2 else view.go_last(), 20
        )
        costs["search hit"] = await measure(
            lambda number: view.search(f"{keys.randrange(1, messages) // 3 * 3 + 1}"), 10
        )
        view.clear_search()
        costs["resize"] = await resizing(pilot)
        costs["z"] = await measure(lambda number: view.cycle_reasoning(), 8)
        position = tape.length
        costs["seek"] = await measure(lambda number: view.show(keys.randrange(1, position)), 10)
    return costs


async def resizing(pilot: Pilot[None]) -> float:
    costs: list[float] = []
    for width in (99, 100, 98, 100, 97):
        before = time.process_time()
        await pilot.resize_terminal(width, SIZE[1])
        await asyncio.sleep(PAUSE)
        costs.append(time.process_time() - before)
    return statistics.median(costs) * 1000


async def megabyte(text: str) -> tuple[float, float, float]:
    """A message of a megabyte: opening it; a token in its first tenth; in its last."""
    size = 1_000_000
    session = MadeSession([started(), opened("a")])
    tape = session.tape
    app = ViewApp(session)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)

        def add(piece: str) -> None:
            tape.add(said("a", piece))
            app.view.show(tape.length)

        piece = text[: len(text) // 2]
        add((text * (size // len(text)))[: size // 10])
        first = await measure(lambda number: add(piece[:12]))
        before = time.process_time()
        add((text * (size // len(text)))[: size * 8 // 10])
        await asyncio.sleep(PAUSE)
        opening = (time.process_time() - before) * 1000
        last = await measure(lambda number: add(piece[:12]))
    return opening, first, last


async def report(few: int, many: int) -> None:
    head(f"On the screen, 100 × 40, {many:,} messages (CPU, medians)")
    say("a minimal app, one line changes", f"{await minimal():.1f} ms")
    # Twice and in turns, so that a busy moment meets both.
    tries = [(await costs_of(few), await costs_of(many)) for _ in range(2)]
    least, most = (
        {name: min(one[name] for one in costs) for name in costs[0]}
        for costs in zip(*tries, strict=True)
    )
    for name, figure in most.items():
        aim = AIMS.get(name) or AIMS.get(name.split()[0])
        if aim is None:
            say(name, f"{figure:.1f} ms")
        else:
            judge(name, figure, aim, " ms")
        if name.startswith("token"):
            judge(f"… ÷ that at {few}", figure / least[name], 1.3)
    for name, text in (("Markdown", MARKDOWN), ("one line, no space", "abcdefghij")):
        opening, first, last = await megabyte(text)
        head(f"A message of 1 MB, {name}")
        say("its end is shown (see huge for all of it)", f"{opening:.0f} ms")
        judge("a token in the last tenth ÷ in the first", last / first, 1.5)


MARKDOWN = (
    "## A heading\n\nSome *words* in a paragraph with `code` that goes on for a while.\n\n"
    "- a list\n- of two\n\n```python\nprint('x')\n```\n\n"
)


def main() -> None:
    asyncio.run(report(100, 10_000))


if __name__ == "__main__":
    main()
