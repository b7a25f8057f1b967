"""The pictures in ``screenshots/``: the demo itself, time stopped where there is much to see.

    python -m tests.screenshots        # writes them

``tests/test_screenshots.py`` fails when those in the folder are others.
"""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from textual.pilot import Pilot

from tests.clock import FakeClock
from transcript_tui.server.demo import demo_source
from transcript_tui.server.scenarios import SCENARIOS
from transcript_tui.session.session import Session
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.options import ViewerOptions

FOLDER: Final = Path(__file__).resolve().parent.parent / "screenshots"

MACHINE: Final = {"COLORTERM": "truecolor", "TERM": "xterm-256color", "TZ": "UTC"}
"""The environment in which they are the same everywhere."""
PATIENCE: Final = 30
"""Seconds after which what is waited for will never come, also on a busy machine."""
_FONTS: Final = re.compile(r"@font-face \{[^}]*\}\s*")
"""Textual's pictures ask the network for a font; ours are whole in themselves."""
_SPACES: Final = ("<svg ", '<svg xml:space="preserve" ')
"""Without it renderers other than browsers' drop the space at the edge of a style."""


@dataclass(frozen=True)
class Scene:
    """One picture: what the command in its title shows."""

    name: str
    scenario: str
    theme: str
    size: tuple[int, int]
    arrived: float = 1.0
    """How much of the scenario has come when the picture is taken."""
    keys: Sequence[str] = ()
    buffered: bool = False

    @property
    def command(self) -> str:
        buffered = " --buffered" if self.buffered else ""
        return f"transcript-tui demo {self.scenario} --theme {self.theme}{buffered}"


SCENES: Final = (
    Scene("dark", "hello", "dusk", (100, 44), 0.66),
    Scene("light", "hello", "paper", (100, 40), 0.97),
    Scene("narrow", "reopen", "dusk", (52, 30)),
    Scene("violation", "violation", "ember", (100, 30)),
    Scene("inspector", "hello", "daylight", (130, 36), keys=("k", "k", "i")),
    Scene("reopen-buffered", "reopen", "dusk", (80, 24), 0.5, buffered=True),
    *(
        Scene(f"hello-{width}-{theme}", "hello", theme, (width, height), 0.97)
        for width, height in ((60, 20), (80, 24), (120, 36))
        for theme in ("dusk", "paper")
    ),
)


async def picture(scene: Scene) -> str:
    """The scene as SVG; the same on every machine: only its clock is not the machine's."""
    clock = FakeClock()
    session = Session(demo_source(scene.scenario, clock=clock), kind="demo", clock=clock)
    options = ViewerOptions(
        theme=scene.theme, buffered=scene.buffered, animation=False, title=False
    )
    app = TranscriptApp(session, options)
    async with app.run_test(size=scene.size) as pilot:
        await _receive(session, clock, scene)
        await _until_painted(app, pilot, scene)
        await pilot.press(*scene.keys)
        await _until_painted(app, pilot, scene)
        shot = app.export_screenshot(title=scene.command)
    return _FONTS.sub("", shot).replace(*_SPACES, 1)


async def _receive(session: Session, clock: FakeClock, scene: Scene) -> None:
    """Let the demo's server send so much of the scenario, each event at its time."""
    lines = SCENARIOS[scene.scenario].load().whole().lines
    wanted = round(len(lines) * scene.arrived)
    for number, line in enumerate(lines):
        if line.wait > 0:
            # It sleeps only once it has sent what comes before.
            await clock.asleep()
            await _until(session, lambda number=number: session.tape.length >= number)
            if number >= wanted:
                return
            clock.advance(clock.next_in)
    await _until(session, lambda: not session.receiving)


async def _until(session: Session, holds: Callable[[], bool]) -> None:
    changed = asyncio.Event()
    unsubscribe = session.subscribe(changed.set)
    async with asyncio.timeout(PATIENCE):
        while not holds():
            changed.clear()
            await changed.wait()
    unsubscribe()


async def _until_painted(app: TranscriptApp, pilot: Pilot[None], scene: Scene) -> None:
    """Until the transcript shows the player's position, and two looks see the same."""
    before = ""
    for _ in range(500):
        await pilot.pause()
        session, view = app.main.session, app.main.view
        if session is None or view is None or session.receiving is (scene.arrived == 1.0):
            continue
        now = app.export_screenshot()
        if view.position == session.player.position and app.main.settled and now == before:
            return
        before = now
    raise AssertionError("the screen never came to rest")


def pictures() -> dict[str, str]:
    """File name → SVG, of every scene."""
    for name in ("NO_COLOR", "TEXTUAL_THEME"):
        os.environ.pop(name, None)
    os.environ.update(MACHINE)
    time.tzset()
    return {f"{scene.name}.svg": asyncio.run(picture(scene)) for scene in SCENES}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, "utf-8")
