"""Options that several verbs share, each said once; those that go together as a group.

``None`` means "not given": the settings decide then (``config.py``). A verb takes a group as
one parameter (``parsing.spread`` puts it into the command line), and hands its groups, and
what else is named as a setting is, on to ``viewing.look``.
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from transcript_tui.errors import UsageError

_SIZE = re.compile(r"(\d{1,15})\s*(?:([kmg])(?:i?b)?|b)?", re.IGNORECASE)


def _speed(text: str) -> float:
    """A factor; ``max`` is infinity."""
    from transcript_tui.config import FASTEST, SLOWEST  # 8 ms, that ``check`` does without

    if text.lower() == "max":
        return float("inf")
    try:
        factor = float(text.removesuffix("x").removesuffix("×"))
    except ValueError:
        factor = 0.0
    if not SLOWEST <= factor <= FASTEST:
        raise typer.BadParameter(
            f"{text!r} is no speed; try 0.5, 2, 10 (from {SLOWEST} to {FASTEST}) or max"
        )
    return factor


def _size(text: str) -> int:
    """Bytes from ``33554432``, ``32MiB``, ``512k``."""
    found = _SIZE.fullmatch(text.strip())
    size = int(found[1]) * 1024 ** " kmg".index((found[2] or " ").lower()) if found else 0
    if size <= 0:
        raise typer.BadParameter(f"{text!r} is no size; try 32MiB")
    return size


def seconds(text: str) -> float:
    try:
        number = float(text.removesuffix("s"))
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise typer.BadParameter(f"{text!r} is no number of seconds; try 2.5")
    return number


def count(text: str) -> int:
    if not text.isdecimal() or len(text) > 15:
        raise typer.BadParameter(f"{text!r} is no whole number")
    return int(text)


def at_least_1(text: str) -> int:
    number = count(text)
    if not number:
        raise typer.BadParameter(f"{text} is too little; it takes at least 1")
    return number


def port(text: str) -> int:
    number = count(text)
    if number > 65535:
        raise typer.BadParameter(f"{text} is no port; they end at 65535")
    return number


def http_status(text: str) -> int:
    number = count(text)
    if not 200 <= number <= 599:
        raise typer.BadParameter(f"{text} is no status of an answer; they go from 200 to 599")
    return number


def source(text: str) -> str:
    """A log's name, a URL, or ``-``; a slip is told as what it is, and not as a missing file."""
    if not text.strip():
        raise UsageError("The name of the source is empty.", "Give a log, a URL, or - for stdin.")
    from transcript_tui.session.sources.source import is_url

    scheme, colon, _ = text.partition("://")
    if colon and scheme.isalnum() and not is_url(text):
        raise UsageError(f"{scheme}:// cannot be asked.", "Only http:// and https:// can.")
    if _HOST_AND_PORT.match(text) and not os.path.exists(text):
        from transcript_tui.session.redaction import safe_url

        meant = safe_url(f"http://{text}")
        shown = meant.removeprefix("http://")
        raise UsageError(f"There is no file {shown}.", f"An endpoint is written {meant}.")
    return text


def log(text: str) -> str:
    """The name of a log or ``-``; whoever gives a URL is told which verbs take one."""
    from transcript_tui.session.sources.source import is_url

    if is_url(source(text)):
        from transcript_tui.session.redaction import safe_url

        raise UsageError(
            f"{safe_url(text)} is an endpoint, and no log.",
            "`transcript-tui watch` shows what it streams; `transcript-tui record` keeps it.",
        )
    return text


_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/|$)")


def address(text: str) -> str:
    """A URL, also without its ``http://``; the name of a log is told its verb."""
    if "://" not in text and os.path.isfile(text):
        raise UsageError(
            f"{text} is a log, and no endpoint.",
            f"Did you mean: transcript-tui replay {shlex.quote(text)}",
        )
    return text if _HOST_AND_PORT.match(text) else source(text)


Url = Annotated[str, typer.Argument(metavar="URL", help="The endpoint.", parser=address)]


def scenario_names() -> list[str]:
    """What a shell offers where a scenario is wanted."""
    from transcript_tui.server.scenarios import SCENARIOS

    return list(SCENARIOS)


def _theme_names() -> list[str]:
    from transcript_tui.config import themes_folder
    from transcript_tui.ui.themes import load_themes

    return list(load_themes(themes_folder())[0])


Speed = Annotated[
    float | None,
    typer.Option(
        "--speed", parser=_speed, metavar="FACTOR|max", help="How fast: 0.5, 2, 10 … or max."
    ),
]
IdleCap = Annotated[
    float | None,
    typer.Option(
        "--idle-cap",
        parser=seconds,
        metavar="SECONDS",
        help="Cut longer pauses to this; 0 = none is cut.",
    ),
]
Timing = Annotated[
    Literal["auto", "original", "paced"] | None,
    typer.Option(
        "--timing", help="The log's own times, an invented rhythm (paced), or what fits (auto)."
    ),
]
KeepGoing = Annotated[
    bool, typer.Option("--keep-going", help="Read on past a violation; the verdict stays.")
]
MaxFrame = Annotated[
    int | None,
    typer.Option(
        "--max-frame", parser=_size, metavar="SIZE", help="Largest single event; default 32MiB."
    ),
]
Theme = Annotated[
    str | None,
    typer.Option(
        "--theme", metavar="NAME", help="Colours; see `themes`.", autocompletion=_theme_names
    ),
]
Config = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="The settings file to read.")
]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")]
Reconnect = Annotated[bool, typer.Option("--reconnect", help="After a drop, ask again (GET only).")]
Redact = Annotated[
    bool, typer.Option("--redact", help="Keep order, types, sizes and ids; replace the words.")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """How a URL is asked; files and pipes take nothing of it but ``input``."""

    message: Annotated[
        list[str] | None,
        typer.Option(
            "--message", "-m", metavar="TEXT", help="Start a run with this message. Repeatable."
        ),
    ] = None
    input: Annotated[
        str | None,
        typer.Option(
            "--input",
            metavar="FILE",
            help="Start from this: a RunAgentInput as JSON, or a part of one; - is stdin.",
        ),
    ] = None
    thread: Annotated[
        str | None,
        typer.Option("--thread", metavar="ID", help="The run's threadId; else a new one."),
    ] = None
    run: Annotated[
        str | None, typer.Option("--run", metavar="ID", help="The run's runId; else a new one.")
    ] = None
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            "-H",
            metavar="'NAME: VALUE'",
            help="A header; the value env:NAME is read from the environment. Repeatable.",
        ),
    ] = None
    header_file: Annotated[
        Path | None,
        typer.Option("--header-file", metavar="FILE", help="Headers, a `Name: value` a line."),
    ] = None
    timeout: Annotated[
        float | None,
        typer.Option(
            "--timeout",
            parser=seconds,
            metavar="SECONDS",
            help="Longest wait for a connection; a silent stream is never ended.",
        ),
    ] = None
    cacert: Annotated[
        Path | None,
        typer.Option(
            "--cacert", metavar="FILE", help="Trust the authority in this certificate (PEM)."
        ),
    ] = None
    insecure: Annotated[bool, typer.Option("--insecure", help="Accept any TLS certificate.")] = (
        False
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How a session is shown."""

    plain: Annotated[
        bool, typer.Option("--plain", help="Print plain text, as when stdout is no terminal.")
    ] = False
    buffered: Annotated[
        bool | None,
        typer.Option(
            "--buffered/--streaming", help="Show messages whole when complete, or as they grow."
        ),
    ] = None
    markdown: Annotated[
        bool | None,
        typer.Option("--markdown/--source", help="Render Markdown, or show source text."),
    ] = None
    theme: Theme = None
    mouse: Annotated[
        bool | None, typer.Option("--mouse/--no-mouse", help="Take the mouse, or leave it.")
    ] = None
    animation: Annotated[
        bool | None,
        typer.Option("--animation/--no-animation", help="Motion on the screen, or none."),
    ] = None
    print_on_exit: Annotated[
        bool,
        typer.Option(
            "--print-on-exit", help="Leave the transcript in the scrollback, as plain text."
        ),
    ] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """Where the program keeps its own things."""

    config: Config = None
    log: Annotated[
        str | None, typer.Option("--log", metavar="FILE", help="The program's own log.")
    ] = None
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"] | None,
        typer.Option("--log-level", help="What it holds; at debug message text and headers, too!"),
    ] = None
