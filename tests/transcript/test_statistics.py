"""Figures from times that are handed in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.transcript.folding import (
    FINISHED,
    STARTED,
    call,
    event,
    fed,
    result,
    run,
    text,
    views,
)
from transcript_tui.transcript.statistics import (
    Figures,
    Percentile,
    call_seconds,
    figures,
    percentile,
    run_figures,
    total_usage,
    usage_by_model,
)


def halves(payload: int) -> float:
    return payload / 2


def unknown(payload: int) -> None:
    return None


def test_of_a_call() -> None:
    pipeline = run(*call("c", "{}"), result("c", "t"))
    answered, ended, started = (views(pipeline, n)[0].tool_calls[0] for n in (5, 4, 3))
    assert [call_seconds(one, halves) for one in (answered, ended, started)] == [1.5, 1.0, None]


def test_of_a_run_and_of_everything() -> None:
    pipeline = fed(
        STARTED, *text("m", "ab", "cd"), *call("c", "{}"), FINISHED,
        STARTED, *text("n", "e"), FINISHED, input={"messages": [USER]},
    )  # fmt: skip
    transcript = pipeline.transcript
    first, second = (run_figures(transcript, one, halves) for one in transcript.runs)
    assert first == Figures(
        payloads=9, messages={"assistant": 2}, tool_calls=1, characters=4, pieces=2,
        seconds=4.0, first_content=1.0, rate=1.0,
    )  # fmt: skip
    assert (second.payloads, second.messages, second.rate) == (5, {"assistant": 1}, None)
    everything = figures(transcript, halves)
    assert everything.messages == {"user": 1, "assistant": 3}
    assert (everything.payloads, everything.characters) == (14, 6)
    early = run_figures(transcript, transcript.runs[0], unknown, 3)
    assert (early.payloads, early.pieces, early.seconds) == (3, 1, None)


USER = {"id": "u", "role": "user", "content": "Q"}


def test_dropped_messages_and_passthrough_are_not_counted() -> None:
    pipeline = run(*text("m", "x"), event("CUSTOM", name="n", value=1), SNAPSHOT)
    assert figures(pipeline.transcript, halves).messages == {}


SNAPSHOT = event("MESSAGES_SNAPSHOT", messages=[])


@pytest.mark.parametrize("usage", [None, []])
def test_usage_that_nobody_reported_is_absent(usage: object) -> None:
    told = {} if usage is None else {"usage": usage}
    assert total_usage(fed(STARTED, {**FINISHED, **told}).transcript.runs) == {}


def test_usage_is_summed_and_absent_is_not_zero() -> None:
    usage = [{"model": "a", "inputTokens": 3, "cachedInputTokens": 0}, {"inputTokens": 4}]
    pipeline = fed(STARTED, {**FINISHED, "usage": usage}, STARTED, {**FINISHED, "usage": usage[:1]})
    assert total_usage(pipeline.transcript.runs) == {"inputTokens": 10, "cachedInputTokens": 0}
    assert total_usage(pipeline.transcript.runs, 2) == {"inputTokens": 7, "cachedInputTokens": 0}


def test_usage_by_provider_and_model() -> None:
    usage = [{"model": "a", "provider": "p", "inputTokens": 3}, {"outputTokens": 0}]
    pipeline = fed(STARTED, {**FINISHED, "usage": usage}, STARTED, {**FINISHED, "usage": usage[:1]})
    expected = {("p", "a"): {"inputTokens": 6}, (None, None): {"outputTokens": 0}}
    assert usage_by_model(pipeline.transcript.runs) == expected
    assert usage_by_model(pipeline.transcript.runs, 1) == {}
    assert usage_by_model(fed(STARTED, FINISHED).transcript.runs) == {}


def test_a_percentile_is_one_of_the_values_by_nearest_rank() -> None:
    assert percentile([2.0, 0.1], 0.95) == 2.0
    assert percentile(range(1, 21), 0.95) == 19
    assert percentile([3.0], 0.95) == 3.0
    assert percentile([1.0, 2.0], 0.0) == 1.0


@given(
    st.lists(st.floats(0, 100) | st.integers(0, 5).map(float)),
    st.sampled_from([0.01, 0.5, 0.95, 1.0]),
    st.data(),
)
def test_a_percentile_of_what_comes_and_goes_one_by_one(
    values: list[float], share: float, data: st.DataObject
) -> None:
    coming, there = Percentile(share), list[float]()
    assert coming.value is None
    for value in values:
        coming.add(value)
        there.append(value)
        while there and data.draw(st.integers(0, 2)) == 0:
            assert coming.value == percentile(there, share)
            coming.remove(there.pop(data.draw(st.integers(0, len(there) - 1))))
        assert coming.value == (percentile(there, share) if there else None)


def test_a_percentile_forgets_in_whatever_order() -> None:
    values = [1.0, 1.0, 1.0, 5.0, 5.0, 5.0, 2.0, 9.0]
    for order in (values, values[::-1], sorted(values), sorted(values, reverse=True)):
        for share in (0.1, 0.5, 0.95):
            coming, there = Percentile(share), list(values)
            for value in values:
                coming.add(value)
            for value in order:
                assert coming.value == percentile(there, share)
                coming.remove(value)
                there.remove(value)
            assert coming.value is None
