"""The one table of what a key can do.

Bindings, footer, help screen, command palette and the README's table all come from ``ACTIONS``.
To add a key: a row here and a method ``action_<id>`` in :mod:`transcript_tui.ui.commands`.

Keys are written as people write them in the settings: a character, or one of Textual's names
(``down``, ``pageup``, ``ctrl+u``, ``space``, ``comma``). Nothing here knows Textual.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Group = Literal["Moving", "Reading", "Finding", "Views", "Time", "Taking along", "Program"]
GROUPS: Final[tuple[Group, ...]] = get_args(Group)

When = Literal["always", "tape"]
"""When the footer offers it; ``tape`` = while there is something to play or to go back to."""


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One thing that a user can do."""

    id: str
    keys: tuple[str, ...]
    """Empty where the palette is enough; the user may set some."""
    label: str
    """A word or two: footer and palette."""
    text: str
    """A sentence: help screen, palette, README."""
    group: Group
    footer: int = 0
    """Rank in the footer, 1 first; 0 = not there."""
    when: When = "always"
    numbered: bool = False
    """The method takes the place of the pressed key among ``keys``."""
    pair: str = ""
    """A sentence for this and the next row together, where there is one: help screen."""

    @property
    def in_palette(self) -> bool:
        """Whether it can be found by its name: not what closes or opens the palette itself, nor
        what takes the place of a pressed key."""
        return not self.numbered and self.id not in ("palette", "back", "copy_or_quit")


ACTIONS: Final[tuple[ActionRow, ...]] = (
    ActionRow("scroll_up", ("up",), "Up", "Scroll up a line", "Moving", pair="Scroll a line"),
    ActionRow("scroll_down", ("down",), "Down", "Scroll down a line", "Moving"),
    ActionRow(
        "page_up", ("pageup",), "Page up", "Scroll up a page", "Moving", pair="Scroll a page"
    ),
    ActionRow("page_down", ("pagedown",), "Page down", "Scroll down a page", "Moving"),
    ActionRow(
        "half_up",
        ("ctrl+u",),
        "Half up",
        "Scroll up half a page",
        "Moving",
        pair="Scroll half a page",
    ),
    ActionRow("half_down", ("ctrl+d",), "Half down", "Scroll down half a page", "Moving"),
    ActionRow(
        "next_item",
        ("j",),
        "Next",
        "Select the next item; a long one scrolls first",
        "Moving",
        12,
        pair="Select the next, the previous item; a long one scrolls first",
    ),
    ActionRow(
        "previous_item",
        ("k",),
        "Previous",
        "Select the previous item; a long one scrolls first",
        "Moving",
        13,
    ),
    ActionRow("first", ("g", "home"), "First", "Go to the beginning", "Moving"),
    ActionRow("last", ("G", "end"), "End", "Go to the end and follow it again", "Moving", 8),
    ActionRow(
        "previous_run",
        ("[",),
        "Previous run",
        "Go to the previous run",
        "Moving",
        pair="Go to the previous, the next run",
    ),
    ActionRow("next_run", ("]",), "Next run", "Go to the next run", "Moving"),
    ActionRow(
        "previous_problem",
        ("{",),
        "Previous problem",
        "Go to the previous problem",
        "Moving",
        pair="Go to the previous, the next problem",
    ),
    ActionRow("next_problem", ("}",), "Next problem", "Go to the next problem", "Moving"),
    ActionRow(
        "buffered",
        ("b",),
        "Buffered",
        "Show messages token by token, or whole once they are closed",
        "Reading",
        4,
    ),
    ActionRow("markdown", ("m",), "Markdown", "Show Markdown, or its source text", "Reading", 5),
    ActionRow("fold", ("enter",), "Fold", "Open or fold what is selected", "Reading", 10),
    ActionRow(
        "tools",
        ("z",),
        "Tools",
        "Tool calls: full, folded, folded when done, hidden",
        "Reading",
        15,
    ),
    ActionRow(
        "reasoning",
        ("Z",),
        "Reasoning",
        "Reasoning: full, folded, folded when done, hidden",
        "Reading",
    ),
    ActionRow(
        "passthrough", ("x",), "Custom & raw", "Show or hide CUSTOM and RAW events", "Reading"
    ),
    ActionRow("times", ("w",), "Times", "Beside each item: clock times, offsets, none", "Reading"),
    ActionRow(
        "follow_mode",
        ("F",),
        "Follow",
        "Following keeps the end in view, or the start of the newest message",
        "Reading",
    ),
    ActionRow("keep_going", ("K",), "Keep going", "Read on past a violation", "Reading"),
    ActionRow(
        "search",
        ("/",),
        "Search",
        "Search everything shown (small letters match both; regular expressions work)",
        "Finding",
        3,
    ),
    ActionRow(
        "search_next",
        ("n",),
        "Next hit",
        "Go to the next hit",
        "Finding",
        pair="Go to the next, the previous hit",
    ),
    ActionRow("search_previous", ("N",), "Previous hit", "Go to the previous hit", "Finding"),
    ActionRow(
        "filter",
        ("f",),
        "Filter",
        "Show only some items: by role, speaker, subagent, kind, text",
        "Finding",
        11,
    ),
    ActionRow(
        "goto",
        (":",),
        "Go to",
        "Go to an event (by number; the first is 0), a time or a message id",
        "Finding",
        14,
    ),
    ActionRow("events", ("e",), "Events", "The events as they arrived", "Views", 6),
    ActionRow(
        "problems",
        ("p",),
        "Problems",
        "Violations, warnings, failed runs",
        "Views",
        9,
    ),
    ActionRow(
        "inspector", ("i",), "Inspect", "All about the selected item, and its events", "Views", 7
    ),
    ActionRow("state", ("s",), "State", "The shared state, and its changes", "Views", 16),
    ActionRow(
        "previous_change",
        ("left",),
        "← Change",
        "Go to the previous change of the state",
        "Views",
        pair="Go to the previous, the next change of the state",
    ),
    ActionRow("next_change", ("right",), "Change →", "Go to the next change of the state", "Views"),
    ActionRow("timeline", ("t",), "Timeline", "What happened when, as a waterfall", "Views", 17),
    ActionRow("statistics", ("S",), "Statistics", "Times, rates and token usage", "Views", 18),
    ActionRow("play", ("space",), "Play/pause", "Play or pause, also live", "Time", 2, "tape"),
    ActionRow(
        "next_event",
        (".",),
        "Event →",
        "One event forwards",
        "Time",
        19,
        "tape",
        pair="One event forwards, back",
    ),
    ActionRow("previous_event", ("comma",), "← Event", "One event back", "Time", 19, "tape"),
    ActionRow(
        "next_message",
        (">",),
        "Message →",
        "One message forwards",
        "Time",
        pair="One message forwards, back",
    ),
    ActionRow("previous_message", ("<",), "← Message", "One message back", "Time"),
    ActionRow(
        "tenth",
        tuple("0123456789"),
        "Jump",
        "Jump to the start (0), to one tenth (1) … nine tenths (9)",
        "Time",
        numbered=True,
    ),
    ActionRow(
        "faster", ("+",), "Faster", "Play faster", "Time", 20, "tape", pair="Play faster, slower"
    ),
    ActionRow("slower", ("-",), "Slower", "Play slower", "Time", 20, "tape"),
    ActionRow("loop", ("l",), "Loop", "At the end, begin again", "Time"),
    ActionRow("live", ("L",), "Live", "Return to the newest event", "Time"),
    ActionRow("copy_item", ("y",), "Copy", "Copy the selected item's source text", "Taking along"),
    ActionRow(
        "copy_transcript",
        ("Y",),
        "Copy all",
        "Copy the whole transcript as Markdown",
        "Taking along",
    ),
    ActionRow("open_link", ("o",), "Open link", "Open a link of the item; asks", "Taking along"),
    ActionRow(
        "record", ("r",), "Record", "Save all that arrived, and what follows", "Taking along"
    ),
    ActionRow(
        "export",
        (),
        "Export",
        "Write the transcript into a file: Markdown, JSON, HTML, text",
        "Taking along",
    ),
    ActionRow(
        "mouse", ("M",), "Mouse", "Give the mouse back to the terminal, or take it", "Taking along"
    ),
    ActionRow(
        "ask_again",
        ("R",),
        "Try again",
        "Ask the endpoint again, where it failed or (asked by GET) ended",
        "Program",
    ),
    ActionRow("help", ("?",), "Help", "All keys", "Program", 1),
    ActionRow("palette", ("ctrl+p",), "Palette", "Find a command by its name", "Program"),
    ActionRow(
        "back",
        ("escape",),
        "Back",
        "Close the topmost view, then clear search, selection, filter",
        "Program",
    ),
    ActionRow(
        "copy_or_quit", ("ctrl+c",), "Copy/quit", "Copy the selected text, else quit", "Program"
    ),
    ActionRow("quit", ("q",), "Quit", "Quit", "Program", 1),
)

BY_ID: Final = {row.id: row for row in ACTIONS}

MOUSE: Final = (
    ("click", "Select an item; “… more lines” opens it"),
    ("2 clicks", "Select a word; on the label of an item: inspect it"),
    ("3 clicks", "Select a line"),
    ("drag", "Select text across items"),
    ("wheel", "Scroll"),
)
"""What the mouse does over the transcript: help screen."""
