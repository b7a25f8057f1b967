"""The compatibility boundary: shapes the protocol has retired, translated before enforcement.

Rule id ``retired-shape``; what a translation loses is said in its warning. One
:class:`Boundary` a stream, because ``THINKING_*`` events carry no ids: they are minted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.pointer import Path

__all__ = ["Boundary"]

Say = Callable[[str, Path], None]
"""Takes a sentence and the place concerned."""

Json = dict[str, Any]
Source = tuple[Any, ...]
"""A media part's type, and its source's type, value and MIME type."""

_RENAMED: Final = {
    "THINKING_START": "REASONING_START",
    "THINKING_TEXT_MESSAGE_START": "REASONING_MESSAGE_START",
    "THINKING_TEXT_MESSAGE_CONTENT": "REASONING_MESSAGE_CONTENT",
    "THINKING_TEXT_MESSAGE_END": "REASONING_MESSAGE_END",
    "THINKING_END": "REASONING_END",
}
_NULLS: Final[dict[str, tuple[str, ...]]] = {
    "TOOL_CALL_START": ("parentMessageId",),
    "TOOL_CALL_CHUNK": ("parentMessageId",),
    "RUN_FINISHED": ("result", "outcome"),
    "SUBAGENT_FINISHED": ("result",),
}
"""The listed nulls of an event's own fields; ``rawEvent`` is on every event's list."""
_CONCERNED: Final = frozenset(
    {*_RENAMED, *_NULLS, "MESSAGES_SNAPSHOT", "TOOL_CALL_RESULT", "RUN_STARTED"}
)
_MEDIA: Final = ("image", "audio", "video", "document")
"""No set: a part's ``type`` may be a list, which none can be asked for."""


class Boundary:
    """Translates decoded events in place."""

    __slots__ = ("_minted", "_open")

    def __init__(self) -> None:
        self._open: dict[str, Any] = {}
        self._minted = 0

    @staticmethod
    def concerns(event: Json) -> bool:
        """Whether there may be anything to translate."""
        return event["type"] in _CONCERNED or event.get("rawEvent", event) is None

    def translate(self, event: Json, say: Say) -> None:
        """``event["type"]`` is a string; everything else may be anything."""
        kind = event["type"]
        for name in ("rawEvent", *_NULLS.get(kind, ())):
            _absent(event, name, (), say)
        if kind in _RENAMED:
            self._rename(event, kind, say)
        elif kind == "MESSAGES_SNAPSHOT":
            _translate_messages(event, (), say)
        elif kind == "TOOL_CALL_RESULT":
            _translate_parts(event, (), say)
        elif kind == "RUN_STARTED":
            _translate_input(event.get("input"), say)

    def _rename(self, event: Json, kind: str, say: Say) -> None:
        event["type"] = _RENAMED[kind]
        if kind == "THINKING_START" and "title" in event:
            title = event.pop("title")
            say(f"its title {quoted(title)} is lost; REASONING_START has none.", ("title",))
        if kind == "THINKING_TEXT_MESSAGE_START":
            event["role"] = "reasoning"
        self._identify(event, kind)
        say(f"it is retired and was read as {_RENAMED[kind]}.", ("type",))

    def _identify(self, event: Json, kind: str) -> None:
        """An id where the event has none: that of what is open, a new one where nothing is."""
        what = "span" if kind in ("THINKING_START", "THINKING_END") else "message"
        if "messageId" not in event:
            opened = None if kind.endswith("_START") else self._open.get(what)
            event["messageId"] = self._mint(what) if opened is None else opened
        if kind.endswith("_START"):
            self._open[what] = event["messageId"]
        elif kind.endswith("_END"):
            self._open.pop(what, None)

    def _mint(self, what: str) -> str:
        # Not random: the same log must give the same transcript each time it is read.
        self._minted += 1
        return f"thinking-{what}-{self._minted}"


def _absent(holder: Json, name: str, path: Path, say: Say) -> None:
    """A listed ``null`` counts as absent."""
    if holder.get(name, name) is None:
        del holder[name]
        say(f"{name}: null was read as absent.", (*path, name))


def _entries(holder: Any, name: str, path: Path) -> Iterator[tuple[Json, Path]]:
    """The objects in the list ``holder[name]``, with their paths."""
    entries = holder.get(name) if isinstance(holder, dict) else None
    if isinstance(entries, list):
        for index, entry in enumerate(entries):
            if isinstance(entry, dict):
                yield entry, (*path, name, index)


def _translate_input(run_input: Any, say: Say) -> None:
    if not isinstance(run_input, dict):
        return
    _absent(run_input, "forwardedProps", ("input",), say)
    for tool, path in _entries(run_input, "tools", ("input",)):
        _absent(tool, "parameters", path, say)
    for entry, path in _entries(run_input, "resume", ("input",)):
        _absent(entry, "payload", path, say)
    _translate_messages(run_input, ("input",), say)


def _translate_messages(holder: Json, path: Path, say: Say) -> None:
    for message, place in _entries(holder, "messages", path):
        _translate_parts(message, place, say)


def _translate_parts(message: Json, path: Path, say: Say) -> None:
    content = message.get("content")
    if not isinstance(content, list):
        return
    for part, place in _entries(message, "content", path):
        if part.get("type") in _MEDIA:
            _absent(part, "metadata", place, say)
    if any(_is_binary(part) for part in content):
        message["content"] = list(_upgraded(content, (*path, "content"), say))


def _is_binary(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and part.get("type") == "binary"
        and isinstance(part.get("mimeType"), str)
    )


def _upgraded(parts: list[Any], path: Path, say: Say) -> Iterator[Any]:
    held = _held(parts)
    for index, part in enumerate(parts):
        place = (*path, index)
        if not _is_binary(part):
            yield part
            continue
        media = _media_part(part)
        if media is None:
            # At a place of its own, or it would only count as one more part that was read.
            name = "id" if "id" in part else "mimeType"
            say("a binary part without data or url has no replacement and is lost.", (*place, name))
            yield part
        elif _repeats(part, media, held):
            say("a binary part that repeats a media part was left out.", place)
        else:
            say(f"a binary part was read as {media['type']}.", place)
            for name in _lost(part):
                say(f"{name} of a binary part is lost.", (*place, name))
            yield media


def _media_part(part: Json) -> Json | None:
    mime = part["mimeType"]
    family = mime.partition("/")[0]
    for name, kind in (("data", "data"), ("url", "url")):
        if part.get(name):
            media = {
                "type": family if family in _MEDIA and "/" in mime else "document",
                "source": {"type": kind, "value": part[name], "mimeType": mime},
            }
            if part.get("filename"):
                media["metadata"] = {"filename": part["filename"]}
            return media
    return None


def _held(parts: list[Any]) -> dict[Source, set[str]]:
    """What the media parts hold, with the names they give it."""
    held: dict[Source, set[str]] = {}
    for part in parts:
        if isinstance(part, dict) and (source := _source(part)) is not None:
            metadata = part.get("metadata")
            name = metadata.get("filename") if isinstance(metadata, dict) else None
            held.setdefault(source, set()).update([name] if isinstance(name, str) else [])
    return held


def _source(part: Json) -> Source | None:
    """What a media part holds; ``None`` where that is not text."""
    source = part.get("source")
    if not isinstance(source, dict):
        return None
    said = (part.get("type"), *(source.get(name) for name in ("type", "value", "mimeType")))
    return said if all(isinstance(one, str) for one in said) else None


def _repeats(part: Json, media: Json, held: dict[Source, set[str]]) -> bool:
    """Whether a media part holds all that the binary ``part`` does."""
    source = _source(media)
    names = None if source is None else held.get(source)
    name = part.get("filename")
    return names is not None and (not name or (isinstance(name, str) and name in names))


def _lost(part: Json) -> list[str]:
    kept = {"type", "mimeType", "data" if part.get("data") else "url", "filename"}
    return [name for name in part if name not in kept]
