"""Laws of folding, on generated streams of all families."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocol.rows import rows
from tests.strategies import Event, broken_streams, payloads, spellings, streams
from tests.transcript.folding import CALLING
from tests.transcript.readout import readout, seen
from transcript_tui.protocol.events import KINDS
from transcript_tui.transcript.model import NEVER, Message
from transcript_tui.transcript.pipeline import VERDICTS, Pipeline
from transcript_tui.transcript.reduce import Fold, fold_payload
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.wire import jsontext

SOME = st.one_of(streams(length=6).map(payloads), broken_streams(length=6)).filter(bool)
"""Streams of at least one payload: nothing else ends at the position where they end."""


def folded(parts: list[bytes], *, keep_going: bool = False, end: bool = True) -> Pipeline:
    pipeline = Pipeline(keep_going=keep_going)
    pipeline.feed_all(parts)
    if end:
        pipeline.end()
    return pipeline


@given(streams())
def test_a_generated_stream_keeps_the_rules(events: list[Event]) -> None:
    assert folded(payloads(events)).stream.violation is None


def _looks_back_exactly(parts: list[bytes], *, keep_going: bool) -> None:
    whole = folded(parts, keep_going=keep_going).transcript
    for position in range(len(parts) + 1):
        last = position == len(parts)
        prefix = folded(parts[:position], keep_going=keep_going, end=last).transcript
        assert readout(whole, position) == readout(prefix, position)
        if last:
            assert readout(whole) == readout(prefix)


@given(streams(length=15))
def test_looking_back_equals_folding_less(events: list[Event]) -> None:
    _looks_back_exactly(payloads(events), keep_going=False)


@given(broken_streams(length=12), st.booleans())
def test_looking_back_is_exact_around_violations(parts: list[bytes], keep_going: bool) -> None:
    _looks_back_exactly(parts, keep_going=keep_going)


@given(st.one_of(streams(), rows), st.booleans(), st.data())
def test_folding_is_incremental(events: list[Event], going: bool, data: st.DataObject) -> None:
    parts = payloads(events)
    at_once = folded(parts, keep_going=going)
    one_by_one = Pipeline(keep_going=going)
    for part in parts:
        one_by_one.feed(part)
    one_by_one.end()
    cut = data.draw(st.integers(0, len(parts)))
    in_two = Pipeline(keep_going=going)
    in_two.feed_all(parts[:cut])
    in_two.feed_all(iter(parts[cut:]))
    in_two.end()
    for other in (one_by_one, in_two):
        assert readout(other.transcript) == readout(at_once.transcript)
        assert other.verdicts == at_once.verdicts
        assert other.transcript.touched == at_once.transcript.touched
        assert [run.events for run in other.transcript.runs] == [
            run.events for run in at_once.transcript.runs
        ]


@given(rows, st.booleans())
def test_deltas_in_a_row_look_back_exactly(events: list[Event], going: bool) -> None:
    _looks_back_exactly(payloads(events)[:15], keep_going=going)


@given(spellings())
def test_chunks_and_their_expansion_say_the_same(pair: tuple[list[Event], list[Event]]) -> None:
    chunks, triads = (folded(payloads(events)) for events in pair)
    assert chunks.stream.violation is None
    assert chunks.transcript.messages() == triads.transcript.messages()
    views = [
        [
            (view.id, view.role, view.name, view.owner, view.content(), view.openings)
            for entry in one.transcript.held()
            if isinstance(entry, Message)
            for view in (entry.at(),)
        ]
        for one in (chunks, triads)
    ]
    assert views[0] == views[1]


@given(st.one_of(broken_streams(), rows.map(payloads)), st.data())
def test_warnings_stand_in_order(parts: list[bytes], data: st.DataObject) -> None:
    pipeline = folded(parts, keep_going=True)
    pipeline.next_stream()
    pipeline.framing("framing-crlf")
    pipeline.feed_all(parts)
    pipeline.end(b"{")
    transcript = pipeline.transcript
    stamps = [stamp for stamp, _ in transcript.noted]
    assert stamps == sorted(stamps)
    position = data.draw(st.integers(0, transcript.length))
    assert [stamp for stamp, _ in transcript.warnings(position)] == [
        stamp for stamp in stamps if stamp < position
    ]


@given(broken_streams())
def test_a_rejected_stream_keeps_its_accepted_prefix(parts: list[bytes]) -> None:
    rejected = folded(parts)
    violation = rejected.stream.violation
    if violation is None:
        return
    # Ended too: where nothing more may come, half an emoji stands as U+FFFD.
    prefix = folded(parts[: violation.event])
    assert prefix.stream.violation is None
    assert rejected.transcript.messages() == prefix.transcript.messages()
    assert rejected.transcript.state_at() == prefix.transcript.state_at()
    after = len(parts) - violation.event - 1
    codes = rejected.verdicts[violation.event :]
    assert [VERDICTS[code] for code in codes] == ["rejected", *["after"] * after]


@given(broken_streams())
def test_reading_past_a_violation_never_changes_the_verdict(parts: list[bytes]) -> None:
    strict, lenient = folded(parts), folded(parts, keep_going=True)
    assert strict.stream.violation == lenient.stream.violation
    assert strict.stream.verdict == lenient.stream.verdict
    before = strict.stream.violation
    if before is not None:
        position = before.event
        assert strict.transcript.messages(position) == lenient.transcript.messages(position)


@given(streams())
def test_order_and_identity(events: list[Event]) -> None:
    transcript = folded(payloads(events)).transcript
    entries = transcript.entries
    assert [entry.key for entry in entries] == list(range(len(entries)))
    births = [entry.born for entry in entries]
    assert births == sorted(births) == list(transcript.births)
    taken = {one.event for _, one in transcript.warnings() if one.rule == "id-taken"}
    seen: dict[str, Message] = {}
    for entry in entries:
        if isinstance(entry, Message):
            earlier = seen.get(entry.id)
            if earlier is not None and earlier.dropped == NEVER:
                assert entry.born in taken
            seen[entry.id] = entry


SOURCES = st.lists(
    st.one_of(
        st.just(payloads(CALLING)), streams(length=15).map(payloads), broken_streams(length=15)
    ),
    min_size=1,
    max_size=3,
)
"""Connections one after another, each with runs of its own; the next cuts what is open."""


@given(SOURCES, st.booleans(), st.data())
def test_changes_name_whatever_differs(
    found: list[list[bytes]], going: bool, data: st.DataObject
) -> None:
    pipeline = Pipeline(keep_going=going)
    for number, parts in enumerate(found):
        if number:
            pipeline.next_stream()
        pipeline.feed_all(parts)
    transcript = pipeline.transcript
    positions = st.integers(0, transcript.length)
    far = data.draw(positions), data.draw(positions)
    # Over most stretches there is something that is not listed: each single step is looked at.
    steps = [(position, position + 1) for position in range(transcript.length)]
    for one, other in [far, *data.draw(st.permutations(steps))[:12], *_run_ends(steps, transcript)]:
        changed = transcript.changes(one, other)
        assert changed == transcript.changes(other, one)
        if changed is not None:
            differing = {
                entry.key
                for entry in transcript.entries
                if seen(transcript, entry, one) != seen(transcript, entry, other)
            }
            assert differing <= changed


def _run_ends(steps: list[tuple[int, int]], transcript: Transcript) -> list[tuple[int, int]]:
    ends = {stamp for run in transcript.runs for stamp, _ in run.ending.versions()}
    return [step for step in steps if step[0] in ends]


@given(SOME, st.data())
def test_payloads_of_an_entry_are_those_that_change_it(
    parts: list[bytes], data: st.DataObject
) -> None:
    transcript = folded(parts, end=False).transcript
    start = data.draw(st.integers(0, len(parts)))
    for entry in transcript.entries:
        assert transcript.payloads_of(entry.key, start, len(parts)) == [
            number
            for number in range(start, len(parts))
            if number == entry.born
            or transcript.touched[number] == entry.key
            or entry.key in transcript.groups.get(number, ())
        ]


@given(streams())
def test_conversation_holds_what_is_held(events: list[Event]) -> None:
    transcript = folded(payloads(events)).transcript
    for position in range(0, transcript.length + 1, 5):
        held = [entry for entry in transcript.held(position) if isinstance(entry, Message)]
        assert sorted(m.key for m in transcript.conversation(position)) == [m.key for m in held]


@given(st.lists(st.one_of(st.binary(max_size=40), st.text(max_size=40).map(str.encode))))
@pytest.mark.parametrize("keep_going", [False, True])
def test_total_on_any_bytes(keep_going: bool, parts: list[bytes]) -> None:
    pipeline = folded(parts, keep_going=keep_going)
    assert len(pipeline.verdicts) == pipeline.transcript.length == len(parts)


@given(st.lists(SOME, max_size=4))
def test_several_streams_look_back_exactly(found: list[list[bytes]]) -> None:
    def fold(parts: list[list[bytes]]) -> Pipeline:
        pipeline = Pipeline()
        for index, stream in enumerate(parts):
            if index:
                pipeline.next_stream()
            pipeline.feed_all(stream)
        return pipeline

    whole = fold(found)
    assert len(whole.streams) == max(len(found), 1)
    for count in range(1, len(found)):
        prefix = fold(found[:count])
        prefix.end()
        position = prefix.transcript.length
        assert readout(whole.transcript, position) == readout(prefix.transcript, position)


@given(streams(runs=2), st.randoms(use_true_random=False))
def test_the_reducer_is_total_on_any_order_of_events(events: list[Event], random: Random) -> None:
    random.shuffle(events)
    fold = Fold(Transcript())
    for told in events:
        # Operations of the future do not get here: enforcement drops them.
        if told["type"] in KINDS and "future" not in jsontext.dumps(told):
            fold.stamp += 1
            fold_payload(fold, [msgspec.convert(told, KINDS[told["type"]])])
    readout(fold.transcript)
    assert fold.transcript.length == fold.stamp + 1
