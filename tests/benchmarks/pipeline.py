"""Bytes of a log → transcript, as a multiple of what the official models take alone.

The measure is ``validate_json(strict=True)`` of ``ag_ui.core``'s ``Event`` over lines that are
split already; ours does everything, from bytes to transcript.
"""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, Final

from tests.benchmarks.measuring import both, cpu, head, say
from tests.benchmarks.streams import FORMATS, Event, dumps, events
from transcript_tui.protocol.stream import Verifier
from transcript_tui.transcript.pipeline import Pipeline
from transcript_tui.wire.frames import Frame
from transcript_tui.wire.reader import open_reader

CHUNK: Final = 131_072


def fold(data: bytes, *, keep_going: bool = False) -> Pipeline:
    """The route of every source: frames, then payloads into the pipeline."""
    reader, pipeline = open_reader(), Pipeline(keep_going=keep_going)
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
    _strange()
    _lanes()
    _rejected()
    _large()
    _memory()


def _strange() -> None:
    """Streams of which every event is dropped, stripped or rejected stay linear."""
    for what, variant in (
        ("an unknown property on each event", "unknown"),
        ("… each time another", "unknown-names"),
        ("an unknown type each time", "unknown-types"),
        ("a violation each time, read on past", "rejected"),
    ):
        costs = []
        for count in (2_000, 200_000):
            data, _ = made(count, variant=variant)
            costs.append(cpu(lambda data=data: fold(data, keep_going=True), 3) / count)
        say(f"{what}: an event, 200,000 ÷ 2,000", f"{costs[1] / costs[0]:.2f}", "≤ 1.15")


def _rejected() -> None:
    """No event takes much longer to reject than to accept."""
    parts: list[Event] = [{"type": "text", "text": "x" * 50} for _ in range(2_000)]
    good = {"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": parts}
    bad = {**good, "content": [*parts[:-1], {"type": "text", "text": 7}]}
    each = {**good, "content": [{"type": "text", "text": 7}] * 2_000}
    accepted = _step_cost([good])
    worst = max(_step_cost([bad]), _step_cost([each]))
    say("a 130 kB event, rejected ÷ accepted", f"{worst / accepted:.1f}", "≤ 20")
    small = _judging_cost(ACCEPTED)
    dear = max(_judging_cost(payload) for payload in REJECTED)
    say("a small event, the dearest of those rejected ÷ accepted", f"{dear / small:.1f}", "≤ 20")


def _step_cost(more: Iterable[Event]) -> float:
    payloads = [dumps(event) for event in (STARTED, *more)]

    def work() -> None:
        for _ in range(20):
            Pipeline().feed_all(payloads)

    return cpu(work, 5)


STARTED: Final[Event] = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
ACCEPTED: Final = b'{"type":"TEXT_MESSAGE_START","messageId":"message-1","role":"assistant"}'
REJECTED: Final = (
    b'{"type":"TEXT_MESSAGE_START","messageId":"message-1","role":"robot"}',
    b'{"type":"TEXT_MESSAGE_START","message_id":"message-1","role":"assistant"}',
    b'{"type":"TEXT_MESSAGE_END","messageId":"message-1"}',
    b'{"type":"TEXT_MESSAGE_START","messageId":"message-1","role":"assist',
    b'{"type":"TEXT_MESSAGE_CHUNK","role":"assistant","delta":"message-1"}',
    b'{"type":"FUTURE_MESSAGE_START","messageId":"message-1","role":"assistant"}',
    b"[DONE]",
)


def _judging_cost(payload: bytes) -> float:
    """Seconds that the verifier takes for one payload, its own making left out."""
    best = float("inf")
    for _ in range(2_000):
        verifier = Verifier()
        verifier.step(dumps(STARTED))
        began = perf_counter()
        verifier.step(payload)
        best = min(best, perf_counter() - began)
    return best


def _lanes() -> None:
    """Thousands of subagents that write in chunks at once: each event costs the same."""
    costs = []
    for count in (1_000, 8_000):
        payloads = [dumps(STARTED)]
        for number in range(count):
            owned = {"messageId": f"m{number}", "subagentRunId": f"s{number}"}
            payloads.append(dumps({"type": "TEXT_MESSAGE_CHUNK", "delta": "x", **owned}))
        for number in range(count):
            other = {"messageId": f"q{number}", "subagentRunId": "other"}
            payloads.append(dumps({"type": "TEXT_MESSAGE_START", **other}))

        def work(payloads: list[bytes] = payloads) -> None:
            Pipeline().feed_all(payloads)

        costs.append(cpu(work, 5) / count)
    say("an event among 8,000 open lanes ÷ 1,000", f"{costs[1] / costs[0]:.2f}")


def _large() -> None:
    """A payload of 30 MB costs in proportion to itself, whatever is in it."""
    for what, large in LARGE.items():
        costs = []
        for count in (3_000, 30_000):
            payload = large(count)
            data = b"data: " + dumps(STARTED) + b"\n\ndata: " + payload + b"\n\n"
            tries = 5 if count < 30_000 else 3
            costs.append(cpu(lambda data=data: fold(data), tries) / len(data))
        say(f"a byte of {what}, 30 MB ÷ 3 MB", f"{costs[1] / costs[0]:.2f}", "≤ 1.15")
        if what == "a state":
            floor = cpu(lambda payload=payload: json.loads(payload), 3) / len(payload)
            say("… of 30 MB ÷ json.loads of it", f"{costs[1] / floor:.2f}")


def _messages(count: int, **fields: Any) -> bytes:
    one = {"role": "user", "content": "v" * 920}
    listed = [{**one, "id": f"m{number}", **fields} for number in range(count)]
    return dumps({"type": "MESSAGES_SNAPSHOT", "messages": listed})


LARGE: Final[dict[str, Callable[[int], bytes]]] = {
    "a state": lambda count: dumps(
        {"type": "STATE_SNAPSHOT", "snapshot": {f"key{n}": "v" * 990 for n in range(count)}}
    ),
    "messages": _messages,
    "messages with an unknown property": lambda count: _messages(count, future=1),
    "messages that are malformed": lambda count: _messages(count, content=7, name="v" * 920),
    "a patch": lambda count: dumps(
        {
            "type": "STATE_DELTA",
            "delta": [{"op": "add", "path": f"/k{n}", "value": "v" * 950} for n in range(count)],
        }
    ),
    "a payload that breaks off": lambda count: _messages(count)[:-3],
    "one string": lambda count: dumps({"type": "RAW", "event": "é" * (500 * count)}),
}
"""What a payload of so many kilobytes may be."""


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
