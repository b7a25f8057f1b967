"""What the viewer can be told when it starts. The command line fills it in from the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

FoldMode = Literal["full", "folded", "when-done", "hidden"]
"""How tool calls or reasoning are shown; ``when-done`` folds them once they are over."""
FollowMode = Literal["end", "start"]
"""Following keeps the end of the transcript in view, or the start of its newest message."""
Times = Literal["clock", "offset"]
Clipboard = Literal["auto", "osc52", "command", "off"]
"""``osc52`` asks the terminal, ``command`` a program of the platform, ``auto`` both."""

DEFAULT_THEME = "auto"
"""Dusk; the terminal's own colours where it has sixteen or ``NO_COLOR`` is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewerOptions:
    """Everything a viewer starts with; nothing here changes while it runs."""

    theme: str = DEFAULT_THEME
    theme_folder: Path | None = None
    """Folder of the user's own themes (``*.toml``)."""
    buffered: bool = False
    markdown: bool = True
    tools: FoldMode = "full"
    reasoning: FoldMode = "folded"
    passthrough: bool = False
    """Show CUSTOM and RAW events in place."""
    times: Times | None = None
    follow: FollowMode = "end"
    keys: Mapping[str, str] = field(default_factory=dict)
    """Action id → keys, comma separated; an action not named keeps its own."""
    mouse: bool = True
    animation: bool = True
    bell: bool = False
    """Ring when a run ends or asks something."""
    notify: bool = False
    """The same as a notification of the terminal (OSC 9)."""
    title: bool = True
    """Put the run's state into the terminal's title."""
    clipboard: Clipboard = "auto"
    start_at: str = ""
    """Where to stand first, as ``:`` takes it: ``1200``, ``12.5s``, ``1:20``, ``message:ID``."""
    record_to: Path | None = None
    """The file that recording suggests."""
    print_on_exit: bool = False
    log_file: Path | None = None
    """Named in the one sentence that an unforeseen error gives."""
    notices: tuple[str, ...] = ()
    """Shown at start: what was wrong with settings or themes, a sentence each."""
    label: str = ""
    """What is being opened, shown until the session says it itself."""
