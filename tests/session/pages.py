"""Web pages that stand where a stream should, made to cost whoever reads them."""

from __future__ import annotations

from typing import Final

__all__ = ["UNENDED", "of_size"]

UNENDED: Final = (
    "<", "<title>", "<head ", "<script>", "<script ", "</script ", "<!--", "<!-", "<a", "&", "&#",
)  # fmt: skip
"""What begins something that never ends."""


def of_size(shape: str, size: int) -> str:
    """``shape`` again and again, up to so many characters; then once, and as many letters."""
    times = size // 2 // len(shape)
    return shape * times + " " + shape + "a" * (size // 2)
