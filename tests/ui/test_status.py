"""What the bars say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from transcript_tui.session.session import Drop
from transcript_tui.ui.amounts import clock, duration, fine_clock, seconds
from transcript_tui.ui.bars.facts import Connection, Facts
from transcript_tui.ui.bars.marks import PLACES, places
from transcript_tui.ui.bars.pieces import (
    RUNS,
    Piece,
    bar,
    fit,
    play_pieces,
    position_pieces,
    status_pieces,
    title_pieces,
    width_of,
)
from transcript_tui.ui.bars.widgets import SHORTEST_BAR, PlayBar, TitleBar


def text(pieces: list[Piece]) -> str:
    return "  ".join(piece.text for piece in pieces if piece.text)


def test_the_six_endings_differ_without_colour() -> None:
    words = [word for state, (word, _) in RUNS.items() if state != "none"]
    assert len(set(words)) == len(words)
    signs = [word.split()[0] for word in words]
    assert len(set(signs)) == len(signs)


def test_live_says_how_much_is_ahead() -> None:
    facts = Facts(connection="open", run="running", length=414, position=200, live=False)
    assert text(position_pieces(facts)) == "live, 214 events ahead"


@pytest.mark.parametrize(
    ("connection", "silence", "said"),
    [
        ("open", 4.9, "● connected  ▶ running"),
        ("open", 12.0, "◌ no event for 0:12  ▶ running"),
        ("connecting", 75.0, "◌ no answer for 1:15  ▶ running"),
    ],
)
def test_a_stall_is_told(connection: Connection, silence: float, said: str) -> None:
    facts = Facts(connection=connection, run="running", silence=silence)
    assert text(title_pieces(facts)) == said


def test_a_pipe_that_is_silent_owes_no_answer() -> None:
    facts = Facts(connection="connecting", replay=True, silence=75.0)
    assert text(title_pieces(facts)).startswith("◌ no event for 1:15")


@pytest.mark.parametrize(
    ("again_in", "drop", "said"),
    [
        (3.2, "lost", "◌ connection lost; trying again in 4 s"),
        (3.0, "ended", "◌ trying again in 3 s"),
        (0.0, "ended", "◌ trying again…"),
        (29.4, "unreachable", "◌ no connection; trying again in 30 s"),
        (0.0, "refused", "◌ refused; trying again…"),
    ],
)
def test_the_next_try_is_told(again_in: float, drop: Drop, said: str) -> None:
    facts = Facts(connection="waiting", run="truncated", again_in=again_in, drop=drop)
    assert text(title_pieces(facts)).startswith(f"{said}  ")


@pytest.mark.parametrize(
    ("width", "said"),
    [
        (60, "◌ retry in 30 s"),
        (80, "◌ connection lost; retry in 30 s"),
        (120, "◌ connection lost; trying again in 30 s"),
    ],
)
def test_the_next_try_leaves_the_address_its_room(width: int, said: str) -> None:
    address = "http://127.0.0.1:8000/run"
    line = TitleBar()
    line.show(Facts(address, connection="waiting", run="truncated", again_in=29.4, drop="lost"))
    cells = "".join(cell for cell, _ in line.cells_at(width))
    assert len(cells) == width
    assert cells.startswith(f" ◆ {address}  ")
    assert cells.endswith(f"  {said}  ✂ truncated ")


def test_a_replay_says_where_it_is() -> None:
    facts = Facts(replay=True, length=4000, position=1204, elapsed=12.4, duration=40.0)
    assert text(position_pieces(facts)) == "1,204/4,000 events  12.4/40.0 s"


def test_status_line_in_full() -> None:
    facts = Facts(
        connection="open",
        length=1204,
        position=1204,
        elapsed=12.34,
        rate=38.2,
        warnings=3,
        filter="role:user",
        hidden=9,
    )
    shown = text(status_pieces(facts))
    for part in (
        "1,204 events",
        "12.3 s",
        "38 tok/s",
        "token by token",
        "Markdown",
        "3 warnings",
        "filter role:user (9 hidden)",
    ):
        assert part in shown


@pytest.mark.parametrize(
    ("facts", "bar", "line"),
    [
        (Facts(connection="open", length=9, position=9), False, True),
        (Facts(connection="open", length=9, position=5, live=False), True, True),
        (Facts(connection="ended", length=9, position=5), True, False),
        (Facts(replay=True, connection="open", length=9, position=5, live=False), True, False),
        (Facts(connection="failed"), False, False),
    ],
    ids=["live", "behind", "over", "replay", "failed"],
)
def test_the_position_stands_once(facts: Facts, bar: bool, line: bool) -> None:
    assert facts.on_tape == bar
    assert ("events" in text(status_pieces(facts))) == line


def test_modes_are_said() -> None:
    shown = text(status_pieces(Facts(connection="open", buffered=True, markdown=False)))
    assert "buffered" in shown
    assert "source" in shown


def test_what_following_keeps_in_view_is_said_where_it_is_not_the_end() -> None:
    assert "starts kept in view" not in text(status_pieces(Facts(connection="open")))
    shown = text(status_pieces(Facts(connection="open", from_start=True)))
    assert "starts kept in view" in shown


def test_a_disk_that_stands_is_told_instead_of_the_file() -> None:
    facts = Facts(connection="open", length=9, recording="run.sse", unrecorded=1204)
    assert "● rec waits for the disk, 1,204 events behind" in text(status_pieces(facts))
    closing = replace(facts, connection="ended", unrecorded=0)
    assert "● rec waits for the disk  " in text(status_pieces(closing))
    assert text(fit(status_pieces(facts), 18)).startswith("● rec waits")
    assert "● rec run.sse" in text(status_pieces(replace(facts, unrecorded=None)))
    failed = replace(facts, recording_failed="it was deleted")
    assert "not recording" in text(status_pieces(failed))


def test_connection_and_run() -> None:
    assert text(title_pieces(Facts(connection="open", run="running"))) == "● connected  ▶ running"
    assert (
        text(title_pieces(Facts(replay=True, connection="ended", run="finished"))) == "✓ finished"
    )


@pytest.mark.parametrize("width", [0, 1, 10, 20, 38, 60, 200])
def test_pieces_fit(width: int) -> None:
    facts = Facts(
        length=1_204_000,
        position=1_204_000,
        elapsed=7261.0,
        rate=1038.2,
        warnings=3,
        violations=1,
        filter="role:user kind:tool",
        hidden=900,
        search="weather 3/12",
        recording="run.sse",
        buffered=True,
        keep_going=True,
        no_mouse=True,
    )
    kept = fit(status_pieces(facts), width)
    length = sum(width_of(piece.text) for piece in kept) + 2 * max(0, len(kept) - 1)
    assert length <= width or len(kept) == 1


def test_the_violation_stays_longest() -> None:
    kept = fit(status_pieces(Facts(violations=1, length=5, position=5)), 14)
    assert kept[0].text.startswith("⚑")


@pytest.mark.parametrize("width", [1, 2, 7, 40])
def test_the_bar_is_as_wide_as_asked(width: int) -> None:
    facts = Facts(fraction=1.0, length=10, position=10, marks=[(0.0, "run"), (1.0, "violation")])
    assert sum(len(cell) for cell, _ in bar(facts, width)) == width


@pytest.mark.parametrize(
    ("width", "told"), [(40, "1,111/1,111"), (60, "1,111/1,111 events  1:47/1:47")]
)
def test_numbers_leave_the_bar_its_room(width: int, told: str) -> None:
    line = PlayBar()
    facts = Facts(replay=True, length=1111, position=1111, elapsed=107.0, duration=107.0)
    line.show(replace(facts, speed="max", paced=True, fraction=1.0))
    cells = "".join(cell for cell, _ in line.cells_at(width))
    assert len(cells) < width
    assert cells.endswith(f"●  {told}")
    assert cells.count("━") + 1 >= SHORTEST_BAR


def test_marks_on_the_bar() -> None:
    facts = Facts(
        fraction=0.5,
        length=10,
        marks=[(0.0, "run"), (0.75, "failed"), (0.85, "truncated"), (0.99, "violation")],
    )
    cells = "".join(cell for cell, _ in bar(facts, 20))
    assert cells[0] == "┊"
    assert cells[10] == "●"
    assert cells[15] == "✗"
    assert cells[17] == "✂"
    assert cells[19] == "⚑"


def test_play_pieces() -> None:
    shown = text(play_pieces(Facts(playing=True, speed="2×", loop=True, paced=True)))
    assert shown == "▶  2×  ↻  paced"
    assert text(play_pieces(Facts(playing=False, speed="1×", length=2))) == "❚❚  1×"
    assert text(play_pieces(Facts(playing=False, speed="1×"))) == "■  1×"


def test_times() -> None:
    assert seconds(0.44) == "0.4 s"
    assert seconds(125) == "2:05"
    assert clock(3725) == "1:02:05"
    assert clock(100 * 3600 - 1) == "99:59:59"
    assert clock(101 * 3600) == duration(101 * 3600) == fine_clock(101 * 3600) == "4 d 05 h"
    assert clock(2**54 / 1000) == "570,854 years"
    assert clock(None) == "-:--"


def test_durations_have_three_digits() -> None:
    told = {0.0: "0 ms", 0.028: "28 ms", 0.9994: "999 ms", 0.9996: "1.00 s", 1.236: "1.24 s",
            9.994: "9.99 s", 9.996: "10.0 s", 59.94: "59.9 s", 59.96: "1 m 00 s", 123: "2 m 03 s",
            3725: "1 h 02 m"}  # fmt: skip
    assert {value: duration(value) for value in told} == told
    assert duration(None) == ""


def test_a_log_that_may_grow_is_followed() -> None:
    facts = Facts(replay=True, connection="open", following=True, length=4, position=4)
    assert "● following" in [piece.text for piece in title_pieces(facts)]
    reading = Facts(replay=True, connection="open", progress=0.5)
    assert "◌ reading 50%" in [piece.text for piece in title_pieces(reading)]


def test_the_clock_that_waits_is_never_past_the_whole() -> None:
    facts = Facts(replay=True, length=4, position=4, elapsed=2.5, duration=0.4)
    assert "2.5/2.5 s" in [piece.text for piece in position_pieces(facts)]


@pytest.mark.parametrize(
    ("connection", "told"), [("open", "live, 3 events ahead"), ("ended", "1/4 events")]
)
def test_only_what_may_go_on_is_live(connection: Connection, told: str) -> None:
    facts = Facts(connection=connection, length=4, position=1)
    assert told in [piece.text for piece in position_pieces(facts)]


@given(st.lists(st.integers(0, 200_000), max_size=60))
def test_each_mark_has_its_place_on_the_bar(stamps: list[int]) -> None:
    ordered = sorted(stamps)

    def fraction(stamp: int) -> float:
        # Neither even nor one by one: many stand in one place.
        return (stamp / 200_000) ** 3

    found = list(places(ordered, fraction))
    wanted = {int(fraction(stamp) * PLACES) for stamp in ordered}
    assert [int(place * PLACES) for place in found] == sorted(wanted)
    assert {*found} <= {*map(fraction, stamps)}
