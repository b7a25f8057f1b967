"""``record``, ``serve``, ``convert``, ``export``, ``config``, ``themes``; help and usage of all."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.cli.conftest import FINISH, PROGRAM, SAY, START, Cli, lines, program, served
from tests.conftest import shared_path
from transcript_tui import __version__
from transcript_tui.cli.app import VERBS
from transcript_tui.server.scenarios import SCENARIOS
from transcript_tui.ui.themes import SHIPPED

Log = Callable[..., Path]


# Help, version, usage ----------------------------------------------------------------------


@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_has_help_with_an_example(cli: Cli, verb: str) -> None:
    answer = cli(verb, "--help")
    assert answer.status == 0
    assert re.search(
        rf"Examples?:\n\n +.*transcript-tui .*{'' if verb == 'themes' else verb}", answer.out
    )
    assert verb in cli("--help").out


def test_check_documents_its_statuses(cli: Cli) -> None:
    out = cli("check", "--help").out
    assert [int(number) for number in re.findall(r"^ +(\d+) {2,}\S", out, re.MULTILINE)] == [
        0, 1, 2, 3, 4, 70, 130,
    ]  # fmt: skip


def test_version_and_nothing(cli: Cli) -> None:
    assert cli("--version").out == f"transcript-tui {__version__}\n"
    assert cli().status == 2


@pytest.mark.parametrize(
    "wrong",
    [
        ("nonsense",),
        ("check",),
        ("check", "--format", "yaml", "x"),
        ("replay", "x", "--speed", "fast"),
        ("replay", "x", "--speed", "0.05"),
        ("replay", "x", "--speed", "1000"),
        ("replay", "x", "--max-frame", "big"),
        ("replay", "x", "--max-frame", "9" * 5000),
        ("serve", "hello", "--chunk-bytes", "9" * 5000),
        ("watch", "http://127.0.0.1:9/", "--thread", "t"),
        ("watch", "http://127.0.0.1:9/", "-H", "no colon"),
        ("watch", "http://127.0.0.1:9/", "-H", "A: env:NOT_SET_ANYWHERE"),
        ("watch", "http://127.0.0.1:9/", "--reconnect", "-m", "x"),
        ("demo", "nonsense"),
        ("demo", "--plain", "--theme", "nonsense"),
        ("check", "x.sse", "-m", "hi"),
        ("export", "x.sse", "-o", "x.docx"),
        ("serve", "hello", "--port", "x"),
        ("serve", "hello", "--port", "65536"),
        ("serve", "hello", "--status", "9"),
        ("serve", "hello", "--chunk-bytes", "0"),
        ("serve", "hello", "--host", "300.1.1.1"),
        ("serve", "hello", "--host", ""),
        ("check", ""),
        ("replay", ""),
        ("check", "ftp://x"),
    ],
    ids=" ".join,
)
def test_wrong_usage_is_2_and_says_why(cli: Cli, wrong: tuple[str, ...]) -> None:
    answer = cli(*wrong)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(("number", "why"), [("9" * 20, "too large"), ("-1", "0 or more")])
def test_a_number_that_cannot_be_is_told_why(cli: Cli, number: str, why: str) -> None:
    answer = cli("serve", "hello", "--drop-after", number)
    assert answer.status == 2
    assert why in " ".join(answer.err.replace("│", " ").split())


@pytest.mark.parametrize("name", ["log", "run.sse"])
def test_what_is_no_log_is_named_whatever_its_name(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(bytes(range(256)))
    assert cli("check", name).err.startswith(f"transcript-tui: {name}: This is a binary file")


@pytest.mark.parametrize("where", ["no/folder.md", ".", "file/below.md"])
@pytest.mark.parametrize(
    "verb",
    [
        ("export", "http://127.0.0.1:9/", "--format", "md", "-o"),
        ("convert", "nothing.sse"),
        ("record", "http://127.0.0.1:9/", "-o"),
        ("watch", "http://127.0.0.1:9/", "--record"),
    ],
    ids=lambda verb: verb[0],
)
def test_a_file_that_cannot_be_is_told_before_anything_is_asked(
    cli: Cli, tmp_path: Path, verb: tuple[str, ...], where: str
) -> None:
    (tmp_path / "file").touch()
    answer = cli(*verb, tmp_path / where, "--force")
    assert answer.status == 2
    said, *hint = answer.err.splitlines()
    assert said.startswith(f"transcript-tui: {tmp_path / where} cannot be written: ")
    assert "older" in hint[0]  # what to do about the folder
    assert len(hint) == 1


@pytest.mark.parametrize("device", ["/dev/null", "/dev/stdout"])
@pytest.mark.parametrize(
    "verb",
    [("export", "--format", "md", "-o"), ("convert",), ("record", "-o"), ("watch", "--record")],
    ids=lambda verb: verb[0],
)
def test_a_device_holds_nothing_that_could_be_lost(
    log: Log, verb: tuple[str, ...], device: str
) -> None:
    kept = log(START, *SAY, FINISH)
    with served(kept, "--speed", "max") as url:
        name, *option = verb
        source = url if name in ("record", "watch") else kept
        answer = program(name, source, *option, device)
    assert (answer.status, "force" in answer.err) == (0, False)
    assert (answer.out == "") == (device == "/dev/null" and name != "watch")


def test_nothing_is_written_to_a_terminal_as_it_came(cli: Cli, log: Log) -> None:
    master, terminal = os.openpty()
    try:
        answer = cli("convert", log(START, FINISH), os.ttyname(terminal))
        assert answer.status == 2
        assert "is a terminal" in answer.err
        assert cli("convert", log(START, FINISH), os.ttyname(terminal), "--force").status == 0
        shown = b""
        while b"RUN_STARTED" not in shown:
            shown += os.read(master, 4096)  # a terminal hands on as much as it likes
    finally:
        os.close(master)
        os.close(terminal)


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_a_name_that_no_file_can_have_is_told(cli: Cli, force: tuple[str, ...]) -> None:
    """Even looking whether it is there fails."""
    answer = cli("record", "http://127.0.0.1:9/", "-o", "a" * 300, *force)
    assert answer.status == 2
    assert "cannot be written: file name too long" in answer.err
    assert "Give it a shorter name" in answer.err


def test_what_is_misspelt_or_misplaced_is_told_what_was_meant(cli: Cli, log: Log) -> None:
    file = log(START, FINISH)
    for verb in (("watch",), ("record", "-o", "x.sse")):
        assert f"Did you mean: transcript-tui replay {file}" in cli(*verb, file).err
    assert "An endpoint is written http://localhost:9/a" in cli("check", "localhost:9/a").err
    assert "Nothing listens at http://localhost:9/a" in cli("watch", "localhost:9/a").err
    assert "Did you mean hello?" in cli("demo", "helo").err
    assert "Did you mean hello?" in cli("serve", "helo").err
    assert "no file or scenario 'quite'" in cli("serve", "quite").err


def test_an_export_of_nothing_says_so(cli: Cli, log: Log) -> None:
    answer = cli("export", log(), "--format", "md")
    assert (answer.status, answer.out) == (0, "")
    assert "holds no event" in answer.err


def test_a_log_or_an_address_alone_is_told_its_verb(cli: Cli, log: Log) -> None:
    file = log(START, FINISH)
    for typed, verb in ((str(file), "replay"), ("http://127.0.0.1:9/?a=1", "watch")):
        answer = cli(typed)
        assert answer.status == 2
        assert f"Did you mean: transcript-tui {verb} " in answer.err
    assert "No such command" in cli("nonsense").err
    assert "Did you mean: transcript-tui replay\n" in cli("rplay").err
    assert "Did you mean: transcript-tui --help\n" in cli("help").err


def test_no_output_but_json_shows_the_secrets_of_an_address_or_a_header(
    cli: Cli, log: Log, tmp_path: Path
) -> None:
    """``check.md``: JSON names the source as given."""
    header = ("-H", "Authorization: Bearer hunter2header")
    written = ("--log-level", "info", "--log", tmp_path / "info.log")
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        there = f"{url.replace('//', '//bob:hunter2user@')}?api_key=hunter2key&page=1#hunter2end"
        nobody = there.replace(url.split(":")[2].rstrip("/"), "9")
        told = [cli(there), cli("check", f"{there}x", *header, "--format", "json")]
        assert "hunter2" in told.pop().out
        for address in (there, nobody):
            told += [
                cli("check", address, *header),
                cli("check", address, *header, "--format", "junit"),
                cli("check", address, "--format", "json", "--quiet"),
                cli("watch", address, *header, *written, "--record", tmp_path / "w.sse"),
                cli("record", address, *header, *written, "-o", tmp_path / "r.sse"),
                cli("export", address, *header, "-o", tmp_path / "e.html"),
                cli("watch", address, "-m", "x", "--reconnect"),
                cli("check", address.rpartition("@")[2]),
            ]
    files = [file for file in tmp_path.iterdir() if file.is_file()]
    assert {"w.sse", "r.sse", "e.html"} <= {file.name for file in files}
    for answer in told:
        assert "hunter2" not in answer.out + answer.err
    for file in files:
        assert "hunter2" not in file.read_text()
    assert any("page=1" in answer.err for answer in told)


def test_a_header_value_is_never_repeated(cli: Cli) -> None:
    answer = cli("watch", "http://127.0.0.1:9/", "-H", "Authorization: Bearer s3cret\x01")
    assert answer.status == 2
    assert "s3cret" not in answer.err


@pytest.mark.parametrize(
    "verb", [("check",), ("replay", "--plain"), ("convert", "OUT"), ("export", "--format", "md")]
)
def test_max_frame_holds_within_another_programs_log(
    cli: Cli, tmp_path: Path, verb: tuple[str, ...]
) -> None:
    content = {"mimeType": "text/event-stream", "text": f"data: {json.dumps(START)}\n\n"}
    log = tmp_path / "log.har"
    log.write_text(json.dumps({"log": {"entries": [{"response": {"content": content}}]}}))
    name, *more = (word.replace("OUT", str(tmp_path / "out.sse")) for word in verb)
    said = "is longer than 16 bytes and was not read"
    answer = cli(name, log, *more, "--max-frame", "16")
    assert said in answer.out + answer.err
    (tmp_path / "out.sse").unlink(missing_ok=True)
    answer = cli(name, log, *more, "--max-frame", "99")
    assert said not in answer.out + answer.err


def test_an_unforeseen_error_is_one_sentence_and_the_place_of_the_log(
    cli: Cli, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("egassem a fo sdrow"[::-1])

    monkeypatch.setattr("transcript_tui.cli.check._judge", broken)
    answer = cli("check", log(START, FINISH))
    assert answer.status == 70  # 1 would blame the stream
    (sentence,) = answer.err.splitlines()
    found = re.fullmatch(
        r"transcript-tui: an unforeseen error \(RuntimeError\); the log is (.+)", sentence
    )
    assert found
    written = Path(found[1]).read_text()
    assert "RuntimeError" in written
    assert "words of a message" not in written


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("re", {"replay", "record"}),
        ("demo re", {"reopen"}),
        ("serve interl", {"interleaved"}),
        ("demo --theme da", {"daylight"}),
        ("watch --print-on", {"--print-on-exit"}),
        ("check --format j", {"json", "junit"}),
    ],
)
def test_completion_knows(typed: str, offered: set[str]) -> None:
    answer = program(
        env={
            "_TRANSCRIPT_TUI_COMPLETE": "complete_bash",
            "COMP_WORDS": f"transcript-tui {typed}",
            "COMP_CWORD": str(len(typed.split())),
        }
    )
    assert set(answer.out.split()) == offered


def test_completion_knows_ones_own_themes(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "own.toml").write_text('name = "dawn"\n', "utf-8")
    (tmp_path / "themes" / "broken.toml").write_text("name =", "utf-8")
    monkeypatch.setattr("transcript_tui.config.config_folder", lambda: tmp_path)
    monkeypatch.setenv("_TRANSCRIPT_TUI_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "transcript-tui demo --theme da")
    monkeypatch.setenv("COMP_CWORD", "3")
    assert cli().out.split() == ["daylight", "dawn"]


@pytest.mark.parametrize(
    ("verb", "usage"),
    [("watch", "URL"), ("demo", "[SCENARIO]"), ("check", "SOURCE..."), ("serve", "FILE|SCENARIO")],
)
def test_usage_names_what_is_wanted(cli: Cli, verb: str, usage: str) -> None:
    out = cli(verb, "--help").out
    assert out.startswith(f"Usage: transcript-tui {verb} [OPTIONS] {usage}\n")
    assert "str" not in re.findall(r"<(\w+)", out)


# config, themes ----------------------------------------------------------------------------


def test_config_show_tells_origins(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRANSCRIPT_TUI_THEME", "paper")
    out = cli("config", "show").out
    assert re.search(r'^theme = "paper" +# environment$', out, re.MULTILINE)
    assert re.search(r"^bell = false +# default$", out, re.MULTILINE)


def test_themes_are_listed(cli: Cli) -> None:
    rows = [row.split(maxsplit=1) for row in cli("themes").out.splitlines()]
    assert [name for name, _ in rows] == list(SHIPPED)
    assert ["paper", "Ink on warm paper."] in rows


@pytest.fixture
def own_themes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the user's own themes."""
    monkeypatch.setattr("transcript_tui.config.config_folder", lambda: tmp_path)
    folder = tmp_path / "themes"
    folder.mkdir()
    return folder


def test_themes_that_cannot_be_used_are_listed_with_their_place_and_what_to_do(
    cli: Cli, own_themes: Path
) -> None:
    (own_themes / "slip.toml").write_text('name = "slip"\n\n[base]\nacent = "#ffffff"\n')
    (own_themes / "dawn.toml").write_text('name = "dawn"\n\n[roles]\nuser = "blue"\n')
    told = cli("themes").err
    assert str(own_themes) in told.splitlines()[0]
    assert f"{own_themes}/slip.toml:4: `base.acent` is nothing that can be set." in told
    assert "Did you mean `base.accent`?" in told
    assert f"{own_themes}/dawn.toml:4: `roles.user` must be a colour such as #8fb0ff." in told


def test_a_theme_asked_for_whose_file_is_broken_is_told_why(cli: Cli, own_themes: Path) -> None:
    (own_themes / "dawn.toml").write_text('[roles]\nuser = "blue"\n')
    answer = cli("demo", "--plain", "--theme", "dawn")
    assert answer.status == 2
    assert "There is no theme 'dawn'." in answer.err
    assert "dawn.toml:2: `roles.user` must be a colour" in answer.err


def test_config_keys_is_a_table_for_the_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[keys]\nbuffered = "B"\n')
    out = cli("config", "keys", "--config", file).out
    assert re.search(r'^buffered = "B" +# Show messages token by token', out, re.MULTILINE)
    assert re.search(r'^quit = "q" +# Quit$', out, re.MULTILINE)
    copy = tmp_path / "copy.toml"
    copy.write_text(out)
    assert cli("config", "keys", "--config", copy).out == out
    assert cli("config", "show", "--config", copy).err == ""


def test_config_show_says_what_is_set_in_vain(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('bell = true\ntheme = "duks"\n[keys]\nbufered = "B"\n')
    answer = cli("config", "show", "--config", file)
    assert answer.status == 0
    assert 'theme = "duks"' in answer.out
    assert f"note: {file}:2: theme: There is no theme 'duks'." in answer.err
    assert f"{file}:4: keys.bufered: there is no action 'bufered'. Did you mean" in answer.err
    file.write_text('theme = "paper"\n')
    assert cli("config", "show", "--config", file).err == ""


def test_scenarios_are_listed(cli: Cli) -> None:
    out = cli("demo", "--list").out
    assert [line.split()[0] for line in out.splitlines()] == list(SCENARIOS)


def test_notes_of_what_could_not_be_reached_stand_with_the_complaint(cli: Cli) -> None:
    with served_redirect("http://127.0.0.1:9/") as url:
        for format in ("text", "json"):
            answer = cli("check", "--format", format, url)
            assert (answer.status, answer.out) == (2, "")
            note, told, _ = answer.err.splitlines()
            assert note.startswith(f"note: {url}: Redirected to http://127.0.0.1:9/;")
            assert told.startswith(f"transcript-tui: {url}: Nothing listens")
        assert cli("check", "--quiet", url).err == ""


@contextmanager
def served_redirect(onward: str) -> Iterator[str]:
    class Redirecting(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("Location", onward)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Redirecting) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


# record, serve -----------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_recording_that_ends_early_is_told_and_the_printing_goes_on(cli: Cli, log: Log) -> None:
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        answer = cli("watch", url, "--record", "/dev/full", "--force")
    assert answer.status == 0
    assert "run r finished" in answer.out
    told, hint = answer.err.splitlines()
    assert "/dev/full cannot be written: no space left on device. Nothing more is" in told
    assert "Make room" in hint


def test_what_is_recorded_is_what_was_served(log: Log, tmp_path: Path) -> None:
    kept = tmp_path / "kept.sse"
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        first = program("record", f"{url}?token=s3cret", "-m", "hi", "-o", kept, "-H", "X: s3cret")
        again = program("record", url, "-o", kept)
    assert first.status == 0
    assert first.out == ""
    assert "5 events" in first.err
    assert (again.status, "--force" in again.err) == (2, True)
    text = kept.read_text()
    assert text.startswith(": transcript-tui recording 1 {")
    assert "s3cret" not in text
    answer = program("check", "--format", "json", kept)
    judged = json.loads(answer.out)
    assert answer.status == 0
    assert [message["content"] for message in judged["messages"]] == ["hi", "hello"]
    assert judged["statistics"]["seconds"] >= 0


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ((), ""),
        (("--drop-after", "2"), "The stream ended with a run open: `transcript-tui check "),
        (("--garble", "1"), "The stream was rejected: `transcript-tui check "),
        (None, "without an event"),
    ],
    ids=["well", "dropped", "rejected", "empty"],
)
def test_record_says_why_its_status_is_no_success(
    cli: Cli, log: Log, tmp_path: Path, fault: tuple[str, ...] | None, why: str
) -> None:
    file = log() if fault is None else log(START, *SAY, FINISH)
    with served(file, "--speed", "max", *(fault or ())) as url:
        answer = cli("record", url, "-o", tmp_path / "kept.sse")
    assert (answer.status != 0) == bool(why)
    assert why in answer.err
    assert ("note:" in answer.err) == ("check" in why)


@pytest.mark.parametrize(
    ("fault", "status"),
    [
        (("--drop-after", "2"), 4),
        (("--truncate-frame",), 4),
        (("--garble", "1"), 1),
        (("--status", "503"), 2),
        (("--crlf",), 0),
        (("--chunk-bytes", "1"), 0),
        (("--no-final-blank-line",), 0),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_each_fault_has_the_status_of_check(
    log: Log, tmp_path: Path, fault: tuple[str, ...], status: int
) -> None:
    kept = tmp_path / "kept.sse"
    with served(log(START, *SAY, FINISH), "--speed", "max", *fault) as url:
        assert program("check", "--quiet", url).status == status
        assert program("record", url, "-o", kept).status == status
        plain = program("watch", url)
    assert plain.status == status
    assert "Traceback" not in plain.err
    if status != 2:
        assert program("check", "--quiet", kept).status == status


def test_serve_announces_itself_stops_on_ctrl_c_and_is_130(log: Log) -> None:
    server = subprocess.Popen(
        [*PROGRAM, "serve", str(log(START, FINISH))],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdout is not None
    assert re.fullmatch(rb"http://127\.0\.0\.1:\d+/\n", server.stdout.readline())
    server.send_signal(signal.SIGINT)
    out, err = server.communicate(timeout=20)
    assert (server.returncode, out, err) == (130, b"", b"")


@pytest.mark.parametrize(
    ("fault", "at", "said"),
    [
        ("--garble", 1, b""),
        ("--garble", 2, b"--garble 2 changes nothing: there are only 2 events"),
        ("--drop-after", 2, b""),
        ("--drop-after", 3, b"--drop-after 3 takes nothing away: there are only 2 events"),
    ],
)
def test_a_fault_that_nobody_will_meet_is_told(log: Log, fault: str, at: int, said: bytes) -> None:
    server = subprocess.Popen(
        [*PROGRAM, "serve", str(log(START, FINISH)), fault, str(at)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdout is not None
    server.stdout.readline()
    server.send_signal(signal.SIGINT)
    err = server.communicate(timeout=20)[1]
    assert (said in err) if said else not err, err


def test_serve_takes_a_taken_port_as_a_sentence(log: Log) -> None:
    with served(log(START, FINISH)) as url:
        port = url.rstrip("/").rsplit(":", 1)[1]
        answer = program("serve", log(START, FINISH), "--port", port)
    assert (answer.status, answer.out) == (2, "")
    assert port in answer.err


# convert, export ---------------------------------------------------------------------------


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_record_stops_where_nothing_can_be_kept(log: Log) -> None:
    """The server never ends its answer: whoever went on receiving would never end either."""
    with served(log(START, *SAY, FINISH), "--stall", "600") as url:
        answer = program("record", url, "-o", "/dev/full", "--force")
    assert answer.status == 2
    assert "/dev/full cannot be written: no space left" in answer.err


def test_convert_keeps_payloads_byte_for_byte(cli: Cli, log: Log, tmp_path: Path) -> None:
    source, kept, back = log(START, *SAY, FINISH), tmp_path / "run.sse", tmp_path / "back.jsonl"
    assert cli("convert", source, kept).status == 0
    assert cli("convert", kept, back).status == 0
    assert back.read_bytes() == source.read_bytes()
    assert cli("convert", kept, back).status == 2, "nothing is overwritten unasked"
    assert cli("convert", kept, back, "--force").status == 0
    assert cli("convert", tmp_path / "none", back, "--force").status == 2


def test_an_endpoint_where_a_log_is_wanted_is_told_its_verbs(cli: Cli, tmp_path: Path) -> None:
    url = "http://127.0.0.1:1/?token=hidden"
    for arguments in (("replay", url), ("serve", url), ("convert", url, tmp_path / "out.sse")):
        answer = cli(*arguments)
        assert answer.status == 2
        assert "is an endpoint, and no log" in answer.err
        assert "transcript-tui record" in answer.err
        assert "hidden" not in answer.err


def test_a_dash_is_no_file_to_write(
    cli: Cli, log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, url = log(START), "http://127.0.0.1:1/"
    monkeypatch.chdir(tmp_path)
    into = (("convert", source, "-"), ("export", source, "-o", "-", "--format", "md"))
    for arguments in (*into, ("record", url, "-o", "-"), ("watch", url, "--record", "-")):
        answer = cli(*arguments)
        assert answer.status == 2
        assert "names no file to write" in answer.err
    assert not (tmp_path / "-").exists()


def test_one_event_is_told_in_the_singular(cli: Cli, log: Log, tmp_path: Path) -> None:
    assert "1 event in" in cli("convert", log(START), tmp_path / "out.sse").err


def test_convert_writes_pretty_printed_payloads_on_one_line(cli: Cli, tmp_path: Path) -> None:
    source, out = tmp_path / "run.sse", tmp_path / "run.jsonl"
    source.write_text('data: {"type":\ndata:  "RUN_STARTED","threadId":"t","runId":"r"}\n\n')
    assert cli("convert", source, out).status == 0
    assert json.loads(out.read_text()) == json.loads(START)


def test_convert_takes_events_out_of_envelopes(cli: Cli, tmp_path: Path) -> None:
    log, kept, back = (tmp_path / name for name in ("log.jsonl", "run.sse", "back.jsonl"))
    events = (START, *SAY, FINISH)
    log.write_text(lines(*(f'{{"t":{n},"event":{event}}}' for n, event in enumerate(events))))
    assert cli("convert", log, kept).status == 0
    assert f": +2.000\ndata: {SAY[1]}\n\n" in kept.read_text()
    assert cli("convert", kept, back).status == 0
    assert back.read_text() == lines(*events)
    assert cli("convert", log, back, "--force").status == 0
    assert back.read_text() == lines(*events)


def test_convert_leaves_out_what_holds_no_event(cli: Cli, tmp_path: Path) -> None:
    log, kept, back = tmp_path / "log.jsonl", tmp_path / "kept.sse", tmp_path / "back.jsonl"
    wrapped = [f'{{"t":{n},"event":{event}}}' for n, event in enumerate((START, *SAY, FINISH))]
    log.write_text(lines(wrapped[0], '{"t":0.5,"note":"hidden"}', *wrapped[1:]))
    assert cli("check", log).status == 0
    for out, redact in ((kept, ()), (back, ()), (kept, ("--redact",))):
        answer = cli("convert", log, out, "--force", *redact)
        assert answer.status == 0
        assert "1 object holds no event; it was left out." in answer.err
        assert f"{len(wrapped)} events in" in answer.err
        assert "hidden" not in out.read_text()
        assert cli("check", out).status == 0


@pytest.mark.parametrize("redact", [(), ("--redact",)])
def test_convert_keeps_when_each_connection_began(
    cli: Cli, tmp_path: Path, redact: tuple[str, ...]
) -> None:
    source, out = tmp_path / "run.sse", tmp_path / "again.sse"
    head = '{"started":"2026-12-01T10:00:00.000Z","url":"http://agent.example/","method":"GET"}'
    source.write_text(
        f": transcript-tui recording 1 {head}\n"
        f": +1.000\ndata: {START}\n\n: cut +2.000 ZGF0YTo=\n\n"
        f": stream 1 +5.000\n: +7.000\ndata: {START}\n\n: +9.000\ndata: {FINISH}\n\n"
    )
    assert cli("convert", source, out, *redact).status == 0
    assert '"started":"2026-12-01T10:00:00.000Z"' in out.read_text()
    assert ("agent.example" in out.read_text()) != bool(redact)
    kept = [line.split()[:-1] for line in out.read_text().splitlines() if ": cut" in line]
    assert kept == [[":", "cut", "+2.000"]]
    assert ": stream 1 +5.000\n" in out.read_text()
    assert "What follows began 4.0 s later." in cli("export", out, "--format", "txt").out


def test_an_empty_payload_keeps_its_number_in_json_lines(cli: Cli, tmp_path: Path) -> None:
    source, out = tmp_path / "run.sse", tmp_path / "run.jsonl"
    source.write_text(f"data: {START}\n\ndata:\n\ndata: {FINISH}\n\n")
    assert cli("convert", source, out).status == 0
    verdicts = [json.loads(cli("check", file, "--format", "json").out) for file in (source, out)]
    told = [(one["violation"]["rule"], one["violation"]["event"]) for one in verdicts]
    assert told == [("not-json", 1), ("not-json", 1)]
    assert len(out.read_bytes().splitlines()) == 3


@pytest.mark.parametrize("kind", ["md", "json", "html", "txt"])
def test_export_writes_each_kind(cli: Cli, tmp_path: Path, kind: str) -> None:
    source = shared_path("streams", "pydantic-ai-2.68-weather.sse")
    out = tmp_path / f"run.{kind}"
    assert cli("export", source, "-o", out).status == 0
    printed = cli("export", source, "--format", kind)
    assert printed.status == 0
    assert printed.out == out.read_text("utf-8")
    assert "Bring a jacket 🧥" in printed.out


def test_redacted_keeps_everything_but_the_words(cli: Cli, tmp_path: Path) -> None:
    source = shared_path("streams", "pydantic-ai-2.68-weather.sse")
    kept, strange = tmp_path / "kept.sse", tmp_path / "strange.sse"
    assert cli("convert", source, kept).status == 0
    answer = cli("convert", "--redact", source, strange)
    assert answer.status == 0
    assert "removed: TEXT_MESSAGE_CONTENT" in answer.err
    assert not re.search(r"jacket|Zürich", strange.read_text())
    before, after = (
        json.loads(cli("check", "--format", "json", file).out) for file in (kept, strange)
    )
    for key in ("events", "runs"):
        assert before[key] == after[key]
    for key in ("characters", "seconds", "deltas"):
        assert before["statistics"][key] == after["statistics"][key]
    assert [one["id"] for one in before["messages"]] == [one["id"] for one in after["messages"]]


def test_export_of_an_endpoint(log: Log) -> None:
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        answer = program("export", url, "-m", "question", "--format", "md")
    assert answer.status == 0
    assert answer.out.index("question") < answer.out.index("hello")


def test_what_cannot_be_written_is_a_sentence(cli: Cli, log: Log, tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "out.md"
    for arguments in (
        ("export", log(START, FINISH), "-o", nowhere),
        ("convert", log(START), nowhere),
    ):
        answer = cli(*arguments)
        assert answer.status == 2
        assert str(nowhere) in answer.err


def test_input_may_come_through_stdin(tmp_path: Path, log: Log) -> None:
    given = '{"messages":[{"id":"u","role":"user","content":"from stdin"}],"threadId":"mine"}'
    with served(log(START, *SAY, FINISH), "--speed", "max") as url:
        answer = program("watch", url, "--input", "-", stdin=given.encode())
    assert answer.status == 0
    assert answer.out.startswith("user:\n  from stdin\n\nrun ")
    assert "(thread mine)" in answer.out


def test_follow_waits_for_what_is_not_there_yet(tmp_path: Path) -> None:
    file = tmp_path / "coming.jsonl"
    child = subprocess.Popen(
        [*PROGRAM, "replay", "--follow", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stderr is not None
    waiting = f"note: Waiting for {file} to appear. Ctrl+C ends the waiting.\n"
    assert child.stderr.readline() == waiting.encode()
    file.write_text(lines(START, *SAY, FINISH))
    assert child.stderr.readline() == f"note: {file} has appeared.\n".encode()
    out = b""
    while b"finished" not in out:
        out += os.read(child.stdout.fileno(), 4096)
    file.unlink()
    # At once, though nothing ends.
    assert child.stderr.readline() == f"note: {file} was deleted: it is waited for.\n".encode()
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=20)
    assert (child.returncode, err) == (130, b"")


def test_follow_prints_what_is_appended(tmp_path: Path) -> None:
    file = tmp_path / "growing.jsonl"
    file.write_text(lines(START, *SAY))
    child = subprocess.Popen([*PROGRAM, "replay", "--follow", str(file)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    out = b""
    while b"hello" not in out:
        out += os.read(child.stdout.fileno(), 4096)
    with file.open("a") as growing:
        growing.write(lines(FINISH))
    while b"finished" not in out:
        out += os.read(child.stdout.fileno(), 4096)
    child.send_signal(signal.SIGINT)
    child.communicate(timeout=20)
    assert child.returncode == 130
