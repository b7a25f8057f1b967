"""What is wrong with an HTTP answer, or with its absence, in sentences."""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Iterator
from typing import Any, Final

import httpx

from transcript_tui.errors import AnswerRefused, ConnectionFailed
from transcript_tui.session.sources.proxies import VARIABLES
from transcript_tui.session.sources.webpage import words
from transcript_tui.wire import jsontext
from transcript_tui.wire.reader import BINARY

__all__ = [
    "CutShort",
    "PackedTwice",
    "binary",
    "body_gist",
    "broken",
    "leads_away",
    "leads_nowhere",
    "no_answer",
    "no_such_proxy",
    "no_way",
    "refused",
]

_GIST: Final = 300
"""Characters of a body that go into the sentence."""


class CutShort(httpx.DecodingError):
    """A compressed answer ended before its end mark."""


class PackedTwice(httpx.DecodingError):
    """A compressed answer is compressed once more: no server does so without meaning harm."""


def refused(
    status: int, reason: str, method: str, where: str, body: str, kind: str
) -> AnswerRefused:
    """The answer has an error status: the run never started. ``kind`` is its content type."""
    known = _STATUSES.get(status, _by_class(status))
    what, hint = known if status != 405 else _not_allowed(method)
    gist = _beyond_the_status(body_gist(body, kind), status, reason)
    said = f" It says: {gist}" if gist else ""
    return AnswerRefused(f"{where} {what} ({status}{_reason(reason)}).{said}", hint, body)


def _beyond_the_status(gist: str, status: int, reason: str) -> str:
    """What a body says besides the status and its name, which most begin with, some twice."""
    said = re.compile(
        rf"(?:{status}|{re.escape(reason)})\b[\s:;.,-]*" if reason else str(status), re.I
    )
    rest = gist
    while found := said.match(rest):
        rest = rest[found.end() :]
    return rest


def binary(where: str) -> AnswerRefused:
    """The answer has the protocol's other encoding."""
    return AnswerRefused(
        f"{where} answers in AG-UI's binary encoding ({BINARY}), which is not read here.",
        "Let the agent heed Accept: text/event-stream, which is sent unless -H says otherwise.",
    )


def leads_nowhere(where: str) -> AnswerRefused:
    """``where`` redirects to what httpx cannot even read."""
    return AnswerRefused(
        f"{where} redirects to what is no address.",
        "Check the address, and what stands before the agent.",
    )


def leads_away(where: str, onward: str) -> AnswerRefused:
    """``where`` redirects to what is no address of an HTTP endpoint."""
    return AnswerRefused(
        f"{where} redirects to {onward}, which is no address of an HTTP endpoint.",
        "Check the address, and what stands before the agent.",
    )


_STATUSES: Final[dict[int, tuple[str, str]]] = {
    400: ("finds the request wrong", "Compare the input with what the agent expects."),
    401: (
        "asks for credentials",
        "Pass them with -H 'Authorization: env:NAME', so that they stay out of the process list.",
    ),
    403: (
        "refuses these credentials",
        "Check which credentials the agent wants, and their rights.",
    ),
    404: ("has nothing at this address", "Check the path of the URL."),
    407: (
        "is behind a proxy that asks for credentials",
        "Put them into HTTP_PROXY: http://user:password@host:port.",
    ),
    406: ("does not offer an event stream here", "Check the path of the URL."),
    410: ("has no more here", "Check the path of the URL."),
    413: ("finds the input too large", "Send fewer or shorter messages."),
    415: ("does not take JSON here", "Check that the URL is that of an AG-UI agent."),
    422: (
        "finds the input invalid",
        "Compare it with a RunAgentInput; --input gives one whole.",
    ),
    429: ("is asked too often", "Wait, and try again."),
    500: ("failed before the run began", "Look at the agent's own log."),
    502: ("could not reach the agent behind it", "Check that the agent is running."),
    503: ("is not available now", "Try again later."),
    504: ("waited too long for the agent behind it", "Check that the agent is running."),
}


def _not_allowed(method: str) -> tuple[str, str]:
    if method == "GET":
        return (
            "does not take GET",
            "An AG-UI agent is asked with POST: say something to it with --message TEXT.",
        )
    return ("does not take POST", "Leave out --message and --input to ask with GET.")


def _by_class(status: int) -> tuple[str, str]:
    if 300 <= status < 400:
        return "redirects to nowhere", "Check the address."
    if status < 500:
        return "refuses the request", "Check the address and the input."
    return "failed before the run began", "Look at the agent's own log."


def _reason(reason: str) -> str:
    return f" {reason}" if reason else ""


# What a body says -------------------------------------------------------------------------


def body_gist(body: str, kind: str) -> str:
    """The one sentence in an answer's body that is for people."""
    if "\0" in body:
        return ""  # no words
    text = _json_gist(body) or (_html_gist(body) if _is_html(body, kind) else "")
    text = " ".join((text or body).split())
    return text if len(text) <= _GIST else text[: _GIST - 1] + "…"


def _is_html(body: str, kind: str) -> bool:
    return "html" in kind or body.lstrip()[:15].lower().startswith(("<!doctype html", "<html"))


def _html_gist(body: str) -> str:
    named, text = words(body)
    return f"{named}: {text}" if named and text and not text.startswith(named) else text or named


def _json_gist(body: str) -> str:
    try:
        value = jsontext.parse(body.encode("utf-8", "replace"))
    except jsontext.NotJson:
        return ""
    return "; ".join(_sayings(value))


def _sayings(value: Any, depth: int = 0) -> Iterator[str]:
    """What an error object says, in the members that usually say it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth < 4:
        for item in value[:5]:
            yield from _sayings(item, depth + 1)
    elif isinstance(value, dict) and depth < 4:
        where = _place(value.get("loc"))
        for name in ("detail", "message", "msg", "error", "error_description", "title", "reason"):
            for text in _sayings(value.get(name), depth + 1):
                yield f"{where}: {text}" if where else text
                return


def _place(loc: Any) -> str:
    """Where in the request the fault is, as pydantic has it: ``body.messages.0.role``."""
    steps = loc if isinstance(loc, list) else []
    return ".".join(step if isinstance(step, str) else jsontext.dumps(step) for step in steps)


# No answer --------------------------------------------------------------------------------


def no_answer(error: Exception, where: str, timeout: float) -> ConnectionFailed:
    """Nothing answered; ``where`` is the address as people may see it."""
    cause = _root(error)
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return ConnectionFailed(
            f"{where} did not answer within {timeout:g} s.",
            "Check the address, or give it longer with --timeout.",
        )
    if isinstance(cause, ssl.SSLError):
        return _tls(cause, where)
    if isinstance(cause, socket.gaierror):
        return ConnectionFailed(
            f"There is no host of the name in {where}.", "Check the spelling and the network."
        )
    if isinstance(error, httpx.RemoteProtocolError) and "disconnected" not in str(error):
        return ConnectionFailed(
            f"What listens at {where} does not speak HTTP.",
            "Check the port, and whether it is HTTPS.",
        )
    if isinstance(error, httpx.RemoteProtocolError | httpx.ReadError):
        return ConnectionFailed(
            f"{where} closed the connection without an answer.",
            "Check that it speaks HTTP (and not HTTPS), and look at the agent's own log.",
        )
    return _by_errno(cause, where)


def no_way(error: Exception, where: str, timeout: float, proxy: str) -> ConnectionFailed:
    """Nothing answered, and a proxy was asked: who is to blame, ``proxy`` or ``where``?"""
    cause = _root(error)
    if isinstance(cause, ssl.SSLError):
        return _tls(cause, where)
    if isinstance(error, httpx.ProxyError):
        said = f"refused: {error}"
    elif isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        said = f"did not answer within {timeout:g} s"
    elif isinstance(cause, socket.gaierror):
        said = "has a name that no host has"
    elif isinstance(cause, ConnectionRefusedError):
        said = "refused the connection"
    else:
        said = "closed the connection without an answer"
    return _by_proxy(proxy, where, said)


def no_such_proxy(proxy: str, where: str) -> ConnectionFailed:
    """The environment names a proxy that httpx cannot use."""
    return _by_proxy(proxy, where, "cannot be used: only http:// and https:// proxies can")


def _by_proxy(proxy: str, where: str, said: str) -> ConnectionFailed:
    return ConnectionFailed(
        f"The proxy {proxy} on the way to {where} {said}.", f"Look at {VARIABLES}."
    )


def _by_errno(cause: BaseException, where: str) -> ConnectionFailed:
    if isinstance(cause, ConnectionRefusedError):
        return ConnectionFailed(
            f"Nothing listens at {where}: the connection was refused.",
            "Start the agent, or check the port.",
        )
    if isinstance(cause, ConnectionError):
        return ConnectionFailed(
            f"{where} closed the connection without an answer.", "Look at the agent's own log."
        )
    reason = (cause.strerror or "") if isinstance(cause, OSError) else ""
    said = f": {reason.lower()}" if reason else ""
    return ConnectionFailed(
        f"{where} could not be reached{said}.", "Check the address and the network."
    )


_CERTIFICATES: Final = {
    9: "Check this machine's clock",
    10: "It has to be renewed",
    62: "Use a name that is in it",
    64: "Use a name that is in it",
}
"""What to do about OpenSSL's verdicts that no other authority would change: not yet valid,
expired, another host, another IP address."""


def _tls(cause: ssl.SSLError, where: str) -> ConnectionFailed:
    if isinstance(cause, ssl.SSLCertVerificationError):
        why = (cause.verify_message or "it could not be verified").rstrip(".")
        to_do = _CERTIFICATES.get(
            cause.verify_code, "Name the authority that signed it with --cacert FILE"
        )
        return ConnectionFailed(
            f"The certificate of {where} is not trusted: {why}.",
            f"{to_do}; --insecure trusts anybody.",
        )
    if "WRONG_VERSION_NUMBER" in str(cause) or "UNKNOWN_PROTOCOL" in str(cause):
        return ConnectionFailed(
            f"{where} does not speak TLS.", "Write http:// instead of https://."
        )
    why = (cause.reason or "no reason given").replace("_", " ").lower()
    return ConnectionFailed(
        f"No secure connection to {where}: {why}.", "Check the address and the port."
    )


def broken(error: Exception, where: str) -> ConnectionFailed:
    """The connection was lost after the answer had begun."""
    if isinstance(error, httpx.DecodingError):
        as_it_is = "-H 'Accept-Encoding: identity' asks for it as it is."
        if isinstance(error, PackedTwice):
            return ConnectionFailed(
                f"The answer of {where} is compressed more than once.", as_it_is
            )
        how = "broke off" if isinstance(error, CutShort) else "is damaged"
        return ConnectionFailed(
            f"The compressed answer of {where} {how}.", f"What came before that is kept; {as_it_is}"
        )
    cause = _root(error)
    if isinstance(cause, ConnectionResetError):
        how = "was reset"
    elif isinstance(error, httpx.RemoteProtocolError):
        how = "was closed in the middle of the answer"
    else:
        how = "was lost"
    return ConnectionFailed(
        f"The connection to {where} {how}.", "What arrived is kept; look at the agent's own log."
    )


def _root(error: BaseException) -> BaseException:
    """The cause that the system named, under httpx's and httpcore's wrappings."""
    seen: set[int] = set()
    cause: BaseException = error
    while id(cause) not in seen:
        seen.add(id(cause))
        below = cause.__cause__ or cause.__context__
        if below is None:
            return _of_group(cause)
        cause = below
    return error


def _of_group(cause: BaseException) -> BaseException:
    # Happy eyeballs: one refusal an address; the first stands for all.
    return _of_group(cause.exceptions[0]) if isinstance(cause, BaseExceptionGroup) else cause
