"""What may follow what in JSON; containers that are open, however many."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.ui.layout.json.grammar import Grammar, NotJson

TOKENS = st.sampled_from(["{", "}", "[", "]", ",", ":", '"key"', "12"])


def taken(tokens: list[str]) -> Grammar:
    grammar = Grammar()
    for before, token in zip(["", *tokens], tokens, strict=False):
        grammar.take(token, before)
    return grammar


def whole(tokens: list[str]) -> bool:
    try:
        return taken(tokens).expect == "end"
    except NotJson:
        return False


@given(st.lists(TOKENS, max_size=9))
def test_what_is_whole_is_what_json_reads(tokens: list[str]) -> None:
    try:
        json.loads("".join(f"{token} " for token in tokens))
    except ValueError:
        assert not whole(tokens)
    else:
        assert whole(tokens)


VALUES = st.recursive(
    st.sampled_from([1, "key"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("key"), inner, max_size=1),
    max_leaves=8,
)


@given(VALUES)
def test_json_is_whole_at_its_end_and_not_before(value: object) -> None:
    text = json.dumps(value)
    for sign in "{}[],:":
        text = text.replace(sign, f" {sign} ")
    tokens = text.split()
    assert whole(tokens)
    for length in range(len(tokens)):
        assert taken(tokens[:length]).expect != "end"


def test_containers_that_are_open_are_shared() -> None:
    """Copied for each further one, a hundred thousand brackets took half a minute."""
    outer = taken(["["])
    inner = outer.copy()
    inner.take("[", "[")
    assert inner.open is not None
    assert inner.open.around is outer.open


@pytest.mark.parametrize("depth", [1, 100_000])
def test_as_many_are_closed_as_are_open(depth: int) -> None:
    brackets = ["["] * depth + ["]"] * depth
    assert whole(brackets)
    assert not whole(brackets[:-1])
    assert not whole([*brackets, "]"])
