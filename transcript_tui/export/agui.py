"""AG-UI JSON: what a next run would start from, so that ``watch --input`` takes it again."""

from __future__ import annotations

from typing import Any

from transcript_tui.transcript.history import LATEST
from transcript_tui.transcript.transcript import Transcript
from transcript_tui.wire.jsontext import dumps


def render(transcript: Transcript, position: int = LATEST) -> str:
    """A part of a ``RunAgentInput``: the thread, its messages, its state."""
    told: dict[str, Any] = {}
    threads = [run.thread_id for run in transcript.runs if run.started < position]
    known = [thread for thread in threads if thread is not None]
    if known:
        told["threadId"] = known[-1]
    told["messages"] = transcript.messages(position)
    told["state"] = transcript.state_at(position)
    return dumps(told, indent=2) + "\n"
