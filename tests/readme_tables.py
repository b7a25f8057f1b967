"""The README's tables, made from what they describe.

    python -m tests.readme_tables        # writes them

``tests/test_repository.py`` fails when the README holds others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from typer.core import TyperGroup
from typer.main import get_command

from transcript_tui.cli.app import VERBS, app
from transcript_tui.config import settings_rows
from transcript_tui.ui.actions import ACTIONS, GROUPS
from transcript_tui.ui.keymap import key_shown
from transcript_tui.ui.themes import SHIPPED, load_themes

README: Final = Path(__file__).resolve().parent.parent / "README.md"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(
        "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines
    )


def _keys(names: tuple[str, ...]) -> str:
    if len(names) == 10:
        return "`0`–`9`"
    return " ".join(f"`{key_shown(name)}`" for name in names) or "–"


def keys() -> str:
    parts = []
    for group in GROUPS:
        rows = [(_keys(row.keys), row.text, f"`{row.id}`") for row in ACTIONS if row.group == group]
        parts.append(_table((group, "", "action"), rows))
    return "\n\n".join(parts)


def settings() -> str:
    rows = [
        (f"`{name}`", f"`{variable}`", f"`{default}`", prose)
        for name, variable, default, prose in settings_rows()
    ]
    return _table(("setting", "environment", "default", "what it does"), rows)


def themes() -> str:
    known, _ = load_themes()
    return _table(("theme", ""), [(f"`{name}`", known[name].about) for name in SHIPPED])


def verbs() -> str:
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    rows = [
        f"| `{name}` | {command.get_short_help_str(200)} |"
        for name in VERBS
        if (command := group.get_command(None, name)) is not None
    ]
    return "\n".join(rows)


TABLES: Final[Mapping[str, Callable[[], str]]] = {
    "verbs": verbs,
    "keys": keys,
    "settings": settings,
    "themes": themes,
}


def rewritten(text: str) -> str:
    """The README's text with its tables as they should be."""
    for name, make in TABLES.items():
        before, rest = text.split(f"<!-- {name} -->\n")
        _, after = rest.split(f"<!-- /{name} -->")
        text = f"{before}<!-- {name} -->\n{make()}\n<!-- /{name} -->{after}"
    return text


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text("utf-8")), "utf-8")
