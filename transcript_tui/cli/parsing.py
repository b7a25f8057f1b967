"""Verbs made of option groups, and commands that parse without pydantic.

Typer converts every value, plain strings too, through a pydantic ``TypeAdapter`` of its own;
that import is a fifth of ``check``'s start and half of its memory. The few kinds of values
that the verbs take are converted here instead. Where a Typer has no such step, or a kind is
not known here, Typer's own way stands.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup

from transcript_tui import collector

__all__ = ["LightCommand", "LightGroup", "spread"]


def spread(verb: Callable[..., None]) -> Callable[..., None]:
    """``verb`` as Typer can read it: each group of options (a dataclass) option by option."""
    parameters = inspect.signature(verb, eval_str=True).parameters.values()
    groups: dict[str, Any] = {
        one.name: one.annotation for one in parameters if is_dataclass(one.annotation)
    }

    @functools.wraps(verb)
    def called(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{one.name: given.pop(one.name) for one in fields(group)})
        verb(**given)

    flat = [part for one in parameters for part in _options(one, groups.get(one.name))]
    called.__signature__ = inspect.Signature(flat)  # type: ignore[attr-defined]  # no stub has it
    called.__annotations__ = {one.name: one.annotation for one in flat}
    return called


def _options(parameter: inspect.Parameter, group: Any) -> list[inspect.Parameter]:
    if group is None:
        return [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)]
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=one.default,
            annotation=hints[one.name],
        )
        for one in fields(group)
    ]


_SIMPLE: Final[dict[Any, Any]] = {str: str, Path: Path, bool: str}
"""Kind → conversion of the text given; a flag gives no text, but ``True`` or ``False``."""


class LightCommand(TyperCommand):
    """A Typer command; see the module."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_lightened(param) for param in super().get_params(ctx)]

    def invoke(self, ctx: Any) -> Any:
        collector.started()
        return super().invoke(ctx)


class LightGroup(TyperGroup):
    """A Typer group; see the module."""

    def get_params(self, ctx: Any) -> list[Any]:
        return [_lightened(param) for param in super().get_params(ctx)]


class _Plain:
    """Stands where Typer expects its own converter."""

    def __init__(self, convert: Any, *, several: bool) -> None:
        self._convert = convert
        self._several = several

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if self._several else None
        try:
            if self._several:
                return [self._convert(one) for one in value]
            return self._convert(value) if isinstance(value, str) else value
        except typer.BadParameter as error:
            error.ctx, error.param = ctx, param
            raise


def _lightened(param: Any) -> Any:
    described = getattr(param, "type_descriptor", None)
    if described is None or not hasattr(param, "get_runtime_param"):
        return param
    annotation = _without_none(described.annotation)
    several = get_origin(annotation) is list
    convert = described.parameter_info.parser or _converter(
        get_args(annotation)[0] if several else annotation
    )
    if convert is not None:
        plain = _Plain(convert, several=several)
        param.get_runtime_param = lambda: plain
    if param.param_type_name == "argument":
        _name_plainly(param)
    return param


def _name_plainly(argument: Any) -> None:
    """As every other program's help has it: ``URL``, ``[SCENARIO]``, ``SOURCE...``.

    Typer 0.29 writes ``{URL}``, and the Python type behind it: ``SOURCE <list[str]>``.
    """
    name = argument.metavar if argument.required else f"[{argument.metavar}]"
    shown = name if argument.nargs == 1 else f"{name}..."
    argument.get_usage_pieces = lambda ctx: [shown]
    argument.display_type_rich = lambda ctx: ""


def _without_none(annotation: Any) -> Any:
    if get_origin(annotation) in (Union, UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
        return kinds[0] if len(kinds) == 1 else annotation
    return annotation


def _converter(annotation: Any) -> Any:
    if get_origin(annotation) is Literal:
        return _choice(get_args(annotation))
    return _SIMPLE.get(annotation)


def _choice(allowed: tuple[str, ...]) -> Any:
    def convert(text: str) -> str:
        if text not in allowed:
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, allowed))}.")
        return text

    return convert
