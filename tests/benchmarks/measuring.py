"""Measuring: CPU seconds rather than wall time, and the best of some tries."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Cost:
    """What a program took."""

    cpu: float
    """Seconds, user and system."""
    peak: float
    """MiB, resident."""
    status: int


def environment() -> dict[str, str]:
    """As a user's shell has it, with bytecode kept, as it is for an installed program."""
    ours = ("NO_COLOR", "TEXTUAL_THEME", "PYTHONDONTWRITEBYTECODE")
    return {name: value for name, value in os.environ.items() if name not in ours}


def cpu(work: Callable[[], object], tries: int = 3) -> float:
    """CPU seconds of the best of ``tries``."""
    best = float("inf")
    for _ in range(tries):
        gc.collect()
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def both(
    one: Callable[[], object], other: Callable[[], object], tries: int = 5
) -> tuple[float, ...]:
    """CPU seconds of the best of each, in turns, so that a busy moment meets both."""
    rounds = [(cpu(one, 1), cpu(other, 1)) for _ in range(tries)]
    return tuple(map(min, zip(*rounds, strict=True)))


def cost(command: Sequence[str], tries: int = 3) -> Cost:
    """The cheapest of ``tries`` runs of a program, its output thrown away."""
    return min((_run(command) for _ in range(tries)), key=lambda one: one.cpu)


def _run(command: Sequence[str]) -> Cost:
    child = os.fork()
    if child == 0:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(nowhere, fd)
        os.execve(command[0], list(command), environment())
    _, status, usage = os.wait4(child, 0)
    return Cost(
        usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, os.waitstatus_to_exitcode(status)
    )


def say(what: str, value: str, aim: str = "") -> None:
    """One row."""
    sys.stdout.write(f"  {what:<58} {value:>14}{f'   aim {aim}' if aim else ''}\n")
    sys.stdout.flush()


def judge(what: str, figure: float, aim: float, unit: str = "") -> None:
    """One row of which it is said whether its aim is met."""
    digits = 0 if aim >= 20 else 1 if unit else 2
    verdict = "met" if figure <= aim else f"missed by {figure / aim - 1:.0%}"
    say(what, f"{figure:.{digits}f}{unit}", f"≤ {aim:g}{unit}: {verdict}")


def head(title: str) -> None:
    sys.stdout.write(f"\n{title}\n")
    sys.stdout.flush()
