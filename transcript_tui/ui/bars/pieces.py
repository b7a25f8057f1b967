"""What the bars say: pure functions from facts to pieces of text. Nothing here knows Textual.

Every piece's text comes from here or has passed the gate before it was put into the facts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from transcript_tui.ui.amounts import clock, count, seconds, wait
from transcript_tui.ui.bars.facts import Connection, Facts, MarkKind, RunState
from transcript_tui.ui.endings import ENDING_SIGNS

if TYPE_CHECKING:
    from transcript_tui.session.session import Drop


@dataclass(frozen=True, slots=True)
class Piece:
    text: str
    style: str
    rank: int
    """1 stays longest when there is little room."""
    short: str | None = None
    """What to say with less room, tried before the piece is left out."""


CONNECTIONS: Final[dict[Connection, tuple[str, str]]] = {
    "opening": ("◌ opening", "dim"),
    "connecting": ("◌ connecting", "warning"),
    "absent": ("◌ waiting for the file", "warning"),
    "waiting": ("◌ waiting to reconnect", "warning"),
    "open": ("● connected", "success"),
    "ended": ("○ ended", "dim"),
    "failed": ("✕ no connection", "error"),
    "refused": ("✕ refused", "error"),
    "lost": ("✕ connection lost", "error"),
    "unreadable": ("✕ cannot be read", "error"),
    "stopped": ("■ stopped", "dim"),
}
RUNS: Final[dict[RunState, tuple[str, str]]] = {
    "none": ("", "dim"),
    "running": ("▶ running", "primary"),
    **{
        kind: (f"{sign} {'asks' if kind == 'interrupted' else kind}", f"ending-{kind}")
        for kind, sign in ENDING_SIGNS.items()
    },
}
"""A sign and a word for each state: colour is never the only difference."""
DROPS: Final[dict[Drop, str]] = {
    "ended": "",
    "lost": "connection lost; ",
    "refused": "refused; ",
    "unreachable": "no connection; ",
}
"""What goes before the next try."""

SILENCE: Final = 5.0
"""Seconds without an event after which a running stream is said to be silent."""

GAP: Final = 2
BREVITIES: Final = range(3)
"""Ways to say what may be said more shortly, the longest first."""


def width_of(text: str) -> int:
    """Cells of a text that the bars show."""
    if text.isascii():
        return len(text)
    # Only here, where something wide may stand (a label): most pieces are narrow.
    from rich.cells import cell_len

    return cell_len(text)


def fit(pieces: Sequence[Piece], width: int) -> list[Piece]:
    """The pieces that fit into ``width`` cells, in their order; the least important go first."""
    kept = [piece for piece in pieces if piece.text]
    for piece in sorted(kept, key=lambda piece: -piece.rank):
        if length_of(kept) <= width:
            break
        place = kept.index(piece)
        if piece.short is not None and piece.short != piece.text:
            kept[place] = Piece(piece.short, piece.style, piece.rank)
            if length_of(kept) <= width:
                break
            if piece.rank > 1:
                del kept[place]
        elif len(kept) > 1:
            del kept[place]
    return kept


def length_of(pieces: Sequence[Piece]) -> int:
    """Cells of pieces side by side."""
    return sum(width_of(piece.text) for piece in pieces) + GAP * max(0, len(pieces) - 1)


def title_pieces(facts: Facts, brevity: int = 0) -> list[Piece]:
    """Right half of the top line: connection and run; the higher ``brevity``, the more room is
    left for what is shown."""
    word, style = CONNECTIONS[facts.connection]
    if facts.replay and facts.connection in ("open", "connecting"):
        done = f" {facts.progress:.0%}" if facts.progress is not None else ""
        word, style = f"◌ reading{done}", "warning"
        if facts.following:
            word, style = "● following", "success"
    elif facts.replay and facts.connection == "ended":
        word = ""
    if facts.silence is not None and facts.silence >= SILENCE:
        asked = facts.connection == "connecting" and not facts.replay
        waited = "no answer for" if asked else "no event for"
        word, style = f"◌ {waited} {clock(facts.silence)}", "warning"
    if facts.again_in is not None:
        drop = DROPS[facts.drop]
        trying = (f"{drop}trying again", f"{drop}retry", "retry")[brevity]
        word = f"◌ {trying}{_in(facts.again_in)}"
    run, run_style = RUNS[facts.run]
    return [
        Piece(word, style, 2, short=word[:1]),
        Piece(run, f"{run_style} bold", 1),
    ]


def _in(seconds_left: float) -> str:
    return f" in {wait(seconds_left)}" if seconds_left else "…"


def status_pieces(facts: Facts) -> list[Piece]:
    """The status line, left to right."""
    if not facts.length and facts.connection in ("opening", "failed", "refused", "unreadable"):
        return []
    # Where the progress bar stands above, it says so.
    told = facts.on_tape and not facts.behind_live
    return [
        _recording(facts),
        Piece(facts.notice, "accent bold", 1),
        _problems(facts),
        Piece(f"/{facts.search}" if facts.search else "", "accent", 3),
        Piece(_filter(facts), "accent", 3, short="filter"),
        *(() if told else _reached(facts)),
        Piece(f"{facts.rate:,.0f} tok/s" if facts.rate and facts.rate >= 1 else "", "dim", 7),
        Piece("buffered" if facts.buffered else "token by token", "primary", 5, _mode(facts)),
        Piece("Markdown" if facts.markdown else "source", "primary", 8, _markup(facts)),
        Piece("starts kept in view" if facts.from_start else "", "primary", 9, "starts"),
        Piece("reads on past violations" if facts.keep_going else "", "warning", 9, "past"),
        Piece("mouse given back" if facts.no_mouse else "", "dim", 3, "no mouse"),
    ]


def _reached(facts: Facts) -> tuple[Piece, Piece]:
    return (
        Piece(count(facts.position, "event"), "foreground", 4, short=f"{facts.position:,} ev"),
        Piece(seconds(facts.elapsed), "dim", 6),
    )


def _mode(facts: Facts) -> str:
    return "buf" if facts.buffered else "tok"


def _markup(facts: Facts) -> str:
    return "md" if facts.markdown else "src"


def _filter(facts: Facts) -> str:
    if not facts.filter:
        return ""
    hidden = f" ({facts.hidden:,} hidden)" if facts.hidden else ""
    return f"filter {facts.filter}{hidden}"


def _problems(facts: Facts) -> Piece:
    if facts.violations:
        more = f", {count(facts.warnings, 'warning')}" if facts.warnings else ""
        text = count(facts.violations, "violation")
        return Piece(f"⚑ {text}{more}", "error bold", 2, f"⚑ {text}")
    text = f"⚠ {count(facts.warnings, 'warning')}" if facts.warnings else ""
    return Piece(text, "warning", 4, f"⚠ {facts.warnings}")


def _recording(facts: Facts) -> Piece:
    if facts.recording_failed:
        return Piece(f"● not recording: {facts.recording_failed}", "error bold", 2, "● not rec")
    if facts.recorded:
        return Piece(f"✓ saved {facts.recorded}", "success", 6, "✓ saved")
    if facts.unrecorded is not None:
        behind = f", {count(facts.unrecorded, 'event')} behind" if facts.unrecorded else ""
        return Piece(f"● rec waits for the disk{behind}", "warning bold", 2, "● rec waits")
    return Piece(f"● rec {facts.recording}" if facts.recording else "", "error", 3, "● rec")


def play_pieces(facts: Facts) -> list[Piece]:
    """Left of the progress bar."""
    sign = "▶" if facts.playing else "■" if facts.position >= facts.length else "❚❚"
    paced = Piece("paced" if facts.paced else "", "warning", 6)
    loop = Piece("↻" if facts.loop else "", "accent", 5)
    return [Piece(sign, "primary bold", 1), Piece(facts.speed, "foreground", 3), loop, paced]


def position_pieces(facts: Facts) -> list[Piece]:
    """Right of the progress bar: where the position is."""
    if facts.behind_live:
        ahead = count(facts.behind, "event")
        return [Piece(f"live, {ahead} ahead", "warning bold", 1, f"{facts.behind:,} ahead")]
    where = f"{facts.position:,}/{facts.length:,}"
    return [
        Piece(f"{where} events", "foreground", 1, short=where),
        Piece(_times(facts), "dim", 4),
    ]


def _times(facts: Facts) -> str:
    """Time passed and time in all; to a tenth where a minute is not reached."""
    if not facts.duration:
        return ""
    # The clock of what is awaited runs on past the last arrival.
    total = max(facts.duration, facts.elapsed or 0.0)
    if total < 60:
        return f"{facts.elapsed or 0:.1f}/{total:.1f} s"
    return f"{clock(facts.elapsed)}/{clock(total)}"


_MARKS: Final[dict[MarkKind, tuple[str, str, int]]] = {
    "run": ("┊", "accent", 0),
    "failed": (ENDING_SIGNS["failed"], "ending-failed", 1),
    "truncated": (ENDING_SIGNS["truncated"], "ending-truncated", 1),
    "violation": (ENDING_SIGNS["rejected"], "ending-rejected", 2),
}
"""Sign, style, and which wins where two share a cell."""


def bar(facts: Facts, width: int) -> list[tuple[str, str]]:
    """The progress bar, ``width`` cells: (text, style) in order."""
    if width <= 0:
        return []
    head = min(width - 1, int(facts.fraction * width))
    cells = [("━", "primary") if x < head else ("─", "rule") for x in range(width)]
    ranks = [-1] * width
    for place, kind in facts.marks:
        x = min(width - 1, int(place * width))
        sign, style, rank = _MARKS[kind]
        if rank > ranks[x]:
            cells[x], ranks[x] = (sign, style), rank
    cells[head] = ("●", "primary bold")
    return cells


def terminal_title(facts: Facts) -> str:
    """What the terminal's title says."""
    run = RUNS[facts.run][0] or CONNECTIONS[facts.connection][0]
    return f"{run} · {facts.label}" if facts.label else run
