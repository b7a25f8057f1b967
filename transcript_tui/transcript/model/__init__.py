"""The transcript: what the folded events amount to, at any position.

``Transcript.entries`` is the one ordered list that everything shown comes from. It only
ever grows at its end: an entry is *born* at one stamp and may be *dropped* at a later one
(a snapshot that leaves it out), it never moves. An entry's ``key`` is its index in that
list: stable, unique, the identity that views use (protocol ids may repeat).

Entries hold their whole history. To look at one, ask ``entry.at(position)``: a frozen
value. A view therefore reads only what it shows, at whatever position it is.
"""

from transcript_tui.transcript.model.dividers import (
    Cut,
    Ending,
    Passthrough,
    Rejection,
    Run,
    RunEnd,
    RunEnding,
    RunStart,
    Step,
    Subagent,
    SubagentEnding,
)
from transcript_tui.transcript.model.entry import MANY, NEVER, NOTHING, Entry
from transcript_tui.transcript.model.message import Body, Message, MessageView
from transcript_tui.transcript.model.toolcall import (
    Sealed,
    ToolCall,
    ToolCallView,
    ToolState,
    sealed_at,
)

__all__ = [
    "MANY", "NEVER", "NOTHING", "AnyEntry", "Body", "Cut", "Ending", "Entry", "Message",
    "MessageView", "Passthrough", "Rejection", "Run", "RunEnd", "RunEnding", "RunStart", "Sealed",
    "Step", "Subagent", "SubagentEnding", "ToolCall", "ToolCallView", "ToolState", "sealed_at",
]  # fmt: skip

AnyEntry = Message | RunStart | RunEnd | Step | Subagent | Passthrough | Rejection | Cut
