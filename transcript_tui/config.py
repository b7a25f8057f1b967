"""Settings: one field here is one row in the README, in ``config show`` and in the file.

Precedence: flags, then environment (``TRANSCRIPT_TUI_<NAME>``), then the file, then the
defaults below. The fields are a plain dataclass because most starts have nothing to
validate: pydantic-settings (0.2 s of imports) is loaded only once a file or a variable
is there to be read. ``check`` reads no settings at all, so that a script gets the same
answer on every machine.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, get_type_hints

from transcript_tui.errors import SettingsError, UsageError
from transcript_tui.toml import line_of, parse_toml, read_text

if TYPE_CHECKING:
    from pydantic_settings import BaseSettings

__all__ = [
    "DEFAULT_THEME",
    "ENV_PREFIX",
    "Display",
    "FoldMode",
    "FollowMode",
    "Loaded",
    "Settings",
    "TimesMode",
    "config_file",
    "config_folder",
    "load_settings",
    "place_of",
    "settings_rows",
    "themes_folder",
    "values_of",
]

ENV_PREFIX: Final = "TRANSCRIPT_TUI_"
FILE_VARIABLE: Final = "TRANSCRIPT_TUI_CONFIG"

FoldMode = Literal["full", "folded", "when-done", "hidden"]
"""How tool calls or reasoning are shown; ``when-done`` folds them once they are over."""
FollowMode = Literal["end", "start"]
"""Following keeps the end of the transcript in view, or the start of its newest message."""
TimesMode = Literal["none", "clock", "offset"]
Clipboard = Literal["auto", "osc52", "command", "off"]
"""``osc52`` asks the terminal, ``command`` a program of the platform, ``auto`` both."""
Timing = Literal["auto", "original", "paced"]
LogLevel = Literal["debug", "info", "warning", "error"]
Origin = Literal["flag", "environment", "file", "default"]


DEFAULT_THEME: Final = "auto"
"""Dusk; the terminal's own colours where it has sixteen or ``NO_COLOR`` is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Display:
    """The settings that say how a transcript is shown."""

    buffered: Annotated[bool, "Show a message whole, once it is complete."] = False
    markdown: Annotated[bool, "Render Markdown; off shows the source text."] = True
    tools: Annotated[FoldMode, "Tool calls: full, folded, when-done or hidden."] = "full"
    reasoning: Annotated[FoldMode, "Reasoning: full, folded, when-done or hidden."] = "folded"
    passthrough: Annotated[bool, "Show CUSTOM and RAW events in place."] = False
    times: Annotated[TimesMode, "Times beside each item: none, clock or offset."] = "none"
    follow: Annotated[FollowMode, "Keep in view: the end, or the start of the newest message."] = (
        "end"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Display):
    """What can be set, with its default; the prose is what the README says of it."""

    theme: Annotated[str, "Colours: a shipped theme, one of your own, or auto."] = DEFAULT_THEME
    mouse: Annotated[bool, "Take the mouse; off leaves it to the terminal."] = True
    animation: Annotated[bool, "Allow motion on the screen."] = True
    bell: Annotated[bool, "Ring when a run ends or asks for something."] = False
    notify: Annotated[bool, "Send a terminal notification when a run ends or asks."] = False
    title: Annotated[bool, "Show the run's state in the terminal's title."] = True
    clipboard: Annotated[
        Clipboard,
        "How `y` copies: through the terminal (osc52), by a command, both (auto), or off.",
    ] = "auto"
    timing: Annotated[
        Timing,
        "Replay by the log's own times (original), at an invented rhythm (paced), or auto.",
    ] = "auto"
    speed: Annotated[
        Literal["max"] | float, "Replay speed: a factor such as 0.5, 2 or 10, or max."
    ] = 1.0
    idle_cap: Annotated[float, "Longest pause that a replay makes, in seconds; 0 = no cap."] = 2.0
    timeout: Annotated[float, "Seconds to wait for a connection."] = 10.0
    max_frame: Annotated[int, "Largest single event that is read, in bytes."] = 32 * 2**20
    log_level: Annotated[
        LogLevel, "What the log holds: debug (with message text!), info, warning or error."
    ] = "warning"
    log: Annotated[str, "The log file; empty = in the platform's folder for logs."] = ""
    keys: Annotated[
        dict[str, str], 'Other keys, by action: `buffered = "B,ctrl+b"` under `[keys]`.'
    ] = field(default_factory=dict)


def values_of(kind: type[Display], settings: Display) -> dict[str, Any]:
    """What ``settings`` say of the fields of ``kind``, by name: to make another of them."""
    return {one.name: getattr(settings, one.name) for one in fields(kind)}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Settings, where each came from, and which file was looked at."""

    settings: Settings
    origins: Mapping[str, Origin]
    file: Path
    """The settings file, whether or not it exists."""


def config_folder() -> Path:
    """Where the user's settings lie."""
    import platformdirs

    return platformdirs.user_config_path("transcript-tui", appauthor=False)


def themes_folder() -> Path:
    """Where the user's themes lie."""
    return config_folder() / "themes"


def config_file(named: Path | None = None) -> Path:
    """The file named by the flag, else by ``TRANSCRIPT_TUI_CONFIG``, else the usual one."""
    if named is not None:
        return named
    variable = os.environ.get(FILE_VARIABLE)
    return Path(variable) if variable else config_folder() / "config.toml"


def load_settings(flags: Mapping[str, Any] | None = None, file: Path | None = None) -> Loaded:
    """The settings in force; ``flags`` holds what the command line gave, ``None`` = not given.

    Raises ``SettingsError`` for a file or variable that is broken, ``UsageError`` for a
    named file that is missing.
    """
    given = {name: value for name, value in (flags or {}).items() if value is not None}
    path = config_file(file)
    text = _read(path, "--config" if file is not None else _named_by_variable())
    if text is None and not _variables():
        return _loaded(Settings(**given), {"flag": given}, path)
    return _validated(given, path, text or "")


def settings_rows() -> list[tuple[str, str, str, str]]:
    """(name, variable, default, prose) of every setting, in the order of the class."""
    hints = get_type_hints(Settings, include_extras=True)
    return [
        (one.name, ENV_PREFIX + one.name.upper(), _shown(_default(one)), prose)
        for one in fields(Settings)
        for prose in hints[one.name].__metadata__
    ]


def _shown(value: Any) -> str:
    """A value as it is written in the file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_shown(one)}" for key, one in value.items()) + "}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def show(loaded: Loaded) -> str:
    """Every setting with its value and origin, one a line; the file on the first."""
    state = "" if loaded.file.exists() else " (not there)"
    lines = [f"# file: {loaded.file}{state}"]
    written = [(one.name, _shown(getattr(loaded.settings, one.name))) for one in fields(Settings)]
    width = max(len(f"{name} = {value}") for name, value in written)
    for name, value in written:
        lines.append(f"{f'{name} = {value}':<{width}}  # {loaded.origins[name]}")
    return "\n".join(lines)


def _default(one: Field[Any]) -> Any:
    return {} if one.name == "keys" else one.default


def _named_by_variable() -> str:
    return FILE_VARIABLE if os.environ.get(FILE_VARIABLE) else ""


def _variables() -> list[str]:
    """Names of settings that the environment gives."""
    names = {ENV_PREFIX + one.name.upper() for one in fields(Settings)}
    return [name for name in os.environ if name.upper() in names or _is_key(name)]


def _is_key(name: str) -> bool:
    return name.upper().startswith(f"{ENV_PREFIX}KEYS__")


def _read(path: Path, named: str) -> str | None:
    """The file's text; ``named`` says what asked for just this one, which must be there then."""
    try:
        return read_text(path)
    except FileNotFoundError:
        if named:
            raise UsageError(f"There is no settings file {path}.", f"Check {named}.") from None
        return None


def _validated(flags: Mapping[str, Any], path: Path, text: str) -> Loaded:
    """Flags over environment over file, checked; a table (``keys``) is merged row by row."""
    from pydantic import ValidationError
    from pydantic_settings import EnvSettingsSource
    from pydantic_settings import SettingsError as Unreadable

    written = parse_toml(path, text)
    model = _model(flags, written)
    layers: dict[Origin, Mapping[str, Any]] = {"flag": flags, "file": written}
    try:
        layers = {"flag": flags, "environment": EnvSettingsSource(model)(), "file": written}
        loaded = _loaded(Settings(**model().model_dump()), layers, path)
    except Unreadable as error:
        raise SettingsError(_unreadable_variable(str(error))) from None
    except ValidationError as error:
        raise _sentence(error.errors(include_url=False), layers, path, text) from None
    _within_range(loaded, text)
    return loaded


def _model(flags: Mapping[str, Any], written: Mapping[str, Any]) -> type[BaseSettings]:
    """What reads the settings, from what wins to what gives way."""
    from pydantic import create_model
    from pydantic_settings import (
        BaseSettings,
        EnvSettingsSource,
        InitSettingsSource,
        PydanticBaseSettingsSource,
        SettingsConfigDict,
    )

    class Base(BaseSettings):
        model_config = SettingsConfigDict(
            extra="forbid", env_prefix=ENV_PREFIX, env_nested_delimiter="__"
        )

        @classmethod
        def settings_customise_sources(
            cls, settings_cls: Any, *_: Any, **__: Any
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return (
                InitSettingsSource(settings_cls, dict(flags)),
                EnvSettingsSource(settings_cls),
                InitSettingsSource(settings_cls, dict(written)),
            )

    types = get_type_hints(Settings)
    shape: dict[str, Any] = {one.name: (types[one.name], _default(one)) for one in fields(Settings)}
    return create_model("SettingsModel", __base__=Base, **shape)


SLOWEST, FASTEST = 0.1, 100
"""Times the original speed; what the keys of the player reach, too."""
_RANGES: Final = {
    "speed": (SLOWEST, FASTEST),
    "idle_cap": (0.0, math.inf),
    "timeout": (0.0, math.inf),
    "max_frame": (1, math.inf),
}
"""Numbers from the first to the second, and none that is infinite: what the flags take, too."""


def _within_range(loaded: Loaded, text: str) -> None:
    """Raises ``SettingsError`` where a number of the file or environment would do harm."""
    for name, (least, most) in _RANGES.items():
        value, origin = getattr(loaded.settings, name), loaded.origins[name]
        fits = isinstance(value, str) or (least <= value <= most and value < math.inf)
        if fits or origin == "flag":  # a flag's own parser has judged it
            continue
        where = _where(name, name, origin, loaded.file, text)
        upto = f", at most {most:g}" if most < math.inf else ""
        raise SettingsError(f"{where}: {value} will not do, it should be at least {least:g}{upto}.")


def _unreadable_variable(said: str) -> str:
    name = re.search(r'field "(\w+)"', said)
    variable = ENV_PREFIX + name[1].upper() if name else "a variable"
    return f"{variable} in the environment cannot be read: it should be a JSON object."


def _sentence(
    faults: Sequence[Any], layers: Mapping[Origin, Mapping[str, Any]], path: Path, text: str
) -> SettingsError:
    """One sentence for the first fault: where it was set, what it is, what is allowed."""
    first = faults[0]
    name = str(first["loc"][0])
    origin: Origin = next((one for one in layers if name in layers[one]), "file")
    key = ".".join(str(part) for part in first["loc"]) if name == "keys" else name
    where = _where(name, key, origin, path, text)
    if first["type"] == "extra_forbidden":
        return SettingsError(f"{where}: there is no such setting.", f"Did you mean {_near(name)}?")
    allowed = " or ".join(_allowed(one) for one in faults if one["loc"][0] == name)
    return SettingsError(f"{where}: {first['input']!r} will not do, it should be {allowed}.")


def _where(name: str, key: str, origin: Origin, path: Path, text: str) -> str:
    """Where a setting was set; ``key`` says so more exactly within the file."""
    if origin == "flag":
        return f"--{name.replace('_', '-')}"
    if origin == "environment":
        return f"{ENV_PREFIX}{name.upper()} in the environment"
    table, _, rest = key.rpartition(".")
    return f"{path}:{line_of(text, rest, table)}: {key}"


def place_of(loaded: Loaded, name: str, row: str = "") -> str:
    """Where a setting in force was set, or a row of one that is a table: for a complaint."""
    origin = loaded.origins[name]
    text = read_text(loaded.file) if origin == "file" else ""
    return _where(name, f"{name}.{row}" if row else name, origin, loaded.file, text)


def _allowed(fault: Any) -> str:
    """What pydantic wanted, in a user's words."""
    words = {
        "bool": "true or false",
        "int": "a whole number",
        "float": "a number",
        "string": "a text in quotes",
        "dict": "a table",
    }
    kind = fault["type"].partition("_")[0]
    said = str(fault["msg"]).removeprefix("Input should be ")
    return said if fault["type"] == "literal_error" else words.get(kind, said.partition(",")[0])


def _near(name: str) -> str:
    from difflib import get_close_matches

    names = [one.name for one in fields(Settings)]
    return (get_close_matches(name, names, 1, 0.0) or names)[0]


def _loaded(settings: Settings, layers: Mapping[Origin, Mapping[str, Any]], path: Path) -> Loaded:
    def origin(name: str) -> Origin:
        return next((which for which in layers if name in layers[which]), "default")

    return Loaded(settings, {one.name: origin(one.name) for one in fields(Settings)}, path)
