"""What a source is: something that yields what it receives, and fails in sentences.

A source owns its connection or file and nothing else. It says when a connection begins
(``Opened``), yields bytes as they come, or pieces where it has read the format itself, and
raises :class:`~transcript_tui.errors.SourceError` when it cannot go on. What it yielded
before that stands.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from transcript_tui.errors import SourceError
from transcript_tui.wire.frames import Piece

__all__ = [
    "Absent",
    "Back",
    "Lost",
    "Note",
    "Opened",
    "Pieces",
    "Received",
    "Source",
    "Waiting",
    "is_url",
]


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection (or file) begins: a stream of its own if it is not the first."""

    hint: str | None = None
    """The format, as ``wire.open_reader`` takes it; ``None``: by content."""
    total: int | None = None
    """Bytes that will come, where that is known."""
    keep_id: Callable[[str], None] | None = None
    """Wants to be told the last event id, once the connection has ended, where one was said."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """Frames and marks, from a source that reads its format itself."""

    pieces: Sequence[Piece]
    size: int = 0
    """Bytes that they were read from."""


@dataclass(frozen=True, slots=True)
class Lost:
    """The connection was lost; the source will try again."""

    error: SourceError


@dataclass(frozen=True, slots=True)
class Waiting:
    """The next try is ``seconds`` away, or comes as soon as ``hurry`` is called."""

    seconds: float
    hurry: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Absent:
    """What is to be read is not there, or no more; the source looks for it until it is."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Back:
    """It is there again, and goes on as if it had not been away."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth saying that is no failure."""

    text: str


Received = bytes | Opened | Pieces | Lost | Waiting | Absent | Back | Note


def is_url(target: str) -> bool:
    """Whether ``target`` names an endpoint, and no file."""
    return target.lower().startswith(("http://", "https://"))


class Source(Protocol):
    """Where events come from."""

    @property
    def label(self) -> str:
        """For people; free of secrets."""
        ...

    @property
    def live(self) -> bool:
        """Events come as they happen: the moment of arrival is their time."""
        ...

    @property
    def is_log(self) -> bool:
        """It holds a log: offsets found in it outrank the moment of arrival."""
        ...

    @property
    def run_input(self) -> Mapping[str, Any] | None:
        """The ``RunAgentInput`` that is sent."""
        ...

    @property
    def url(self) -> str | None:
        """The address, free of secrets, where there is one."""
        ...

    @property
    def method(self) -> str | None: ...

    def receive(self) -> AsyncGenerator[Received, None]:
        """Everything, until the source ends; raises :class:`SourceError`."""
        ...
