"""The demo: a real endpoint on a free loopback port, watched over HTTP."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from typing import Any

from transcript_tui.server.scenarios import DEFAULT, Scenario, scenario
from transcript_tui.server.serve import ServeOptions, serving
from transcript_tui.session.clock import Clock
from transcript_tui.session.sources.http import HttpRequest, HttpSource
from transcript_tui.session.sources.run_input import build_run_input
from transcript_tui.session.sources.source import Received

__all__ = ["DemoSource", "demo_source"]


class DemoSource:
    """A source that starts its server when it is asked, and stops it at the end."""

    live = True
    is_log = False
    method = "POST"
    url: str | None = None
    """Known once the server listens."""

    def __init__(
        self, shown: Scenario, *, message: str | None, clock: Clock | None, speed: float
    ) -> None:
        self._scenario = shown
        self._clock = clock
        self._speed = speed
        self.run_input: Mapping[str, Any] = build_run_input(
            [message or shown.message], {"runId": "run-1"}, "demo"
        )

    @property
    def label(self) -> str:
        return f"demo {self._scenario.name}"

    async def receive(self) -> AsyncGenerator[Received, None]:
        options = ServeOptions(speed=self._speed, all_runs=True)
        async with serving(self._scenario.load(), options, clock=self._clock) as url:
            self.url = url
            request = HttpRequest(url=url, run_input=self.run_input, direct=True)
            receiving = HttpSource(request, clock=self._clock).receive()
            # Closed before the server is, which would wait for its last client else.
            async with aclosing(receiving):
                async for received in receiving:
                    yield received


def demo_source(
    name: str = DEFAULT,
    *,
    message: str | None = None,
    clock: Clock | None = None,
    speed: float = 1.0,
) -> DemoSource:
    """The scenario ``name`` as a source; raises :class:`UsageError` for an unknown one.

    ``speed`` paces the server, ``math.inf`` as fast as it goes.
    """
    if not speed > 0:
        speed = math.inf
    return DemoSource(scenario(name), message=message, clock=clock, speed=speed)
