"""In a real pseudo-terminal: every way out leaves it usable, nothing hostile gets into it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.session.loopback import FRAMES, answering, head, in_thread, says, stalls
from tests.ui.screen import RUN, recording
from tests.ui.terminal_run import Terminal, viewer
from transcript_tui.ui import terminal

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")

SHOW = "sys.exit(run_viewer(opens, OPTIONS))"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return recording(tmp_path / "run.sse", RUN)


def started(log: Path, tmp_path: Path, last_line: str = SHOW) -> Terminal:
    terminal = viewer(log, last_line, tmp_path / "log.txt")
    terminal.wait_for(b"finished")
    return terminal


def test_q_leaves(log: Path, tmp_path: Path) -> None:
    terminal = started(log, tmp_path)
    terminal.send(b"q")
    assert terminal.end() == 0
    assert terminal.restored()


def test_control_c_leaves_when_nothing_is_selected(log: Path, tmp_path: Path) -> None:
    terminal = started(log, tmp_path)
    terminal.send(b"\x03")
    assert terminal.end() == 0
    assert terminal.restored()


def test_a_signal_leaves(log: Path, tmp_path: Path) -> None:
    terminal = started(log, tmp_path)
    os.kill(terminal.child, signal.SIGTERM)
    assert terminal.end() == 128 + signal.SIGTERM
    assert terminal.restored()


def test_a_crash_is_a_sentence_and_a_log(log: Path, tmp_path: Path) -> None:
    crash = """
from transcript_tui.ui.screens.main import MainScreen
MainScreen.action_buffered = lambda self: 1 / 0
sys.exit(run_viewer(opens, OPTIONS))
"""
    terminal = started(log, tmp_path, crash)
    terminal.send(b"b")
    assert terminal.end() == 70
    assert terminal.restored()
    assert b"unforeseen error" in terminal.after
    assert b"log.txt" in terminal.after
    assert b"Traceback" not in terminal.output
    assert "ZeroDivisionError" in (tmp_path / "log.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["nowhere.sse", "prose.txt"])
def test_what_shows_nothing_ends_with_2(name: str, tmp_path: Path) -> None:
    (tmp_path / "prose.txt").write_text("no event is in here\n" * 9)
    terminal = viewer(tmp_path / name, SHOW, tmp_path / "log.txt")
    terminal.wait_to_show("✕ cannot be read")
    terminal.send(b"q")
    assert terminal.end() == 2
    assert terminal.restored()
    assert name.encode() in terminal.after


def test_the_transcript_stays_in_the_scrollback(log: Path, tmp_path: Path) -> None:
    line = "from dataclasses import replace\n"
    line += "sys.exit(run_viewer(opens, replace(OPTIONS, print_on_exit=True)))"
    terminal = started(log, tmp_path, line)
    terminal.send(b"q")
    assert terminal.end() == 0
    assert b"The weather is" in terminal.after


def test_the_title_says_the_state_and_is_given_back(log: Path, tmp_path: Path) -> None:
    terminal = started(log, tmp_path)
    terminal.wait_for(b"\x1b]0;\xe2\x9c\x93 finished")
    terminal.send(b"q")
    terminal.end()
    assert terminal.output.count(b"\x1b[22;0t") == 1
    assert terminal.output.count(b"\x1b[23;0t") == 1


def test_the_mouse_is_given_back_and_taken(log: Path, tmp_path: Path) -> None:
    terminal = started(log, tmp_path)
    before = terminal.output.count(b"\x1b[?1003l")
    terminal.send(b"M")
    terminal.wait_for(b"mouse given back")
    assert terminal.output.count(b"\x1b[?1003l") == before + 1
    terminal.send(b"q")
    terminal.end()


def test_a_mouse_that_was_left_can_be_taken_and_is_given_back(log: Path, tmp_path: Path) -> None:
    line = SHOW.replace("OPTIONS", "replace(OPTIONS, mouse=False)")
    terminal = started(log, tmp_path, f"from dataclasses import replace\n{line}")
    assert b"\x1b[?1003h" not in terminal.output
    terminal.send(b"M")
    terminal.wait_for(b"\x1b[?1003h")
    terminal.send(b"q")
    assert terminal.end() == 0
    assert terminal.output.rindex(b"\x1b[?1003l") > terminal.output.rindex(b"\x1b[?1003h")


def test_stderr_may_go_to_a_file(log: Path, tmp_path: Path) -> None:
    line = "import os\nos.dup2(os.open(sys.argv[2] + '.err', os.O_CREAT | os.O_WRONLY), 2)\n" + SHOW
    terminal = started(log, tmp_path, line)
    terminal.send(b"q")
    assert terminal.end() == 0
    assert terminal.restored()
    assert (tmp_path / "log.txt.err").read_bytes() == b""


def test_copies_travel_as_osc_52(log: Path, tmp_path: Path) -> None:
    terminal = started(log, tmp_path)
    terminal.send(b"kky")  # the end of the run first, which has no text; then a message
    terminal.wait_for(b"\x1b]52;c;")
    terminal.send(b"q")
    assert terminal.end() == 0


@pytest.mark.parametrize("keys", [b"kkyq", b"Yq", b"K!q", b"b/weather\rq"])
def test_what_was_begun_in_the_moment_of_leaving_leaves_no_word(
    keys: bytes, log: Path, tmp_path: Path
) -> None:
    terminal = started(log, tmp_path)
    terminal.send(keys)
    assert terminal.end() == 0
    assert terminal.restored()


def test_the_end_of_a_run_rings_and_notifies(log: Path, tmp_path: Path) -> None:
    line = """
from dataclasses import replace
def demo():
    from transcript_tui.server.demo import demo_source
    from transcript_tui.session.session import Session
    return Session(demo_source("hello", speed=100.0), kind="demo")
sys.exit(run_viewer(demo, replace(OPTIONS, bell=True, notify=True)))
"""
    terminal = started(log, tmp_path, line)
    terminal.wait_for(b"\x1b]9;demo hello: \xe2\x9c\x93 finished\x07")
    terminal.send(b"q")
    assert terminal.end() == 0


HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b2J\u202eevil\u2066\x1bP1;2|x\x1b\\"

SPELT_OUT = (b"\xe2\x90\x9b]0;owned", b"\\u001b]0;owned", b"\\x1b]0;owned")
"""The escape as a picture, as JSON writes it, and as a message about a name quotes it."""
STRING = re.compile(rb"\x1b[]PX^_](\d*)")
"""A sequence that takes what follows as text; an OSC's number says what for."""
SHOWN = {
    b"gj": "code \u241b]0;owned",
    b"e": "Events",
    b"i": "Inspector",
    b"p": "Problems",
    b"s": "State",
    b"t": "Timeline",
    b"y": "Copied",
    b"/evil\r": "/evil 7/8",
    b"fevil\r": "filter evil",
}
"""What is pressed, and what then is on the screen."""


def test_nothing_that_arrives_drives_the_terminal(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = [
        {"type": "RUN_STARTED", "threadId": HOSTILE, "runId": HOSTILE},
        {"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant", "name": HOSTILE},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": HOSTILE * 3, HOSTILE: 1},
        {"type": "TEXT_MESSAGE_END", "messageId": "m"},
        {"type": "STATE_SNAPSHOT", "snapshot": {HOSTILE: HOSTILE}},
        {"type": "RUN_ERROR", "message": HOSTILE, "code": HOSTILE},
    ]
    log = recording(tmp_path / "a\x1b]0;owned\x07b.sse", events)
    terminal = viewer(log, SHOW, tmp_path / "log.txt")
    terminal.wait_for(b"failed")
    for keys, shown in SHOWN.items():
        terminal.send(keys)
        terminal.wait_to_show(shown)
    terminal.send(b"q")
    assert terminal.end() == 0
    written = terminal.output
    for spelt in SPELT_OUT:
        written = written.replace(spelt, b"")
    for bad in (
        b"]0;owned",
        b"\x1b[2J",
        b"\xc2\x9b",
        b"\xe2\x80\xae",
        b"\xe2\x81\xa6",
        b"\x1bP1;2",
    ):
        assert bad not in written, bad
    assert set(STRING.findall(terminal.output)) == {b"0", b"22", b"52"}  # title, pointer, copy


PROGRAM = "import sys; from transcript_tui.cli.app import run; sys.exit(run(sys.argv[1:]))"


def test_a_disk_that_stands_holds_up_no_key_and_no_leaving(tmp_path: Path) -> None:
    """A pipe that is full, as its reader does not read."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    events = (b'{"type":"CUSTOM","name":"n","value":"%d"}' % n for n in range(5_000))
    long = b"".join(b"data: %b\n\n" % event for event in events)
    body = FRAMES[0] + FRAMES[1] + FRAMES[2] + long + FRAMES[4] + FRAMES[5]

    @asynccontextmanager
    async def serves(_: asyncio.Event) -> AsyncIterator[str]:
        async with answering(says(head(), body)) as server:
            yield server.url

    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb"), in_thread(serves) as (url, _):
        terminal = Terminal(PROGRAM, ["watch", url, "--record", str(pipe), "--force"])
        terminal.wait_to_show("✓ finished", "● rec waits for the disk", "events behind")
        terminal.send(b"b")
        terminal.wait_to_show("buffered")
        terminal.send(b"/rich\r")
        terminal.wait_to_show("/rich 1/1")
        terminal.send(b"q")
        # The terminal is restored before anybody waits for the disk.
        terminal.wait_for(b"Still writing")
        assert b"Ctrl+C leaves it as it is." in terminal.after
        assert terminal.restored()
        terminal.send(b"\x03")
        assert terminal.end() == 0
    assert b"takes nothing more: up to " in terminal.after
    assert b"Traceback" not in terminal.output


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM, signal.SIGINT])
def test_a_signal_before_the_first_byte_leaves_no_recording(
    number: signal.Signals, tmp_path: Path
) -> None:
    """Also one that comes while the source is still being opened, in a thread."""
    path = tmp_path / "run.sse"

    @asynccontextmanager
    async def serves(_: asyncio.Event) -> AsyncIterator[str]:
        async with answering(stalls()) as server:
            yield server.url

    with in_thread(serves) as (url, _):
        terminal = Terminal(PROGRAM, ["watch", url, "--record", str(path)])
        terminal.wait_until(path.exists)
        os.kill(terminal.child, number)
        assert terminal.end() == (0 if number == signal.SIGINT else 128 + number)
    assert terminal.restored()
    assert not path.exists()


def test_the_keyboard_is_not_read_as_a_log() -> None:
    terminal = Terminal(PROGRAM, ["replay", "-"])
    assert terminal.end() == 2
    assert b"Nothing is piped in" in terminal.output


def test_the_first_frame_waits_for_no_pipeline() -> None:
    """What reads, judges and folds is imported after it (``screens/opening.py``)."""
    code = (
        "import sys, transcript_tui.cli.replay, transcript_tui.cli.viewing\n"
        "import transcript_tui.ui.viewer\n"
        "print(*{name.split('.')[1] for name in sys.modules if 'transcript_tui.' in name})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True)
    imported = set(done.stdout.decode().split())
    assert "ui" in imported
    assert not imported & {"wire", "protocol", "transcript", "session", "server", "export"}


def test_a_terminal_that_went_away_takes_what_is_written_all_the_same() -> None:
    """Textual's writing thread must live on, or the program waits for it for ever."""
    ours, theirs = os.openpty()
    with open(theirs, "w", encoding="utf-8") as file:
        gone = terminal.Vanishing(file)
        assert gone.isatty()
        os.close(ours)
        for _ in range(40):
            gone.write("x" * 10_000)
            gone.flush()
        with pytest.raises(OSError, match="error"):
            os.write(theirs, b"x")
        theirs_anew = os.open(os.devnull, os.O_WRONLY)
        os.dup2(theirs_anew, theirs)
        os.close(theirs_anew)
