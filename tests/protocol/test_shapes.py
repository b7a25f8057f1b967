"""Our shapes against the official models, field by field (kinds, names, requiredness, literals)."""

from __future__ import annotations

import inspect as python_inspect
import types
import typing
from enum import Enum
from typing import Any

import pytest
from ag_ui._generated import models
from ag_ui.core import EventType
from msgspec import inspect
from pydantic import BaseModel

from transcript_tui.protocol import shapes
from transcript_tui.protocol.events import KINDS

NEW_IN_1_1 = {"encryptedValueType"}
"""What version 1.1 adds; the official package still describes 1.0."""

ANY = frozenset(
    {
        inspect.DictType,
        inspect.ListType,
        inspect.StrType,
        inspect.IntType,
        inspect.FloatType,
        inspect.BoolType,
    }
)
"""The kinds of JSON value, ``null`` aside."""


def official_kinds() -> dict[str, type[BaseModel]]:
    found = {}
    for model in vars(models).values():
        if python_inspect.isclass(model) and issubclass(model, BaseModel):
            kind = model.model_fields.get("type")
            value = (
                typing.get_args(kind.annotation)[0]
                if kind is not None and typing.get_args(kind.annotation)
                else None
            )
            if isinstance(value, EventType):
                found[value.value] = model
    return found


OFFICIAL = official_kinds()


def test_the_kinds_are_the_official_ones() -> None:
    assert set(KINDS) == set(OFFICIAL) == {kind.value for kind in EventType}
    assert len(KINDS) == 31


@pytest.mark.parametrize("name", sorted(KINDS))
def test_an_event_has_the_official_fields(name: str) -> None:
    compare_models(OFFICIAL[name], inspect.type_info(KINDS[name]), name)


def test_the_run_input_has_the_official_fields() -> None:
    compare_models(models.RunAgentInput, inspect.type_info(shapes.RunAgentInput), "input")


def compare_models(official: type[BaseModel], ours: inspect.Type, where: str) -> None:
    assert isinstance(ours, inspect.StructType), where
    theirs = {field.alias or name: field for name, field in official.model_fields.items()}
    mine = {field.encode_name: field for field in ours.fields}
    if ours.tag_field is not None:
        tag = theirs.pop(ours.tag_field)
        assert literals(tag.annotation) == {ours.tag}, where
    assert set(mine) - NEW_IN_1_1 == set(theirs), where
    for name, field in theirs.items():
        place = f"{where}.{name}"
        # A field with one legal value has a default in the official models, and is required
        # by the schema; the specification's own schema decides.
        if name not in ("type", "role"):
            assert mine[name].required == field.is_required(), place
        compare(field.annotation, mine[name].type, place)
        low_high(field.metadata, mine[name].type, place)


def compare(official: Any, ours: inspect.Type, where: str) -> None:
    official = plain(official)
    if isinstance(ours, inspect.Metadata):
        marked = (ours.extra or {}).get("enforced as")
        ours = inspect.type_info(marked) if marked is not None else ours.type
    origin, args = typing.get_origin(official), typing.get_args(official)
    if official is Any:
        kinds = {type(member) for member in getattr(ours, "types", ())}
        assert isinstance(ours, inspect.AnyType) or kinds == ANY, where
    elif origin is typing.Literal or is_enum(official):
        assert isinstance(ours, inspect.LiteralType), where
        assert set(ours.values) == literals(official), where
    elif origin in (list, typing.List):  # noqa: UP006
        assert isinstance(ours, inspect.ListType), where
        compare(args[0], ours.item_type, where + "[]")
    elif origin in (dict, typing.Dict):  # noqa: UP006
        assert isinstance(ours, inspect.DictType), where
    elif origin in (typing.Union, types.UnionType):
        assert isinstance(ours, inspect.UnionType), where
        compare_unions(args, ours, where)
    elif python_inspect.isclass(official) and issubclass(official, BaseModel):
        compare_models(official, ours, where)
    else:
        assert type(ours) is {
            str: inspect.StrType, int: inspect.IntType, bool: inspect.BoolType
        }[official], where  # fmt: skip


def compare_unions(members: tuple[Any, ...], ours: inspect.UnionType, where: str) -> None:
    by_tag = {member.tag: member for member in ours.types if isinstance(member, inspect.StructType)}
    if not by_tag:
        assert len(members) == len(ours.types), where
        for member in members:
            kind = inspect.ListType if typing.get_origin(plain(member)) is list else inspect.StrType
            compare(member, next(mine for mine in ours.types if isinstance(mine, kind)), where)
        return
    assert len(by_tag) == len(members), where
    for member in members:
        fields = member.model_fields
        tag = next(iter(by_tag.values())).tag_field
        assert tag is not None
        (value,) = literals(fields[tag].annotation)
        compare_models(member, by_tag[value], f"{where}<{value}>")


def plain(annotation: Any) -> Any:
    """Without ``Optional`` and ``Annotated``."""
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return plain(args[0])
    if origin is typing.Union and type(None) in args:
        rest = [arg for arg in args if arg is not type(None)]
        return plain(rest[0]) if len(rest) == 1 else typing.Union[tuple(rest)]  # noqa: UP007
    return annotation


def is_enum(annotation: Any) -> bool:
    return python_inspect.isclass(annotation) and issubclass(annotation, Enum)


def literals(annotation: Any) -> set[str]:
    values = list(annotation) if is_enum(annotation) else typing.get_args(plain(annotation))
    return {value.value if isinstance(value, Enum) else value for value in values}


def low_high(metadata: list[Any], ours: inspect.Type, where: str) -> None:
    bounds = {
        name: getattr(entry, name)
        for entry in metadata
        for name in ("ge", "le")
        if hasattr(entry, name)
    }
    assert bounds == {
        name: getattr(ours, name)
        for name in ("ge", "le")
        if getattr(ours, name, None) is not None
    }, where  # fmt: skip


def test_what_1_1_adds_is_where_an_encrypted_value_is() -> None:
    for name, kind in {**KINDS, **vars(shapes)}.items():
        fields = getattr(kind, "__struct_encode_fields__", ())
        if name != "PathOperation":
            assert ("encryptedValue" in fields) == ("encryptedValueType" in fields), name
