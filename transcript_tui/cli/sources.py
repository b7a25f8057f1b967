"""What a SOURCE on the command line is: a URL, a file, or ``-``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from transcript_tui.errors import UsageError, not_readable
from transcript_tui.session.sources.source import is_url

if TYPE_CHECKING:
    from transcript_tui.cli.options import Endpoint
    from transcript_tui.session.sources.source import Received, Source

__all__ = ["endpoint", "given_input", "open_url", "read_now", "shown_url"]

TIMEOUT: Final = 10.0


def shown_url(url: str) -> str:
    """``url`` as people may see it: without its secrets."""
    from transcript_tui.session.redaction import safe_url

    return safe_url(url)


def read_now(name: str, max_frame: int) -> Iterator[Received]:
    """What a file or stdin (``-``) holds, without an event loop."""
    from transcript_tui.session.sources.reading import read_all

    return read_all(0 if name == "-" else Path(name), max_frame)


def endpoint(
    name: str,
    asked: Endpoint,
    given: Mapping[str, Any] | None,
    *,
    timeout: float | None = None,
) -> Source | None:
    """The endpoint ``name``, where that is a URL and not the name of a file."""
    if is_url(name):
        return open_url(name, asked, given, timeout=timeout)
    if asked.message:
        raise UsageError(
            f"--message asks an endpoint; {name!r} is no URL.",
            "An endpoint begins with http://; what a log was started with, --input says.",
        )
    return None


def open_url(
    url: str,
    asked: Endpoint,
    given: Mapping[str, Any] | None,
    *,
    timeout: float | None = None,
    reconnect: bool = False,
) -> Source:
    """An endpoint; with messages or ``given``, a ``RunAgentInput`` or a part of one, a run is
    started, else it is only listened to."""
    from transcript_tui.session.sources.headers import parse_headers, read_header_file
    from transcript_tui.session.sources.http import HttpRequest, HttpSource

    headers = parse_headers(asked.header or (), os.environ)
    if asked.header_file is not None:
        headers = read_header_file(asked.header_file, os.environ) + headers
    return HttpSource(
        HttpRequest(
            url=url,
            run_input=_run_input(asked, given),
            headers=headers,
            timeout=next(one for one in (timeout, asked.timeout, TIMEOUT) if one is not None),
            cacert=asked.cacert,
            insecure=asked.insecure,
            reconnect=reconnect,
        )
    )


def _run_input(asked: Endpoint, given: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not asked.message and given is None:
        if asked.thread or asked.run:
            raise UsageError(
                "--thread and --run name a run that is to be started.",
                "Say what to start it with: --message or --input.",
            )
        return None
    from transcript_tui.session.sources.run_input import build_run_input

    named = {} if asked.run is None else {"runId": asked.run}
    return build_run_input(asked.message or (), {**(given or {}), **named}, asked.thread)


def given_input(name: str | None, *, taken: bool = False) -> dict[str, Any] | None:
    """The ``RunAgentInput`` in the file ``name`` (``-`` is stdin, unless that is ``taken``)."""
    if name is None:
        return None
    from transcript_tui.session.sources.run_input import read_run_input

    if name == "-":
        if taken:
            raise UsageError("stdin cannot be both the input and a source.", "Name a file for one.")
        return read_run_input(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    try:
        text = Path(name).read_text("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"The input {name} is no UTF-8 text.", "Save it as UTF-8.") from None
    except OSError as error:
        raise not_readable(f"input file {name}", error) from None
    return read_run_input(text, name)
