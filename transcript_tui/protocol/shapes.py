"""The protocol's shapes below the event: messages, content parts, tools, outcomes, usage.

Each class is said once, here, and read in two ways: the type checker reads the
annotations, and :mod:`transcript_tui.protocol.enforcement` derives its rules
(what is known, what is required, what a value may be) from the same annotations.
A test compares them with the official models, field by field.

Absent is ``UNSET``, never ``None``: ``null`` is a value of its own in this protocol
(``protocol.md``, ``malformed``).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

__all__ = [
    "ActivityMessage",
    "AddOperation",
    "AssistantMessage",
    "AudioPart",
    "CancelledOutcome",
    "ContentPart",
    "Context",
    "CopyOperation",
    "DataSource",
    "DeveloperMessage",
    "DocumentPart",
    "FileSource",
    "FunctionCall",
    "ImagePart",
    "Interrupt",
    "InterruptOutcome",
    "Message",
    "Metadata",
    "MoveOperation",
    "NotNull",
    "Outcome",
    "Patch",
    "PatchOperation",
    "ReasoningMessage",
    "RemoveOperation",
    "ReplaceOperation",
    "ResumeEntry",
    "Role",
    "RunAgentInput",
    "Source",
    "SubagentOutcome",
    "SubagentSuccess",
    "SubagentSuspended",
    "SuccessOutcome",
    "SystemMessage",
    "TestOperation",
    "TextPart",
    "TextRole",
    "TokenUsage",
    "Tool",
    "ToolCall",
    "ToolMessage",
    "UrlSource",
    "UserMessage",
    "VideoPart",
]

Metadata = dict[str, Any]
"""Open by key: never stripped (basic/metadata)."""

NotNull = dict[str, Any] | list[Any] | str | int | float | bool
"""Any JSON value but ``null``: an optional value that has none is left out, whole."""

Role = Literal["developer", "system", "assistant", "user", "tool", "activity", "reasoning"]
TextRole = Literal["developer", "system", "assistant", "user"]

Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
JsonPointer = Annotated[str, Meta(pattern=r"(?:/(?:[^/~]|~[01])*)*")]
"""RFC 6901; the pattern is matched whole."""


class Shape(
    Struct,
    frozen=True,
    kw_only=True,
    rename="camel",
    omit_defaults=True,
    forbid_unknown_fields=True,
):
    """What every shape below an event shares: camelCase, absent fields absent, closed."""


class TextPart(Shape, tag_field="type", tag="text", frozen=True, kw_only=True):
    text: str
    id: str | UnsetType = UNSET
    metadata: NotNull | UnsetType = UNSET


class DataSource(Shape, tag_field="type", tag="data", frozen=True, kw_only=True):
    value: str
    """Base64; decoded by nobody here, only measured."""
    mime_type: str


class UrlSource(Shape, tag_field="type", tag="url", frozen=True, kw_only=True):
    value: str
    mime_type: str | UnsetType = UNSET


class FileSource(Shape, tag_field="type", tag="file", frozen=True, kw_only=True):
    value: str
    """An opaque handle, never fetched (events/tool-calls)."""
    provider: str | UnsetType = UNSET
    mime_type: str | UnsetType = UNSET


Source = DataSource | UrlSource | FileSource


class MediaPart(Shape, tag_field="type", frozen=True, kw_only=True):
    source: Source
    id: str | UnsetType = UNSET
    metadata: NotNull | UnsetType = UNSET


class ImagePart(MediaPart, tag="image", frozen=True, kw_only=True):
    pass


class AudioPart(MediaPart, tag="audio", frozen=True, kw_only=True):
    pass


class VideoPart(MediaPart, tag="video", frozen=True, kw_only=True):
    pass


class DocumentPart(MediaPart, tag="document", frozen=True, kw_only=True):
    pass


ContentPart = TextPart | ImagePart | AudioPart | VideoPart | DocumentPart


class FunctionCall(Shape, frozen=True, kw_only=True):
    name: str
    arguments: str
    """Text; never required to parse (events/tool-calls)."""


class ToolCall(Shape, frozen=True, kw_only=True):
    id: str
    type: Literal["function"]
    function: FunctionCall
    encrypted_value: str | UnsetType = UNSET
    encrypted_value_type: str | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class MessageShape(Shape, tag_field="role", frozen=True, kw_only=True):
    id: str
    subagent_run_id: str | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class NamedMessage(MessageShape, frozen=True, kw_only=True):
    name: str | UnsetType = UNSET
    encrypted_value: str | UnsetType = UNSET
    encrypted_value_type: str | UnsetType = UNSET


class DeveloperMessage(NamedMessage, tag="developer", frozen=True, kw_only=True):
    content: str


class SystemMessage(NamedMessage, tag="system", frozen=True, kw_only=True):
    content: str


class AssistantMessage(NamedMessage, tag="assistant", frozen=True, kw_only=True):
    content: str | UnsetType = UNSET
    tool_calls: list[ToolCall] | UnsetType = UNSET


class UserMessage(NamedMessage, tag="user", frozen=True, kw_only=True):
    content: str | list[ContentPart]


class ToolMessage(MessageShape, tag="tool", frozen=True, kw_only=True):
    content: str | list[ContentPart]
    tool_call_id: str
    error: str | UnsetType = UNSET
    encrypted_value: str | UnsetType = UNSET
    encrypted_value_type: str | UnsetType = UNSET


class ActivityMessage(MessageShape, tag="activity", frozen=True, kw_only=True):
    activity_type: str
    content: dict[str, Any]


class ReasoningMessage(MessageShape, tag="reasoning", frozen=True, kw_only=True):
    content: str
    encrypted_value: str | UnsetType = UNSET
    encrypted_value_type: str | UnsetType = UNSET


Message = (
    DeveloperMessage
    | SystemMessage
    | AssistantMessage
    | UserMessage
    | ToolMessage
    | ActivityMessage
    | ReasoningMessage
)


class PathOperation(Shape, tag_field="op", frozen=True, kw_only=True, forbid_unknown_fields=False):
    """RFC 6902. Extra members are open: kept, never stripped.

    Only enforcement reads these shapes; operations are delivered as they came (``Patch``).
    """

    path: JsonPointer


class AddOperation(PathOperation, tag="add", frozen=True, kw_only=True):
    value: Any


class RemoveOperation(PathOperation, tag="remove", frozen=True, kw_only=True):
    pass


class ReplaceOperation(PathOperation, tag="replace", frozen=True, kw_only=True):
    value: Any


class MoveOperation(PathOperation, tag="move", frozen=True, kw_only=True):
    from_: JsonPointer = field(name="from")


class CopyOperation(PathOperation, tag="copy", frozen=True, kw_only=True):
    from_: JsonPointer = field(name="from")


class TestOperation(PathOperation, tag="test", frozen=True, kw_only=True):
    value: Any


PatchOperation = (
    AddOperation
    | RemoveOperation
    | ReplaceOperation
    | MoveOperation
    | CopyOperation
    | TestOperation
)


Patch = Annotated[list[dict[str, Any]], Meta(extra={"enforced as": list[PatchOperation]})]
"""A patch as delivered: whole operations, with the extra members RFC 6902 allows."""


class Tool(Shape, frozen=True, kw_only=True):
    name: str
    description: str
    parameters: NotNull | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class Context(Shape, frozen=True, kw_only=True):
    description: str
    value: str


class ResumeEntry(Shape, frozen=True, kw_only=True):
    interrupt_id: str
    status: Literal["resolved", "cancelled"]
    payload: NotNull | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class RunAgentInput(Shape, frozen=True, kw_only=True):
    thread_id: str
    run_id: str
    messages: list[Message]
    protocol_version: str | UnsetType = UNSET
    parent_run_id: str | UnsetType = UNSET
    state: Any = UNSET
    tools: list[Tool] | UnsetType = UNSET
    context: list[Context] | UnsetType = UNSET
    forwarded_props: NotNull | UnsetType = UNSET
    resume: list[ResumeEntry] | UnsetType = UNSET


class SuccessOutcome(Shape, tag_field="type", tag="success", frozen=True, kw_only=True):
    pending_tool_call_ids: list[str] | UnsetType = UNSET


class Interrupt(Shape, frozen=True, kw_only=True):
    id: str
    reason: str
    subagent_run_id: str | UnsetType = UNSET
    message: str | UnsetType = UNSET
    tool_call_id: str | UnsetType = UNSET
    response_schema: dict[str, Any] | UnsetType = UNSET
    expires_at: str | UnsetType = UNSET
    metadata: Metadata | UnsetType = UNSET


class InterruptOutcome(Shape, tag_field="type", tag="interrupt", frozen=True, kw_only=True):
    interrupts: list[Interrupt]


class CancelledOutcome(Shape, tag_field="type", tag="cancelled", frozen=True, kw_only=True):
    pass


Outcome = SuccessOutcome | InterruptOutcome | CancelledOutcome


class SubagentSuccess(Shape, tag_field="type", tag="success", frozen=True, kw_only=True):
    pass


class SubagentSuspended(Shape, tag_field="type", tag="suspended", frozen=True, kw_only=True):
    interrupt_ids: list[str] | UnsetType = UNSET


SubagentOutcome = SubagentSuccess | SubagentSuspended


class TokenUsage(Shape, frozen=True, kw_only=True):
    """One entry a provider and model; an absent count is not zero (events/lifecycle)."""

    provider: str | UnsetType = UNSET
    model: str | UnsetType = UNSET
    input_tokens: Count | UnsetType = UNSET
    output_tokens: Count | UnsetType = UNSET
    total_tokens: Count | UnsetType = UNSET
    reasoning_tokens: Count | UnsetType = UNSET
    cached_input_tokens: Count | UnsetType = UNSET
    cache_write_input_tokens: Count | UnsetType = UNSET
