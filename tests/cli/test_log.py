"""The log: nothing in it that was said in a stream or stood in a header, unless asked."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from transcript_tui.errors import UsageError
from transcript_tui.log import LOGGER, log_file, open_log, unforeseen


@pytest.fixture(autouse=True)
def _own_handlers() -> Iterator[None]:
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    for logger in (root, LOGGER):
        for handler in list(logger.handlers):
            if handler not in before:
                logger.removeHandler(handler)
                handler.close()
    root.setLevel(level)


def _failure() -> Exception:
    try:
        raise ValueError("sdrow terces"[::-1])
    except ValueError as error:
        return error


def test_an_unforeseen_error_leaves_its_place_but_not_its_words(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "one.log"
    open_log(file)
    sentence = unforeseen(_failure(), file)
    assert sentence == f"transcript-tui: an unforeseen error (ValueError); the log is {file}"
    written = file.read_text()
    assert "builtins.ValueError" in written
    assert "test_log.py" in written
    assert "secret" not in written


def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_log(tmp_path / "one.log", "debug")
        logging.getLogger("httpcore").debug("some header")
    finally:
        os.umask(before)
    assert (tmp_path / "one.log").stat().st_mode & 0o777 == 0o600


def test_it_drives_no_terminal(tmp_path: Path) -> None:
    file = tmp_path / "one.log"
    open_log(file, "debug")
    logging.getLogger("httpcore").debug("answered %s", "\x1b]0;title\x07 \u202e")
    try:
        raise ValueError("\x9b2J")
    except ValueError:
        LOGGER.exception("failed")
    written = file.read_text("utf-8")
    assert "answered ␛]0;title␇ ⟨U+202E⟩\n" in written
    assert "ValueError: ⟨U+009B⟩2J\n" in written


def test_debug_writes_everything(tmp_path: Path) -> None:
    file = tmp_path / "one.log"
    open_log(file, "debug")
    logging.getLogger("httpcore").debug("some header")
    unforeseen(_failure(), file)
    assert "secret words" in file.read_text()
    assert "some header" in file.read_text()


def test_nothing_is_created_while_nothing_happens(tmp_path: Path) -> None:
    open_log(tmp_path / "one.log")
    assert not (tmp_path / "one.log").exists()


def test_a_log_that_cannot_be_kept_is_admitted(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        open_log(tmp_path / "file" / "one.log")
    assert "no log could be kept" in unforeseen(_failure(), tmp_path / "file" / "one.log")


def test_a_record_that_cannot_be_written_disturbs_nobody(tmp_path: Path) -> None:
    file = tmp_path / "one.log"
    open_log(file, "debug")
    file.mkdir()
    logging.getLogger("httpcore").debug("some header")
    assert "no log could be kept" in unforeseen(_failure(), file)


def test_only_a_log_that_was_asked_for_must_be_possible(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    (tmp_path / "file").write_text("")
    log = tmp_path / "log.jsonl"
    log.write_text('{"type":"RUN_ERROR","message":"no luck"}\n')
    monkeypatch.setattr("platformdirs.user_log_path", lambda *_, **__: tmp_path / "file")
    assert "no luck" in cli("replay", log).out
    for impossible in (tmp_path / "file" / "one.log", tmp_path):
        answer = cli("replay", log, "--log", impossible)
        assert answer.status == 2
        assert f"{impossible} cannot be written" in answer.err


def test_the_usual_place_is_the_platforms() -> None:
    assert log_file().name == "transcript-tui.log"
    assert log_file("here.log") == Path("here.log")
