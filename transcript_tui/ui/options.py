"""What the viewer can be told when it starts. The command line fills it in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from transcript_tui.config import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewerOptions(Settings):
    """The settings, and what is said of this start only; nothing here changes while it runs."""

    theme_folder: Path | None = None
    """Folder of the user's own themes (``*.toml``)."""
    start_at: str = ""
    """Where to stand first, as ``:`` takes it: ``1200``, ``12.5s``, ``1:20``, ``message:ID``."""
    print_on_exit: bool = False
    log_file: Path | None = None
    """Named in the one sentence that an unforeseen error gives."""
    label: str = ""
    """What is being opened, shown until the session says it itself."""
