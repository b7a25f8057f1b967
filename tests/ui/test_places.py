"""Where ``:`` goes, what may be opened, what the terminal is told, and painting in frames."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest

from tests.ui.transcript.harness import MadeSession, message, started
from transcript_tui.ui.places import Awaited, EventNumber, MessageId, Moment, parse_place
from transcript_tui.ui.repainting import INTERVAL, Repainting
from transcript_tui.ui.terminal import (
    few_colors,
    may_open,
    notification,
    shown_address,
    window_title,
)


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("1200", EventNumber(1200)),
        ("1,200", EventNumber(1200)),
        ("#7", EventNumber(7)),
        ("12.5s", Moment(12.5)),
        ("12.5", Moment(12.5)),
        ("12s", Moment(12.0)),
        ("1:20", Moment(80.0)),
        ("1:00:01", Moment(3601.0)),
        ("message:1200", MessageId("1200")),
        ("msg_a", MessageId("msg_a")),
        ("9" * 5000 + ":00:00", MessageId("9" * 5000 + ":00:00")),
        ("9" * 5000 + "s", MessageId("9" * 5000 + "s")),
        ("٣", MessageId("٣")),
        ("", None),
        ("  ", None),
    ],
)
def test_places(written: str, place: object) -> None:
    assert parse_place(written) == place


def test_a_message_that_is_awaited_is_looked_for_only_in_what_is_new() -> None:
    session = MadeSession([started(), *message("a-1", "x")])
    session.tape.complete = False
    exact, begun, nobody = (Awaited(MessageId(wanted)) for wanted in ("a-2", "b-", "a-"))
    assert exact.may_yet_come(session)
    assert begun.may_yet_come(session)
    assert not nobody.may_yet_come(session)
    entries = session.tape.transcript.entries
    entries[:] = [None] * len(entries)  # nobody looks there again
    session.tape.add(*message("a-2", "x"), *message("b-1", "x"))
    assert not exact.may_yet_come(session)
    assert not begun.may_yet_come(session)
    session.tape.add(*message("b-2", "x"))
    assert begun.may_yet_come(session)
    session.tape.complete = True
    assert not begun.may_yet_come(session)


@pytest.mark.parametrize(
    "address", ["https://a.example/x", "http://a.example", "mailto:a@b.example"]
)
def test_links_that_open(address: str) -> None:
    assert may_open(address)


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:alert(1)",
        "ssh://x",
        "https:",
        "data:text/html,x",
        "https://a.example/\x1b]0;x\x07",
        "https://a.example/ b",
        "http://[::1",
        "",
    ],
)
def test_links_that_do_not(address: str) -> None:
    assert not may_open(address)


def test_a_host_of_foreign_letters_is_told_apart() -> None:
    assert shown_address("https://a.example/ü") == "https://a.example/ü"
    assert shown_address("https://аpple.example/x").endswith("  (xn--pple-43d.example)")


def test_nothing_breaks_out_of_a_title() -> None:
    assert window_title("a\x1b\\b\x07c\u009cd") == "\x1b]0;a \\b c d\x07"
    assert notification("x\ny") == "\x1b]9;x y\x07"


def test_few_colors() -> None:
    assert few_colors({"NO_COLOR": "1", "COLORTERM": "truecolor"})
    assert few_colors({"TERM": "linux"})
    assert not few_colors({"TERM": "xterm-256color"})


class Alarms:
    """A clock with alarms, moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self.worked = 0.0
        self.set: list[tuple[float, Callable[[], None], Alarms.Alarm]] = []

    class Alarm:
        def __init__(self) -> None:
            self.stopped = False

        def stop(self) -> None:
            self.stopped = True

    def later(self, delay: float, call: Callable[[], None]) -> Alarms.Alarm:
        alarm = self.Alarm()
        self.set.append((self.now + delay, call, alarm))
        return alarm

    def advance(self, to: float) -> None:
        while True:
            due = sorted(
                (item for item in self.set if item[0] <= to and not item[2].stopped),
                key=lambda item: item[0],
            )
            if not due:
                break
            self.set.remove(due[0])
            self.now = max(self.now, due[0][0])
            due[0][1]()
        self.now = to


def test_many_wishes_are_one_frame() -> None:
    alarms, painted = Alarms(), []
    repainting = Repainting(
        lambda: painted.append(alarms.now), lambda: alarms.now, alarms.later, lambda: alarms.worked
    )
    for _ in range(1000):
        repainting.request()
    alarms.advance(1.0)
    assert len(painted) == 1


def test_never_more_often_than_the_interval() -> None:
    alarms, painted = Alarms(), []
    repainting = Repainting(
        lambda: painted.append(alarms.now), lambda: alarms.now, alarms.later, lambda: alarms.worked
    )
    for step in range(1000):
        repainting.request()
        alarms.advance((step + 1) / 1000)
    assert len(painted) <= 1 / INTERVAL + 2
    assert all(b - a >= INTERVAL * 0.999 for a, b in pairwise(painted))


def test_nothing_happens_while_nothing_is_asked() -> None:
    alarms, painted = Alarms(), []
    Repainting(lambda: painted.append(1), lambda: alarms.now, alarms.later, lambda: alarms.worked)
    alarms.advance(100)
    assert painted == []
    assert alarms.set == []


def test_a_nearer_wish_overtakes_a_later_one() -> None:
    alarms, painted = Alarms(), []
    repainting = Repainting(
        lambda: painted.append(alarms.now), lambda: alarms.now, alarms.later, lambda: alarms.worked
    )
    repainting.request(10.0)
    repainting.request(1.0)
    alarms.advance(20.0)
    assert painted == [1.0]


def test_painting_may_ask_for_the_next() -> None:
    alarms, painted = Alarms(), []

    def paint() -> float | None:
        painted.append(alarms.now)
        return 0.5 if len(painted) < 3 else None

    Repainting(paint, lambda: alarms.now, alarms.later, lambda: alarms.worked).request()
    alarms.advance(10.0)
    assert painted == pytest.approx([0.0, 0.5, 1.0], abs=0.01)


@pytest.mark.parametrize(
    ("urgent", "work", "at"),
    [
        (False, 0.05, 0.2),
        (True, 0.05, 0.05 + INTERVAL),
        (False, 0.0, 0.06),  # it only waited: others use the processor
    ],
)
def test_much_work_is_rested_after_unless_the_user_waits(
    urgent: bool, work: float, at: float
) -> None:
    alarms, painted = Alarms(), []

    def paint() -> None:
        painted.append(alarms.now)
        alarms.now += 0.05
        alarms.worked += work

    repainting = Repainting(paint, lambda: alarms.now, alarms.later, lambda: alarms.worked)
    repainting.request()
    alarms.advance(0.06)
    repainting.request(urgent=urgent)
    alarms.advance(1.0)
    assert painted[1] == pytest.approx(at, abs=0.02)
