"""Plans: how a value of one type is enforced. They walk decoded JSON, and report what they find.

:mod:`~transcript_tui.protocol.enforcement` reads them off the shapes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from transcript_tui.protocol.findings import quoted
from transcript_tui.protocol.pointer import Path

MAX_FAULTS: Final = 100
"""Places at fault that are listed; an event may have a million."""


class Fault(NamedTuple):
    """A described field with a wrong value (``malformed``)."""

    path: Path
    expected: str
    """Such as ``a string``."""
    found: str
    """The kind of the value, such as ``null``; ``missing`` where there is none."""


class Removal(NamedTuple):
    """Unrecognised material that was taken out."""

    rule: str
    path: Path
    what: str
    """Such as ``a property the protocol does not describe``."""


_NOBODY: Final = Removal("", (), "")


class Report:
    """What enforcement found in one event."""

    __slots__ = ("culprit", "dropped", "faults", "removals")

    def __init__(self) -> None:
        self.removals: list[Removal] = []
        self.faults: list[Fault] = []
        self.dropped = False
        """Nothing is left: the event itself is unrecognised material."""
        self.culprit = _NOBODY
        """The unrecognised value on whose account something goes whole."""

    def fault(self, path: Path, expected: str, value: Any) -> Any:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(Fault(path, expected, _describe(value)))
        return value

    def drop(self, rule: str, path: Path, what: str) -> Any:
        self.culprit = Removal(rule, path, what)
        return DROP

    def remove(self, path: Path, removals: int, faults: int) -> None:
        """A value goes whole: what was found inside it is void."""
        del self.removals[removals:]
        del self.faults[faults:]
        self.removals.append(self.culprit._replace(path=path))


DROP: Final[Any] = object()
"""Returned for a value that cannot be recognised where it stands."""

_KINDS: Final[dict[type, str]] = {
    type(None): "null",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "a list",
    dict: "an object",
}


def kind_of(value: Any) -> str:
    """The kind of a JSON value, in words."""
    return _KINDS[type(value)]


def _describe(value: Any) -> str:
    if value is MISSING:
        return "missing"
    if isinstance(value, str):
        return quoted(value)
    return kind_of(value)


MISSING: Final[Any] = object()


class Plan(Protocol):
    expected: str

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        """``value`` as it may be delivered, or ``DROP``; deviations go to ``report``."""
        ...


class Anything:
    expected = "any value"

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        return value


class Kind:
    """One JSON kind, inside of which nothing is described."""

    def __init__(self, kind: type, expected: str) -> None:
        self.kind = kind
        self.expected = expected

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        if type(value) is self.kind:
            return value
        return report.fault(path, self.expected, value)


class Integer:
    """JSON has one kind of number: 1.0 is the integer 1."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high
        self.expected = f"an integer from {low} to {high}"

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        whole = int(value) if type(value) is float and value.is_integer() else value
        if type(whole) is int and self.low <= whole <= self.high:
            return whole
        return report.fault(path, self.expected, value)


class Pointer:
    """A JSON Pointer: ``re`` of the annotation, matched whole."""

    expected = "a JSON Pointer"

    def __init__(self, pattern: str) -> None:
        self.matches = re.compile(pattern).fullmatch

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        if type(value) is str and self.matches(value):
            return value
        return report.fault(path, self.expected, value)


class Choice:
    """A closed set of strings. An unknown one is malformed, as in the reference client."""

    def __init__(self, values: Sequence[str]) -> None:
        self.values = frozenset(values)
        names = ", ".join(f'"{value}"' for value in values)
        self.expected = f"one of {names}" if len(values) > 1 else names

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        if type(value) is str and value in self.values:
            return value
        return report.fault(path, self.expected, value)


class OpenChoice(Choice):
    """A set of strings that may grow: an unknown one is unrecognised."""

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        if type(value) is str and value not in self.values:
            return report.drop("unknown-property", path, f"{path[-1]} {quoted(value)} is not known")
        return super().apply(value, path, report)


class List:
    def __init__(self, item: Plan) -> None:
        self.item = item
        self.expected = "a list"

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        if type(value) is not list:
            return report.fault(path, self.expected, value)
        dropped = []
        apply = self.item.apply
        for index, entry in enumerate(value):
            removals, faults = len(report.removals), len(report.faults)
            result = apply(entry, (*path, index), report)
            if result is DROP:
                report.remove((*path, index), removals, faults)
                dropped.append(index)
            elif result is not entry:
                value[index] = result
        if dropped:
            gone = set(dropped)
            value[:] = [entry for index, entry in enumerate(value) if index not in gone]
        return value


@dataclass(frozen=True, slots=True)
class Field:
    plan: Plan
    required: bool
    kind: type | None
    """The JSON kind of which every value is right, where that is all there is to ask."""


class Object:
    """A described object; ``open`` ones (JSON Patch operations) keep what is not described."""

    expected = "an object"

    def __init__(self, fields: dict[str, Field], *, open: bool) -> None:
        self.fields = fields
        self.open = open
        self.required = frozenset(name for name, field in fields.items() if field.required)

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        if type(value) is not dict:
            return report.fault(path, self.expected, value)
        gone = []
        for key, entry in value.items():
            field = self.fields.get(key)
            if field is None:
                if not self.open:
                    report.removals.append(Removal("unknown-property", (*path, key), UNKNOWN))
                    gone.append(key)
                continue
            if type(entry) is field.kind:
                continue
            removals, faults = len(report.removals), len(report.faults)
            result = field.plan.apply(entry, (*path, key), report)
            if result is DROP:
                if field.required:
                    return DROP
                report.remove((*path, key), removals, faults)
                gone.append(key)
            elif result is not entry:
                value[key] = result
        if not self.required <= value.keys():
            for name, field in self.fields.items():
                if field.required and name not in value:
                    report.fault((*path, name), field.plan.expected, MISSING)
        for key in gone:
            del value[key]
        return value


UNKNOWN: Final = "it is not described by the protocol"


class Tagged:
    """One of several objects, told apart by a string in ``tag``."""

    expected = "an object"

    def __init__(self, tag: str, members: dict[str, Object]) -> None:
        self.tag = tag
        self.members = members
        self.rule = "patch-unknown-op" if tag == "op" else "unknown-property"

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        if type(value) is not dict:
            return report.fault(path, self.expected, value)
        name = value.get(self.tag, MISSING)
        if type(name) is not str:
            report.fault((*path, self.tag), "a string", name)
            return value
        member = self.members.get(name)
        if member is None:
            return report.drop(self.rule, path, f"{self.tag} {quoted(name)} is not known")
        return member.apply(value, path, report)


class Union:
    """Values of several JSON kinds."""

    def __init__(self, plans: dict[type, Plan]) -> None:
        self.plans = plans
        names = list(dict.fromkeys(plan.expected for plan in plans.values()))
        self.expected = "any value but null" if len(plans) > 4 else " or ".join(names)

    def apply(self, value: Any, path: Path, report: Report) -> Any:
        plan = self.plans.get(type(value))
        if plan is None:
            return report.fault(path, self.expected, value)
        return plan.apply(value, path, report)
