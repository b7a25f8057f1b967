"""The pictures in ``screenshots/``, made from the demo's scenarios.

    python -m tests.screenshots        # writes them

``tests/test_screenshots.py`` fails when those in the folder are others.
"""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from textual.pilot import Pilot

from tests.clock import FakeClock
from transcript_tui.server.scenarios import SCENARIOS
from transcript_tui.session.session import Session
from transcript_tui.session.sources.file import FileSource
from transcript_tui.ui.app import TranscriptApp
from transcript_tui.ui.options import ViewerOptions

FOLDER: Final = Path(__file__).resolve().parent.parent / "screenshots"

_FONTS: Final = re.compile(r"@font-face \{[^}]*\}\s*")
"""Textual's pictures ask the network for a font; ours are whole in themselves."""
_SPACES: Final = ("<svg ", '<svg xml:space="preserve" ')
"""Without it renderers other than browsers' drop the space at the edge of a style."""


@dataclass(frozen=True)
class Scene:
    """One picture."""

    name: str
    scenario: str
    theme: str
    size: tuple[int, int]
    shown: float = 1.0
    """How much of the scenario has been played."""
    keys: Sequence[str] = ()


SCENES: Final = (
    Scene("dark", "hello", "dusk", (100, 44), 0.66),
    Scene("light", "hello", "paper", (100, 40), 0.97),
    Scene("narrow", "reopen", "dusk", (52, 30)),
    Scene("violation", "violation", "ember", (100, 30)),
    Scene("inspector", "hello", "daylight", (130, 36), 1.0, ("k", "k", "i")),
    Scene("reopen-buffered", "reopen", "dusk", (80, 24), 0.5, ("b",)),
    *(
        Scene(f"hello-{width}-{theme}", "hello", theme, (width, height), 0.97)
        for width, height in ((60, 20), (80, 24), (120, 36))
        for theme in ("dusk", "paper")
    ),
)


class _Scenario(FileSource):
    """A scenario as a log, under its own name."""

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(path)
        self._name = name
        self.run_input: Mapping[str, Any] | None = {
            "messages": [{"id": "user-1", "role": "user", "content": SCENARIOS[name].message}]
        }

    @property
    def label(self) -> str:
        return f"demo {self._name}"


def _recording(scenario: str) -> str:
    """The scenario as a recording that began at a fixed moment."""
    lines = [': transcript-tui recording 1 {"started":"2026-12-01T10:00:00.000Z"}']
    at = 0.0
    whole = SCENARIOS[scenario].load().whole()
    for line in whole.lines:
        at += line.wait
        lines.append(f": +{at:.3f}\ndata: {line.payload.decode()}\n")
    return "\n".join(lines) + "\n"


async def picture(scene: Scene) -> str:
    """The scene as SVG; the same on every machine."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scene.sse"
        file.write_text(_recording(scene.scenario), "utf-8")
        session = Session(_Scenario(file, scene.scenario), kind="replay", clock=FakeClock())
        options = ViewerOptions(theme=scene.theme, animation=False, title=False)
        app = TranscriptApp(session, options)
        async with app.run_test(size=scene.size) as pilot:
            await _until_painted(app, pilot)
            session.player.pause()
            session.player.seek(round(session.tape.length * scene.shown))
            await _until_painted(app, pilot)
            await pilot.press(*scene.keys)
            await pilot.pause()
            await _until_painted(app, pilot)
            title = f"transcript-tui demo {scene.scenario}"
            return _FONTS.sub("", app.export_screenshot(title=title)).replace(*_SPACES, 1)


async def _until_painted(app: TranscriptApp, pilot: Pilot[None]) -> None:
    """Until the transcript shows the player's position, and two looks see the same."""
    before = ""
    for _ in range(500):
        await pilot.pause()
        session, view = app.main.session, app.main.view
        if session is None or view is None or session.receiving:
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
    os.environ.update(COLORTERM="truecolor", TERM="xterm-256color")
    return {f"{scene.name}.svg": asyncio.run(picture(scene)) for scene in SCENES}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, "utf-8")
