"""The demo's scenarios: a file in this folder and a line here."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from transcript_tui.errors import UsageError
from transcript_tui.server.script import Script, parse_scenario

__all__ = ["DEFAULT", "SCENARIOS", "Scenario", "no_scenario", "scenario"]


@dataclass(frozen=True, slots=True)
class Scenario:
    name: str
    about: str
    """What it shows, a sentence."""
    message: str
    """What the user says unless told otherwise."""

    def load(self) -> Script:
        source = files(__name__).joinpath(f"{self.name}.jsonl")
        return parse_scenario(source.read_text(encoding="utf-8"))


_ALL: Final = (
    Scenario(
        "hello",
        "A short conversation: Markdown, reasoning, a tool call and two named speakers.",
        "We have four hours in Zürich on Saturday. What should we do?",
    ),
    Scenario(
        "reopen",
        "A closed message is reopened twice, the second time in another run.",
        "Draft the release notes, and keep them up to date.",
    ),
    Scenario(
        "interleaved",
        "Three messages grow at once, one of them a subagent's.",
        "Compare the three candidates.",
    ),
    Scenario(
        "chunks",
        "The compact spelling: text, reasoning and tool calls as chunks.",
        "How warm is the Aare today?",
    ),
    Scenario(
        "unicode",
        "CJK, combining marks and emoji split across deltas, and right-to-left text.",
        "Greet everybody in their own script.",
    ),
    Scenario(
        "violation",
        "The producer breaks a rule of the protocol, and the stream is rejected there.",
        "Summarise the incident.",
    ),
    Scenario("run-error", "The run fails by its own account.", "Book the 10:02 to Lugano."),
    Scenario(
        "truncated", "The connection ends in the middle of a run.", "Explain the moon landing."
    ),
    Scenario("long", "Ten thousand tokens at full speed.", "Write a long guide to event streams."),
)

SCENARIOS: Final = {scenario.name: scenario for scenario in _ALL}
DEFAULT: Final = "hello"


def scenario(name: str) -> Scenario:
    """The scenario of that name; raises :class:`UsageError`."""
    if name not in SCENARIOS:
        raise no_scenario(name)
    return SCENARIOS[name]


def no_scenario(name: str, what: str = "scenario") -> UsageError:
    """Nothing has this name; ``what`` could have been meant by it."""
    from difflib import get_close_matches

    near = get_close_matches(name, SCENARIOS, 1, 0.7)
    hint = f"Did you mean {near[0]}?" if near else f"The scenarios are {', '.join(SCENARIOS)}."
    return UsageError(f"There is no {what} {name!r}.", hint)
