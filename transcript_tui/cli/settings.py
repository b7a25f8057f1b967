"""``config show`` and ``themes``: what is set, and what there is to choose from."""

from __future__ import annotations

import typer

from transcript_tui.cli import options
from transcript_tui.cli.parsing import LightCommand, LightGroup

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
    from transcript_tui.config import load_settings, show

    typer.echo(show(load_settings(file=config)))


def _themes() -> None:
    """List the themes.

    Those that are shipped, then your own: a TOML file each in the folder `themes` beside the
    settings file.
    """
    from transcript_tui.cli.complaints import remark
    from transcript_tui.config import themes_folder
    from transcript_tui.ui.text import label
    from transcript_tui.ui.themes import load_themes

    themes, complaints = load_themes(themes_folder())
    width = max(map(len, themes))
    for name, theme in themes.items():
        # A user's own may be somebody else's: what it says of itself is gated.
        typer.echo(f"{name:<{width}}  {label(theme.about)}".rstrip())
    remark(complaints)


def add_to(app: typer.Typer) -> None:
    app.add_typer(_group, name="config")
    app.command("themes", cls=LightCommand, epilog=THEMES_EXAMPLE)(_themes)
