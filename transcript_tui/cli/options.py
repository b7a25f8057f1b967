"""Options that several verbs share, each said once; those that go together as a group.

``None`` means "not given": the settings decide then (``config.py``). A verb takes a group as
one parameter (``parsing.spread`` puts it into the command line), and hands its groups, and
what else is named as a setting is, on to ``viewing.look``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import typer

from transcript_tui.cli import values

Url = Annotated[str, typer.Argument(metavar="URL", help="The endpoint.", parser=values.address)]
Speed = Annotated[
    float | None,
    typer.Option(
        "--speed", parser=values.speed, metavar="FACTOR|max", help="How fast: 0.5, 2, 10 … or max."
    ),
]
IdleCap = Annotated[
    float | None,
    typer.Option(
        "--idle-cap",
        parser=values.seconds,
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
        "--max-frame",
        parser=values.size,
        metavar="SIZE",
        help="Largest single event; default 32MiB.",
    ),
]
Theme = Annotated[
    str | None,
    typer.Option(
        "--theme", metavar="NAME", help="Colours; see `themes`.", autocompletion=values.theme_names
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
            parser=values.seconds,
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
