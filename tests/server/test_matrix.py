"""Every fault × {GET, POST} × {recorded, not}: the reliability that ``watch`` promises.

Nothing that was ever shown changes or is lost, the ending is named correctly, and the
recording holds what arrived.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.server.test_serve import script
from tests.session.loopback import EVENTS, ending_of, session_for, until
from tests.session.test_http import check_recording
from transcript_tui.errors import AnswerRefused, ConnectionFailed
from transcript_tui.server.answer import Faults
from transcript_tui.server.serve import ServeOptions, serving
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.transcript.pipeline import Pipeline

WHOLE = len(EVENTS)


@dataclass(frozen=True)
class Case:
    """A fault and what is to come of it."""

    faults: Faults
    arrives: int = WHOLE
    """Payloads."""
    ending: str | None = "finished"
    error: type[Exception] | None = None
    tail: bool = False
    warning: str = ""
    rule: str = ""
    stops: bool = False
    """The user has to stop it."""


CASES = {
    "none": Case(Faults()),
    "drop before the first": Case(Faults(drop_after=0), 0, None, ConnectionFailed),
    "drop": Case(Faults(drop_after=3), 3, "truncated", ConnectionFailed),
    "drop after the last": Case(Faults(drop_after=WHOLE), error=ConnectionFailed),
    "truncated frame": Case(
        Faults(drop_after=4, truncate_frame=True), 3, "truncated", ConnectionFailed, tail=True
    ),
    "last frame truncated": Case(
        Faults(truncate_frame=True), WHOLE - 1, "truncated", ConnectionFailed, tail=True
    ),
    "stall": Case(Faults(stall=3600.0), WHOLE // 2, "truncated", stops=True),
    "stall and drop": Case(Faults(stall=0.05, drop_after=3), 3, "truncated", ConnectionFailed),
    "503": Case(Faults(status=503), 0, None, AnswerRefused),
    "404": Case(Faults(status=404), 0, None, AnswerRefused),
    "garbled": Case(Faults(garble=2), ending="rejected", rule="not-json"),
    "garbled last": Case(Faults(garble=WHOLE - 1), ending="rejected", rule="not-json"),
    "crlf": Case(Faults(crlf=True), warning="framing-crlf"),
    "a byte at a time": Case(Faults(chunk_bytes=1)),
    "no final blank line": Case(Faults(no_final_blank_line=True), warning="framing-end"),
    "crlf, a byte at a time, unended": Case(
        Faults(crlf=True, chunk_bytes=1, no_final_blank_line=True), warning="framing-end"
    ),
    "a byte at a time, truncated": Case(
        Faults(chunk_bytes=1, truncate_frame=True), WHOLE - 1, "truncated", ConnectionFailed,
        tail=True,
    ),
}  # fmt: skip


class Witness:
    """Remembers what was shown at every change."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.seen: dict[int, Any] = {}
        session.subscribe(self.look)

    def look(self) -> None:
        if not self.session.opened:
            return
        transcript = self.session.tape.transcript
        self.seen.setdefault(transcript.length, transcript.messages(transcript.length))

    def check(self) -> None:
        transcript = self.session.tape.transcript
        for position, messages in self.seen.items():
            assert transcript.messages(position) == messages


@pytest.mark.parametrize("recorded", [False, True], ids=["unrecorded", "recorded"])
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("name", CASES)
async def test_fault(name: str, method: str, recorded: bool, tmp_path: Path) -> None:
    case = CASES[name]
    path = tmp_path / "run.sse" if recorded else None
    async with serving(script("r"), ServeOptions(speed=math.inf, faults=case.faults)) as url:
        session = session_for(url, method)
        witness = Witness(session)
        if path is not None:
            session.record(path)
        running = asyncio.create_task(session.run())
        if case.stops:
            await until(session, lambda: session.tape.length == case.arrives)
            session.stop()
        await asyncio.wait_for(running, 20)
    check_outcome(session, case)
    witness.check()
    check_recording(session, path)
    if path is not None and session.tape.length:
        await check_replay(session, path)


def check_outcome(session: Session, case: Case) -> None:
    tape = session.tape
    assert tape.length == case.arrives
    if case.error is None:
        assert session.error is None
    else:
        assert isinstance(session.error, case.error)
        assert str(session.error)
    assert (ending_of(session) if tape.transcript.runs else None) == case.ending
    (stream,) = tape.pipeline.streams
    assert bool(tape.streams[-1].tail) == case.tail
    assert (stream.violation.rule if stream.violation else "") == case.rule
    if case.warning:
        assert case.warning in {warned.rule for warned in stream.warnings}
    folded = Pipeline(input=None)
    if tape.streams[0].input is not None:
        folded.give(dict(tape.streams[0].input))
    folded.feed_all(tape.payloads(0, tape.length))
    assert tape.transcript.messages() == folded.transcript.messages()


async def check_replay(session: Session, path: Path) -> None:
    """The recording shows what was shown: question, messages, ending."""
    again = Session(FileSource(path), kind="replay")
    await again.run()
    assert again.tape.transcript.messages() == session.tape.transcript.messages()
    assert ending_of(again) == ending_of(session)
