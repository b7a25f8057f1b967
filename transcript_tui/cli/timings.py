"""The numbers that ``check`` gives beside the verdict; what is not known is absent."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import pairwise
from statistics import median
from typing import Any

from transcript_tui.cli.judging import Judgement
from transcript_tui.transcript.model import Message, Run
from transcript_tui.transcript.pipeline import StreamResult
from transcript_tui.transcript.statistics import (
    call_seconds,
    delta_stamps,
    percentile,
    rate,
    run_figures,
    total_usage,
    usage_by_model,
)

__all__ = ["figures_text", "run_sentence", "statistics"]


def statistics(judgement: Judgement, stream: StreamResult) -> dict[str, Any]:
    """Counts, times in seconds, and token usage summed over the stream's runs."""
    found: dict[str, Any] = {
        "payloads": stream.length,
        "bytes": judgement.size,
        "eventBytes": judgement.event_bytes[stream.index],
        **_counts(judgement, stream),
        **_times(judgement, stream),
    }
    if left_out := judgement.left_out[stream.index]:
        found["leftOut"] = left_out
    usage = total_usage(stream.runs)
    if usage:
        found["usage"] = usage
        found["usageByModel"] = [
            {**_named(provider, model), **counts}
            for (provider, model), counts in usage_by_model(stream.runs).items()
        ]
    if judgement.bursts.held_back:
        found["heldBackEvents"] = judgement.bursts.held_back
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
    """Seconds since the source was asked, else since the stream's first event; nothing where
    the source has no times."""
    times = judgement.times.known(stream.first, stream.position)
    if not times:
        return {}
    begun = times[0]
    asked = judgement.asked if stream.index == 0 else None
    origin = begun if asked is None else asked
    gaps = [other - one for one, other in pairwise(times)]
    found: dict[str, Any] = {"seconds": _ms(times[-1] - begun)}
    firsts = {
        "firstByteSeconds": judgement.first_byte if stream.index == 0 else None,
        "firstEventSeconds": None if asked is None else begun,
        "firstTextSeconds": _first(judgement, stream, text=True),
        "firstToolCallSeconds": _first(judgement, stream, text=False),
    }
    found |= {name: _ms(at - origin) for name, at in firsts.items() if at is not None}
    if gaps:
        longest = max(range(len(gaps)), key=gaps.__getitem__)
        found["longestGapSeconds"] = _ms(gaps[longest])
        # Those that are not known stand before all others.
        found["longestGapBeforeEvent"] = stream.length - len(times) + longest + 1
    found |= _pace(judgement, stream)
    by_tool = _tool_seconds(judgement, stream)
    taken = [seconds for one in by_tool.values() for seconds in one]
    if taken:
        found["toolSeconds"] = _summed(taken)
        found["toolSecondsByName"] = {name: _summed(one) for name, one in by_tool.items() if one}
    return found


def _pace(judgement: Judgement, stream: StreamResult) -> dict[str, Any]:
    """Deltas (with most producers, tokens) a second: on average, in the last second before the
    latest (none where a second passed without any), and the gap that 95 % do not exceed. The
    viewer's panel counts alike."""
    known = [judgement.time(stamp) for stamp in _delta_stamps(judgement, stream)]
    times = [at for at in known if at is not None]
    gaps = [other - one for one, other in pairwise(times)]
    if not gaps:
        return {}
    found: dict[str, Any] = {"gapP95Seconds": _ms(percentile(gaps, 0.95))}
    average = rate(times)
    if average is not None:
        found["tokensPerSecond"] = round(average, 1)
        # A microsecond: times are sums of decimal fractions.
        recent = len(times) - bisect_right(times, times[-1] - 1.0 + 1e-6)
        at_end = recent if times[-1] - times[0] >= 1.0 else average
        last = judgement.time(stream.position - 1)
        silent = last is not None and last - times[-1] > 1.0
        found["tokensPerSecondAtEnd"] = 0.0 if silent else round(at_end, 1)
    return found


def _delta_stamps(judgement: Judgement, stream: StreamResult) -> list[int]:
    """Payloads that brought text, reasoning or arguments, in order."""
    stamps: list[int] = []
    for entry, _ in _messages(judgement, stream):
        stamps += delta_stamps(entry, stream.position)
    return sorted(stamp for stamp in stamps if stamp >= stream.first)


def _summed(seconds: list[float]) -> dict[str, Any]:
    return {"count": len(seconds), "median": _ms(median(seconds)), "max": _ms(max(seconds))}


def _named(provider: str | None, model: str | None) -> dict[str, str]:
    names = {"provider": provider, "model": model}
    return {key: name for key, name in names.items() if name is not None}


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


def _tool_seconds(judgement: Judgement, stream: StreamResult) -> dict[str, list[float]]:
    """From the start of each answered call to its result, by the tool's name."""
    taken: dict[str, list[float]] = defaultdict(list)
    for _, view in _messages(judgement, stream):
        for call in view.tool_calls:
            one = call_seconds(call, judgement.time) if call.answered is not None else None
            if one is not None:
                taken[call.name].append(one)
    return taken


def figures_text(judgement: Judgement, stream: StreamResult) -> list[str]:
    """The same numbers in a few lines, as far as they are known."""
    found = statistics(judgement, stream)
    firsts, pace = _firsts(found), _rates(found)
    lines = [f"times: {', '.join(firsts)}"] if firsts else []
    lines += [f"tokens: {', '.join(pace)}"] if pace else []
    for name, one in found.get("toolSecondsByName", {}).items():
        told = f"{one['count']} answered, median {one['median']:.2f} s, max {one['max']:.2f} s"
        lines.append(f"tool {name}: {told}")
    lines += [_usage(one) for one in found.get("usageByModel", ())]
    if "heldBackEvents" in found:
        lines.append(
            f"{found['heldBackEvents']} events came in bursts though their timestamps lie apart: "
            "a proxy or the server seems to buffer"
        )
    return lines


def _firsts(found: dict[str, Any]) -> list[str]:
    """When what came first, and where it came to a stop."""
    told = [
        f"first {what} {found[key]:.2f} s"
        for what, key in (
            ("byte", "firstByteSeconds"),
            ("event", "firstEventSeconds"),
            ("text", "firstTextSeconds"),
            ("tool call", "firstToolCallSeconds"),
        )
        if key in found
    ]
    if "longestGapSeconds" in found:
        stall = f"{found['longestGapSeconds']:.2f} s before event {found['longestGapBeforeEvent']}"
        told.append(f"longest stall {stall}")
    return told


def _rates(found: dict[str, Any]) -> list[str]:
    return [
        f"{found[key]:{form}} {unit}"
        for key, form, unit in (
            ("tokensPerSecond", ".0f", "a second on average"),
            ("tokensPerSecondAtEnd", ".0f", "a second at the end"),
            ("gapP95Seconds", ".3f", "s between two (p95)"),
        )
        if key in found
    ]


def _usage(one: dict[str, Any]) -> str:
    """What a model used: the tokens of each kind."""
    whose = ("provider", "model")
    who = " ".join(one[key] for key in whose if key in one) or "unnamed"
    used = ", ".join(f"{n} {_spaced(key)}" for key, n in one.items() if key not in whose)
    return f"usage of {who}: {used}"


def _spaced(camel: str) -> str:
    """``inputTokens`` as words."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in camel)
