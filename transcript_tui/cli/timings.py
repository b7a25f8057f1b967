"""The numbers that ``check`` gives beside the verdict; what is not known is absent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any

from transcript_tui.cli.judging import Judgement
from transcript_tui.transcript.model import Message, Run
from transcript_tui.transcript.pipeline import StreamResult
from transcript_tui.transcript.statistics import call_seconds, run_figures, total_usage

__all__ = ["run_sentence", "statistics"]


def statistics(judgement: Judgement, stream: StreamResult) -> dict[str, Any]:
    """Counts, times in seconds, and token usage summed over the stream's runs."""
    found: dict[str, Any] = {
        "payloads": stream.length,
        "bytes": judgement.size,
        **_counts(judgement, stream),
        **_times(judgement, stream),
    }
    usage = total_usage(stream.runs)
    if usage:
        found["usage"] = usage
    if judgement.pipeline.record_events != "none":
        found["eventTypes"] = dict(Counter(stream.event_types()))
    return found


def run_sentence(judgement: Judgement, run: Run) -> str:
    """A run's counts and timings, as far as they are known."""
    one = run_figures(judgement.pipeline.transcript, run, judgement.time)
    parts = [
        f"{count} {thing}{'s' * (count != 1)}"
        for count, thing in (
            (run.events, "event"),
            (sum(one.messages.values()), "message"),
            (one.tool_calls, "tool call"),
        )
        if count
    ]
    if one.seconds is not None:
        parts.append(f"{one.seconds:.2f} s")
    if one.first_content is not None:
        parts.append(f"first content after {one.first_content:.2f} s")
    if one.rate is not None:
        parts.append(f"{one.rate:.0f} deltas/s")
    return ", ".join(parts)


def _messages(judgement: Judgement, stream: StreamResult) -> Iterator[tuple[Message, Any]]:
    """The messages that the stream itself brought, as they stand at its end."""
    transcript, end = judgement.pipeline.transcript, stream.position
    born = slice(transcript.count_at(stream.first), transcript.count_at(end))
    for entry in transcript.entries[born]:
        if isinstance(entry, Message) and entry.held(end):
            yield entry, entry.at(end)


def _counts(judgement: Judgement, stream: StreamResult) -> dict[str, Any]:
    roles: Counter[str] = Counter()
    calls = characters = deltas = 0
    for _, view in _messages(judgement, stream):
        roles[view.role] += 1
        calls += len(view.tool_calls)
        characters += view.length
        deltas += view.text.pieces(stream.position) if view.text is not None else 0
    return {
        "messages": dict(roles),
        "toolCalls": calls,
        "characters": characters,
        "deltas": deltas,
    }


def _times(judgement: Judgement, stream: StreamResult) -> dict[str, Any]:
    """Seconds from the stream's first event on; nothing where the source has no times."""
    begun = judgement.time(stream.first)
    times = judgement.times[stream.first : stream.position]
    if begun is None or not times:
        return {}
    gaps = sorted(other - one for one, other in pairwise(times))
    found: dict[str, Any] = {"seconds": _ms(times[-1] - begun)}
    if gaps:
        found["longestGapSeconds"] = _ms(gaps[-1])
        found["gapP95Seconds"] = _ms(gaps[int(0.95 * (len(gaps) - 1))])
    firsts = {
        "firstTextSeconds": _first(judgement, stream, text=True),
        "firstToolCallSeconds": _first(judgement, stream, text=False),
    }
    found |= {name: _ms(at - begun) for name, at in firsts.items() if at is not None}
    tools = sorted(_tool_seconds(judgement, stream))
    if tools:
        longest, middle = _ms(tools[-1]), _ms(median(tools))
        found["toolSeconds"] = {"count": len(tools), "median": middle, "max": longest}
    return found


def _ms(seconds: float) -> float:
    """No finer than a millisecond: that is what times on the wire have."""
    return round(seconds, 3)


def _first(judgement: Judgement, stream: StreamResult, *, text: bool) -> float | None:
    """When the first text of an assistant, or the first tool call, came."""
    stamps = [
        stamp
        for _, view in _messages(judgement, stream)
        if view.role == "assistant"
        for stamp in ([view.first] if text else [call.started for call in view.tool_calls])
        if stamp is not None and stamp >= stream.first
    ]
    return judgement.time(min(stamps)) if stamps else None


def _tool_seconds(judgement: Judgement, stream: StreamResult) -> Iterator[float]:
    """From the start of each answered call to its result."""
    for _, view in _messages(judgement, stream):
        for call in view.tool_calls:
            taken = call_seconds(call, judgement.time) if call.answered is not None else None
            if taken is not None:
                yield taken
