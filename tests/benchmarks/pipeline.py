"""Bytes of a log → transcript, as a multiple of what the official models take alone.

The measure is ``validate_json(strict=True)`` of ``ag_ui.core``'s ``Event`` over lines that are
split already; ours does everything, from bytes to transcript.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterable
from typing import Final

from tests.benchmarks.measuring import both, cpu, head, say
from tests.benchmarks.streams import FORMATS, Event, dumps, events
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire.frames import Frame
from transcript_tui.wire.reader import open_reader

CHUNK: Final = 131_072


def fold(data: bytes) -> Pipeline:
    """The route of every source: frames, then payloads into the pipeline."""
    reader, pipeline = open_reader(), Pipeline()
    for start in range(0, len(data), CHUNK):
        pieces = reader.feed(data[start : start + CHUNK])
        pipeline.feed_all([piece.payload for piece in pieces if type(piece) is Frame])
    tail = [piece.payload for piece in reader.end() if type(piece) is Frame]
    pipeline.feed_all(tail)
    pipeline.end(reader.tail)
    return pipeline


def official(lines: list[bytes]) -> Callable[[], None]:
    """The official models over lines that are split already."""
    from ag_ui.core import Event as OfficialEvent
    from pydantic import TypeAdapter

    validate = TypeAdapter(OfficialEvent).validate_json

    def work() -> None:
        for line in lines:
            validate(line, strict=True, by_alias=True, by_name=False)

    return work


def made(count: int, *, variant: str = "plain", format: str = "sse") -> tuple[bytes, list[bytes]]:
    source = list(events(count, variant=variant))
    return b"".join(FORMATS[format](iter(source))), [dumps(event) for event in source]


def main() -> None:
    head("Pipeline: rate ÷ rate of the official models' validate_json(strict) on split lines")
    per_event: dict[int, float] = {}
    for count in (2_000, 20_000, 200_000):
        data, lines = made(count)
        ours, theirs = both(lambda data=data: fold(data), official(lines))
        per_event[count] = ours / count
        say(f"{count:,} events ({len(data) / 1e6:.1f} MB)", f"{theirs / ours:.2f} ×", "≥ 1.0")
    ratio = per_event[200_000] / per_event[2_000]
    say("time an event, 200,000 ÷ 2,000", f"{ratio:.2f}", "≤ 1.15")
    plain = per_event[20_000]
    variants = (
        ("a timestamp on each event", "timestamps", "sse"),
        ("chunks only", "chunks", "sse"),
        ("a recording", "plain", "recording"),
        ("JSON lines", "plain", "jsonl"),
        ("an unknown property on each event", "unknown", "sse"),
        ("one message of all deltas", "one-message", "sse"),
    )
    for what, variant, format in variants:
        data, lines = made(20_000, variant=variant, format=format)
        ours, theirs = both(lambda data=data: fold(data), official(lines))
        say(what, f"{theirs / ours:.2f} ×  {ours / 20_000 / plain:.2f} of plain")
    data, _ = made(200_000, variant="one-message")
    grown = cpu(lambda: fold(data), 3) / 200_000 / per_event[2_000]
    say("one message of 200,000 deltas: an event ÷ plain at 2,000", f"{grown:.2f}", "≤ 1.15")
    _rejected()
    _large()
    _memory()


def _rejected() -> None:
    """No event takes much longer to reject than to accept."""
    parts: list[Event] = [{"type": "text", "text": "x" * 50} for _ in range(2_000)]
    good = {"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": parts}
    bad = {**good, "content": [*parts[:-1], {"type": "text", "text": 7}]}
    each = {**good, "content": [{"type": "text", "text": 7}] * 2_000}
    accepted = _step_cost([good])
    worst = max(_step_cost([bad]), _step_cost([each]))
    say("a 130 kB event, rejected ÷ accepted", f"{worst / accepted:.1f}", "≤ 20")
    small = {"type": "CUSTOM", "name": "x", "value": 1}
    wrong = {"type": "CUSTOM", "name": 7, "value": 1}
    say(
        "a small event, rejected ÷ accepted",
        f"{_step_cost([wrong]) / _step_cost([small]):.1f}",
        "≤ 20",
    )


def _step_cost(more: Iterable[Event]) -> float:
    start = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    payloads = [dumps(event) for event in (start, *more)]

    def work() -> None:
        for _ in range(20):
            Pipeline().feed_all(payloads)

    return cpu(work, 5)


def _large() -> None:
    """A payload of 30 MB costs in proportion to itself."""
    snapshot = {"type": "STATE_SNAPSHOT", "snapshot": {f"key{n}": "v" * 990 for n in range(30_000)}}
    start = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    data = b"".join(FORMATS["sse"](iter([start, snapshot])))
    ours, floor = cpu(lambda: fold(data), 3), cpu(lambda: json.loads(data.split(b"data: ")[2]), 3)
    say("one payload of 30 MB ÷ json.loads of it", f"{ours / floor:.2f}")


def _memory() -> None:
    data, _ = made(200_000)
    tracemalloc.start()
    pipeline = fold(data)
    held, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    say("memory held by the transcript ÷ file, 200,000 events", f"{held / len(data):.2f}")
    say("… at its peak while folding", f"{peak / len(data):.2f}")
    assert pipeline.transcript.length == 200_000


if __name__ == "__main__":
    main()
