"""What a SOURCE on the command line is: a URL, a file, or ``-``."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from transcript_tui.errors import UsageError

if TYPE_CHECKING:
    from transcript_tui.session.sources.source import Received, Source

__all__ = ["Connection", "connection", "given_input", "is_url", "open_url", "read_now"]

TIMEOUT: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How a URL is asked; files and pipes take nothing of it."""

    messages: tuple[str, ...] = ()
    given: Mapping[str, Any] | None = None
    """A ``RunAgentInput``, or a part of one."""
    thread: str | None = None
    run: str | None = None
    headers: tuple[str, ...] = ()
    header_file: Path | None = None
    timeout: float | None = None
    cacert: Path | None = None
    insecure: bool = False
    reconnect: bool = False


def connection(
    given: Mapping[str, Any], timeout: float | None, run_input: Mapping[str, Any] | None
) -> Connection:
    """From a verb's parameters by name; those that it does not take have their defaults."""
    return Connection(
        messages=tuple(given["message"] or ()),
        given=run_input,
        thread=given["thread"],
        run=given["run"],
        headers=tuple(given["header"] or ()),
        header_file=given["header_file"],
        timeout=timeout,
        cacert=given["cacert"],
        insecure=given["insecure"],
        reconnect=given.get("reconnect", False),
    )


def is_url(name: str) -> bool:
    return name.lower().startswith(("http://", "https://"))


def read_now(name: str, how: Connection) -> Iterator[Received]:
    """What a file or stdin (``-``) holds, without an event loop."""
    if how.messages:
        raise UsageError(f"--message asks an endpoint; {name!r} is no URL.")
    from transcript_tui.session.sources.reading import read_all

    return read_all(0 if name == "-" else Path(name))


def open_url(url: str, how: Connection) -> Source:
    """An endpoint; with messages or input a run is started, else it is only listened to."""
    from transcript_tui.session.sources.headers import parse_headers, read_header_file
    from transcript_tui.session.sources.http import HttpRequest, HttpSource

    headers = parse_headers(how.headers, os.environ)
    if how.header_file is not None:
        headers = read_header_file(how.header_file, os.environ) + headers
    return HttpSource(
        HttpRequest(
            url=url,
            run_input=_run_input(how),
            headers=headers,
            timeout=TIMEOUT if how.timeout is None else how.timeout,
            cacert=how.cacert,
            insecure=how.insecure,
            reconnect=how.reconnect,
        )
    )


def _run_input(how: Connection) -> dict[str, Any] | None:
    asked = how.messages or how.given is not None
    if not asked:
        if how.thread or how.run:
            raise UsageError(
                "--thread and --run name a run that is to be started.",
                "Say what to start it with: --message or --input.",
            )
        return None
    from transcript_tui.session.sources.run_input import build_run_input

    given = dict(how.given or {})
    if how.run is not None:
        given["runId"] = how.run
    return build_run_input(how.messages, given, how.thread)


def given_input(name: str | None, *, taken: bool = False) -> dict[str, Any] | None:
    """The ``RunAgentInput`` in the file ``name`` (``-`` is stdin, unless that is ``taken``)."""
    if name is None:
        return None
    from transcript_tui.session.sources.run_input import read_run_input

    if name == "-":
        if taken:
            raise UsageError("stdin cannot be both the input and a source.")
        return read_run_input(sys.stdin.buffer.read().decode("utf-8", "surrogateescape"))
    try:
        text = Path(name).read_text("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"The input {name} is not UTF-8 text.") from None
    except OSError as error:
        raise UsageError(f"The input {name} cannot be read: {error.strerror}.") from None
    return read_run_input(text)
