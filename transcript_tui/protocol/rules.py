"""Every rule id, said once: what it means, which page says so, what to send instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

__all__ = ["FATAL", "RULES", "WARNINGS", "Rule"]

_SSE: Final = "basic/transports/http-sse"
_PROCESSING: Final = "basic/processing"
_VERSIONING: Final = "basic/versioning"
_STREAMING: Final = "basic/patterns/streaming"
_SNAPSHOTS: Final = "basic/patterns/snapshots"
_LIFECYCLE: Final = "events/lifecycle"
_TEXT: Final = "events/text-messages"
_TOOLS: Final = "events/tool-calls"
_REASONING: Final = "events/reasoning"
_ACTIVITY: Final = "events/activity"
_SUBAGENTS: Final = "events/subagents"


@dataclass(frozen=True, slots=True)
class Rule:
    id: str
    fatal: bool
    """A violation rejects the stream; otherwise it is a warning."""
    page: str
    """The page of the specification that says so."""
    title: str
    """A few words for a list."""
    remedy: str
    """What a producer should send, a sentence."""


FATAL: Final = (
    Rule(
        "not-json",
        True,
        _SSE,
        "not a JSON object",
        "Each payload is exactly one event, as one JSON object.",
    ),
    Rule(
        "malformed",
        True,
        _PROCESSING,
        "malformed event",
        "A described field carries a value of its described kind, or is left out where it may be.",
    ),
    Rule(
        "first-event",
        True,
        _LIFECYCLE,
        "wrong first event",
        "A stream begins with RUN_STARTED, or with RUN_ERROR.",
    ),
    Rule(
        "run-nested",
        True,
        _LIFECYCLE,
        "run inside a run",
        "Close a run with RUN_FINISHED or RUN_ERROR before the next RUN_STARTED.",
    ),
    Rule(
        "after-close",
        True,
        _LIFECYCLE,
        "event after the run's end",
        "After RUN_FINISHED only RUN_STARTED or a late RUN_ERROR follows; after RUN_ERROR only "
        "RUN_STARTED.",
    ),
    Rule(
        "run-identity",
        True,
        _LIFECYCLE,
        "run ids disagree",
        "RUN_FINISHED repeats the threadId and runId of its RUN_STARTED, and every run of a "
        "stream has the same threadId.",
    ),
    Rule(
        "open-at-finish",
        True,
        _LIFECYCLE,
        "still open at RUN_FINISHED",
        "Send the END of everything the run opened before RUN_FINISHED, or report RUN_ERROR.",
    ),
    Rule(
        "step-open",
        True,
        _LIFECYCLE,
        "step opened twice",
        "Finish a step before its owner starts one of the same name.",
    ),
    Rule(
        "step-not-open",
        True,
        _LIFECYCLE,
        "step was not open",
        "STEP_FINISHED carries the name and the owner of a STEP_STARTED that is open.",
    ),
    Rule(
        "interrupts",
        True,
        _LIFECYCLE,
        "interrupts missing or doubled",
        "An interrupt outcome lists at least one interrupt, each with an id of its own.",
    ),
    Rule(
        "open-open",
        True,
        _STREAMING,
        "opened twice",
        "Send the END of an item before another START of the same id.",
    ),
    Rule(
        "not-open",
        True,
        _STREAMING,
        "not open",
        "Send the START of an item before its content and its END.",
    ),
    Rule(
        "owner",
        True,
        _SUBAGENTS,
        "owner disagrees",
        "What continues an item carries the subagentRunId of its opener, or none.",
    ),
    Rule(
        "chunk-first",
        True,
        _TEXT,
        "first chunk incomplete",
        "The first chunk of an item carries its id; of a tool call also toolCallName.",
    ),
    Rule(
        "chunk-conflict",
        True,
        _TEXT,
        "chunk contradicts its opener",
        "A later chunk leaves out what the first one established, or repeats it unchanged.",
    ),
    Rule(
        "chunk-ambiguous",
        True,
        _TEXT,
        "chunk without a referent",
        "Where several subagents stream at once, each chunk carries its id or subagentRunId.",
    ),
    Rule(
        "subagent-open",
        True,
        _SUBAGENTS,
        "subagent started twice",
        "End an invocation before its id is started again, or use a new id.",
    ),
    Rule(
        "subagent-reused",
        True,
        _SUBAGENTS,
        "subagent id used again",
        "Each invocation in a run has a subagentRunId of its own.",
    ),
    Rule(
        "subagent-not-open",
        True,
        _SUBAGENTS,
        "subagent was not active",
        "SUBAGENT_FINISHED and SUBAGENT_ERROR name an invocation that was started and runs.",
    ),
    Rule(
        "subagent-parent",
        True,
        _SUBAGENTS,
        "unannounced parent",
        "parentSubagentRunId names an invocation announced earlier in this run.",
    ),
)

WARNINGS: Final = (
    Rule(
        "unknown-event",
        False,
        _PROCESSING,
        "unknown event dropped",
        "Send only the event types of the protocol; CUSTOM carries an application's own.",
    ),
    Rule(
        "unknown-property",
        False,
        _PROCESSING,
        "unknown material removed",
        "Send only what the schema describes; metadata carries extras.",
    ),
    Rule(
        "patch-unknown-op",
        False,
        _PROCESSING,
        "unknown patch operation dropped",
        "RFC 6902 defines add, remove, replace, move, copy and test.",
    ),
    Rule(
        "retired-shape",
        False,
        _VERSIONING,
        "retired shape translated",
        "Send the current shape; leave out optional fields that have no value.",
    ),
    Rule(
        "version",
        False,
        _VERSIONING,
        "protocol version",
        "protocolVersion is MAJOR.MINOR of a published version of the protocol.",
    ),
    Rule(
        "reopen-disagrees",
        False,
        _TEXT,
        "reopened differently",
        "A START for a closed id repeats the role, name and parent it had.",
    ),
    Rule(
        "parent-role",
        False,
        _TOOLS,
        "parent is no assistant message",
        "parentMessageId names an assistant message.",
    ),
    Rule(
        "call-renamed",
        False,
        _TOOLS,
        "tool call renamed",
        "A continued tool call keeps its name.",
    ),
    Rule(
        "id-taken",
        False,
        _STREAMING,
        "id taken by another message",
        "Every message has an id of its own.",
    ),
    Rule(
        "dropped-open",
        False,
        _SNAPSHOTS,
        "open message dropped by a snapshot",
        "A snapshot restates the messages that are still being written.",
    ),
    Rule(
        "patch-failed",
        False,
        _SNAPSHOTS,
        "patch does not apply",
        "Send a snapshot before patches, and patches against what stands.",
    ),
    Rule(
        "activity-missing",
        False,
        _ACTIVITY,
        "no such activity",
        "Create an activity with ACTIVITY_SNAPSHOT before ACTIVITY_DELTA.",
    ),
    Rule(
        "unknown-entity",
        False,
        _REASONING,
        "encrypted value for nobody",
        "entityId names a message or tool call that the consumer holds.",
    ),
    Rule(
        "framing-crlf",
        False,
        _SSE,
        "CR or CRLF line ends",
        "Frame the stream with LF; the reference client reads nothing else.",
    ),
    Rule(
        "framing-end",
        False,
        _SSE,
        "last frame not delimited",
        "End every frame with a blank line.",
    ),
    Rule(
        "framing-bom",
        False,
        _SSE,
        "byte-order mark",
        "Begin the stream without a byte-order mark.",
    ),
    Rule(
        "truncated",
        False,
        _LIFECYCLE,
        "ended with a run open",
        "End every run with RUN_FINISHED or RUN_ERROR, also when something fails.",
    ),
    Rule("empty", False, _SSE, "no event", "Send at least RUN_STARTED or RUN_ERROR."),
)

RULES: Final[dict[str, Rule]] = {rule.id: rule for rule in (*FATAL, *WARNINGS)}
"""Rule id → rule: all of ``protocol.md``'s table."""
