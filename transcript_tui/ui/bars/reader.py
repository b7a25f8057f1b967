"""The facts of a session at its position, gathered for the bars."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from transcript_tui.errors import AnswerRefused
from transcript_tui.session.scribe import NOTICEABLE
from transcript_tui.text import label
from transcript_tui.transcript.model import Run
from transcript_tui.ui.bars.facts import SLOW, Connection, Facts, MarkKind, RunState
from transcript_tui.ui.bars.marks import marks_of
from transcript_tui.ui.bars.tokenrate import token_rate

if TYPE_CHECKING:
    from transcript_tui.session.recorder import Recorder, RecorderState
    from transcript_tui.session.session import Session
    from transcript_tui.ui.views.transcript import TranscriptView

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
        tape, player, recorder = session.tape, session.player, session.recorder
        position = player.position
        self._refresh(now, position)
        violations = sum(stream.violations_at(position) for stream in tape.pipeline.streams)
        run = _run_state(tape.transcript.runs, position, violations)
        silence = _silence(session, run)
        return Facts(
            # The source
            label=label(session.label),
            replay=session.kind == "replay",
            following=session.source.live and session.source.is_log and bool(tape.length),
            connection=_connection(session),
            progress=_progress(session),
            again_in=_again_in(session),
            drop=session.drop,
            keep_going=session.keep_going,
            recording=_recording(session),
            unrecorded=_unrecorded(session),
            recorded=_file_of(recorder, "done"),
            recording_failed=_recording_problem(recorder),
            # What happened up to the position
            run=run,
            violations=violations,
            warnings=tape.transcript.warned_at(position),
            elapsed=_elapsed(session, silence),
            silence=silence,
            rate=self._rate,
            # The tape and the player
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
            # The view
            buffered=view.options.buffered,
            markdown=view.options.markdown,
            from_start=view.options.follow == "start",
            filter=_filter(view),
            hidden=view.hidden_count,
            search=_search(view),
            no_mouse=no_mouse,
            notice=notice,
        )

    def _refresh(self, now: float, position: int) -> None:
        """Read what takes long, unless that was done just now."""
        wanted = (*self._all_there_is(), position)
        self.stale = wanted != self._read_for
        if self.stale and now - self._read_at >= SLOW:
            self.stale, self._read_for, self._read_at = False, wanted, now
            self._read_slowly(position)

    def _read_slowly(self, position: int) -> None:
        self._rate = token_rate(self._session.tape, position)
        if self._marked != self._all_there_is():
            self._marked = self._all_there_is()
            self._marks = marks_of(self._session)

    def _all_there_is(self) -> tuple[object, ...]:
        """What differs where there are other marks, or where they stand elsewhere. Bytes may end
        without another event, and how long all takes is known later."""
        tape = self._session.tape
        return tape.length, tape.generation, tape.transcript.revision, self._session.player.total


def _recording(session: Session) -> str:
    """The file, and how far it is behind where it was begun in the middle."""
    name, part = _file_of(session.recorder, "recording"), session.recorded_part
    return f"{name} {part:.0%}" if name and part is not None else name


def _unrecorded(session: Session) -> int | None:
    """Events that the file lacks, where its disk stands."""
    return session.unrecorded if session.disk_stands >= NOTICEABLE else None


def _file_of(recorder: Recorder | None, state: RecorderState) -> str:
    """The name of a recording that something was written to, where it is in ``state``."""
    if recorder is None or recorder.state != state or not recorder.bytes:
        return ""
    return label(recorder.path.name)


def _recording_problem(recorder: Recorder | None) -> str:
    return label(recorder.problem) if recorder and recorder.state == "failed" else ""


def _connection(session: Session) -> Connection:
    """A log that fails is no connection that does; nor is a refusal, or what had answered."""
    if session.connection != "failed":
        return _CONNECTIONS.get(session.connection, "open")
    if session.source.is_log:
        return "unreadable"
    if session.opened:
        return "lost"
    return "refused" if isinstance(session.error, AnswerRefused) else "failed"


def _run_state(runs: list[Run], position: int, violations: int) -> RunState:
    run = run_at(runs, position)
    ending = run.ending.at(position) if run is not None else None
    if ending is not None and ending.stamp < position:
        return ending.kind
    if violations:
        return "rejected"
    return "running" if run is not None else "none"


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


def _filter(view: TranscriptView) -> str:
    chosen = view.options.filter
    return label(chosen.describe()) if chosen else ""


def _search(view: TranscriptView) -> str:
    """``weather 3/12``."""
    search = view.search_state
    return f"{label(search.pattern)} {search.index:,}/{search.count:,}" if search else ""


def run_at(runs: list[Run], position: int) -> Run | None:
    """The run that ``position`` stands in or behind."""
    index = bisect_left(runs, position, key=lambda run: run.started)
    return runs[index - 1] if index else None


def speed_shown(speed: float) -> str:
    """``1×``, ``0.5×``, ``max``."""
    return "max" if math.isinf(speed) else f"{speed:g}×"
