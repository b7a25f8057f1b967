"""Figures of a run, or of everything: pure functions over times that are handed in.

Times are seconds since the source began, by payload number; ``None`` where they are not
known, and then whatever would follow from them is ``None`` too. Counts are at a position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import ceil
from typing import Any

from msgspec import UNSET

from transcript_tui.protocol.shapes import TokenUsage
from transcript_tui.transcript.history import BEFORE, LATEST
from transcript_tui.transcript.model import Message, Run, ToolCallView
from transcript_tui.transcript.transcript import Transcript

__all__ = [
    "Figures",
    "Percentile",
    "TimeOf",
    "between",
    "call_seconds",
    "counted",
    "delta_stamps",
    "figures",
    "percentile",
    "rate",
    "run_figures",
    "total_usage",
    "usage_by_model",
]

TimeOf = Callable[[int], float | None]
"""When a payload came, in seconds; ``None`` where that is not known."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Of a run, or of everything."""

    payloads: int
    messages: dict[str, int]
    """By role; what there is none of is left out."""
    tool_calls: int
    characters: int
    pieces: int
    seconds: float | None
    first_content: float | None
    """Seconds from the start to the first content of any message."""
    rate: float | None
    """Deltas of text, reasoning and arguments a second, see :func:`rate`."""


def call_seconds(call: ToolCallView, times: TimeOf) -> float | None:
    """Seconds from a call's start to its result, or to its end while there is none."""
    return between(call.started, call.ended if call.answered is None else call.answered, times)


def figures(transcript: Transcript, times: TimeOf, position: int = LATEST) -> Figures:
    """Of everything up to ``position``."""
    position = min(position, transcript.length)
    return _figures(transcript, times, BEFORE, position)


def run_figures(transcript: Transcript, run: Run, times: TimeOf, position: int = LATEST) -> Figures:
    """Of the run's payloads up to ``position``."""
    ending = run.ending.at(position)
    end = transcript.length if ending is None else ending.stamp + 1
    return _figures(transcript, times, run.started, min(position, end))


def _figures(transcript: Transcript, times: TimeOf, start: int, position: int) -> Figures:
    roles: dict[str, int] = {}
    calls = characters = pieces = 0
    first: int | None = None
    stamps: list[int] = []
    for entry in transcript.entries[transcript.count_at(start) : transcript.count_at(position)]:
        if not isinstance(entry, Message) or not entry.held(position):
            continue
        view = entry.at(position)
        roles[view.role] = roles.get(view.role, 0) + 1
        calls += len(view.tool_calls)
        characters += view.length
        pieces += 0 if view.text is None else view.text.pieces(position)
        stamps += delta_stamps(entry, position)
        if view.first is not None:
            first = view.first if first is None else min(first, view.first)
    came = (times(stamp) for stamp in sorted(stamps) if stamp >= start)
    start = max(start, 0)
    return Figures(
        payloads=max(position - start, 0),
        messages=roles,
        tool_calls=calls,
        characters=characters,
        pieces=pieces,
        seconds=between(start, position - 1, times),
        first_content=between(start, first, times),
        rate=rate([at for at in came if at is not None]),
    )


def delta_stamps(message: Message, position: int) -> list[int]:
    """Payloads that brought text, reasoning or arguments of ``message`` up to ``position``."""
    body = message.body_at(position)
    text = body.text_at(position)
    stamps: list[int] = []
    if text is not None and body.role != "tool":
        stamps += text.stamps(position)
    for call in body.calls_at(position):
        stamps += call.arguments_at(position).stamps(position)
    return stamps


def rate(times: Sequence[float]) -> float | None:
    """Deltas (with most producers, tokens) a second, from the first to the last; ``times`` are
    those of each, in order. The first ends no gap, so it is not counted."""
    spent = times[-1] - times[0] if times else 0.0
    return (len(times) - 1) / spent if spent > 0 else None


def between(start: int | None, end: int | None, times: TimeOf) -> float | None:
    """Seconds from one payload to another; what came beforehand has no time."""
    if start is None or end is None or start < 0 or end < start:
        return None
    begun, ended = times(start), times(end)
    return None if begun is None or ended is None else max(ended - begun, 0.0)


def percentile(values: Iterable[float], share: float) -> float:
    """The value that ``share`` (0 to 1) of ``values`` do not exceed, by nearest rank; there is
    at least one."""
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


class Percentile:
    """The same of values that come and go one by one, each in the logarithm of their number."""

    def __init__(self, share: float) -> None:
        self._share = share
        self._low: list[float] = []
        """Negated: the greatest of the lower ones is on top of the heap."""
        self._high: list[float] = []
        self._gone: tuple[Counter[float], Counter[float]] = Counter(), Counter()
        """What went of each heap and is in it still, as it stands there."""
        self._lows = self._highs = 0
        """How many there are of each, without those."""

    def add(self, value: float) -> None:
        if self._lows and value <= -self._low[0]:
            heappush(self._low, -value)
            self._lows += 1
        else:
            heappush(self._high, value)
            self._highs += 1
        self._settle()

    def remove(self, value: float) -> None:
        """One that was added; it stays in its heap until it is on top."""
        if value <= -self._low[0]:
            self._gone[0][-value] += 1
            self._lows -= 1
        else:
            self._gone[1][value] += 1
            self._highs -= 1
        self._settle()

    def _settle(self) -> None:
        """Each keeps to its side, and what is there is on top."""
        low, high = self._low, self._high
        count = self._lows + self._highs
        wanted = max(1, ceil(self._share * count)) if count else 0
        while self._lows != wanted:
            if self._lows < wanted:
                _clear(high, self._gone[1])
                heappush(low, -heappop(high))
                self._lows, self._highs = self._lows + 1, self._highs - 1
            else:
                _clear(low, self._gone[0])
                heappush(high, -heappop(low))
                self._lows, self._highs = self._lows - 1, self._highs + 1
        _clear(low, self._gone[0])

    @property
    def value(self) -> float | None:
        return -self._low[0] if self._lows else None


def _clear(heap: list[float], gone: Counter[float]) -> None:
    """Take from the top of a heap what is gone."""
    while heap and gone and heap[0] in gone:
        value = heappop(heap)
        gone[value] -= 1
        if not gone[value]:
            del gone[value]


_COUNTS = (
    "input_tokens",
    "output_tokens",
    "total_tokens",
    "reasoning_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
)


def counted(usage: Iterable[TokenUsage]) -> dict[str, int]:
    """Token counts summed, by their names on the wire; a count that nobody reported is absent,
    which is not zero (events/lifecycle)."""
    totals: dict[str, int] = {}
    for one in usage:
        for name in _COUNTS:
            count: Any = getattr(one, name)
            if count is not UNSET:
                key = _camel(name)
                totals[key] = totals.get(key, 0) + count
    return totals


def total_usage(runs: Iterable[Run], position: int = LATEST) -> dict[str, int]:
    """The same over runs, providers and models."""
    return counted(_reported(runs, position))


def usage_by_model(
    runs: Iterable[Run], position: int = LATEST
) -> dict[tuple[str | None, str | None], dict[str, int]]:
    """The same for each (provider, model), in the order in which they were first reported."""
    by_model: dict[tuple[str | None, str | None], list[TokenUsage]] = {}
    for usage in _reported(runs, position):
        by_model.setdefault((_text(usage.provider), _text(usage.model)), []).append(usage)
    return {who: counted(usage) for who, usage in by_model.items()}


def _reported(runs: Iterable[Run], position: int) -> Iterator[TokenUsage]:
    for run in runs:
        ending = run.ending.at(position)
        if ending is not None and ending.usage is not None:
            yield from ending.usage


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
