"""Generated streams: runs of messages of about 200 deltas, with tool calls between.

    python -m tests.benchmarks.streams 200000 -o big.sse

Deterministic: the same arguments give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from typing import Any, Final

Event = dict[str, Any]

_PROSE: Final = (
    "the agent reads a page and says what it found there in a few plain words so that "
    "nobody has to ask twice about **weather**, `code`, tables or größere Städte 東京 🌦️"
)
_WORDS: Final = _PROSE.split()
DELTAS: Final = 200


def events(count: int, *, variant: str = "plain", seed: int = 7) -> Iterator[Event]:
    """Exactly ``count`` events in one of ``VARIANTS``."""
    rng = random.Random(seed)
    body = _one_message(rng) if variant == "one-message" else _conversation(rng, variant)
    yield {"type": "RUN_STARTED", "threadId": "thread", "runId": "run-0"}
    closing: list[Event] = []
    produced = 1
    for event, after in body:
        if produced + 1 + len(after) > count - 1:
            break
        yield _dressed(event, variant, produced)
        produced += 1
        closing = after
    while produced + len(closing) + 1 < count:
        # Filled with what closes nothing and opens nothing, so that the count is exact.
        yield {"type": "CUSTOM", "name": "filler", "value": produced}
        produced += 1
    yield from closing
    yield {"type": "RUN_FINISHED", "threadId": "thread", "runId": "run-0"}


def _dressed(event: Event, variant: str, number: int) -> Event:
    if variant == "timestamps":
        return {**event, "timestamp": 1_790_000_000_000 + 40 * number}
    if variant == "unknown":
        return {**event, "traceId": f"{number:x}"}
    if variant == "unknown-names":
        return {**event, f"trace{number:x}": 1}
    if variant == "unknown-types":
        return {**event, "type": f"FUTURE_{number:x}"}
    if variant == "rejected":
        return {**event, "messageId": number, "toolCallId": number}
    return event


def messages(count: int, tokens: int, *, seed: int = 7) -> Iterator[Event]:
    """One run of ``count`` messages of ``tokens`` deltas each."""
    rng = random.Random(seed)
    yield {"type": "RUN_STARTED", "threadId": "thread", "runId": "run-0"}
    for number in range(count):
        name, role = f"m{number}", "assistant" if number % 2 else "user"
        yield {"type": "TEXT_MESSAGE_START", "messageId": name, "role": role}
        for _ in range(tokens):
            yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": _delta(rng)}
        yield {"type": "TEXT_MESSAGE_END", "messageId": name}
    yield {"type": "RUN_FINISHED", "threadId": "thread", "runId": "run-0"}


def _conversation(rng: random.Random, variant: str) -> Iterator[tuple[Event, list[Event]]]:
    """Each event with those that would close what is open after it."""
    number = 0
    while True:
        role = "user" if number % 2 == 0 else "assistant"
        yield from _message(rng, f"m{number}", role, chunked=variant == "chunks")
        if role == "assistant":
            yield from _tool_call(rng, number, chunked=variant == "chunks")
        number += 1


def _message(
    rng: random.Random, name: str, role: str, *, chunked: bool
) -> Iterator[tuple[Event, list[Event]]]:
    deltas = 12 if role == "user" else DELTAS
    if chunked:
        for index in range(deltas):
            event: Event = {"type": "TEXT_MESSAGE_CHUNK", "delta": _delta(rng)}
            yield ({**event, "messageId": name, "role": role} if index == 0 else event), []
        return
    end: Event = {"type": "TEXT_MESSAGE_END", "messageId": name}
    yield {"type": "TEXT_MESSAGE_START", "messageId": name, "role": role}, [end]
    for _ in range(deltas):
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": name, "delta": _delta(rng)}, [end]
    yield end, []


def _tool_call(
    rng: random.Random, number: int, *, chunked: bool
) -> Iterator[tuple[Event, list[Event]]]:
    call, parent = f"c{number}", f"m{number}"
    arguments = [json.dumps({"query": _delta(rng)})[:9], json.dumps({"query": "x"})[9:]]
    if chunked:
        opener: Event = {"type": "TOOL_CALL_CHUNK", "delta": arguments[0], "toolCallId": call}
        yield {**opener, "toolCallName": "search", "parentMessageId": parent}, []
        yield {"type": "TOOL_CALL_CHUNK", "delta": arguments[1]}, []
    else:
        end: Event = {"type": "TOOL_CALL_END", "toolCallId": call}
        start: Event = {"type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": "search"}
        yield {**start, "parentMessageId": parent}, [end]
        for piece in arguments:
            yield {"type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": piece}, [end]
        yield end, []
    result = {"messageId": f"r{number}", "toolCallId": call, "content": '{"found": 3}'}
    yield {"type": "TOOL_CALL_RESULT", **result}, []


def _one_message(rng: random.Random) -> Iterator[tuple[Event, list[Event]]]:
    end: Event = {"type": "TEXT_MESSAGE_END", "messageId": "m"}
    yield {"type": "TEXT_MESSAGE_START", "messageId": "m"}, [end]
    while True:
        yield {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": _delta(rng)}, [end]


def _delta(rng: random.Random) -> str:
    word = rng.choice(_WORDS)
    return word + (".\n\n" if rng.random() < 0.02 else " ")


def dumps(event: Event) -> bytes:
    return json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()


def sse(source: Iterator[Event]) -> Iterator[bytes]:
    for event in source:
        yield b"data: " + dumps(event) + b"\n\n"


def jsonl(source: Iterator[Event]) -> Iterator[bytes]:
    for event in source:
        yield dumps(event) + b"\n"


def recording(source: Iterator[Event]) -> Iterator[bytes]:
    yield b': transcript-tui recording 1 {"started":"2026-12-01T10:00:00.000Z"}\n'
    for number, frame in enumerate(sse(source)):
        yield b": +%.3f\n" % (number * 0.02) + frame


FORMATS: Final = {"sse": sse, "jsonl": jsonl, "recording": recording}
VARIANTS: Final = (
    "plain", "timestamps", "chunks", "unknown", "one-message",
    # Material that is dropped, stripped or rejected at every event, each time another:
    "unknown-names", "unknown-types", "rejected",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, help="number of events")
    parser.add_argument("-o", "--output", help="a file; stdout without it")
    parser.add_argument("--format", choices=FORMATS, default="sse")
    parser.add_argument("--variant", choices=VARIANTS, default="plain")
    wanted = parser.parse_args()
    pieces = FORMATS[wanted.format](events(wanted.count, variant=wanted.variant))
    if wanted.output is None:
        sys.stdout.buffer.writelines(pieces)
        return
    with open(wanted.output, "wb") as file:
        file.writelines(pieces)


if __name__ == "__main__":
    main()
