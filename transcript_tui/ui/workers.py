"""Work beside the event loop's turns, begun so that none is left over."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from textual.dom import DOMNode
from textual.worker import Worker


def start(
    host: DOMNode, work: Callable[[], Coroutine[Any, Any, None]], name: str, *, alone: bool = False
) -> Worker[None]:
    """Let a worker of ``host`` do ``work``; ``alone``: one of that name before it is stopped.

    ``work`` is a function. Of a coroutine that no worker came to begin, as the viewer was left in
    that moment, Python warns in the user's terminal; a function is called by the worker alone.
    """
    group = name if alone else "default"
    worker: Worker[None] = host.run_worker(work, name, group, exclusive=alone)
    return worker
