"""``check``: the contract with scripts, to the letter (``check.md``)."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import subprocess
import sys
import threading
import xml.etree.ElementTree as ET
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import FINISH, PROGRAM, SAY, START, Answer, Cli, program, served
from tests.conftest import shared_path
from tests.session.loopback import FRAMES, Asked, answering, head, in_thread
from transcript_tui.cli.reading import read_log
from transcript_tui.server import scenarios
from transcript_tui.ui.views.tally import Tally, count_some

Log = Callable[..., Path]
CONTENT = '{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}'
ERROR = '{"type":"RUN_ERROR","message":"no luck","code":"E1"}'

STATUSES = {
    "finished": (0, [START, *SAY, FINISH]),
    "interrupted": (
        0,
        [
            START,
            FINISH[:-1]
            + ',"outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"ask"}]}}',
        ],
    ),
    "cancelled": (0, [START, FINISH[:-1] + ',"outcome":{"type":"cancelled"}}']),
    "rejected": (1, [START, CONTENT]),
    "failed": (3, [START, ERROR]),
    "truncated": (4, [START, SAY[0]]),
}


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def judged(cli: Cli, file: Path, *options: str) -> dict[str, Any]:
    (one,) = objects(cli("check", "--format", "json", *options, file).out)
    return one


@pytest.mark.parametrize("ending", STATUSES)
def test_each_ending_has_its_status_and_name(cli: Cli, log: Log, ending: str) -> None:
    status, events = STATUSES[ending]
    file = log(*events)
    answer = cli("check", "--format", "json", file)
    (one,) = objects(answer.out)
    assert answer.status == status
    assert one["runs"][0]["ending"] == ending
    assert one["verdict"] == ("rejected" if ending == "rejected" else "accepted")
    assert cli("check", "--quiet", file) == type(answer)(status, "", "")


def test_the_object_has_every_key_of_the_contract(cli: Cli, log: Log) -> None:
    file = log(START, *SAY, FINISH)
    one = judged(cli, file)
    assert list(one)[:10] == [
        "source", "stream", "verdict", "violation", "warnings",
        "runs", "messages", "state", "events", "statistics",
    ]  # fmt: skip
    assert one["source"] == str(file)
    assert one["stream"] == 0
    assert one["violation"] is None
    assert one["warnings"] == []
    assert one["state"] == {}
    assert one["messages"] == [{"id": "m", "role": "assistant", "content": "hello"}]
    assert one["runs"] == [
        {
            "threadId": "t", "runId": "r", "ending": "finished", "message": None, "code": None,
            "usage": None, "pendingToolCallIds": [], "interrupts": [], "events": 5,
        }
    ]  # fmt: skip


def test_events_are_types_whole_or_left_out(cli: Cli, log: Log) -> None:
    file = log(
        START,
        '{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x"}',
        '{"type":"UNHEARD_OF"}',
        FINISH,
    )
    assert judged(cli, file)["events"] == [
        "RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]  # fmt: skip
    whole = judged(cli, file, "--events", "full")["events"]
    assert whole[0] == json.loads(START)
    assert whole[2] == {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"}
    without = judged(cli, file, "--events", "none")
    assert "events" not in without
    assert without["statistics"]["eventTypes"] == {
        "RUN_STARTED": 1, "TEXT_MESSAGE_START": 1, "TEXT_MESSAGE_CONTENT": 1,
        "TEXT_MESSAGE_END": 1, "RUN_FINISHED": 1,
    }  # fmt: skip


def test_the_text_counts_the_events_by_kind(cli: Cli, log: Log) -> None:
    told = cli("check", log(START, SAY[0], SAY[1], SAY[1], SAY[2], FINISH)).out
    assert "events: 2 TEXT_MESSAGE_CONTENT, 1 RUN_STARTED, 1 TEXT_MESSAGE_START, 1 TEXT" in told


def test_a_violation_says_where_and_what(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.sse"
    file.write_bytes(
        b": hello\n\ndata: " + START.encode() + b'\n\ndata: {"type":"TEXT_MESSAGE_START",\n'
        b'data: "messageId":7}\n\ndata: ' + FINISH.encode() + b"\n\n"
    )
    answer = cli("check", "--format", "json", file)
    (one,) = objects(answer.out)
    found = one["violation"]
    assert answer.status == 1
    assert (found["rule"], found["event"]) == ("malformed", 1)
    assert (found["path"], found["paths"]) == ("/messageId", ["/messageId"])
    assert (found["line"], found["offset"]) == (5, file.read_bytes().index(b'data: {"type":"TEXT'))
    assert found["spec"] == "basic/processing"
    assert found["likely"] is None or isinstance(found["likely"], str)
    assert one["runs"][0]["ending"] == "rejected"
    assert "after" not in one


def test_the_text_marks_the_place_and_names_page_and_remedy(cli: Cli, log: Log) -> None:
    answer = cli("check", log(START, '{"type":"TEXT_MESSAGE_START","messageId":7}'))
    assert re.search(r"rejected by malformed at event 1, line 2, byte \d+", answer.out)
    assert re.search(r'^ +> +"messageId": 7$', answer.out, re.MULTILINE)
    assert "Specification: AG-UI 1.1, basic/processing" in answer.out
    assert "What a producer should send:" in answer.out


def test_the_text_marks_what_is_missing_and_says_what_was_not_judged(cli: Cli, log: Log) -> None:
    told = cli("check", log(START, '{"type":"TEXT_MESSAGE_START"}', FINISH, FINISH)).out
    assert re.search(r'^ +> +"messageId" is missing$', told, re.MULTILINE)
    assert "2 events after it not judged (--keep-going" in told
    assert "What a producer should send: TEXT_MESSAGE_START carries /messageId as a string" in told


def test_what_a_fault_means_is_said_once(cli: Cli, log: Log) -> None:
    lost = '{"type":"TEXT_MESSAGE_START","messageId":"m","timestamp":null}'
    told = cli("check", "--keep-going", log(START, lost, lost, "[DONE]", FINISH)).out
    assert told.count("rejected by malformed") == 2
    assert told.count("omitting empty fields") == 1
    assert told.count('>   "timestamp": null') == 2
    assert "sentinel" in told
    assert "not judged" not in told


def test_people_are_told_of_so_many_and_scripts_of_all(cli: Cli, log: Log) -> None:
    strange = [f'{{"type":"UNHEARD_{number}"}}' for number in range(70)]
    file = log(START, *strange, *[CONTENT] * 70, FINISH)
    told = cli("check", "--keep-going", file).out
    assert told.count(" is no event type") == 50
    assert "70 warnings" in told
    assert "… and 20 more; --format json has them all" in told
    assert told.count("also rejected") == 50
    assert "… and 19 more; --format json has them all" in told
    one = judged(cli, file, "--keep-going")
    assert (len(one["warnings"]), len(one["after"])) == (70, 69)


def test_what_is_no_json_is_shown_as_it_came(cli: Cli, log: Log) -> None:
    answer = cli("check", log(START, "[DONE] \x1b[31m"))
    assert "> [DONE] ␛[31m" in answer.out


def test_keep_going_reads_on_and_the_verdict_stays(cli: Cli, log: Log) -> None:
    file = log(START, CONTENT, *SAY, CONTENT, FINISH)
    one = judged(cli, file, "--keep-going")
    assert one["violation"]["event"] == 1
    assert [after["event"] for after in one["after"]] == [5]
    assert one["after"][0]["line"] == 6
    assert one["messages"] == [{"id": "m", "role": "assistant", "content": "hello"}]
    assert cli("check", "--keep-going", file).status == 1
    assert judged(cli, log(START, FINISH, CONTENT), "--keep-going")["after"] == []


def test_strict_makes_a_warning_a_failure(cli: Cli, log: Log) -> None:
    file = log(START, '{"type":"UNHEARD_OF"}', FINISH)
    assert cli("check", file).status == 0
    assert cli("check", "--strict", file).status == 1
    assert cli("check", "--strict", log(START, FINISH)).status == 0


def test_nothing_at_all_is_accepted_warned_about_and_status_4(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.sse"
    file.write_bytes(b": nothing came\n\n")
    answer = cli("check", "--format", "json", file)
    (one,) = objects(answer.out)
    assert (answer.status, one["verdict"], one["runs"]) == (4, "accepted", [])
    assert [warned["rule"] for warned in one["warnings"]] == ["empty"]


def test_what_is_left_out_among_envelopes_is_no_event(cli: Cli, tmp_path: Path) -> None:
    """It has a number, as every payload: places are counted with it."""
    path, note = tmp_path / "log.jsonl", '{"t":1.5,"note":"checkpoint"}'
    events = [f'{{"t":{n},"event":{event}}}' for n, event in enumerate((START, FINISH))]
    path.write_text("\n".join((note, *events, note, "")))
    told = cli("check", path).out
    assert "accepted, 2 events, 2 objects left out\n" in told
    assert "2 objects hold no event; they were left out." in told
    statistics = json.loads(cli("check", path, "--format", "json").out)["statistics"]
    assert (statistics["payloads"], statistics["leftOut"]) == (4, 2)
    path.write_text(f"{note}\n{note}\n")
    answer = cli("check", path)
    assert answer.status == 4
    assert answer.out.splitlines()[1:3] == [
        "  accepted, 0 events, 2 objects left out",
        "  1 warning",
    ]
    path.write_text("\n".join(events))
    assert "left out" not in cli("check", path).out
    assert "leftOut" not in cli("check", path, "--format", "json").out


@pytest.mark.parametrize("content", [b"<!DOCTYPE html><p>hi", b"\x7fELF\x02\x01\x01\0\0\0\0", None])
def test_what_is_not_readable_gives_no_object_but_a_sentence(
    cli: Cli, tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "thing"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    assert cli("check", "--quiet", file) == Answer(2, "", "")
    for options in ((), ("--format", "json")):
        answer = cli("check", *options, file)
        assert (answer.status, answer.out) == (2, "")
        assert answer.err.startswith("transcript-tui: ")
        assert str(file) in answer.err
        assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("endings", "status"),
    [
        (("finished", "failed"), 3),
        (("failed", "truncated"), 4),
        (("truncated", "rejected", "failed"), 1),
        (("rejected", None, "truncated"), 2),
    ],
)
def test_the_worst_of_several_in_the_order_2_1_4_3(
    cli: Cli, log: Log, endings: tuple[str | None, ...], status: int
) -> None:
    files = [
        log(*STATUSES[ending][1], name=f"{number}.jsonl") if ending else Path("there-is-none")
        for number, ending in enumerate(endings)
    ]
    answer = cli("check", "--format", "json", *files)
    assert answer.status == status
    assert [one["source"] for one in objects(answer.out)] == [
        str(file) for file in files if file.name != "there-is-none"
    ]


def test_a_late_error_turns_the_ending(cli: Cli, log: Log) -> None:
    answer = cli("check", "--format", "json", log(START, FINISH, ERROR))
    (one,) = objects(answer.out)
    assert answer.status == 3
    assert [run["ending"] for run in one["runs"]] == ["failed"]
    assert (one["runs"][0]["message"], one["runs"][0]["code"]) == ("no luck", "E1")


def test_an_error_outside_any_run_is_an_entry_without_ids(cli: Cli, log: Log) -> None:
    one = judged(cli, log(ERROR))
    assert [(run["threadId"], run["runId"], run["ending"]) for run in one["runs"]] == [
        (None, None, "failed")
    ]


def test_a_source_may_hold_several_streams(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.sse"
    file.write_text(
        ': transcript-tui recording 1 {"started":"2026-12-01T10:00:00.000Z"}\n'
        f": +0.100\ndata: {START}\n\n: stream 1 +1.000\n: +1.100\ndata: {START}\n\n"
        f": +1.200\ndata: {FINISH}\n\n: +1.300\ndata: {FINISH}\n\n",
    )
    answer = cli("check", "--format", "json", file)
    first, second = objects(answer.out)
    assert (first["stream"], first["runs"][0]["ending"]) == (0, "truncated")
    assert (second["stream"], second["violation"]["event"]) == (1, 2)
    assert second["violation"]["line"] == file.read_text().count("\n") - 1
    assert answer.status == 1


def test_input_gives_what_the_run_started_from(cli: Cli, log: Log, tmp_path: Path) -> None:
    given = tmp_path / "input.json"
    given.write_text('{"messages":[{"id":"u","role":"user","content":"hi"}],"state":{"a":1}}')
    one = judged(cli, log(START, *SAY, FINISH), "--input", str(given))
    assert [message["id"] for message in one["messages"]] == ["u", "m"]
    assert one["state"] == {"a": 1}


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "not JSON"), ("[]", "not a JSON object"), (None, "There is no input file")],
)
def test_a_broken_input_is_a_sentence(
    cli: Cli, log: Log, tmp_path: Path, content: str | None, words: str
) -> None:
    given = tmp_path / "input.json"
    if content is not None:
        given.write_text(content)
    answer = cli("check", "--input", given, log(START, FINISH))
    assert answer.status == 2
    assert words in answer.err
    assert str(given) in answer.err
    assert len(answer.err.splitlines()) == 2  # and what to do


def test_an_emoji_split_across_deltas_and_other_alphabets_survive(cli: Cli, log: Log) -> None:
    halves = [
        f'{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{half}"}}'
        for half in ("\\ud83d", "\\ude80 東")
    ]
    answer = cli("check", "--format", "json", log(START, SAY[0], *halves, SAY[2], FINISH))
    assert answer.out.isascii()
    assert objects(answer.out)[0]["messages"][0]["content"] == "🚀 東"


HUGE = "9" * 5000


@pytest.mark.parametrize("number", ["1e999", HUGE])
def test_numbers_that_json_libraries_refuse_come_through(cli: Cli, log: Log, number: str) -> None:
    content = f'"content":{{"n":{number}}}'
    activity = f'{{"type":"ACTIVITY_SNAPSHOT","messageId":"a","activityType":"P",{content}}}'
    file = log(START, f'{{"type":"STATE_SNAPSHOT","snapshot":[{number}]}}', activity, FINISH)
    out = cli("check", "--format", "json", "--events", "full", file).out
    assert f'"state": [{number}]' in out
    assert out.count(number) == 4  # state and message, and the event of each
    assert "Infinity" not in out
    assert cli("check", file).status == 0
    assert f'{{"n": {number}}}' in cli("replay", "--plain", file).out
    broken = log(START, f'{{"type":"CUSTOM","name":7,"value":{number}}}')
    assert f'"value": {number[:100]}' in cli("check", broken).out


def test_the_text_lets_no_control_character_through(cli: Cli, log: Log) -> None:
    evil = "\\u001b]0;pwned\\u0007\\u009b31m\\u202e"
    answer = cli(
        "check",
        log(
            START.replace('"r"', f'"{evil}"'),
            f'{{"type":"{evil}"}}',
            f'{{"type":"RUN_ERROR","message":"{evil}","code":"{evil}"}}',
        ),
    )
    assert answer.status == 3
    assert not set(answer.out) & set("\x1b\x07\x9b\u202e\x00")


def test_statistics_have_what_is_known_and_nothing_else(cli: Cli, log: Log, tmp_path: Path) -> None:
    untimed = judged(cli, log(START, *SAY, FINISH))["statistics"]
    assert untimed["payloads"] == 5
    assert untimed["messages"] == {"assistant": 1}
    assert (untimed["characters"], untimed["deltas"], untimed["toolCalls"]) == (5, 1, 0)
    assert not {"seconds", "firstTextSeconds", "usage"} & set(untimed)
    usage = '"usage":[{"inputTokens":3},{"inputTokens":4,"outputTokens":0}]'
    events = [
        START,
        *SAY,
        '{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"f"}',
        '{"type":"TOOL_CALL_END","toolCallId":"c"}',
        '{"type":"TOOL_CALL_RESULT","messageId":"x","toolCallId":"c","content":"ok"}',
        f"{FINISH[:-1]},{usage}}}",
    ]
    file = tmp_path / "run.sse"
    frames = (f": +{number / 2:.3f}\ndata: {event}\n\n" for number, event in enumerate(events))
    file.write_text(': transcript-tui recording 1 {"started":null}\n' + "".join(frames))
    timed = judged(cli, file)["statistics"]
    assert (timed["seconds"], timed["longestGapSeconds"]) == (3.5, 0.5)
    assert (timed["firstTextSeconds"], timed["firstToolCallSeconds"]) == (1.0, 2.0)
    assert timed["toolSeconds"] == {"count": 1, "median": 1.0, "max": 1.0}
    assert timed["bytes"] == file.stat().st_size
    assert timed["eventBytes"] == sum(map(len, events))
    assert timed["usage"] == {"inputTokens": 7, "outputTokens": 0}
    assert timed["eventTypes"]["RUN_STARTED"] == 1
    assert timed["usageByModel"] == [{"inputTokens": 7, "outputTokens": 0}]
    assert timed["firstEventSeconds"] == 0
    assert timed["toolSecondsByName"] == {"f": timed["toolSeconds"]}
    assert not {"firstByteSeconds", "heldBackEvents"} & set(timed)
    told = cli("check", file).out
    assert "times: first event 0.00 s, first text 1.00 s, first tool call 2.00 s, longest" in told
    assert "tool f: 1 answered, median 1.00 s, max 1.00 s" in told
    assert "usage of unnamed: 7 input tokens, 0 output tokens" in told


def test_usage_is_summed_by_provider_and_model(cli: Cli, log: Log) -> None:
    usage = (
        '{"provider":"a","model":"m","inputTokens":1}',
        '{"provider":"a","model":"n","outputTokens":0}',
        '{"provider":"a","model":"m","inputTokens":2,"reasoningTokens":5}',
    )
    finish = f'{FINISH[:-1]},"usage":[{",".join(usage)}]}}'
    found = judged(cli, log(START, finish))["statistics"]["usageByModel"]
    assert found == [
        {"provider": "a", "model": "m", "inputTokens": 3, "reasoningTokens": 5},
        {"provider": "a", "model": "n", "outputTokens": 0},
    ]


def test_what_is_held_back_on_the_way_is_said(cli: Cli, tmp_path: Path) -> None:
    """Ten events that say they were made 0.1 s apart, and came all at once."""
    file = tmp_path / "run.sse"
    stamp = ',"timestamp":'
    events = [START, *SAY[:1], *([SAY[1]] * 8), *SAY[2:], FINISH]
    frames = (
        f": +0.5\ndata: {event[:-1]}{stamp}{1_796_000_000_000 + 100 * number}}}\n\n"
        for number, event in enumerate(events)
    )
    file.write_text(': transcript-tui recording 1 {"started":null}\n' + "".join(frames))
    assert judged(cli, file)["statistics"]["heldBackEvents"] == len(events)
    assert "seems to buffer" in cli("check", file).out


def test_pace_is_told_of_what_streams(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"
    events = [START, SAY[0], *([SAY[1]] * 21), SAY[2], FINISH]
    lines = (f'{{"t":{n / 10},"event":{event}}}\n' for n, event in enumerate(events))
    file.write_text("".join(lines))
    found = judged(cli, file)["statistics"]
    assert (found["tokensPerSecond"], found["tokensPerSecondAtEnd"]) == (10.0, 10.0)
    assert found["gapP95Seconds"] == 0.1


NUMBERS: dict[str, Callable[[Tally], float | None]] = {
    "seconds": lambda tally: (tally.last or 0.0) - (tally.first_event or 0.0),
    "longestGapSeconds": lambda tally: tally.marks.longest,
    "longestGapBeforeEvent": lambda tally: tally.marks.longest_at,
    "gapP95Seconds": lambda tally: tally.gap_p95,
    "tokensPerSecond": lambda tally: tally.pace(),
    "tokensPerSecondAtEnd": lambda tally: tally.pace_now(),
}
"""What ``check`` prints and the viewer's panel shows, by the names that ``check`` has for it."""


@pytest.mark.parametrize("scenario", ["hello", "interleaved", "unicode", "run-error", "truncated"])
def test_the_panel_shows_the_same_numbers(cli: Cli, scenario: str) -> None:
    path = Path(scenarios.__file__).with_name(f"{scenario}.jsonl")
    found = judged(cli, path)["statistics"]
    tape = read_log(str(path)).tape
    tally = Tally()
    count_some(tally, tape.length, tape.payload, tape.time, lambda: False)
    assert found["tokensPerSecond"]
    assert f" {found['tokensPerSecond']:.0f} deltas/s" in cli("check", path).out
    for name, shown in NUMBERS.items():
        assert found[name] == pytest.approx(shown(tally), abs=0.06), name


# JUnit -------------------------------------------------------------------------------------


def test_junit_has_a_suite_a_stream_and_a_case_a_run(cli: Cli, log: Log) -> None:
    good = log(START, *SAY, '{"type":"UNHEARD_OF"}', FINISH, name="good.jsonl")
    bad = log(START, FINISH, START.replace('"r"', '"r2"'), CONTENT, name="bad.jsonl")
    answer = cli("check", "--format", "junit", good, bad, "none.sse")
    suites = ET.fromstring(answer.out.encode()).findall("testsuite")
    assert answer.status == 2
    assert [suite.get("name") for suite in suites] == [str(good), str(bad), "none.sse"]
    cases = [[case.get("name") for case in suite.findall("testcase")] for suite in suites]
    assert cases == [["r", "stream"], ["r", "r2", "stream"], ["stream"]]
    counts = [(suite.get("failures"), suite.get("errors")) for suite in suites]
    assert counts == [("0", "0"), ("1", "0"), ("0", "1")]
    failure = suites[1].find("testcase[@name='stream']/failure")
    assert failure is not None
    assert failure.get("type") == "not-open"
    assert "unknown-event" in (suites[0].findtext("testcase[@name='stream']/system-out") or "")
    assert suites[2].find("testcase[@name='stream']/error") is not None


def test_junit_says_where_a_warning_is_only_where_it_is_somewhere(cli: Cli, log: Log) -> None:
    unheard = '{"type":"UNHEARD_OF"}'
    answer = cli("check", "--format", "junit", log(START, unheard, unheard))
    (said,) = ET.fromstring(answer.out.encode()).iter("system-out")
    unknown, truncated = (said.text or "").splitlines()
    assert unknown.startswith("unknown-event at event 1: ")
    assert unknown.endswith(" (2×)")
    assert truncated.startswith("truncated: ")
    assert not truncated.endswith(")")


def test_junit_stays_xml_whatever_arrives(cli: Cli, log: Log) -> None:
    evil = '\\u0000\\u001b<&>\\"]]>\\ud800\\uffff'
    answer = cli(
        "check",
        "--format",
        "junit",
        log(START, f'{{"type":"RUN_ERROR","message":"{evil}"}}', name="a&b<.jsonl"),
    )
    (suite,) = ET.fromstring(answer.out.encode())
    assert suite.get("failures") == "1"


# As a program ------------------------------------------------------------------------------


def test_stdin_is_a_source() -> None:
    answer = program("check", "--format", "json", "-", stdin=f"{START}\n{FINISH}\n".encode())
    assert (answer.status, answer.err) == (0, "")
    assert objects(answer.out)[0]["source"] == "-"


def test_nothing_heavy_is_imported(log: Log) -> None:
    script = (
        "import sys\nfrom transcript_tui.cli.app import run\n"
        f"status = run(['check', {str(log(START, FINISH))!r}])\n"
        "heavy = {'textual', 'rich', 'httpx', 'uvicorn', 'starlette', 'pydantic',\n"
        "         'pydantic_settings', 'asyncio', 'ag_ui'} & set(sys.modules)\n"
        "sys.exit(f'loaded {heavy}' if heavy else status)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_url_is_asked_as_watch_asks_it(log: Log) -> None:
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        answer = program("check", "--format", "json", url, "--message", "one", "--message", "two")
    (one,) = objects(answer.out)
    assert answer.status == 0
    assert [message.get("content") for message in one["messages"]] == ["one", "two", "hello"]
    assert one["runs"][0]["threadId"] != "t", "serve answers with the request's ids"


def test_nobody_at_home_is_status_2() -> None:
    answer = program("check", "--format", "json", "http://127.0.0.1:9/")
    assert (answer.status, answer.out) == (2, "")
    assert "refused" in answer.err


@pytest.mark.parametrize("format", ["text", "junit"])
def test_logs_that_are_kept_hold_no_secret_of_an_address(log: Log, format: str) -> None:
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        secret = url.replace("//", "//ada:lovelace@") + "?token=s3cr3t"
        heard = program("check", "--format", format, secret)
    alone = program("check", "--format", format, "http://ada:lovelace@127.0.0.1:9/?token=s3cr3t")
    assert (heard.status, alone.status) == (0, 2)
    for one in (heard, alone):
        assert "?token=…" in one.out + one.err
        assert "lovelace" not in one.out + one.err
        assert "s3cr3t" not in one.out + one.err


def test_ctrl_c_judges_what_arrived_and_is_130() -> None:
    asked = threading.Event()

    @asynccontextmanager
    async def silent(_: object) -> AsyncIterator[str]:
        async def answer(request: Asked, writer: asyncio.StreamWriter) -> None:
            writer.write(head() + b"".join(FRAMES[:2]))
            asked.set()
            await asyncio.Event().wait()

        async with answering(answer) as server:
            yield server.url

    with in_thread(silent) as (url, _):
        child = subprocess.Popen(
            [*PROGRAM, "check", "--format", "json", url],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert asked.wait(20)
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=20)
    assert child.returncode == 130
    assert b"Traceback" not in err
    assert [run["ending"] for run in objects(out.decode())[0]["runs"]] in (["truncated"], [])


# Real producers ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "pydantic-ai-2.68-weather.sse",
        "pydantic-ai-2.68-weather-cut.sse",
        "langgraph-0.0.47-search.sse",
        "langgraph-0.0.47-second-turn.sse",
        "langgraph-0.0.47-run-error.sse",
    ],
)
def test_real_streams_get_the_answer_that_is_expected(cli: Cli, name: str) -> None:
    expected = json.loads(shared_path("streams", "expected.json").read_text())[name]
    answer = cli("check", "--format", "json", shared_path("streams", name))
    (one,) = objects(answer.out)
    assert (answer.status, one["verdict"]) == (expected["exit"], expected["verdict"])
    assert one["messages"] == expected["messages"]
