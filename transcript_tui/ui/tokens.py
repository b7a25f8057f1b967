"""Token usage in words, for every view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["token_words"]

_WORDS: Final = {
    "inputTokens": "in",
    "outputTokens": "out",
    "reasoningTokens": "reasoning",
    "cachedInputTokens": "cached",
    "cacheWriteInputTokens": "cache writes",
    "totalTokens": "total",
}


def token_words(counts: Mapping[str, int]) -> list[str]:
    """``3 in``, ``1,200 cached``: the counts of ``statistics.counted``; an absent one is not
    zero."""
    return [f"{counts[kind]:,} {word}" for kind, word in _WORDS.items() if kind in counts]
