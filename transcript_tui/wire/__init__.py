"""Bytes → frames. Knows formats, not the protocol."""

from transcript_tui.wire.frames import (
    Bom,
    Cut,
    Frame,
    FrameTooLong,
    FramingCr,
    FramingEnd,
    Input,
    Mark,
    NewStream,
    NotEvents,
    Piece,
    Recording,
)
from transcript_tui.wire.reader import MAX_FRAME, Reader, open_reader

__all__ = [
    "MAX_FRAME",
    "Bom",
    "Cut",
    "Frame",
    "FrameTooLong",
    "FramingCr",
    "FramingEnd",
    "Input",
    "Mark",
    "NewStream",
    "NotEvents",
    "Piece",
    "Reader",
    "Recording",
    "open_reader",
]
