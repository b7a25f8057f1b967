"""How the transcript is shown: what the reader chooses with keys and settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from transcript_tui.config import FoldMode, FollowMode, TimesMode
from transcript_tui.transcript.model import Message, MessageView
from transcript_tui.ui.views.transcript.canvas import Canvas
from transcript_tui.ui.views.transcript.filter import Filter
from transcript_tui.ui.views.transcript.options import (
    FOLD_MODES,
    TIMES,
    ViewOptions,
)


class Choosing(Canvas):
    """Options, and what follows from changing them."""

    def _search_anew(self) -> None:
        """What is shown is not what was searched."""
        raise NotImplementedError

    def _search_on(self) -> None:
        """Something changed: the search goes on from there."""
        raise NotImplementedError

    def set_options(self, options: ViewOptions) -> None:
        """Change several options at once; nothing of the text is lost or repeated."""
        before, self._options = self._options, options
        stage = self._stage
        stage.scene.options = options
        calm = replace(options, buffered=before.buffered, markdown=before.markdown,
                       times=before.times, follow=before.follow)  # fmt: skip
        if calm == before:
            stage.outdate()
        else:
            stage.reread()
            self._arrived.clear()
            self._search_anew()
            self._let_go()
        self.settle()
        self._search_on()

    def _let_go(self) -> None:
        """What is not shown is not selected: keys would act on it, and Escape clear it, unseen."""
        if self.selected is not None and not self._stage.shown(self.selected):
            self.selected = None

    def _choose(self, **changes: Any) -> None:
        self.set_options(replace(self._options, **changes))

    def set_buffered(self, buffered: bool) -> None:
        self._choose(buffered=buffered)

    def set_markdown(self, markdown: bool) -> None:
        self._choose(markdown=markdown)

    def set_follow_mode(self, mode: FollowMode) -> None:
        self._choose(follow=mode)

    def set_tools_mode(self, mode: FoldMode) -> None:
        self._forget_folds(lambda view: bool(view.tool_calls))
        self._choose(tools=mode)

    def _forget_folds(self, of: Callable[[MessageView], bool]) -> None:
        """A mode for all of a kind replaces what was folded or opened one by one."""
        scene = self._stage.scene
        for key in list(scene.folds):
            entry = self._entries[key]
            if isinstance(entry, Message) and of(entry.at(scene.position)):
                del scene.folds[key]

    def set_reasoning_mode(self, mode: FoldMode) -> None:
        self._forget_folds(lambda view: view.role == "reasoning")
        self._choose(reasoning=mode)

    def set_passthrough(self, shown: bool) -> None:
        self._choose(passthrough=shown)

    def set_times(self, times: TimesMode) -> None:
        self._choose(times=times)

    def set_filter(self, wanted: Filter | None) -> None:
        self._choose(filter=wanted or None)

    def cycle_tools(self) -> FoldMode:
        self.set_tools_mode(_next(FOLD_MODES, self._options.tools))
        return self._options.tools

    def cycle_reasoning(self) -> FoldMode:
        self.set_reasoning_mode(_next(FOLD_MODES, self._options.reasoning))
        return self._options.reasoning

    def cycle_times(self) -> TimesMode:
        self.set_times(_next(TIMES, self._options.times))
        return self._options.times

    @property
    def hidden_count(self) -> int:
        """Items that the filter hides."""
        return self._stage.filtered


def _next(values: tuple[Any, ...], value: Any) -> Any:
    return values[(values.index(value) + 1) % len(values)]
