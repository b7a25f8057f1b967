"""Notes about the source, as toasts: few at once, so that they never hide what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual.app import App

__all__ = ["Notes"]

AT_ONCE: Final = 3
LASTING: Final = App.NOTIFICATION_TIMEOUT
"""Seconds that a toast stays."""


class Notes:
    """Which of a growing list of notes to show, and how many only to count."""

    def __init__(self) -> None:
        self._looked_at = 0
        self._shown: list[float] = []
        """When those were shown that may still be on the screen."""

    def due(self, notes: Sequence[str], now: float) -> tuple[Sequence[str], int]:
        """The new ones to be shown, and how many more came than there is room for."""
        new = notes[self._looked_at :]
        self._looked_at = len(notes)
        self._shown = [at for at in self._shown if now - at < LASTING]
        shown = new[: AT_ONCE - len(self._shown)]
        self._shown += [now] * len(shown)
        return shown, len(new) - len(shown)
