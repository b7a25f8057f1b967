"""An AG-UI endpoint over HTTP: one request, its answer's bytes as they come.

``httpx-sse`` opens the request (what ``Accept`` and ``Cache-Control`` an event stream wants);
the bytes are framed by :mod:`transcript_tui.wire`, which says why.
"""

from __future__ import annotations

import asyncio
import logging
import random
import re
import ssl
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import AsyncExitStack, aclosing, suppress
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Final

import httpx
from httpx_sse import aconnect_sse

from transcript_tui.errors import (
    AnswerRefused,
    ConnectionFailed,
    SourceError,
    UsageError,
    not_readable,
)
from transcript_tui.session.clock import Clock, RealClock
from transcript_tui.session.redaction import header_secrets, hide, safe_url, url_secrets
from transcript_tui.session.sources import addresses, answers, bodies
from transcript_tui.session.sources.headers import Headers
from transcript_tui.session.sources.proxies import proxy_for
from transcript_tui.session.sources.source import Lost, Note, Opened, Received, Waiting
from transcript_tui.wire import jsontext
from transcript_tui.wire.reader import BINARY

__all__ = ["HttpRequest", "HttpSource"]

MAX_REDIRECTS: Final = 10
BODY: Final = 65_536
"""Bytes read of an answer that is no stream."""
PATIENCE: Final = 5.0
"""Seconds that the rest of such an answer may take."""
BACKOFF: Final = (0.5, 30.0)
"""Seconds before the first try again, and at most."""
PUT_OFF: Final = 3600.0
"""Seconds that a server may put off the next try by at most."""
HELD: Final = 5.0
"""Seconds after which a connection has held, however long it was waited for."""

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """What is asked, of whom, and how."""

    url: str
    run_input: Mapping[str, Any] | None = None
    """POSTed; ``None``: GET."""
    headers: Headers = ()
    """Sent to the host of ``url`` only, and never shown."""
    timeout: float = 10.0
    """Seconds to connect in. A stream may be silent for as long as it likes."""
    cacert: Path | None = None
    insecure: bool = False
    reconnect: bool = False
    """Ask again after a drop (GET only)."""
    direct: bool = False
    """Ask no proxy, whatever the environment says."""


class _Busy(AnswerRefused):
    """A refusal that may be another answer in a while."""

    after = 0.0
    """Seconds before which it wants to be asked no more."""


class HttpSource:
    """See :class:`~transcript_tui.session.sources.source.Source`."""

    live = True
    is_log = False

    def __init__(self, request: HttpRequest, *, clock: Clock | None = None) -> None:
        if request.reconnect and request.run_input is not None:
            raise UsageError(
                "A run cannot be resumed by asking for it again.", "--reconnect goes with GET only."
            )
        self._request = request
        self._clock: Clock = clock or RealClock()
        self._authority = _authority(request.cacert)
        self._first = addresses.parse(request.url)
        self._secrets = [*header_secrets(request.headers), *url_secrets(str(self._first))]
        self._last_event_id = ""
        self._answered = False
        self._sent_away = False
        """204 No Content: what an event stream's client takes as *do not come back*."""
        self._jitter = random.Random()
        self._noted: set[str] = set()
        """What was said of one connection is not said of each after it."""

    @property
    def label(self) -> str:
        return safe_url(str(self._first))

    @property
    def url(self) -> str:
        return self.label

    @property
    def method(self) -> str:
        return "GET" if self._request.run_input is None else "POST"

    @property
    def run_input(self) -> Mapping[str, Any] | None:
        return self._request.run_input

    async def receive(self) -> AsyncGenerator[Received, None]:
        # httpx's own log lines hold the address as it is, secrets and all.
        logging.getLogger("httpx").setLevel(logging.WARNING)
        tries, wait = 0, 0.0
        while True:
            asked, answered, put_off = self._clock.now(), False, 0.0
            try:
                async with aclosing(self._connection()) as connection:
                    async for received in connection:
                        answered = answered or isinstance(received, Opened)
                        if not (isinstance(received, Note) and self._is_known(received)):
                            yield received
            except SourceError as error:
                if not self._request.reconnect or not self._worth_another_try(error):
                    raise
                put_off = error.after if isinstance(error, _Busy) else 0.0
                yield Lost(error)
            if not self._request.reconnect or self._sent_away:
                return
            # A connection that held makes the next wait short again, however late its events came;
            # one event and an end does not, or that would be asked for at this pace for ever. (An
            # EventSource waits a few seconds each time, and lets the server say how many; its
            # clients with a backoff ask for a connection that held, too.)
            if answered and self._clock.now() - asked >= min(max(wait, BACKOFF[0]), HELD):
                tries = 0
            wait = max(put_off, _backoff(tries) * self._jitter.uniform(0.5, 1.0))
            tries += 1
            hurried = asyncio.Event()
            yield Waiting(wait, hurried.set)
            await _first_of(self._clock.sleep(wait), hurried.wait())

    def _is_known(self, note: Note) -> bool:
        known = note.text in self._noted
        self._noted.add(note.text)
        return known

    def _worth_another_try(self, error: SourceError) -> bool:
        """A drop, or a server that is just starting again; not one that never answered."""
        return self._answered and isinstance(error, ConnectionFailed | _Busy)

    # One connection ------------------------------------------------------------------------

    async def _connection(self) -> AsyncGenerator[Received, None]:
        async with AsyncExitStack() as stack:
            url, method, headers = self._first, self.method, self._own_headers()
            for _ in range(MAX_REDIRECTS + 1):
                proxy = None if self._request.direct else proxy_for(url)
                client = await stack.enter_async_context(self._client(url, proxy))
                response = await self._ask(stack, client, method, url, headers, proxy)
                onward = addresses.redirect(response)
                if onward is None:
                    async with aclosing(self._answer(response, method, url)) as answer:
                        async for received in answer:
                            yield received
                    return
                method = "GET" if response.status_code == 303 else method
                if not addresses.same_host(url, onward):
                    headers = httpx.Headers()
                    yield Note(addresses.sent_elsewhere(onward, method))
                    onward = onward.copy_with(username=None, password=None)
                else:
                    onward = onward.copy_with(username=url.username, password=url.password)
                url = onward
            raise AnswerRefused(
                f"{self.label} redirects more than {MAX_REDIRECTS} times.", "Check the address."
            )

    def _client(self, url: httpx.URL, proxy: str | None) -> httpx.AsyncClient:
        try:
            return httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=self._request.timeout),
                verify=self._trust(url),
                proxy=proxy,
                trust_env=False,
                follow_redirects=False,
            )
        except (ValueError, ImportError, httpx.InvalidURL):
            raise answers.no_such_proxy(safe_url(proxy or ""), safe_url(str(url))) from None

    def _trust(self, url: httpx.URL) -> ssl.SSLContext | bool:
        """What httpx takes as ``verify``."""
        if url.scheme == "http":
            # The authorities that everybody trusts take a tenth of a second to read, and
            # nobody is asked for a certificate here.
            return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if self._request.insecure:
            return False
        # Those of ``--cacert``, else of SSL_CERT_FILE and SSL_CERT_DIR, else certifi's.
        return self._authority or httpx.create_ssl_context()

    def _own_headers(self) -> httpx.Headers:
        """The user's, a repeated one joined; in UTF-8, as curl sends them."""
        headers = httpx.Headers(encoding="utf-8")
        for name, value in self._request.headers:
            headers[name] = f"{headers[name]}, {value}" if name in headers else value
        if self._last_event_id:
            headers["Last-Event-ID"] = self._last_event_id
        return headers

    async def _ask(
        self,
        stack: AsyncExitStack,
        client: httpx.AsyncClient,
        method: str,
        url: httpx.URL,
        headers: httpx.Headers,
        proxy: str | None,
    ) -> httpx.Response:
        content = None
        sent = headers.copy()
        if method == "POST":
            content = jsontext.dumps(self._request.run_input).encode("utf-8", "replace")
            sent.setdefault("Content-Type", "application/json")
        try:
            source = await stack.enter_async_context(
                aconnect_sse(client, method, str(url), headers=sent, content=content)
            )
        except (httpx.HTTPError, OSError, UnicodeError) as error:
            _LOG.debug("no answer: %s", type(error).__name__)
            where, timeout = safe_url(str(url)), self._request.timeout
            if isinstance(error, httpx.RemoteProtocolError) and "location header" in str(error):
                raise answers.leads_nowhere(where) from None
            if proxy is None:
                raise answers.no_answer(error, where, timeout) from None
            raise answers.no_way(error, where, timeout, safe_url(proxy)) from None
        except httpx.InvalidURL:
            raise addresses.no_endpoint(safe_url(str(url))) from None
        return source.response

    async def _answer(
        self, response: httpx.Response, method: str, url: httpx.URL
    ) -> AsyncGenerator[Received, None]:
        where = safe_url(str(url))
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if response.status_code >= 300:
            body = hide(await self._body(response), self._secrets)
            status, reason = response.status_code, response.reason_phrase
            error = answers.refused(status, reason, method, where, body, kind)
            if status < 500 and status != 429:
                raise error
            busy = _Busy(str(error), error.hint, error.body)
            busy.after = _put_off(response.headers.get("retry-after", ""), self._clock.wall())
            raise busy
        self._sent_away = response.status_code == 204
        self._answered = True
        keep_id = self._keep_id if self._request.reconnect else None
        async with aclosing(bodies.chunks_of(response, where)) as chunks:
            if kind == "text/event-stream":
                yield Opened("sse", keep_id=keep_id)
            else:
                head = await bodies.look(chunks)
                self._judge(head, kind, where)
                yield Opened(keep_id=keep_id)
                if kind:
                    yield Note(
                        f"{where} calls this {kind}, not text/event-stream; "
                        "it is read all the same."
                    )
                yield head
            async for chunk in chunks:
                yield chunk

    def _judge(self, head: bytes, kind: str, where: str) -> None:
        """Is it events, whatever it is called? Raises :class:`AnswerRefused` where it is not."""
        if not head.strip() or bodies.looks_like_events(head):
            return
        if kind == BINARY:
            raise answers.binary(where)
        body = hide(head.decode("utf-8", "replace"), self._secrets)
        gist = answers.body_gist(body, kind)
        said = f" It says: {gist}" if gist else ""
        if "html" in kind or head.lstrip()[:1] == b"<":
            raise AnswerRefused(
                f"{where} answers with a web page, not with an event stream.{said}",
                "This is often a sign-in page: check the address and the credentials.",
                body,
            )
        named = f"{kind}, not text/event-stream" if kind else "something that is no event stream"
        raise AnswerRefused(
            f"{where} answers with {named}.{said}",
            "Check that the URL is that of an AG-UI agent.",
            body,
        )

    async def _body(self, response: httpx.Response) -> str:
        """What an error says; never waits long for it, never reads much of it."""
        body = bytearray()

        async def read() -> None:
            # Where it breaks off, what was read is what can be said.
            with suppress(httpx.HTTPError, OSError):
                async with bodies.closing(bodies.unpacked(response)) as chunks:
                    async for chunk in chunks:
                        body.extend(chunk)
                        if len(body) > BODY:
                            return

        await _first_of(read(), self._clock.sleep(PATIENCE))
        return bytes(body[:BODY]).decode("utf-8", "replace")

    def _keep_id(self, said: str) -> None:
        # What no header can hold is as good as none.
        self._last_event_id = "" if _CONTROLS.search(said) else said.strip(" \t")


_CONTROLS: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


async def _first_of(*each: Coroutine[Any, Any, object]) -> None:
    """Until one is done; the others are cancelled, as all are with whoever waits."""
    tasks = [asyncio.create_task(one) for one in each]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled():
            task.result()


def _backoff(tries: int) -> float:
    """Seconds to wait after so many tries in vain, doubled with each up to the most."""
    shortest, longest = BACKOFF
    # A power that is a float's no more would come after a night without an answer.
    return min(longest, shortest * 2.0 ** min(tries, 16))


def _put_off(retry_after: str, now: float) -> float:
    """Seconds that the header ``Retry-After`` asks for, as a number or a date (RFC 9110, 10.2.3);
    0 where it is neither. ``now`` is in seconds since the epoch."""
    asked = retry_after.strip()
    if asked.isascii() and asked.isdigit():
        return min(PUT_OFF, float(asked[:9]))
    try:
        at = parsedate_to_datetime(asked)
    except ValueError:
        return 0.0
    return min(PUT_OFF, max(0.0, at.replace(tzinfo=at.tzinfo or UTC).timestamp() - now))


def _authority(cacert: Path | None) -> ssl.SSLContext | None:
    """Trust in what the file holds; raises :class:`UsageError` where that is nothing."""
    if cacert is None:
        return None
    try:
        return ssl.create_default_context(cafile=str(cacert))
    except ssl.SSLError:
        raise UsageError(
            f"{cacert} holds no certificate in PEM format.",
            "It should begin with -----BEGIN CERTIFICATE-----.",
        ) from None
    except OSError as error:
        raise not_readable(f"certificate file {cacert}", error) from None
