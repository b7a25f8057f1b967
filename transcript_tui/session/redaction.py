"""What must not be shown, logged or recorded of an address: user info and secret query values."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit, urlunsplit

__all__ = ["HIDDEN", "hide", "safe_url"]

HIDDEN: Final = "…"

_SECRET_NAME: Final = re.compile(
    r"token|key|secret|passw|pwd|(^|[^a-z])sig(n|nature)?($|[^a-z])|signature|auth|credential"
    r"|session|jwt|bearer|code|(^|[^a-z])sas($|[^a-z])|access",
    re.IGNORECASE,
)


def safe_url(url: str) -> str:
    """``url`` without user info, without its fragment, secret-looking query values replaced.

    Never fails: what cannot be taken apart loses everything after its first ``?`` or ``@``.
    """
    try:
        parts = urlsplit(url)
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return url.rpartition("@")[2].partition("?")[0].partition("#")[0]
    query = "&".join(_safe_pair(pair) for pair in parts.query.split("&")) if parts.query else ""
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def _safe_pair(pair: str) -> str:
    name, equals, _ = pair.partition("=")
    return f"{name}={HIDDEN}" if equals and _SECRET_NAME.search(name) else pair


def hide(text: str, secrets: Iterable[str]) -> str:
    """``text`` with every one of ``secrets`` replaced: an answer may echo what it was sent."""
    for secret in secrets:
        # Shorter ones are words that occur anyway ("no-cache", "en"), and hide nothing.
        if len(secret) >= 6:
            text = text.replace(secret, HIDDEN)
    return text
