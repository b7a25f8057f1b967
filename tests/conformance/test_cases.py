"""Streams from public bug reports: what ``expected.md`` says of each, read from there."""

from __future__ import annotations

import json
import re
from typing import Any, Final

import pytest

from tests.conftest import SHARED, shared_path
from tests.pipelines import read
from transcript_tui.transcript.pipeline import Pipeline

FILES: Final = sorted(
    path.name for path in SHARED.glob("cases/A*") if path.suffix in (".jsonl", ".sse")
)

VERDICTS: Final[dict[str, tuple[str, int] | None]] = {
    "A1": ("after-close", 8),
    "A4": ("after-close", 4),
    "A5": ("open-at-finish", 3),
    "A8": ("malformed", 5),
    "A14": ("not-open", 7),
    "A19": ("open-open", 2),
    "A23": ("malformed", 3),
    "A35": ("malformed", 4),
    "A55": ("not-json", 2),
    "A58": ("not-json", 6),
    "A59": ("not-json", 2),
    "A62": ("malformed", 0),
}
"""Rule and event of those that are rejected; the table is held against them below."""

WARNINGS: Final[dict[str, list[str]]] = {
    "A2": ["truncated"],
    "A11": ["unknown-event", "truncated"],
    "A13": ["retired-shape", "retired-shape"],
    "A17": ["reopen-disagrees"],
    "A25": ["retired-shape"],
    "A40": ["unknown-entity"],
    "A41": ["patch-failed", "patch-failed"],
    "A43": ["activity-missing"],
    "A50": ["truncated"],
    "A61": ["truncated"],
}

LOOSE: Final = {
    "A38": "counted by kind, not one by one",
    "A62": "the listed nulls beside the fault",
}
"""Cases whose warnings are checked in tests of their own."""


def case(file: str) -> str:
    return file.partition(".")[0]


def consumed(file: str) -> Pipeline:
    source = shared_path("cases", file).read_bytes()
    return read(source[index : index + 7] for index in range(0, len(source), 7))


def rows() -> dict[str, list[str]]:
    """The table of ``expected.md``: verdict and ending by case."""
    table = shared_path("cases", "expected.md").read_text()
    found: dict[str, list[str]] = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells and re.match(r"A\d+", cells[0]):
            found[cells[0].split()[0]] = cells
    return found


def section(name: str) -> str:
    text = shared_path("cases", "expected.md").read_text()
    found = re.search(rf"^## {name} — .*?(?=^## |\Z)", text, re.M | re.S)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("file", FILES)
def test_verdict_and_ending(file: str) -> None:
    pipeline = consumed(file)
    stream = pipeline.stream
    cells = rows()[case(file)]
    violation = stream.violation
    told = None if violation is None else (violation.rule, violation.event)
    assert told == VERDICTS.get(case(file))
    if told is None:
        assert cells[1].startswith("accepted")
    else:
        assert cells[1].startswith(f"rejected at event {told[1]}, ")
        assert f"`{told[0]}`" in cells[1]
    endings = [run.ending.now for run in stream.runs]
    assert all(ending is not None for ending in endings)
    words = re.findall(r"finished|interrupted|cancelled|failed|truncated|rejected", cells[2])
    assert [ending.kind for ending in endings if ending is not None] == words


@pytest.mark.parametrize("file", FILES)
def test_messages(file: str) -> None:
    block = re.search(r"```json\n(.*?)\n```", section(case(file)), re.S)
    messages = consumed(file).transcript.messages()
    if block is None:
        assert case(file) in LOOSE
    else:
        assert messages == json.loads(block[1])


@pytest.mark.parametrize("file", [file for file in FILES if case(file) not in LOOSE])
def test_warnings(file: str) -> None:
    warnings = consumed(file).stream.warnings
    assert [one.rule for one in warnings] == WARNINGS.get(case(file), [])


def test_state_of_a41() -> None:
    assert consumed("A41.jsonl").transcript.state_at() == {"steps": ["dig", "plant"]}


def test_legacy_thinking_is_translated_and_its_loss_is_named() -> None:
    pipeline = consumed("A38.jsonl")
    messages = pipeline.transcript.messages()
    assert [(one["role"], one["content"]) for one in messages] == [
        ("reasoning", "Plums or pears? Plums."),
        ("assistant", messages[1]["content"]),
    ]
    warnings = pipeline.stream.warnings
    assert {one.rule for one in warnings} == {"retired-shape"}
    assert any("title" in one.message for one in warnings)


def test_nulls_that_are_not_listed_name_their_likely_cause() -> None:
    violation = consumed("A62.jsonl").stream.violation
    assert violation is not None
    assert set(violation.paths) == {"/timestamp", "/parentRunId", "/input"}
    assert violation.likely


def test_the_sections_cover_every_file() -> None:
    missing = {case(file) for file in FILES} - set(rows())
    assert missing == set()


def test_cut_inside_a_frame_keeps_its_bytes() -> None:
    stream = consumed("A2.sse").stream
    assert stream.tail
    assert stream.transcript.entries[-1].tail == stream.tail


STREAMS: Final = "expected.json"


def expected_streams() -> dict[str, Any]:
    path = SHARED / "streams" / STREAMS
    return json.loads(path.read_text()) if path.exists() else {}


@pytest.mark.parametrize("name", expected_streams() or ["absent"])
def test_real_producers(name: str) -> None:
    expect = json.loads(shared_path("streams", STREAMS).read_text())[name]
    source = shared_path("streams", name).read_bytes()
    for parts in (source, [source[index : index + 1] for index in range(len(source))]):
        pipeline = read(parts)
        assert pipeline.stream.verdict == expect["verdict"]
        endings = [run.ending.now for run in pipeline.stream.runs]
        assert endings[-1] is not None
        assert endings[-1].kind == expect["ending"]
        assert pipeline.transcript.messages() == expect["messages"]
