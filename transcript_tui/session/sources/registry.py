"""Every kind of source: a file in this package and a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from transcript_tui.session.sources.file import FileSource, StdinSource
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.session.sources.source import Source, is_url
from transcript_tui.wire.reader import MAX_FRAME

__all__ = ["SOURCES", "SourceKind", "open_source"]


@dataclass(frozen=True, slots=True)
class SourceKind:
    name: str
    recognises: Callable[[str], bool]
    """Is it named by this argument of the command line?"""
    open: Callable[[str, int], Source]
    """With its name, and how many bytes a frame may have: a GET, a file read once."""


def _get(target: str, max_frame: int) -> Source:
    return HttpSource(HttpRequest(url=target))


def _stdin(target: str, max_frame: int) -> Source:
    return StdinSource(max_frame=max_frame)


def _file(target: str, max_frame: int) -> Source:
    return FileSource(target, max_frame=max_frame)


SOURCES: Final = (
    SourceKind("http", is_url, _get),
    SourceKind("stdin", lambda target: target == "-", _stdin),
    SourceKind("file", lambda target: True, _file),
)
"""In the order they are asked; the last takes everything."""


def open_source(target: str, max_frame: int = MAX_FRAME) -> Source:
    """The source that ``target`` names: a URL, ``-``, or a file."""
    return next(kind for kind in SOURCES if kind.recognises(target)).open(target, max_frame)
