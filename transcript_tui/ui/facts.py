"""The facts of a session at its position, gathered for the bars."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from transcript_tui.errors import AnswerRefused
from transcript_tui.text import label
from transcript_tui.transcript.model import Run
from transcript_tui.ui.status import SLOW, Connection, Facts, MarkKind, RunState

if TYPE_CHECKING:
    from transcript_tui.session.recorder import Recorder, RecorderState
    from transcript_tui.session.session import Session
    from transcript_tui.ui.views.transcript import TranscriptView

RATE_WINDOW: Final = 2.0
"""Seconds of the tape over which tokens are counted."""
RATE_SAMPLE: Final = 2_000
"""Payloads looked at for that: where more came, the others are taken to be like them."""
PLACES: Final = 4_000
"""Places of marks that are told apart: more than there are cells in any line."""

_CONNECTIONS: Final[dict[str, Connection]] = {
    "idle": "connecting",
    "connecting": "connecting",
    "absent": "absent",
    "open": "open",
    "waiting": "waiting",
    "ended": "ended",
    "stopped": "stopped",
}


class FactsReader:
    """Reads a session; remembers what need not be read at every frame."""

    def __init__(self, session: Session, view: TranscriptView) -> None:
        self._session = session
        self._view = view
        self._read_at = -math.inf
        self._read_for: tuple[object, ...] = ()
        self.stale = False
        """What is read slowly is behind: read again in a while, even if nothing happens."""
        self._rate: float | None = None
        self._marks: list[tuple[float, MarkKind]] = []
        self._marked: tuple[object, ...] = ()

    def read(self, now: float, *, no_mouse: bool, notice: str = "") -> Facts:
        """The facts as they are; ``now`` is monotonic seconds of whoever paints."""
        session, view = self._session, self._view
        tape, player = session.tape, session.player
        position = player.position
        run = run_at(tape.transcript.runs, position)
        self._refresh(now, position)
        violations, warnings = self.problems(position)
        state = self._run_state(run, position, violations)
        silence = _silence(session, state)
        search = view.search_state
        recorder = session.recorder
        return Facts(
            label=label(session.label),
            replay=session.kind == "replay",
            following=session.source.live and session.source.is_log and bool(tape.length),
            connection=_connection(session),
            run=state,
            progress=_progress(session),
            elapsed=_elapsed(session, silence),
            silence=silence,
            again_in=_again_in(session),
            cut_off=session.lost,
            events=position,
            rate=self._rate,
            buffered=view.options.buffered,
            markdown=view.options.markdown,
            from_start=view.options.follow == "start",
            keep_going=session.keep_going,
            violations=violations,
            warnings=warnings,
            length=tape.length,
            position=position,
            fraction=player.fraction(position),
            duration=player.total or None,
            playing=player.playing and (player.loop or not player.at_end),
            speed=speed_shown(player.speed),
            loop=player.loop,
            live=player.live,
            paced=player.paced,
            marks=self._marks,
            recording=_recording(session),
            recorded=_file_of(recorder, "done"),
            recording_failed=label(recorder.problem)
            if recorder and recorder.state == "failed"
            else "",
            filter=label(view.options.filter.describe()) if view.options.filter else "",
            hidden=view.hidden_count,
            search=f"{label(search.pattern)} {search.index:,}/{search.count:,}" if search else "",
            notice=notice,
            no_mouse=no_mouse,
        )

    def _refresh(self, now: float, position: int) -> None:
        """Read what takes long, unless that was done just now."""
        wanted = (*self._all_there_is(), position)
        self.stale = wanted != self._read_for
        if self.stale and now - self._read_at >= SLOW:
            self.stale, self._read_for, self._read_at = False, wanted, now
            self._read_slowly(position)

    def _run_state(self, run: Run | None, position: int, violations: int) -> RunState:
        ending = run.ending.at(position) if run is not None else None
        if ending is not None and ending.stamp < position:
            return ending.kind
        if violations:
            return "rejected"
        return "running" if run is not None else "none"

    def problems(self, position: int) -> tuple[int, int]:
        """Violations and warnings up to ``position``."""
        tape = self._session.tape
        violations = sum(stream.violations_at(position) for stream in tape.pipeline.streams)
        return violations, tape.transcript.warned_at(position)

    def _read_slowly(self, position: int) -> None:
        self._rate = self._read_rate(position)
        if self._marked != self._all_there_is():
            self._marked = self._all_there_is()
            self._marks = self._read_marks()

    def _all_there_is(self) -> tuple[object, ...]:
        """What differs where there are other marks, or where they stand elsewhere. Bytes may end
        without another event, and how long all takes is known later."""
        tape = self._session.tape
        return tape.length, tape.generation, tape.transcript.revision, self._session.player.total

    def _read_rate(self, position: int) -> float | None:
        """Deltas a second in the last seconds of the tape before ``position``."""
        tape = self._session.tape
        end = tape.time(position - 1) if position else None
        if end is None or not tape.timing:
            return None
        start = bisect_left(range(position), end - RATE_WINDOW, key=lambda i: tape.time(i) or 0.0)
        first = tape.time(start)
        if first is None or end - first < 0.2:
            return None
        # What came with the first came before the time that is measured.
        start += 1
        looked_at = tape.payloads(max(start, position - RATE_SAMPLE), position)
        # A STATE_DELTA has one, too, and it is no text.
        deltas = sum(b'"delta"' in one and b'_DELTA"' not in one for one in looked_at)
        return deltas / len(looked_at) * (position - start) / (end - first)

    def _read_marks(self) -> list[tuple[float, MarkKind]]:
        tape, player = self._session.tape, self._session.player
        stamps: dict[MarkKind, list[int]] = {"run": [], "failed": [], "truncated": []}
        for run in tape.transcript.runs:
            if run.started > 0:
                stamps["run"].append(run.started)
            ending = run.ending.now
            if ending is not None and (ending.kind == "failed" or ending.kind == "truncated"):
                stamps[ending.kind].append(ending.stamp)
        stamps["violation"] = [
            stream.first + stream.violation.event
            for stream in tape.pipeline.streams
            if stream.violation is not None
        ]
        return [
            (place, kind)
            for kind, marked in stamps.items()
            for place in places(marked, player.fraction)
        ]


def places(stamps: list[int], fraction: Callable[[int], float]) -> Iterator[float]:
    """Where ascending stamps are on the bar, each place once: of thousands of runs in one cell
    of it, one is looked at."""

    def place(stamp: int) -> int:
        return int(fraction(stamp) * PLACES)

    index = 0
    while index < len(stamps):
        here = place(stamps[index])
        yield fraction(stamps[index])
        index += 1
        if index < len(stamps) and place(stamps[index]) == here:
            index = bisect_right(stamps, here, lo=index, key=place)


def _recording(session: Session) -> str:
    """The file, and how far it is behind where it was begun in the middle."""
    name, part = _file_of(session.recorder, "recording"), session.recorded_part
    return f"{name} {part:.0%}" if name and part is not None else name


def _file_of(recorder: Recorder | None, state: RecorderState) -> str:
    """The name of a recording that something was written to, where it is in ``state``."""
    if recorder is None or recorder.state != state or not recorder.bytes:
        return ""
    return label(recorder.path.name)


def _connection(session: Session) -> Connection:
    """A log that fails is no connection that does; nor is a refusal, or what had answered."""
    if session.connection != "failed":
        return _CONNECTIONS.get(session.connection, "open")
    if session.source.is_log:
        return "unreadable"
    if session.opened:
        return "lost"
    return "refused" if isinstance(session.error, AnswerRefused) else "failed"


def _silence(session: Session, state: RunState) -> float | None:
    """How long the next event of what is shown has been waited for; ``None`` where none is due."""
    waiting = session.waits and session.player.live and state in ("none", "running")
    return session.silence if waiting else None


def _again_in(session: Session) -> float | None:
    at = session.again_at
    return None if at is None else max(0.0, at - session.clock.now())


def _elapsed(session: Session, silence: float | None) -> float | None:
    """A silence goes on by our clock: it is part of the tape only where that measured the rest."""
    elapsed = session.player.elapsed()
    measured = session.tape.timing == "arrival"
    return elapsed + (silence or 0.0) if elapsed is not None and measured else elapsed


def _progress(session: Session) -> float | None:
    if not session.receiving or not session.total_bytes:
        return None
    return min(1.0, session.bytes_received / session.total_bytes)


def run_at(runs: list[Run], position: int) -> Run | None:
    """The run that ``position`` stands in or behind."""
    index = bisect_left(runs, position, key=lambda run: run.started)
    return runs[index - 1] if index else None


def speed_shown(speed: float) -> str:
    """``1×``, ``0.5×``, ``max``."""
    return "max" if math.isinf(speed) else f"{speed:g}×"
