"""What the repository says of itself is true: README, tables, versions, the shipped files."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import readme_tables
from tests.conftest import shared_path
from transcript_tui import __version__
from transcript_tui.cli.app import VERBS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_tables_are_those_of_the_code() -> None:
    assert readme_tables.rewritten(README) == README, "run: python -m tests.readme_tables"


def test_two_lines_start_everything_from_a_fresh_clone() -> None:
    lines = [line for line in README.splitlines() if line.startswith("python3 -m venv .venv && ")]
    assert len(lines) == 2
    assert "-e ." in lines[0]
    assert lines[0].endswith(" demo")
    assert "'.[test]'" in lines[1]
    assert lines[1].endswith("-m pytest")
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert "README.md" in script
    assert lines[0] not in script, "it takes the lines from the README, it has no copy of them"


def test_every_link_to_a_file_leads_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        text = (ROOT / name).read_text("utf-8")
        for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", text):
            assert (ROOT / target).exists(), f"{name}: {target}"


def test_what_contributing_names_of_the_code_is_there() -> None:
    """The map of each package, whose name stands in the first of its rows."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| (`\w+/`)? ?\| (`[^|]*) \| [^|]+ \|$", text, re.MULTILINE)
    package, named = "", 0
    for first, places in rows:
        package = first.strip("`") or package
        for place in re.findall(r"`([^`]+)`", places):
            found = list((ROOT / "transcript_tui" / package).glob(place.rstrip("/")))
            assert found, f"{package}{place}"
            named += 1
    assert named > 30


def test_the_commands_in_the_readme_exist() -> None:
    used = set(re.findall(r"transcript-tui ([a-z]+)", README))
    assert used <= set(VERBS), used - set(VERBS)


def test_the_changelog_knows_the_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_top_level_is_what_was_asked_for() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    top = {Path(name).parts[0] for name in tracked}
    assert {name for name in top if not name.startswith(".")} <= {
        "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "README.md", "pyproject.toml",
        "screenshots", "tests", "themes", "transcript_tui",
    }  # fmt: skip


def test_nothing_of_the_shared_material_is_copied() -> None:
    foreign = {
        path.read_bytes()
        for folder in ("streams", "cases", "conformance")
        for path in shared_path(folder).iterdir()
        if path.is_file() and path.stat().st_size > 64
    }
    for path in (ROOT / "tests").rglob("*"):
        if path.is_file() and path.suffix in (".sse", ".json", ".jsonl", ".http"):
            assert path.read_bytes() not in foreign, path


def waits_for_time(node: ast.AST) -> bool:
    """``sleep`` and ``pause`` of more than a turn; a clock of the test's own may be slept on."""
    match node:
        case ast.Call(ast.Attribute(whose, "sleep" | "pause"), given, named):
            given = [*given, *(one.value for one in named)]
            turn = all(isinstance(one, ast.Constant) and one.value == 0 for one in given)
            return not turn and not ast.unparse(whose).endswith("clock")
    return False


def test_tests_wait_for_the_thing_never_for_time() -> None:
    """Only benchmarks watch time pass: it is what they measure."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if "benchmarks" not in path.parts
        for node in ast.walk(ast.parse(path.read_bytes()))
        if waits_for_time(node)
    ]
    assert found == []
    assert waits_for_time(ast.parse("pilot.pause(delay=0.2)", mode="eval").body)


def test_workers_are_started_in_one_place() -> None:
    """Where they are given a function: a coroutine no worker began is warned of at the end."""
    found = [
        path.name
        for path in (ROOT / "transcript_tui").rglob("*.py")
        if "run_worker(" in path.read_text("utf-8")
    ]
    assert found == ["workers.py"]


@pytest.mark.parametrize("tool", ["lint-imports"])
def test_imports_go_one_way_down(tool: str) -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name(tool), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
