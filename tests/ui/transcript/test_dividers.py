"""Dividers and heads of cards: a line that is drawn through touches no text."""

from __future__ import annotations

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from tests.ui.transcript.harness import MadeTape, call, finished, result, started
from transcript_tui.ui.layout import DocumentStyles
from transcript_tui.ui.views.transcript import ViewOptions
from transcript_tui.ui.views.transcript.palette import Palette
from transcript_tui.ui.views.transcript.scene import Scene
from transcript_tui.ui.views.transcript.stage import Stage

NAMES = st.text(st.sampled_from("ab _-漢字é👩🇩"), min_size=1, max_size=60)
TIMES = st.sampled_from([0.0, 0.0004, 0.157, 0.9994, 0.9999, 9.996, 59.97, 61.0, 3_700.0])
TOUCHED = re.compile(r"[^\s┄━─╌╭├╰▎█│][┄━─╌]|[┄━─╌][^\s┄━─╌│]")


@settings(max_examples=examples(60))
@given(NAMES, NAMES, TIMES, st.integers(16, 140), st.sampled_from(["none", "clock", "offset"]))
def test_lines_touch_no_text(name: str, other: str, seconds: float, width: int, times: Any) -> None:
    usage = [{"provider": "p", "model": "m", "inputTokens": 1234, "outputTokens": 56}]
    tape = MadeTape([
        started(name, other),
        {"type": "STEP_STARTED", "stepName": name},
        *call("c", name, "{}"),
        result("c", "fine"),
        {"type": "STEP_FINISHED", "stepName": name},
        {"type": "STEP_STARTED", "stepName": other},
        {"type": "STEP_FINISHED", "stepName": other},
        finished(name, other, usage=usage),
    ])  # fmt: skip
    palette = Palette.read({})
    scene = Scene(tape.transcript, ViewOptions(times=times), palette)
    scene.time = lambda index: index * seconds
    scene.started = 0.0
    stage = Stage(scene, DocumentStyles.from_variables({}))
    stage.resize(width, 40)
    stage.show(tape.length)
    for key in range(stage.size):
        for y in range(stage.item(key).height):
            text = stage.item(key).content(y).text
            # A name may hold such signs itself.
            plain = text.replace("-", "x")
            assert not TOUCHED.search(plain), text
