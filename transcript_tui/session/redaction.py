"""What must not be shown, logged or recorded of an address: user info and secret query values."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

__all__ = ["HIDDEN", "header_secrets", "hide", "safe_url", "url_secrets"]

HIDDEN: Final = "…"

_SECRET_NAME: Final = re.compile(
    r"token|key|secret|passw|pwd|(^|[^a-z])sig(n|nature)?($|[^a-z])|signature|auth|credential"
    r"|session|jwt|bearer|code|(^|[^a-z])sas($|[^a-z])|access",
    re.IGNORECASE,
)


def safe_url(url: str) -> str:
    """``url`` without user info, without its fragment, secret-looking query values replaced.

    Never fails: what cannot be taken apart loses everything up to its last ``@`` and from its
    first ``?`` or ``#`` on.
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
        # Where the port is no number, it may be the beginning of a password.
        _ = parts.port
    except ValueError:
        place, *rest = re.split("[?#]", url, maxsplit=1)
        # Where a password ends that has such a sign in it, nobody can tell.
        return HIDDEN if any("@" in one for one in rest) else place.rpartition("@")[2]
    query = "&".join(_safe_pair(pair) for pair in parts.query.split("&")) if parts.query else ""
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def _safe_pair(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}={HIDDEN}" if equals and _SECRET_NAME.search(name) else pair


def url_secrets(url: str) -> list[str]:
    """What :func:`safe_url` leaves out of a valid ``url``, and what of it is sent as a header."""
    parts = urlsplit(url)
    found = [value for name, value in parse_qsl(parts.query) if _SECRET_NAME.search(name)]
    if parts.username is not None or parts.password is not None:
        user, password = unquote(parts.username or ""), unquote(parts.password or "")
        found += [user, password, b64encode(f"{user}:{password}".encode()).decode()]
    return found


def header_secrets(headers: Iterable[tuple[str, str]]) -> list[str]:
    """The values of ``headers``, and a credential also without its scheme (``Bearer``): answers
    quote it so."""
    found: list[str] = []
    for name, value in headers:
        found.append(value)
        if _SECRET_NAME.search(name):
            found.append(value.rpartition(" ")[2])
    return found


def hide(text: str, secrets: Iterable[str]) -> str:
    """``text`` with every one of ``secrets`` replaced: an answer may echo what it was sent."""
    # The longest first: one may be a part of another.
    for secret in sorted(secrets, key=len, reverse=True):
        # Shorter ones are words that occur anyway ("no-cache", "en"), and hide nothing.
        if len(secret) >= 6:
            text = text.replace(secret, HIDDEN)
    return text
