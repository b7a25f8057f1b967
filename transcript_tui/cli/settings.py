"""``config`` and ``themes``: what is set, and what there is to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import typer

from transcript_tui.cli import options
from transcript_tui.cli.parsing import LightCommand, LightGroup

if TYPE_CHECKING:
    from transcript_tui.config import Loaded

THEMES_EXAMPLE = "Example:\n\n\b\n  transcript-tui demo --theme paper"
CONFIG_EXAMPLE = "Example:\n\n\b\n  transcript-tui config show"

_group = typer.Typer(
    cls=LightGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="What is set, and where it was set.",
    epilog=CONFIG_EXAMPLE,
)


@_group.command("show", cls=LightCommand, epilog=CONFIG_EXAMPLE)
def _show(config: options.Config = None) -> None:
    """Print every setting with its value and its origin.

    Flags win over the environment, that over the file, that over the defaults.
    """
    from transcript_tui.cli.complaints import remark
    from transcript_tui.config import load_settings, show

    loaded = load_settings(file=config)
    typer.echo(show(loaded))
    remark(_in_vain(loaded))


@_group.command("keys", cls=LightCommand, epilog="Example:\n\n\b\n  transcript-tui config keys")
def _keys(config: options.Config = None) -> None:
    """Print every action with its keys, as they can be set.

    What is printed is a table for the settings file; a row is enough to change its keys.
    """
    from transcript_tui.config import load_settings
    from transcript_tui.ui.actions import ACTIONS
    from transcript_tui.ui.keymap import keymap

    keys = keymap(load_settings(file=config).settings.keys).keys
    rows = [(f'{row.id} = "{",".join(keys[row.id])}"', row.text) for row in ACTIONS]
    width = max(len(written) for written, _ in rows)
    typer.echo("[keys]")
    for written, text in rows:
        typer.echo(f"{written:<{width}}  # {text}")


def _in_vain(loaded: Loaded) -> Iterator[str]:
    """What is set and has no effect, where a viewer goes on without it."""
    from transcript_tui.config import place_of, themes_folder
    from transcript_tui.errors import UsageError
    from transcript_tui.ui.keymap import keymap
    from transcript_tui.ui.themes import check_theme

    try:
        check_theme(loaded.settings.theme, themes_folder())
    except UsageError as error:
        yield f"{place_of(loaded, 'theme')}: {error.in_full}"
    for one in keymap(loaded.settings.keys).complaints:
        yield f"{place_of(loaded, 'keys', one.action)}: {one.text}"


def _themes() -> None:
    """List the themes.

    Those that are shipped, then your own: a TOML file each in the folder `themes` beside the
    settings file. A file that cannot be used is named, with the line and what is wrong there.
    """
    from transcript_tui.cli.complaints import remark
    from transcript_tui.config import themes_folder
    from transcript_tui.text import label
    from transcript_tui.ui.themes import load_themes, shipped_folder

    themes, broken = load_themes(themes_folder())
    width = max(map(len, themes))
    for name, theme in themes.items():
        # A user's own may be somebody else's: what it says of itself is gated.
        typer.echo(f"{name:<{width}}  {label(theme.about)}".rstrip())
    remark(
        [
            f"Your own go into {themes_folder()}, a TOML file each; "
            f"{shipped_folder() / 'dusk.toml'} shows all that can be set.",
            *map(str, broken),
        ]
    )


def add_to(app: typer.Typer) -> None:
    app.add_typer(_group, name="config")
    app.command("themes", cls=LightCommand, epilog=THEMES_EXAMPLE)(_themes)
