"""The tape: columns, streams, and folding anew."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.session.loopback import EVENTS
from transcript_tui.session.clock import moment
from transcript_tui.session.payloads import Payloads
from transcript_tui.session.redacted import redacted_tape
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.history import BEFORE
from transcript_tui.transcript.pipeline import VERDICTS, Pipeline
from transcript_tui.wire.frames import Cut, Frame, FrameTooLong, Input, NewStream


@given(payloads=st.lists(st.binary(max_size=40), max_size=50), spill_at=st.sampled_from([0, 64]))
def test_payloads_come_back(payloads: list[bytes], spill_at: int) -> None:
    held = Payloads(spill_at)
    for payload in payloads:
        held.append(payload)
    assert [held[number] for number in range(len(held))] == payloads
    for start in range(len(payloads)):
        assert held.between(start, len(payloads)) == payloads[start:]


@given(
    batches=st.lists(st.lists(st.binary(max_size=30), max_size=8), max_size=8),
    spill_at=st.sampled_from([0, 64, 10_000]),
)
def test_batches_that_are_blocks_of_their_own(batches: list[list[bytes]], spill_at: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("transcript_tui.session.payloads.BIG", 60)
        patch.setattr("transcript_tui.session.payloads.BLOCK", 100)
        held = Payloads(spill_at)
        for batch in batches:
            held.extend(batch)
    payloads = [payload for batch in batches for payload in batch]
    assert [held[number] for number in range(len(held))] == payloads
    for start in range(len(payloads)):
        assert held.between(start, len(payloads)) == payloads[start:]
        assert held.between(0, start) == payloads[:start]


def test_old_payloads_move_to_a_file_and_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    from transcript_tui.session import payloads as module

    monkeypatch.setattr(module, "BLOCK", 1000)
    held = Payloads(spill_at=5000)
    expected = [f"{number}:{'x' * (number % 90)}".encode() for number in range(2000)]
    for payload in expected:
        held.append(payload)
    assert held._spilled is not None
    assert held._held <= 6000
    assert [held[number] for number in range(2000)] == expected


def test_without_room_for_the_file_they_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    from transcript_tui.session import payloads as module

    def refuse(**_: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "BLOCK", 100)
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    held = Payloads(spill_at=200)
    expected = [str(number).encode() for number in range(1000)]
    for payload in expected:
        held.append(payload)
    assert [held[number] for number in range(1000)] == expected


def test_how_many_fit() -> None:
    held = Payloads()
    assert held.fitting(0, 5, 100) == 1, "one in any case: it may come yet"
    held.extend([b"x" * 10] * 10)
    assert [held.fitting(3, most, 30) for most in (1, 2, 3, 4, 9)] == [1, 2, 3, 3, 3]
    assert [held.fitting(3, 5, size) for size in (0, 9, 19, 20, 39, 1000)] == [1, 1, 1, 2, 3, 5]
    assert [held.fitting(start, 5, 1000) for start in (0, 5, 8, 9, 10)] == [5, 5, 2, 1, 1]


def test_a_frame_that_is_too_long_counts_and_is_refused_by_its_length() -> None:
    tape = Tape()
    long = FrameTooLong(b'{"type":"CUS', 2, 60, 1000)
    tape.take([Frame(EVENTS[0], 1, 0), long, Frame(EVENTS[1], 3, 2000)])
    assert tape.length == 3
    assert (tape.line(1), tape.offset(1)) == (2, 60)
    told = tape.pipeline.streams[0].violation
    assert told is not None
    assert (told.rule, told.event, told.likely) == ("not-json", 1, None)
    assert "longer than 1,000 bytes" in told.message
    assert list(tape.walk()) == [0, long, 1, 2]
    for _ in tape.refold(lambda: Pipeline(keep_going=True)):
        pass
    assert tape.pipeline.streams[0].violation == told
    assert [VERDICTS[code] for code in tape.pipeline.verdicts] == [
        "delivered", "rejected", "delivered",
    ]  # fmt: skip


def test_what_was_there_beforehand_has_no_time() -> None:
    tape = Tape()
    tape.take([Frame(b'{"type":"RUN_STARTED","threadId":"t","runId":"r"}', 1, 0, 1.5)])
    assert tape.time(0) == 1.5
    assert tape.time(BEFORE) is None


def test_streams_keep_their_place() -> None:
    tape = Tape()
    frames = [Frame(event, n, 0, float(n)) for n, event in enumerate(EVENTS, 1)]
    tape.take([*frames[:3], Cut(b"data: {", 9, 9, 3.5), NewStream(1, 4.0), *frames])
    tape.end()
    assert [(s.number, s.first, s.at, s.tail) for s in tape.streams] == [
        (0, 0, 0.0, b"data: {"),
        (1, 3, 4.0, b""),
    ]
    endings = [run.ending.now.kind for run in tape.transcript.runs if run.ending.now]
    assert endings == ["truncated", "finished"]


@given(
    st.integers(0, 3),
    st.lists(st.floats(0, 9, width=16), max_size=6).map(sorted),
    st.floats(-1, 10, width=16) | st.sampled_from([math.nan, math.inf, -math.inf]),
)
def test_positions_by_time_where_the_first_ones_are_unknown(
    unknown: int, known: list[float], seconds: float
) -> None:
    tape = Tape()
    tape.take([Frame(EVENTS[1], n, 0, at) for n, at in enumerate([*[None] * unknown, *known])])
    not_later = sum(not at > seconds for at in known)
    assert tape.position_at(seconds) == unknown + not_later


def test_positions_by_time() -> None:
    tape = Tape()
    tape.take([Frame(EVENTS[n], n, 0, at) for n, at in enumerate((0.0, 1.0, 1.0, 2.0))])
    assert [tape.position_at(at) for at in (-1, 0, 0.5, 1, 1.5, 2, 9)] == [0, 1, 1, 3, 3, 4, 4]


def test_a_damaged_input_in_a_log_is_left_out_and_said() -> None:
    from transcript_tui.wire.frames import Input

    tape = Tape()
    tape.take([Input({"messages": [{"role": 7}]}), Frame(EVENTS[0], 1, 0)])
    assert "left out" in tape.remarks[0]
    assert tape.length == 1


def test_an_input_is_given_where_it_stands_when_all_is_folded_anew() -> None:
    asked = Input({"messages": [{"id": "u", "role": "user", "content": "x"}]})
    frames = [Frame(event, n, 0) for n, event in enumerate(EVENTS, 1)]
    tape = Tape()
    tape.take([*frames[:3], asked, *frames[3:], NewStream(1, None), asked, *frames])

    def held() -> list[list[object]]:
        return [
            [message["id"] for message in tape.transcript.messages(position)]
            for position in range(tape.length + 1)
        ]

    live = held()
    for _ in tape.refold(Pipeline):
        pass
    assert held() == live
    assert "u" not in live[2]


async def test_folding_anew_comes_to_the_same(shared: Path) -> None:
    for path in sorted((shared / "streams").glob("*.sse")):
        session = Session(FileSource(path), kind="replay")
        await session.run()
        before = session.tape.transcript
        await session.read_on(False)
        after = session.tape.transcript
        assert after is not before
        assert after.messages() == before.messages()
        assert len(after.entries) == len(before.entries)


async def test_reading_on_past_a_violation() -> None:
    tape = Tape()
    events = [*EVENTS[:4], EVENTS[1], *EVENTS[4:]]
    tape.take([Frame(event, n, 0) for n, event in enumerate(events, 1)])
    tape.end()
    (stream,) = tape.pipeline.streams
    assert stream.violation is not None
    generation = tape.generation
    for _ in tape.refold(lambda: Pipeline(keep_going=True)):
        pass
    assert tape.generation > generation
    assert tape.pipeline.streams[0].violation == stream.violation
    assert tape.transcript.messages()[-1]["content"] == "Zürich rain"


async def test_what_arrives_while_everything_is_folded_anew_is_not_lost() -> None:
    tape = Tape()
    frames = [Frame(event, n, 0) for n, event in enumerate(EVENTS, 1)]
    tape.take(frames[:3])
    for done in tape.refold(Pipeline):
        if done == 3:
            tape.take(frames[3:])
            tape.take([NewStream(1, None), *frames])
    assert tape.transcript.length == tape.length == 12
    assert [run.ending.now is not None for run in tape.transcript.runs] == [True, True]
    tape.end()
    assert tape.pipeline.streams[1].ended


@given(
    cuts=st.lists(st.integers(1, 6), max_size=6),
    streams=st.integers(1, 3),
)
@settings(max_examples=examples(40))
def test_seeking_equals_folding_the_first(cuts: list[int], streams: int) -> None:
    """The law of the tape: ``at(n)`` is what folding the first n comes to."""
    tape = Tape()
    whole: list[bytes | None] = []
    for stream in range(streams):
        if stream:
            tape.take([NewStream(stream, None)])
            whole.append(None)
        events = [*EVENTS, *(EVENTS[cut % len(EVENTS)] for cut in cuts)]
        tape.take([Frame(event, n, 0) for n, event in enumerate(events, 1)])
        whole += events
    for position in range(tape.length + 1):
        fresh = Pipeline()
        folded = 0
        for item in whole:
            if folded == position:
                break
            if item is None:
                fresh.next_stream()
            else:
                fresh.feed(item)
                folded += 1
        assert tape.transcript.messages(position) == fresh.transcript.messages()


def test_a_cursor_goes_on_where_it_had_come_to_the_end() -> None:
    tape = Tape()
    cursor = tape.cursor()
    assert cursor.next(9) is None
    tape.begin({"messages": []})
    tape.take([Frame(event, n, 0) for n, event in enumerate(EVENTS, 1)])
    assert [cursor.next(4) for _ in range(4)] == [
        Input({"messages": []}), range(4), range(4, 6), None,
    ]  # fmt: skip
    tape.take([NewStream(7), Input({"state": {}}), Frame(EVENTS[0], 1, 0)])
    found = [cursor.next(4) for _ in range(4)]
    assert found == [NewStream(1, None), Input({"state": {}}), range(6, 7), None]


def test_a_redacted_tape_has_the_input_of_every_stream() -> None:
    tape = Tape()
    said = {"messages": [{"id": "a", "role": "user", "content": "secret"}]}
    tape.take([Input(said), Frame(EVENTS[0], 1, 0), NewStream(1), Input(said)])
    tape.end()
    fresh, _ = redacted_tape(tape)
    inputs = [item.value for item in fresh.walk() if isinstance(item, Input)]
    assert [item["messages"][0]["id"] for item in inputs] == ["a", "a"]
    assert "secret" not in str(inputs)


@given(st.lists(st.integers(-(2**53) + 1, 2**53 - 1), min_size=1, max_size=6))
def test_legal_timestamps_are_times_or_offsets(stamps: list[int]) -> None:
    tape = Tape()
    tape.take([Frame(b'{"timestamp":%d}' % stamp, 1, 0, None) for stamp in stamps])
    times = tape.times(0, tape.length)
    assert list(times) == sorted(times)
    assert times[0] == 0.0
    assert times[-1] == max(0, max(stamps) - stamps[0]) / 1000
    assert (tape.started is None) == (moment(stamps[0] / 1000) is None)
    assert len(tape.remarks) == (tape.started is None)
