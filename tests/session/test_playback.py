"""The player, with the time handed in."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.session.loopback import EVENTS
from transcript_tui.session.pacing import pace, paces
from transcript_tui.session.playback import LOOP_PAUSE, MAX_SPEED, SPEEDS, Player
from transcript_tui.session.tape import Tape
from transcript_tui.transcript.model import Message
from transcript_tui.wire.frames import Frame


def tape_of(times: list[float | None], *, complete: bool = True) -> Tape:
    """Events of one run, repeated as often as there are times."""
    tape = Tape()
    add(tape, times)
    tape.complete = complete
    return tape


def add(tape: Tape, times: list[float | None]) -> None:
    start = tape.length
    tape.take(
        [
            Frame(EVENTS[(start + number) % len(EVENTS)], start + number + 1, 0, at)
            for number, at in enumerate(times)
        ]
    )


def test_it_plays_at_the_log_s_own_times() -> None:
    player = Player(tape_of([0.0, 0.5, 0.5, 1.5]))
    seen = []
    for now in (100.0, 100.4, 100.5, 101.4, 101.5):
        player.tick(now)
        seen.append(player.position)
    assert seen == [1, 1, 3, 3, 4]
    assert player.at_end
    assert not player.playing


def test_gaps_are_capped() -> None:
    player = Player(tape_of([0.0, 3600.0, 3600.5]), idle_cap=2.0)
    player.tick(0)
    assert player.due(0) == pytest.approx(2.0)
    player.tick(2.5)
    assert player.position == 3
    assert player.elapsed() == 3600.5
    assert player.elapsed(2) == 3600.0


@pytest.mark.parametrize("speed", [0.1, 0.5, 2.0, 100.0])
def test_speed(speed: float) -> None:
    player = Player(tape_of([0.0, 1.0]), speed=speed)
    player.tick(0)
    assert player.due(0) == pytest.approx(1 / speed)
    player.tick(0.999 / speed)
    assert player.position == 1
    player.tick(1.001 / speed)
    assert player.position == 2


def test_max_speed_shows_what_there_is() -> None:
    tape = tape_of([0.0, 50.0], complete=False)
    player = Player(tape, speed=MAX_SPEED)
    player.tick(0)
    assert player.position == 2
    assert player.due(0) is None
    add(tape, [99.0])
    assert player.due(0) == 0
    player.tick(0)
    assert player.position == 3


def test_changing_speed_goes_on_from_where_it_is() -> None:
    player = Player(tape_of([0.0, 1.0, 2.0, 3.0]), idle_cap=math.inf)
    player.tick(0)
    player.tick(1.5)
    player.set_speed(0.1)
    player.tick(1.5)
    assert player.position == 2
    player.tick(1.5 + 9.9)
    assert player.position == 2
    player.tick(1.5 + 10.1)
    assert player.position == 3


def test_faster_and_slower_stay_on_the_ladder() -> None:
    player = Player(tape_of([0.0]))
    for _ in SPEEDS:
        player.faster()
    assert player.speed == MAX_SPEED
    for _ in SPEEDS:
        player.slower()
    assert player.speed == SPEEDS[0]


def test_pause_and_play_take_no_time() -> None:
    player = Player(tape_of([0.0, 1.0]))
    player.tick(0)
    player.toggle()
    assert player.due(50) is None
    player.tick(50)
    assert player.position == 1
    player.toggle()
    player.tick(60)
    assert player.position == 1
    player.tick(61)
    assert player.position == 2


def test_playing_at_the_end_begins_again() -> None:
    player = Player(tape_of([0.0, 1.0]))
    player.seek(2)
    player.tick(0)
    assert not player.playing
    player.toggle()
    assert (player.position, player.playing) == (0, True)


def test_a_loop_holds_the_end_for_a_while() -> None:
    player = Player(tape_of([0.0, 1.0]), loop=True)
    player.tick(0)
    player.tick(1)
    assert player.position == 2
    assert player.due(1) == LOOP_PAUSE
    player.tick(1 + LOOP_PAUSE)
    assert (player.position, player.playing) == (0, True)
    player.tick(1 + LOOP_PAUSE)
    assert player.position == 1


def test_a_log_without_times_is_paced() -> None:
    player = Player(tape_of([None] * 6))
    assert player.paced
    player.tick(0)
    assert player.position == 0
    due = player.due(0)
    assert due is not None
    assert 0 < due < 1
    player.tick(30)
    assert player.position == 6
    assert 0 < player.total < 10


def test_paced_can_be_asked_for_and_original_too() -> None:
    assert Player(tape_of([0.0, 1.0]), timing="paced").paced
    player = Player(tape_of([None, None]), timing="original")
    assert not player.paced
    player.tick(0)
    assert player.position == 2


def test_timestamps_are_times() -> None:
    tape = Tape()
    stamped = '{"type":"CUSTOM","name":"n","value":1,"timestamp":%d}'
    events = [EVENTS[0], *((stamped % stamp).encode() for stamp in (5000, 5500, 5400, 6000))]
    tape.take([Frame(event, n, 0) for n, event in enumerate(events, 1)])
    assert tape.timing == "timestamps"
    assert [tape.time(n) for n in range(5)] == [None, 0.0, 0.5, 0.5, 1.0]
    assert tape.started == 5.0
    player = Player(tape)
    assert not player.paced
    assert player.total == 1.0


def test_one_stamp_for_all_is_no_timing() -> None:
    tape = Tape()
    stamped = b'{"type":"CUSTOM","name":"n","value":1,"timestamp":5000}'
    tape.take([Frame(stamped, n, 0) for n in range(1, 4)])
    assert tape.timing is None
    assert Player(tape).paced


def test_pacing_gives_way_when_times_turn_up() -> None:
    tape = tape_of([None, None], complete=False)
    player = Player(tape)
    assert player.paced
    stamped = '{"type":"CUSTOM","name":"n","value":1,"timestamp":%d}'
    tape.take([Frame((stamped % at).encode(), at, 0) for at in (1000, 2000)])
    player.tick(0)
    assert not player.paced
    assert player.position == 3
    player.tick(1)
    assert player.position == 4


def test_a_long_log_is_not_looked_through_before_it_is_played() -> None:
    tape = tape_of([None] * 10_000, complete=False)
    player = Player(tape)
    player.tick(0)
    player.tick(1)
    assert 0 < player.position < 100
    assert player.elapsed() == pytest.approx(1, abs=0.5)
    assert player.total is None
    assert player.elapsed(tape.length) is None
    assert player.fraction(tape.length // 2) == 0.5
    before = player.position
    while player.look_ahead():
        pass
    assert player.position == before
    assert player.total == player.elapsed(tape.length)
    assert player.fraction(tape.length) == 1.0


@given(payloads=st.lists(st.sampled_from(EVENTS) | st.binary(max_size=300), max_size=20))
@settings(max_examples=examples(50))
def test_the_rhythm_of_many_is_that_of_each(payloads: list[bytes]) -> None:
    deltas = [b'{"delta":"%s"}' % (b"x" * len(payload)) for payload in payloads]
    assert paces([*payloads, *deltas]) == [pace(one) for one in (*payloads, *deltas)]


# Stepping -----------------------------------------------------------------------------------


def test_stepping_pauses_and_is_clamped() -> None:
    player = Player(tape_of([0.0, 1.0, 2.0]))
    player.step_events(2)
    assert (player.position, player.playing) == (2, False)
    player.step_events(9)
    assert player.position == 3
    player.step_events(-1)
    assert player.position == 2
    player.step_events(-9)
    assert player.position == 0


def test_message_steps_stop_where_the_next_one_begins() -> None:
    tape = Tape()
    events = [EVENTS[0]]
    for name in ("a", "b", "c"):
        events += [event.replace(b'"m"', f'"{name}"'.encode()) for event in EVENTS[1:5]]
    events.append(EVENTS[5])
    tape.take([Frame(event, n, 0, float(n)) for n, event in enumerate(events, 1)])
    tape.complete = True
    player = Player(tape, playing=False)
    seen = []
    for _ in range(5):
        player.step_messages(1)
        seen.append(player.position)
    assert seen == [1, 5, 9, 14, 14]
    back = []
    for _ in range(5):
        player.step_messages(-1)
        back.append(player.position)
    assert back == [9, 5, 1, 0, 0]
    player.seek(5)
    (message,) = [entry for entry in tape.transcript.held(5) if isinstance(entry, Message)]
    assert not message.at(5).open
    player.seek(0)
    player.step_messages(2)
    assert player.position == 5


# Seeking ------------------------------------------------------------------------------------


def test_seek_time_is_by_the_tape_s_own_clock() -> None:
    player = Player(tape_of([0.0, 100.0, 200.0]))
    player.seek_time(150)
    assert player.position == 2
    player.seek_time(-1)
    assert player.position == 0
    player.seek_time(1e9)
    assert player.position == 3


def test_seeking_goes_on_playing() -> None:
    player = Player(tape_of([0.0, 1.0, 2.0, 3.0]))
    player.tick(0)
    player.seek(3)
    player.tick(10)
    assert player.position == 3
    player.tick(11)
    assert player.position == 4


@given(
    gaps=st.lists(st.sampled_from([0.0, 0.001, 0.3, 5.0, 900.0]), max_size=20),
    fraction=st.floats(-0.5, 1.5),
)
def test_the_bar_and_the_position_agree(gaps: list[float], fraction: float) -> None:
    times: list[float | None] = []
    at = 0.0
    for gap in gaps:
        at += gap
        times.append(at)
    player = Player(tape_of(times), playing=False)
    player.seek_fraction(fraction)
    assert 0 <= player.position <= len(times)
    shown = player.fraction(player.position)
    assert 0 <= shown <= 1
    # Everything that is due at this place of the bar is in, and nothing more.
    if 0 < fraction < 1 and player.position < len(times) and at > 0:
        assert player.fraction(player.position) <= fraction + 1e-9
        assert player.fraction(player.position + 1) > fraction - 1e-9


@given(
    gaps=st.lists(st.sampled_from([0.0, 0.01, 0.5, 30.0]), min_size=1, max_size=15),
    speed=st.sampled_from(SPEEDS),
    paced=st.booleans(),
)
def test_following_due_shows_everything_once_and_in_order(
    gaps: list[float], speed: float, paced: bool
) -> None:
    times: list[float | None] = []
    at = 0.0
    for gap in gaps:
        at += gap
        times.append(at)
    player = Player(tape_of(times), timing="paced" if paced else "auto", speed=speed)
    now, positions = 0.0, [0]
    for _ in range(4 * len(times) + 4):
        wait = player.due(now)
        if wait is None:
            break
        now += wait + 1e-9
        player.tick(now)
        positions.append(player.position)
    assert positions == sorted(positions)
    assert player.at_end
    assert player.due(now) is None
    assert not player.playing


@given(commands=st.lists(st.integers(0, 11), max_size=30), live=st.booleans())
@settings(max_examples=examples(60))
def test_no_sequence_of_commands_leaves_the_tape(commands: list[int], live: bool) -> None:
    tape = tape_of([0.0, 0.5, 9.0], complete=False)
    player = Player(tape, live=live)
    now = 0.0
    for command in commands:
        now += 0.4
        match command:
            case 0:
                player.toggle()
            case 1:
                player.step_events(1)
            case 2:
                player.step_events(-2)
            case 3:
                player.step_messages(-1)
            case 4:
                player.step_messages(1)
            case 5:
                player.seek_fraction(0.5)
            case 6:
                player.go_live()
            case 7:
                add(tape, [tape.duration + 0.5])
            case 8:
                tape.complete = True
            case 9:
                player.toggle_loop()
            case 10:
                player.faster()
            case 11:
                player.slower()
        player.tick(now)
        assert 0 <= player.position <= tape.length
        assert player.ahead == tape.length - player.position
        due = player.due(now)
        assert due is None or due >= 0
        assert not player.live or player.position == tape.length


# Live ---------------------------------------------------------------------------------------


def test_live_follows_what_arrives() -> None:
    tape = tape_of([0.0], complete=False)
    player = Player(tape, live=True)
    player.tick(0)
    add(tape, [5.0, 5.1])
    player.tick(0)
    assert (player.position, player.live) == (3, True)


def test_stepping_back_leaves_live_and_goes_back_to_it() -> None:
    tape = tape_of([0.0, 1.0], complete=False)
    player = Player(tape, live=True)
    player.tick(0)
    player.step_events(-1)
    add(tape, [2.0, 3.0])
    player.tick(1)
    assert (player.position, player.live, player.ahead) == (1, False, 3)
    player.go_live()
    assert (player.position, player.live, player.playing, player.ahead) == (4, True, True, 0)


def test_catching_up_is_live_again() -> None:
    tape = tape_of([0.0, 1.0], complete=False)
    player = Player(tape, live=True)
    player.tick(0)
    player.step_events(-1)
    player.play()
    player.tick(10)
    assert not player.live
    player.tick(11)
    assert (player.position, player.live) == (2, True)


def test_the_end_of_a_live_source_ends_playing() -> None:
    tape = tape_of([0.0], complete=False)
    player = Player(tape, live=True)
    player.tick(0)
    tape.complete = True
    player.tick(1)
    assert (player.live, player.playing, player.at_end) == (False, False, True)


def test_a_file_that_is_still_being_read_is_not_run_past() -> None:
    tape = tape_of([0.0, 1.0], complete=False)
    player = Player(tape)
    player.tick(0)
    player.tick(30)
    add(tape, [2.0])
    player.tick(31)
    assert player.position == 2
    player.tick(32)
    assert player.position == 3


# Cost ---------------------------------------------------------------------------------------


def test_seeking_costs_nothing_in_a_long_tape() -> None:
    """At most 5 ms in 200,000 events; measured here at a tenth, with room for a busy machine."""
    tape = Tape()
    delta = EVENTS[2]
    for start in range(0, 200_000, 20_000):
        tape.take([Frame(delta, n + 1, 0, n / 100) for n in range(start, start + 20_000)])
    tape.complete = True
    player = Player(tape, playing=False)
    while player.look_ahead():
        pass
    worst = 0.0
    for number in range(200):
        began = time.thread_time()
        player.seek(number * 7919 % 200_000)
        player.seek_fraction(number / 200)
        player.seek_time(number * 9.5)
        player.step_events(-1)
        worst = max(worst, time.thread_time() - began)
    assert worst < 0.005
