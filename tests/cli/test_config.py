"""Settings: precedence, origins, and sentences for everything that can be wrong in them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import FINISH, START, Cli
from transcript_tui.config import Settings, load_settings, settings_rows, show
from transcript_tui.errors import SettingsError, UsageError


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_defaults_need_neither_a_file_nor_pydantic(file: Path) -> None:
    loaded = load_settings()
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {"default"}


def test_flags_win_over_environment_over_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('theme = "paper"\nbell = true\ntimeout = 1\nidle_cap = 7\n')
    monkeypatch.setenv("TRANSCRIPT_TUI_TIMEOUT", "2")
    monkeypatch.setenv("TRANSCRIPT_TUI_IDLE_CAP", "8")
    loaded = load_settings({"idle_cap": 9.0, "theme": None}, file)
    settings = loaded.settings
    assert (settings.theme, settings.bell, settings.timeout, settings.idle_cap) == (
        "paper",
        True,
        2.0,
        9.0,
    )
    assert loaded.origins["theme"] == "file"
    assert loaded.origins["timeout"] == "environment"
    assert loaded.origins["idle_cap"] == "flag"
    assert loaded.origins["mouse"] == "default"


def test_keys_are_merged_row_by_row(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text('[keys]\nbuffered = "B"\nquit = "Q"\n')
    monkeypatch.setenv("TRANSCRIPT_TUI_KEYS__QUIT", "ctrl+q")
    assert load_settings(file=file).settings.keys == {"buffered": "B", "quit": "ctrl+q"}


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ('a = 1\ntheme = "x\n', ":2:", "not valid TOML"),
        ("x = [", ":1:", "not valid TOML"),
        ('bell = true\nthme = "x"\n', ":2: thme", "no such setting"),
        ('\n\ntools = "open"\n', ":3: tools", "'full', 'folded', 'when-done' or 'hidden'"),
        ('speed = "fast"\n', ":1: speed", "'max' or a number"),
        ("[keys]\nquit = 3\n", ":2: keys.quit", "a text in quotes"),
        ('keys = "q"\n', ":1: keys", "a table"),
    ],
)
def test_a_broken_file_is_a_sentence_with_its_place(
    file: Path, text: str, place: str, words: str
) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_settings(file=file)
    assert str(caught.value).startswith(str(file))
    assert place in str(caught.value)
    assert words in str(caught.value)


def test_an_unknown_name_suggests_the_nearest(file: Path) -> None:
    file.write_text('thme = "x"\n')
    with pytest.raises(SettingsError) as caught:
        load_settings(file=file)
    assert caught.value.hint == "Did you mean theme?"


@pytest.mark.parametrize(
    ("name", "value"), [("TRANSCRIPT_TUI_TIMEOUT", "soon"), ("TRANSCRIPT_TUI_KEYS", "{x")]
)
def test_a_broken_variable_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError, match=f"^{name} in the environment"):
        load_settings()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("speed", "nan"), ("speed", "0.0"), ("speed", "1000"), ("idle_cap", "-1"),
        ("idle_cap", "inf"), ("timeout", "nan"), ("max_frame", "0"),
    ],
)  # fmt: skip
def test_a_number_out_of_range_is_said_with_its_place(
    name: str, value: str, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text(f'theme = "paper"\n{name} = {value}\n')
    with pytest.raises(SettingsError, match=rf"\.toml:2: {name}: .* it should be at least"):
        load_settings(file=file)
    file.write_text("")
    monkeypatch.setenv(f"TRANSCRIPT_TUI_{name.upper()}", value)
    with pytest.raises(SettingsError, match=f"^TRANSCRIPT_TUI_{name.upper()} in the environment"):
        load_settings(file=file)
    assert load_settings({"speed": float("inf"), name: 1}, file).origins[name] == "flag"


def test_a_named_file_must_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="no settings file"):
        load_settings(file=tmp_path / "none.toml")
    monkeypatch.setenv("TRANSCRIPT_TUI_CONFIG", str(tmp_path / "none.toml"))
    with pytest.raises(UsageError, match="no settings file"):
        load_settings()


@pytest.mark.parametrize("content", [b"\xff\xfe", None])
def test_what_cannot_be_read_is_said(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "config.toml"
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)
    with pytest.raises(SettingsError, match=r"config\.toml"):
        load_settings(file=file)


def test_every_value_is_shown_with_its_origin(file: Path) -> None:
    file.write_text('theme = "paper"\n')
    lines = show(load_settings({"bell": True}, file)).splitlines()
    assert lines[0] == f"# file: {file}"
    assert any(line.split() == ["theme", "=", '"paper"', "#", "file"] for line in lines)
    assert any(line.split() == ["bell", "=", "true", "#", "flag"] for line in lines)
    assert len(lines) == 1 + len(settings_rows())


def test_what_is_shown_is_a_file_that_means_the_same(tmp_path: Path, file: Path) -> None:
    file.write_text('theme = "paper"\nspeed = "max"\n[keys]\nquit = "Q"\n')
    loaded = load_settings(file=file)
    copy = tmp_path / "copy.toml"
    copy.write_text(show(loaded))
    assert load_settings(file=copy).settings == loaded.settings


def test_no_option_of_another_meaning_bears_a_settings_name(
    cli: Cli, log: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flag is taken for the setting of its name, and all are judged once one is given."""
    monkeypatch.setenv("TRANSCRIPT_TUI_BUFFERED", "true")
    answer = cli("replay", log(START, FINISH), "--speed", "max")
    assert (answer.status, answer.err) == (0, "")
    answer = cli("demo", "hello", "--speed", "max")
    assert (answer.status, answer.err) == (0, "")
