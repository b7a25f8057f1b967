"""The 31 event kinds, as they are after enforcement.

``Event`` is the closed union; ``KINDS`` (type name → class) is read off it. Chunk
kinds exist on the wire only: verification and everything after it see
``Expanded`` events, which have none.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from transcript_tui.protocol.shapes import (
    ContentPart,
    Message,
    Metadata,
    NotNull,
    Outcome,
    Patch,
    RunAgentInput,
    SubagentOutcome,
    TextRole,
    TokenUsage,
)

Timestamp = Annotated[int, Meta(ge=-(2**53 - 1), le=2**53 - 1)]
"""Milliseconds since the epoch by convention; informational, never used to order."""


class BaseEvent(
    Struct,
    frozen=True,
    kw_only=True,
    rename="camel",
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    timestamp: Timestamp | UnsetType = UNSET
    raw_event: NotNull | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class OwnedEvent(BaseEvent, frozen=True, kw_only=True):
    subagent_run_id: str | UnsetType = UNSET
    """The owner: which subagent invocation this belongs to; absent = the parent agent."""


class TextMessageStart(OwnedEvent, tag="TEXT_MESSAGE_START", frozen=True, kw_only=True):
    message_id: str
    role: TextRole | UnsetType = UNSET
    name: str | UnsetType = UNSET


class TextMessageContent(OwnedEvent, tag="TEXT_MESSAGE_CONTENT", frozen=True, kw_only=True):
    message_id: str
    delta: str


class TextMessageEnd(OwnedEvent, tag="TEXT_MESSAGE_END", frozen=True, kw_only=True):
    message_id: str


class TextMessageChunk(OwnedEvent, tag="TEXT_MESSAGE_CHUNK", frozen=True, kw_only=True):
    message_id: str | UnsetType = UNSET
    role: TextRole | UnsetType = UNSET
    name: str | UnsetType = UNSET
    delta: str | UnsetType = UNSET


class ToolCallStart(OwnedEvent, tag="TOOL_CALL_START", frozen=True, kw_only=True):
    tool_call_id: str
    tool_call_name: str
    parent_message_id: str | UnsetType = UNSET


class ToolCallArgs(OwnedEvent, tag="TOOL_CALL_ARGS", frozen=True, kw_only=True):
    tool_call_id: str
    delta: str


class ToolCallEnd(OwnedEvent, tag="TOOL_CALL_END", frozen=True, kw_only=True):
    tool_call_id: str


class ToolCallChunk(OwnedEvent, tag="TOOL_CALL_CHUNK", frozen=True, kw_only=True):
    tool_call_id: str | UnsetType = UNSET
    tool_call_name: str | UnsetType = UNSET
    parent_message_id: str | UnsetType = UNSET
    delta: str | UnsetType = UNSET


class ToolCallResult(OwnedEvent, tag="TOOL_CALL_RESULT", frozen=True, kw_only=True):
    message_id: str
    tool_call_id: str
    content: str | list[ContentPart]
    role: Literal["tool"] | UnsetType = UNSET


class StateSnapshot(OwnedEvent, tag="STATE_SNAPSHOT", frozen=True, kw_only=True):
    snapshot: Any


class StateDelta(OwnedEvent, tag="STATE_DELTA", frozen=True, kw_only=True):
    delta: Patch


class MessagesSnapshot(BaseEvent, tag="MESSAGES_SNAPSHOT", frozen=True, kw_only=True):
    messages: list[Message]


class ActivitySnapshot(OwnedEvent, tag="ACTIVITY_SNAPSHOT", frozen=True, kw_only=True):
    message_id: str
    activity_type: str
    content: dict[str, Any]
    replace: bool | UnsetType = UNSET


class ActivityDelta(OwnedEvent, tag="ACTIVITY_DELTA", frozen=True, kw_only=True):
    message_id: str
    activity_type: str
    patch: Patch


class Raw(OwnedEvent, tag="RAW", frozen=True, kw_only=True):
    event: Any
    source: str | UnsetType = UNSET


class Custom(OwnedEvent, tag="CUSTOM", frozen=True, kw_only=True):
    name: str
    value: Any


class RunStarted(BaseEvent, tag="RUN_STARTED", frozen=True, kw_only=True):
    thread_id: str
    run_id: str
    protocol_version: str | UnsetType = UNSET
    parent_run_id: str | UnsetType = UNSET
    input: RunAgentInput | UnsetType = UNSET


class RunFinished(BaseEvent, tag="RUN_FINISHED", frozen=True, kw_only=True):
    thread_id: str
    run_id: str
    result: NotNull | UnsetType = UNSET
    outcome: Outcome | UnsetType = UNSET
    usage: list[TokenUsage] | UnsetType = UNSET


class RunError(BaseEvent, tag="RUN_ERROR", frozen=True, kw_only=True):
    message: str
    code: str | UnsetType = UNSET
    usage: list[TokenUsage] | UnsetType = UNSET


class StepStarted(OwnedEvent, tag="STEP_STARTED", frozen=True, kw_only=True):
    step_name: str


class StepFinished(OwnedEvent, tag="STEP_FINISHED", frozen=True, kw_only=True):
    step_name: str


class ReasoningStart(OwnedEvent, tag="REASONING_START", frozen=True, kw_only=True):
    message_id: str


class ReasoningMessageStart(OwnedEvent, tag="REASONING_MESSAGE_START", frozen=True, kw_only=True):
    message_id: str
    role: Literal["reasoning"]


class ReasoningMessageContent(
    OwnedEvent, tag="REASONING_MESSAGE_CONTENT", frozen=True, kw_only=True
):
    message_id: str
    delta: str


class ReasoningMessageEnd(OwnedEvent, tag="REASONING_MESSAGE_END", frozen=True, kw_only=True):
    message_id: str


class ReasoningMessageChunk(OwnedEvent, tag="REASONING_MESSAGE_CHUNK", frozen=True, kw_only=True):
    message_id: str | UnsetType = UNSET
    delta: str | UnsetType = UNSET


class ReasoningEnd(OwnedEvent, tag="REASONING_END", frozen=True, kw_only=True):
    message_id: str


class ReasoningEncryptedValue(
    OwnedEvent, tag="REASONING_ENCRYPTED_VALUE", frozen=True, kw_only=True
):
    subtype: Annotated[Literal["tool-call", "message"], Meta(extra={"set": "open"})]
    """Another string is unrecognised, not malformed (events/reasoning, "Error Handling")."""
    entity_id: str
    encrypted_value: str
    encrypted_value_type: str | UnsetType = UNSET
    """New in 1.1; stored and returned with the value, never read."""


class SubagentStarted(BaseEvent, tag="SUBAGENT_STARTED", frozen=True, kw_only=True):
    subagent_run_id: str
    name: str
    description: str | UnsetType = UNSET
    parent_subagent_run_id: str | UnsetType = UNSET
    parent_tool_call_id: str | UnsetType = UNSET
    parent_message_id: str | UnsetType = UNSET


class SubagentFinished(BaseEvent, tag="SUBAGENT_FINISHED", frozen=True, kw_only=True):
    subagent_run_id: str
    result: NotNull | UnsetType = UNSET
    outcome: SubagentOutcome | UnsetType = UNSET


class SubagentError(BaseEvent, tag="SUBAGENT_ERROR", frozen=True, kw_only=True):
    subagent_run_id: str
    message: str
    code: str | UnsetType = UNSET


Chunk = TextMessageChunk | ToolCallChunk | ReasoningMessageChunk

Expanded = (
    TextMessageStart
    | TextMessageContent
    | TextMessageEnd
    | ToolCallStart
    | ToolCallArgs
    | ToolCallEnd
    | ToolCallResult
    | StateSnapshot
    | StateDelta
    | MessagesSnapshot
    | ActivitySnapshot
    | ActivityDelta
    | Raw
    | Custom
    | RunStarted
    | RunFinished
    | RunError
    | StepStarted
    | StepFinished
    | ReasoningStart
    | ReasoningMessageStart
    | ReasoningMessageContent
    | ReasoningMessageEnd
    | ReasoningEnd
    | ReasoningEncryptedValue
    | SubagentStarted
    | SubagentFinished
    | SubagentError
)

Event = Expanded | Chunk

KINDS: dict[str, type[BaseEvent]] = {kind.__struct_config__.tag: kind for kind in get_args(Event)}
"""Type name on the wire → class: read off the union, 31 of them."""
