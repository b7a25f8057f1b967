"""The pictures in ``screenshots/`` show the program as it is."""

from __future__ import annotations

import re

import pytest

from tests.screenshots import FOLDER, SCENES, Scene, picture


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_the_picture_is_not_stale(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")
    kept = (FOLDER / f"{scene.name}.svg").read_text("utf-8")
    assert _lines(await picture(scene)) == _lines(kept), "run: python -m tests.screenshots"


def _lines(svg: str) -> list[str]:
    """The text and colours, a row each, so that a failure says what differs."""
    anonymous = re.sub(r"terminal-\d+-", "", svg)
    return re.findall(r"<text[^>]*>[^<]*</text>|<rect[^>]*>", anonymous)
