"""A call later that is sure to come."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from textual.message_pump import MessagePump
from textual.timer import Timer


def after(pump: MessagePump, delay: float, call: Callable[[], object]) -> Timer:
    """Call once, in ``delay`` seconds (more than 0), in ``pump``'s turn.

    Textual's ``set_timer`` skips the only call of a timer whose ``delay`` had gone by before it
    began to wait: a thread or the collector at that moment is enough. Whoever waits for that call
    before it asks for another would wait for ever, as the screen does that paints once a frame.
    """
    timer = Timer(pump, delay, callback=partial(pump.call_next, call), repeat=0, skip=False)
    timer._start()
    # It ends with the pump.
    pump._timers.add(timer)
    return timer
