"""The numbers that ``check`` prints beside the verdict."""

from __future__ import annotations

from typing import Any

from transcript_tui.cli.judging import Judgement
from transcript_tui.transcript.pipeline import StreamResult

__all__ = ["sentences", "statistics"]


def statistics(judgement: Judgement, stream: StreamResult) -> dict[str, Any]:
    """What is known; what is not is absent."""
    return {"payloads": stream.length, "bytes": judgement.size}


def sentences(judgement: Judgement, stream: StreamResult) -> list[str]:
    return []
