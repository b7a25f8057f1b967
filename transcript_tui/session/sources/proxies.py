"""Which proxy the environment names for an address.

httpx would look for itself, and never say which it took: what went wrong on the way could not
be told from what went wrong at the end of it.
"""

from __future__ import annotations

from urllib.request import getproxies, proxy_bypass

import httpx

__all__ = ["VARIABLES", "proxy_for"]

VARIABLES = "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY"


def proxy_for(url: httpx.URL) -> str | None:
    """The address of the proxy for ``url``, passwords and all; ``None`` = straight there."""
    proxies = getproxies()
    named = proxies.get(url.scheme) or proxies.get("all")
    if not named or proxy_bypass(url.netloc.decode("ascii")):
        return None
    return named if "://" in named else f"http://{named}"
