"""The pictures in ``screenshots/`` show the program as it is."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest

from tests.screenshots import FOLDER, MACHINE, SCENES, Scene, picture


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The one that the pictures are made on."""
    with monkeypatch.context() as patch:
        for name, value in MACHINE.items():
            patch.setenv(name, value)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("machine")
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_the_picture_is_not_stale(scene: Scene) -> None:
    kept = (FOLDER / f"{scene.name}.svg").read_text("utf-8")
    assert _lines(await picture(scene)) == _lines(kept), "run: python -m tests.screenshots"


def test_each_picture_is_one_of_the_readme() -> None:
    readme = (FOLDER.parent / "README.md").read_text("utf-8")
    linked = set(re.findall(r"\(screenshots/([^)]*)\)", readme))
    assert linked == {f"{scene.name}.svg" for scene in SCENES}
    assert linked == {file.name for file in FOLDER.iterdir()}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_demo_is_shown_live(scene: Scene) -> None:
    """As the command in its title shows it: nothing is played back before it has ended."""
    shown = (FOLDER / f"{scene.name}.svg").read_text("utf-8")
    assert scene.command in shown.replace("&#160;", " ")
    live = scene.arrived < 1
    assert (">●&#160;connected<" in shown) is live
    assert ("■" in shown) is not live


def _lines(svg: str) -> list[str]:
    """The text and colours, a row each, so that a failure says what differs."""
    anonymous = re.sub(r"terminal-\d+-", "", svg)
    return re.findall(r"<text[^>]*>[^<]*</text>|<rect[^>]*>", anonymous)
