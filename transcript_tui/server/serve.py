"""A recording, log or scenario as an AG-UI endpoint."""

from __future__ import annotations

import asyncio
import errno
import math
import socket
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from transcript_tui.errors import UsageError
from transcript_tui.log import log_file, unforeseen
from transcript_tui.server.answer import EventAnswer, Faults
from transcript_tui.server.script import Script, ScriptRun
from transcript_tui.session.clock import Clock, RealClock
from transcript_tui.wire import jsontext

__all__ = ["ServeOptions", "app", "serve", "serving"]

_BODILESS: Final = (204, 205, 304)
"""Statuses whose answers hold nothing; a body is an error of the server (RFC 9110, 15)."""
THREADS: Final = 1024
"""Threads whose turn is remembered; the oldest is forgotten first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    host: str = "127.0.0.1"
    port: int = 0
    """0: a free one."""
    speed: float = 1.0
    """``math.inf``: as fast as it goes."""
    idle_cap: float = math.inf
    """Seconds that a gap lasts at most."""
    loop: bool = False
    """A GET never ends; after the last run a POST gets the first one again."""
    all_runs: bool = False
    """A POST gets every run, not the next one."""
    cors: str | None = None
    """Origin that may ask from a browser; ``*``: any."""
    faults: Faults = field(default_factory=Faults)

    @property
    def exposed(self) -> bool:
        """Other machines can reach it: worth a warning."""
        return self.host not in ("127.0.0.1", "::1", "localhost")


def app(script: Script, options: ServeOptions, *, clock: Clock | None = None) -> Starlette:
    """The endpoint: every path takes GET and POST alike."""
    endpoint = _Endpoint(script, options, clock or RealClock())
    middleware = []
    if options.cors is not None:
        middleware.append(
            Middleware(
                CORSMiddleware,
                allow_origins=[options.cors],
                allow_methods=["GET", "POST"],
                allow_headers=["*"],
            )
        )
    route = Route("/{path:path}", endpoint.answer, methods=["GET", "POST"])
    return Starlette(routes=[route], middleware=middleware)


class _Endpoint:
    def __init__(self, script: Script, options: ServeOptions, clock: Clock) -> None:
        self._script = script
        self._options = options
        self._clock = clock
        self._turns: OrderedDict[str, int] = OrderedDict()
        """Thread → answers that it has got."""

    async def answer(self, request: Request) -> Response:
        status = self._options.faults.status
        if status is not None:
            if status in _BODILESS:
                return Response(status_code=status)
            return JSONResponse({"detail": f"serve was asked to answer {status}"}, status)
        if request.method in ("GET", "HEAD"):
            return self._stream(self._script.whole(), loop=self._options.loop)
        try:
            sent = jsontext.parse(await request.body())
        except jsontext.NotJson as error:
            return JSONResponse({"detail": f"the body is not JSON: {error}"}, 400)
        if not isinstance(sent, dict):
            return JSONResponse({"detail": "the body is no RunAgentInput"}, 422)
        return self._next(sent)

    def _next(self, sent: dict[str, Any]) -> Response:
        thread, run_id = _text(sent.get("threadId")), _text(sent.get("runId"))
        runs = self._script.runs
        turn = self._turns.pop(thread or "", 0)
        if self._options.all_runs or not runs:
            # Run ids must differ on a stream, so only a single run can take the request's.
            only = run_id if len(runs) == 1 else None
            self._got(thread, turn + 1)
            return self._stream(self._script.whole(), thread=thread, run_id=only, round=turn)
        if turn >= len(runs) and not self._options.loop:
            self._got(thread, turn)
            sent_all = f"all {len(runs)} runs were" if len(runs) > 1 else "the only run was"
            said = f"{sent_all} sent to this thread; --loop begins again"
            return JSONResponse({"detail": said}, 410)
        self._got(thread, turn + 1)
        round, which = divmod(turn, len(runs))
        return self._stream(runs[which], thread=thread, run_id=run_id, round=round)

    def _got(self, thread: str | None, turns: int) -> None:
        self._turns[thread or ""] = turns
        if len(self._turns) > THREADS:
            self._turns.popitem(last=False)

    def _stream(
        self,
        run: ScriptRun,
        *,
        loop: bool = False,
        thread: str | None = None,
        run_id: str | None = None,
        round: int = 0,
    ) -> Response:
        answer = EventAnswer(
            run,
            clock=self._clock,
            faults=self._options.faults,
            speed=self._options.speed,
            idle_cap=self._options.idle_cap,
            loop=loop,
            thread=thread,
            run_id=run_id,
            round=round,
        )
        return _Answer(answer)


class _Answer(Response):
    """Starlette wants a ``Response``; all that it does with one is to call it."""

    def __init__(self, answer: EventAnswer) -> None:
        super().__init__()
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(scope, receive, send)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


# Running -----------------------------------------------------------------------------------


class _Announced(uvicorn.Server):
    """A server that says so when it can be asked, and stopped: its signals are caught by then."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._announce()


class _Guest(uvicorn.Server):
    """A server inside somebody else's event loop: signals are not its business."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _listen(options: ServeOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = (getattr(error, "strerror", None) or str(error)).lower().rstrip(".")
        raise UsageError(
            f"{options.host}:{options.port} cannot be listened at: {reason}.", _what_to_do(error)
        ) from None
    return listener


def _what_to_do(error: Exception) -> str:
    if isinstance(error, socket.gaierror) or getattr(error, "errno", 0) == errno.EADDRNOTAVAIL:
        return "--host must be an address or a name of this machine."
    return "Choose another port with --port; 0 takes a free one."


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _config(application: Starlette, failed: Failed) -> uvicorn.Config:
    # uvicorn's own log would go to the terminal that a viewer is drawn on.
    return uvicorn.Config(
        _telling(application, failed),
        log_config=None,
        log_level="critical",
        lifespan="off",
        timeout_graceful_shutdown=1,
        server_header=False,
    )


Failed = Callable[[Exception], object]
"""Told of what nobody foresaw; the client sees only that its connection broke off."""


def _log(error: Exception) -> None:
    unforeseen(error, log_file())


def _telling(application: Starlette, failed: Failed) -> ASGIApp:
    async def told(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await application(scope, receive, send)
        except Exception as error:
            failed(error)
            raise

    return told


def serve(
    script: Script,
    options: ServeOptions,
    announce: Callable[[str], None],
    failed: Failed = _log,
) -> None:
    """Serve until Ctrl+C or SIGTERM; ``announce`` gets the URL once it can be asked.

    Raises :class:`UsageError` where the address is taken.
    """
    listener = _listen(options)
    try:
        config = _config(app(script, options), failed)
        _Announced(config, lambda: announce(_url(listener))).run(sockets=[listener])
    finally:
        listener.close()


@asynccontextmanager
async def serving(
    script: Script,
    options: ServeOptions | None = None,
    *,
    clock: Clock | None = None,
    failed: Failed = _log,
) -> AsyncIterator[str]:
    """Serve inside this event loop; yields the URL, which can be asked at once."""
    options = options or ServeOptions()
    listener = _listen(options)
    server = _Guest(_config(app(script, options, clock=clock), failed))
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield _url(listener)
    finally:
        server.should_exit = server.force_exit = True
        await asyncio.wait({running})
        listener.close()
