"""Enforcement: what the protocol does not describe is removed, what it describes must be right.

The rules are read off the annotations of the shapes (:mod:`.shapes`, :mod:`.events`) by
``msgspec.inspect`` and compiled, per kind and when first needed, into plans that walk
decoded JSON. Rule ids: ``unknown-property``, ``patch-unknown-op`` (removed),
``malformed`` (fatal).
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from msgspec import Struct, inspect

from transcript_tui.protocol.plans import (
    DROP,
    Anything,
    Choice,
    Field,
    Integer,
    Kind,
    List,
    Object,
    OpenChoice,
    Plan,
    Pointer,
    Report,
    Tagged,
    Union,
)
from transcript_tui.protocol.shapes import PatchOperation

__all__ = ["enforce", "is_complete", "operations_plan", "plan_of", "strip_top"]


def is_complete(value: dict[str, Any], kind: type[Struct]) -> bool:
    """Whether an event has every property that ``kind`` requires."""
    return plan_of(kind).required <= value.keys()


def strip_top(value: dict[str, Any], kind: type[Struct]) -> list[str]:
    """Take the properties that ``kind`` does not describe out of an event; their names."""
    fields = plan_of(kind).fields
    unknown = [key for key in value if key not in fields]
    for key in unknown:
        del value[key]
    return unknown


def enforce(value: dict[str, Any], kind: type[Struct]) -> Report:
    """Strip ``value`` in place against ``kind``; the report says what it is worth then."""
    report = Report()
    if plan_of(kind).apply(value, (), report) is DROP:
        report.dropped = True
        report.removals.append(report.culprit)
    return report


@cache
def plan_of(kind: type[Struct]) -> Object:
    """The plan for one event kind."""
    found = inspect.type_info(kind)
    assert isinstance(found, inspect.StructType)
    return _compile_object(found)


@cache
def operations_plan() -> Plan:
    """The plan for the operations of a patch."""
    return compile_plan(inspect.type_info(list[PatchOperation]))


def compile_plan(found: inspect.Type) -> Plan:
    """The plan for values of one annotated type."""
    match found:
        case inspect.AnyType():
            return Anything()
        case inspect.Metadata():
            return _compile_marked(found)
        case inspect.StructType():
            return _compile_object(found)
        case inspect.UnionType():
            return _compile_union(found)
        case inspect.ListType():
            return List(compile_plan(found.item_type))
        case inspect.DictType():
            return Kind(dict, "an object")
        case inspect.StrType():
            return Kind(str, "a string") if found.pattern is None else Pointer(found.pattern)
        case inspect.BoolType():
            return Kind(bool, "true or false")
        case inspect.LiteralType():
            return Choice([str(value) for value in found.values])
        case inspect.IntType() if found.ge is not None and found.le is not None:
            return Integer(int(found.ge), int(found.le))
        case inspect.IntType():
            return Kind(int, "a number")
        case inspect.FloatType():
            return Kind(float, "a number")
    raise TypeError(f"no plan for {found}")  # a shape that says something new: a test finds it


def _compile_marked(found: inspect.Metadata) -> Plan:
    extra = found.extra or {}
    if "enforced as" in extra:
        return compile_plan(inspect.type_info(extra["enforced as"]))
    if extra.get("set") == "open" and isinstance(found.type, inspect.LiteralType):
        return OpenChoice([str(value) for value in found.type.values])
    return compile_plan(found.type)


def _compile_object(found: inspect.StructType) -> Object:
    fields = {field.encode_name: _field(field) for field in found.fields}
    if found.tag_field is not None:
        # Judged already: by the union that chose this member, or by the event's type.
        fields[found.tag_field] = Field(Anything(), required=False, kind=str)
    return Object(fields, open=not found.forbid_unknown_fields)


def _field(found: inspect.Field) -> Field:
    plan = compile_plan(found.type)
    return Field(plan, found.required, plan.kind if isinstance(plan, Kind) else None)


def _compile_union(found: inspect.UnionType) -> Plan:
    structs = [member for member in found.types if isinstance(member, inspect.StructType)]
    if structs:
        members = {str(struct.tag): _compile_object(struct) for struct in structs}
        return Tagged(structs[0].tag_field or "", members)
    plans: dict[type, Plan] = {}
    for member in found.types:
        plans[_JSON_TYPES[type(member)]] = compile_plan(member)
    return Union(plans)


_JSON_TYPES: Final[dict[type, type]] = {
    inspect.DictType: dict,
    inspect.ListType: list,
    inspect.StrType: str,
    inspect.IntType: int,
    inspect.FloatType: float,
    inspect.BoolType: bool,
}
