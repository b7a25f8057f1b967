"""How the reader chose to see the transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from transcript_tui.config import Display, FoldMode, TimesMode
from transcript_tui.ui.views.transcript.filter import Filter

FOLD_MODES: Final[tuple[FoldMode, ...]] = get_args(FoldMode)
TIMES: Final[tuple[TimesMode, ...]] = get_args(TimesMode)


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewOptions(Display):
    """As set at first, then as the reader's keys have it."""

    filter: Filter | None = None
