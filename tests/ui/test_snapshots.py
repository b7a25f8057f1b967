"""Pictures of the screens: each view, at its widths, in its themes; the clock stands still."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.ui.screen import BROKEN, RUN, recording, replay, until
from transcript_tui.errors import ConnectionFailed
from transcript_tui.session.session import Session
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.options import ViewerOptions
from transcript_tui.ui.themes import SHIPPED


@pytest.fixture
def same(snap_compare: Callable[..., bool]) -> Callable[..., bool]:
    """As ``snap_compare``, but a viewer that broke is no picture to compare."""

    def compare(shown: TranscriptApp, **options: Any) -> bool:
        equal = snap_compare(shown, **options)
        assert shown.failure is None
        return equal

    return compare


Same = Callable[..., bool]


@pytest.fixture(autouse=True)
def _same_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Names and clock times are the same on every machine."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    recording(Path("run.sse"), RUN)
    recording(Path("broken.sse"), BROKEN)
    yield
    monkeypatch.undo()
    time.tzset()


def app(name: str = "run.sse", theme: str = "dusk", **options: Any) -> TranscriptApp:
    given = ViewerOptions(theme=theme, animation=False, **options)
    return TranscriptApp(replay(Path(name)), given)


def pressing(*keys: str, select: int | None = None) -> Callable[[Pilot[Any]], Any]:
    """Wait for the whole transcript, then press."""

    async def run_before(pilot: Pilot[Any]) -> None:
        main = pilot.app.main

        def painted() -> bool:
            session, view, reader = main.session, main.view, main.reader
            return (
                session is not None
                and view is not None
                and reader is not None
                and not session.receiving
                and view.position == session.tape.length
                and not reader.stale
            )

        await until(pilot, painted)
        if select is not None:
            main.view.select(select)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await until(pilot, lambda: all(pane.is_mounted for pane in main.pane_order))
        await until(pilot, painted)
        await pilot.pause()

    return run_before


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("theme", ["dusk", "paper"])
def test_main(same: Same, theme: str, width: int) -> None:
    size = (width, 10 if width == 40 else 24)
    assert same(app(theme=theme), terminal_size=size, run_before=pressing())


@pytest.mark.parametrize("theme", SHIPPED)
def test_themes(same: Same, theme: str) -> None:
    """A theme with everything in it: selection, events, JSON, status."""
    assert same(
        app(theme=theme), terminal_size=(100, 32), run_before=pressing("e", "enter", select=1)
    )


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(
    ("keys", "select"),
    [
        (("e",), None),
        (("i",), 1),
        (("s",), None),
        (("t",), None),
        (("S",), None),
        (("question_mark",), None),
        (("slash", *"weather"), None),
    ],
    ids=["events", "inspector", "state", "timeline", "statistics", "help", "search"],
)
def test_views(same: Same, keys: tuple[str, ...], select: int | None, width: int) -> None:
    assert same(app(), terminal_size=(width, 30), run_before=pressing(*keys, select=select))


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize("theme", ["ember", "daylight"])
def test_a_violation(same: Same, theme: str, width: int) -> None:
    assert same(app("broken.sse", theme), terminal_size=(width, 30), run_before=pressing("p"))


@pytest.mark.parametrize("width", [40, 80])
def test_what_cannot_be_opened(same: Same, width: int) -> None:
    def refuse() -> Session:
        raise ConnectionFailed("Nobody answers at 127.0.0.1:8000.", "Is the server running?")

    async def run_before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: pilot.app.main.failed)
        await pilot.pause()

    shown = TranscriptApp(refuse, ViewerOptions(theme="dusk", label="http://127.0.0.1:8000/"))
    assert same(shown, terminal_size=(width, 12), run_before=run_before)
