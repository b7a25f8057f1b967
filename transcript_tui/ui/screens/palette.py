"""What the command palette offers: every row of the table, every theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.markup import escape

from transcript_tui.text import label
from transcript_tui.ui.actions import ACTIONS
from transcript_tui.ui.screens.base import BaseScreen


@dataclass(frozen=True, slots=True)
class Command:
    name: str
    text: str
    run: Callable[[], object]
    offered: bool = True
    """Listed before anything is typed."""


class Commands(Provider):
    """Commands of the main screen."""

    def _commands(self) -> Iterator[Command]:
        screen = self.screen
        if not isinstance(screen, BaseScreen):
            return
        for row in ACTIONS:
            if not row.in_palette:
                continue
            keys = screen.keymap.shown(row.id)
            shown = f"{row.label}  {keys}" if keys else row.label
            press = partial(screen.run_action, f"screen.{row.id}")
            # Nobody scrolls by name; those are found where they are looked for.
            yield Command(shown, row.text, press, row.group != "Moving")
        for name, about in screen.themes.items():
            run = partial(setattr, self.app, "theme", name)
            yield Command(f"Theme: {name}", label(about) or "Change the colours", run)

    async def discover(self) -> Hits:
        for command in self._commands():
            if command.offered:
                yield DiscoveryHit(
                    Content(command.name), command.run, command.name, escape(command.text)
                )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._commands():
            score = max(matcher.match(command.name), 0.8 * matcher.match(command.text))
            if score > 0:
                yield Hit(
                    score,
                    matcher.highlight(command.name),
                    command.run,
                    command.name,
                    escape(command.text),
                )
