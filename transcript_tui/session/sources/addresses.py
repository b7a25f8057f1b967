"""Addresses of endpoints: what is one, where a redirection leads, who else learns of it."""

from __future__ import annotations

import httpx

from transcript_tui.errors import UsageError
from transcript_tui.session.redaction import safe_url
from transcript_tui.session.sources import answers

__all__ = ["no_endpoint", "parse", "redirect", "same_host", "sent_elsewhere"]


def parse(text: str) -> httpx.URL:
    text = text.strip()
    try:
        url = httpx.URL(text if "://" in text else f"http://{text}")
    except (httpx.InvalidURL, ValueError, UnicodeError):
        raise no_endpoint(safe_url(text)) from None
    if url.scheme not in ("http", "https") or not url.host or (url.port or 0) > 65535:
        raise no_endpoint(safe_url(text))
    return url


def no_endpoint(shown: str) -> UsageError:
    return UsageError(
        f"{shown!r} is no address of an HTTP endpoint.", "Write it like http://127.0.0.1:8000/."
    )


def redirect(response: httpx.Response) -> httpx.URL | None:
    """Where it sends us; raises :class:`AnswerRefused` where we cannot go there."""
    if not response.has_redirect_location:
        return None
    location = response.headers["location"]
    try:
        url = response.url.join(location)
    except (httpx.InvalidURL, ValueError, UnicodeError):
        url = None
    if url is None or url.scheme not in ("http", "https") or not url.host:
        raise answers.leads_away(safe_url(str(response.url)), safe_url(location))
    return url


def sent_elsewhere(url: httpx.URL, method: str) -> str:
    """What a redirection to another host has told that host."""
    sent = (
        "the run's input was sent there, but no header or password of yours"
        if method == "POST"
        else "no header or password of yours was sent there"
    )
    return f"Redirected to {safe_url(str(url))}; {sent}."


def same_host(one: httpx.URL, other: httpx.URL) -> bool:
    """Same host and port; plain HTTP may become HTTPS, never the other way round."""
    if one.host != other.host:
        return False
    if one.scheme == other.scheme:
        return _port(one) == _port(other)
    return one.scheme == "http" and (_port(one), _port(other)) == (80, 443)


def _port(url: httpx.URL) -> int:
    return url.port or (443 if url.scheme == "https" else 80)
