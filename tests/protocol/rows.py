"""Streams in which chunks and deltas come in a row, in every lane; most break a rule somewhere."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from tests.protocol.streams import Json, event, run

_SPOKEN: dict[str, tuple[str, str, list[Json]]] = {
    "TEXT_MESSAGE": ("messageId", "CONTENT", [{"role": "user"}, {"role": "assistant"}]),
    "TOOL_CALL": ("toolCallId", "ARGS", [{"toolCallName": "f"}, {"toolCallName": "g"}]),
    "REASONING_MESSAGE": ("messageId", "CONTENT", [{}]),
}
_BETWEEN: list[Json] = [
    event("RAW", event=1),
    event("CUSTOM", name="n", value=1),
    event("MESSAGES_SNAPSHOT", messages=[{"role": "assistant", "id": "a", "content": "x"}]),
    event("SUBAGENT_FINISHED", subagentRunId="s1"),
    event("FUTURE"),
]
_BESIDE: list[Json] = [{}, {}, {}, {"timestamp": 1}, {"rawEvent": 1}, {"metadata": {"k": 1}}]


@st.composite
def _rows(draw: st.DrawFn) -> list[Json]:
    # From a seed, and of few kinds: else hardly anything would go on with anything.
    random = Random(draw(st.integers(0, 2**32 - 1)))
    kinds = random.choices(list(_SPOKEN), k=random.choice((1, 1, 1, 2)))
    owners = random.choices([{}, {}, {}, {"subagentRunId": "s1"}, {"subagentRunId": "s2"}], k=2)
    events: list[Json] = []
    for number in range(draw(st.integers(1, 30))):
        kind, owner = random.choice(kinds), random.choice(owners)
        name, content, openers = _SPOKEN[kind]
        opened = {name: random.choice("aaab"), **openers[0], **owner}
        bare = {"delta": random.choice(("x", "\ud83d", "\ude00", "")), **owner}
        match random.randint(0, 9) if number else 0:
            case 0 | 1:
                events.append(event(f"{kind}_CHUNK", **{**opened, **bare}))
            case 2:
                events.append(random.choice(_BETWEEN))
            case 3:
                events.append(event(f"{kind}_{content}", **{name: "a"}, **bare))
            case 4 | 5:
                said = {**opened, **random.choice(openers), **bare}
                told = {key: value for key, value in said.items() if random.random() < 0.6}
                events.append(event(f"{kind}_CHUNK", **told, **random.choice(_BESIDE)))
            case _:
                beside = random.choices(_BESIDE, k=random.randint(1, 3))
                events += [event(f"{kind}_CHUNK", **bare, **extra) for extra in beside]
    return run(*events)


rows = _rows()
