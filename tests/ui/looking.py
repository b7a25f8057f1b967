"""Streams in which calls are answered in many ways, and places to look at while they arrive."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product

from hypothesis import strategies as st

from tests.strategies import broken_streams, payloads, streams
from tests.transcript.folding import CALLING
from transcript_tui.session.tape import Tape
from transcript_tui.wire.frames import Frame

STREAMS = st.one_of(
    st.just([json.dumps(one).encode() for one in CALLING]),
    streams().map(payloads),
    broken_streams(),
)


def places(tape: Tape, parts: list[bytes], data: st.DataObject) -> Iterator[tuple[int, bool]]:
    """(position, whether to stop wherever that is possible): the tape takes the payloads
    meanwhile, and has ended for the last ones."""
    for number, payload in enumerate(parts):
        tape.take([Frame(payload, 0, 0, number / 4)])
        if data.draw(st.integers(0, 3)) == 0:
            yield data.draw(st.integers(0, tape.length)), data.draw(st.booleans())
    tape.end()
    for position in (tape.length, 0, tape.length // 2, tape.length):
        yield position, False


def from_each_to_each() -> Iterator[tuple[Tape, int, int]]:
    """Where calls are answered in many ways: from each position to each."""
    tape = Tape()
    for number, payload in enumerate(CALLING):
        tape.take([Frame(json.dumps(payload).encode(), 0, 0, number / 4)])
    for start, position in product(range(tape.length + 1), repeat=2):
        yield tape, start, position
