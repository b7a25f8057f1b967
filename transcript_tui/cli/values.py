"""What is written behind an option or as an argument: read, and refused in words where it is none
of what is wanted; and what a shell offers to write there."""

from __future__ import annotations

import os
import re
import shlex

import typer

from transcript_tui.errors import UsageError

_SIZE = re.compile(r"(\d{1,15})\s*(?:([kmg])(?:i?b)?|b)?", re.IGNORECASE)
_DIGITS = 15
"""Of a count, at most."""
_HOST_AND_PORT = re.compile(r"[\w.-]+:\d+(/|$)")


def speed(text: str) -> float:
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


def size(text: str) -> int:
    """Bytes from ``33554432``, ``32MiB``, ``512k``."""
    found = _SIZE.fullmatch(text.strip())
    octets = int(found[1]) * 1024 ** " kmg".index((found[2] or " ").lower()) if found else 0
    if octets <= 0:
        raise typer.BadParameter(f"{text!r} is no size; try 32MiB")
    return octets


def seconds(text: str) -> float:
    try:
        number = float(text.removesuffix("s"))
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise typer.BadParameter(f"{text!r} is no number of seconds; try 2.5")
    return number


def count(text: str) -> int:
    if not text.isdecimal():
        raise typer.BadParameter(f"{text!r} is no number of 0 or more")
    if len(text) > _DIGITS:
        raise typer.BadParameter(f"a number of {len(text)} digits is too large; try a smaller one")
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


def host(text: str) -> str:
    """An address to listen on. An empty one would mean all there are."""
    if not text.strip():
        raise typer.BadParameter("the address is empty; 0.0.0.0 stands for all of this machine")
    return text


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


def address(text: str) -> str:
    """A URL, also without its ``http://``; the name of a log is told its verb."""
    if "://" not in text and os.path.isfile(text):
        raise UsageError(
            f"{text} is a log, and no endpoint.",
            f"Did you mean: transcript-tui replay {shlex.quote(text)}",
        )
    return text if _HOST_AND_PORT.match(text) else source(text)


def scenario_names() -> list[str]:
    """What a shell offers where a scenario is wanted."""
    from transcript_tui.server.scenarios import SCENARIOS

    return list(SCENARIOS)


def theme_names() -> list[str]:
    from transcript_tui.config import themes_folder
    from transcript_tui.ui.themes import load_themes

    return list(load_themes(themes_folder())[0])
