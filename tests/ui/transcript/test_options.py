from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.ui.views.transcript.filter import Filter


def test_a_filter_is_read_as_it_is_written() -> None:
    wanted = Filter.parse("role:user,Tool kind:tool speaker:bob subagent:x some words")
    assert wanted.roles == {"user", "tool"}
    assert wanted.kinds == {"tool"}
    assert wanted.speakers == {"bob"}
    assert wanted.subagents == {"x"}
    assert wanted.text == "some words"
    assert wanted.describe() == "role:tool,user kind:tool speaker:bob subagent:x some words"


def test_names_with_blanks_are_quoted() -> None:
    wanted = Filter.parse('subagent:"Nested Helper",x speaker:"a, b" some "words')
    assert wanted.subagents == {"nested helper", "x"}
    assert wanted.speakers == {"a, b"}
    assert wanted.text == 'some "words'
    assert wanted.describe() == 'speaker:"a, b" subagent:"nested helper",x some "words'
    assert Filter.parse('subagent:"Nested He').subagents == {"nested he"}, "while it is typed"
    assert Filter.parse('speaker:"x y" role:user').roles == {"user"}
    assert Filter.parse('{"role":"a b').text == '{"role":"a b'


def test_an_empty_filter_asks_for_nothing() -> None:
    assert not Filter.parse("  ")
    assert Filter.parse("x")


def test_what_no_item_can_have_is_a_mistake() -> None:
    assert Filter.parse("kind:tols").mistake().startswith("There is no kind 'tols'")
    assert "assistant" in Filter.parse("role:bot").mistake()
    assert not Filter.parse("kind:tool,run role:user speaker:x subagent:y words").mistake()


_PIECES = st.sampled_from(["role:", "agent:", "Bob", " ", "  ", ",", '"', "x"])


@given(st.text() | st.lists(_PIECES).map("".join))
def test_any_words_are_a_filter(words: str) -> None:
    wanted = Filter.parse(words)
    assert Filter.parse(wanted.describe()).describe() == wanted.describe()
