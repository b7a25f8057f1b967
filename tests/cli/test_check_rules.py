"""``check`` on each kind of defect, each public case and each scenario: answer and status, in
every format."""

from __future__ import annotations

import json
import re
import socket
import threading
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Answer, Cli
from tests.conformance.test_cases import FILES, VERDICTS, WARNINGS, case, rows
from tests.conftest import shared_path
from tests.protocol.streams import judged
from tests.protocol.test_rules import BROKEN, FRAMING
from tests.server.test_scenarios import ENDINGS, FOLDER
from tests.transcript.folding import FINISHED, STARTED
from tests.transcript.test_rules import WARNED
from transcript_tui.protocol.rules import RULES, Rule

STATUS = {"rejected": 1, "failed": 3, "truncated": 4}


def stream_of(rule: Rule) -> list[Any]:
    """A stream that breaks ``rule``, from the tables of the rules' own tests."""
    if rule.id in BROKEN:
        streams = [stream for stream, _ in BROKEN[rule.id]]
        return next(one for one in streams if bool(judged(one)[0].violation) == rule.fatal)
    return [STARTED, *WARNED[rule.id][0], FINISHED]


def written(folder: Path, rule: Rule) -> Path:
    file = folder / "run.jsonl"
    payloads = [
        one if isinstance(one, bytes) else json.dumps(one).encode() for one in stream_of(rule)
    ]
    file.write_bytes(b"".join(payload + b"\n" for payload in payloads))
    return file


def expected_status(endings: list[str]) -> int:
    """The worst of the endings' statuses, in the order 1, 4, 3."""
    found = {STATUS.get(ending, 0) for ending in endings}
    return next((status for status in (1, 4, 3) if status in found), 0)


def of_json(answer: Answer) -> dict[str, Any]:
    (line,) = answer.out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


IN_FILES = [rule for rule in RULES.values() if not rule.id.startswith(("framing-", "empty"))]


@pytest.mark.parametrize("rule", [one for one in IN_FILES if one.fatal], ids=lambda one: one.id)
def test_a_broken_rule_is_said_in_every_format(cli: Cli, tmp_path: Path, rule: Rule) -> None:
    file = written(tmp_path, rule)
    found = of_json(cli("check", "--format", "json", file))["violation"]
    assert (found["rule"], found["spec"]) == (rule.id, rule.page)
    assert found["event"] == found["line"] - 1
    assert file.read_bytes()[: found["offset"]].count(b"\n") == found["event"]
    text = cli("check", file)
    assert text.status == 1
    where = f"at event {found['event']}, line {found['line']}, byte {found['offset']}"
    assert f"rejected by {rule.id} {where}" in text.out
    assert found["message"] in text.out
    assert f"Specification: AG-UI 1.1, {rule.page}" in text.out
    assert f"What a producer should send: {found['expected']}" in text.out
    assert (found["likely"] or "rejected by") in text.out
    assert re.search(r"^ +> ", text.out, re.MULTILINE)
    (suite,) = ET.fromstring(cli("check", "--format", "junit", file).out.encode())
    failure = suite.find("testcase[@name='stream']/failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == (rule.id, found["message"])
    assert all(found[key] in (failure.text or "") for key in ("expected", "spec"))
    assert (found["likely"] or "") in (failure.text or "")


@pytest.mark.parametrize("rule", [one for one in IN_FILES if not one.fatal], ids=lambda one: one.id)
def test_a_warning_is_said_in_every_format(cli: Cli, tmp_path: Path, rule: Rule) -> None:
    file = written(tmp_path, rule)
    one = of_json(cli("check", "--format", "json", file))
    (said, *_) = [found for found in one["warnings"] if found["rule"] == rule.id]
    assert one["verdict"] == "accepted"
    text = cli("check", file)
    assert f"{rule.id}, " in text.out
    assert said["message"] in text.out
    assert cli("check", "--strict", file).status == 1
    assert "a failure by --strict" in cli("check", "--strict", file).out
    (suite,) = ET.fromstring(cli("check", "--format", "junit", file).out.encode())
    assert said["message"] in (suite.findtext("testcase[@name='stream']/system-out") or "")


RUN = b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'
END = b'data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}'
MARKED = b'data: {"type":"CUSTOM","name":"\xef\xbb\xbf\xe2\x80\xa8\\r","value":1}\n\n'
KEPT_FRAMING = {
    "framing-crlf": [RUN + END + b"\n\n", RUN + MARKED + END + b"\n\n"],
    "framing-end": [
        RUN + END + b"\n\n",
        (RUN + END).replace(b"\n\n", b"\n").replace(b"data: ", b""),
    ],
    "framing-bom": [RUN + END + b"\n\n", RUN + MARKED + END + b"\n\n"],
}
BROKEN_FRAMING = {
    "framing-crlf": [
        (RUN + END + b"\n\n").replace(b"\n", b"\r\n"),
        (RUN + END + b"\n\n").replace(b"\n", b"\r"),
        RUN + END + b"\r\n\r\n",
    ],
    "framing-end": [RUN + END, RUN + END + b"\n"],
    "framing-bom": [b"\xef\xbb\xbf" + RUN + END + b"\n\n"],
}


def framed(table: dict[str, list[bytes]]) -> list[Any]:
    return [
        pytest.param(rule, data, id=f"{rule}-{number}")
        for rule, found in table.items()
        for number, data in enumerate(found)
    ]


def warned(cli: Cli, folder: Path, data: bytes) -> list[str]:
    file = folder / "run"
    file.write_bytes(data)
    one = of_json(cli("check", "--format", "json", file))
    assert [run["ending"] for run in one["runs"]] == ["finished"]
    return [found["rule"] for found in one["warnings"]]


@pytest.mark.parametrize(("rule", "data"), framed(KEPT_FRAMING))
def test_framing_kept(cli: Cli, tmp_path: Path, rule: str, data: bytes) -> None:
    assert rule not in warned(cli, tmp_path, data)


@pytest.mark.parametrize(("rule", "data"), framed(BROKEN_FRAMING))
def test_framing_broken(cli: Cli, tmp_path: Path, rule: str, data: bytes) -> None:
    assert warned(cli, tmp_path, data) == [rule]


def test_every_framing_rule_is_here() -> None:
    assert set(KEPT_FRAMING) == set(BROKEN_FRAMING) == FRAMING


@pytest.mark.parametrize("name", FILES or ["absent"])
def test_a_public_case_has_its_status(cli: Cli, name: str) -> None:
    file = shared_path("cases", name)
    endings = re.findall(
        r"finished|interrupted|cancelled|failed|truncated|rejected", rows()[case(name)][2]
    )
    verdict = VERDICTS.get(case(name))
    answer = cli("check", "--format", "json", file)
    one = of_json(answer)
    assert answer.status == (1 if verdict else expected_status(endings))
    assert [run["ending"] for run in one["runs"]] == endings
    assert (one["violation"] and (one["violation"]["rule"], one["violation"]["event"])) == verdict
    assert one["verdict"] == ("rejected" if verdict else "accepted")
    text = cli("check", file)
    assert text.status == answer.status
    assert all(f"{rule}, " in text.out for rule in WARNINGS.get(case(name), []))
    assert cli("check", "--quiet", file) == Answer(answer.status, "", "")


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """A server that gives every request this very answer; its URL."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    with connection:
                        connection.recv(65_536)
                        connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}/"
        server.shutdown(socket.SHUT_RDWR)
    thread.join(10)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("A64a.http", ("web page", "sign-in page", "Sign in")),
        ("A64b.http", ("application/json", "gardener", "not found")),
    ],
)
@pytest.mark.parametrize("live", [False, True], ids=["file", "answer"])
def test_an_answer_that_is_no_stream(
    cli: Cli, name: str, words: tuple[str, ...], live: bool
) -> None:
    file = shared_path("cases", name)
    with answering(file.read_bytes()) as url:
        answer = cli("check", "--format", "json", url if live else file)
    assert (answer.status, answer.out) == (2, "")
    assert all(word in answer.err for word in words)


@pytest.mark.parametrize("name", ENDINGS)
def test_a_scenario_has_its_status(cli: Cli, name: str) -> None:
    answer = cli("check", "--format", "json", FOLDER / f"{name}.jsonl")
    one = of_json(answer)
    assert answer.status == expected_status(ENDINGS[name])
    assert [run["ending"] for run in one["runs"]] == ENDINGS[name]
