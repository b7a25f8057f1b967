"""``demo``: a scenario, served by a real endpoint on this machine and watched over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from transcript_tui.cli import options, values
from transcript_tui.cli.parsing import LightCommand, spread

if TYPE_CHECKING:
    from transcript_tui.session.session import Session

SHORT = "Show streaming with nothing to set up."
HELP = """Show streaming with nothing to set up: a real endpoint on a free port of this machine
plays SCENARIO (default: hello), and the viewer watches it over HTTP."""

EXAMPLE = """Examples:

\b
  transcript-tui demo
  transcript-tui demo --list
  transcript-tui demo reopen --buffered"""


def _demo(
    scenario: Annotated[
        str,
        typer.Argument(
            metavar="SCENARIO", help="One of --list.", autocompletion=values.scenario_names
        ),
    ] = "hello",
    *,
    listed: Annotated[bool, typer.Option("--list", help="Name the scenarios.")] = False,
    speed: options.Speed = None,
    keep_going: options.KeepGoing = False,
    view: options.View,
    program: options.Program,
) -> None:
    from transcript_tui.cli.viewing import look, present
    from transcript_tui.server.scenarios import SCENARIOS, no_scenario

    if listed:
        width = max(map(len, SCENARIOS))
        for one in SCENARIOS.values():
            typer.echo(f"{one.name:<{width}}  {one.about}")
        return
    if scenario not in SCENARIOS:
        raise no_scenario(scenario)
    how = look(view, program, speed=speed)

    def open_session() -> Session:
        from transcript_tui.server.demo import demo_source
        from transcript_tui.session.session import Session

        # Plain text is for reading afterwards: it need not wait for the scenario's rhythm.
        pace = speed or (float("inf") if how.plain else 1.0)
        return Session(demo_source(scenario, speed=pace), kind="demo", keep_going=keep_going)

    raise typer.Exit(present(open_session, how, f"demo {scenario}"))


def add_to(app: typer.Typer) -> None:
    app.command("demo", cls=LightCommand, help=HELP, short_help=SHORT, epilog=EXAMPLE)(
        spread(_demo)
    )
