"""RFC 6902 patches on values that are shared: copied along the touched paths only.

``jsonpatch`` applies each operation; what is here sees to it that it never changes a
container that somebody else may hold, and that nothing is copied whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import mul
from typing import Any, Final

from jsonpatch import (
    AddOperation,
    JsonPatchException,
    RemoveOperation,
    ReplaceOperation,
)
from jsonpointer import JsonPointer, JsonPointerException

from transcript_tui.protocol.findings import quoted
from transcript_tui.wire.jsontext import MAX_DEPTH

MAX_SIZE: Final = 1_000_000
"""Values that one operation may put in, all copies and moves of one patch may concern, and a
state that grew by its own copies may have: what a payload of the usual limit can hold."""

_SHIFTED: Final = 256
"""Entries of an array that are shifted in the time in which one value is looked at."""

_REASON: Final = 240
"""Characters of a reason: it may quote a name of any length."""

_CONTAINERS: Final = (dict, list)

_OPERATIONS: Final = {"add": AddOperation, "remove": RemoveOperation, "replace": ReplaceOperation}


class PatchFailed(Exception):
    """A well-formed patch does not apply; ``index`` is the operation's place in it."""

    def __init__(
        self, index: int, operation: dict[str, Any], reason: str, *, spent: bool = False
    ) -> None:
        name, path = operation["op"], operation["path"]
        super().__init__(f"operation {index} ({name} at {quoted(path)}) does not apply: {reason}")
        self.index = index
        self.spent = spent or index > 0 or name == "move"
        """Whether the target may have changed before the failure."""


class Patched:
    """A value under amendment, and the containers in it that nobody else holds."""

    __slots__ = ("budget", "forked", "grown", "owned", "value", "weight")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.owned: dict[int, Any] = {}
        """By identity; the container itself is kept, so that its identity is not given again."""
        self.weight = 0
        """Entries of those containers: what holding them beside older ones costs."""
        self.budget: int | None = None
        """Values that the patch may still copy or look through; ``None``: it was accepted once."""
        self.forked = False
        """The patch has copied something: from here on it can make the same container anew again
        and again, which else happens once."""
        self.grown = 0
        """Values put in by copies since the whole was measured."""

    def share(self) -> Any:
        """Hand the value out: from here on it is copied before it changes."""
        self.owned.clear()
        self.weight = 0
        return self.value

    def spend(self, values: int) -> None:
        if self.budget is not None:
            self.budget -= values
            if self.budget < 0:
                raise _too_large()

    def own(self, path: list[str]) -> Any:
        """The container that the last part of ``path`` (one or more) is in. Copied are those on
        the way, where not done yet."""
        self.value = node = self._owned(self.value)
        for part in path[:-1]:
            key: Any = _index(node, part) if isinstance(node, list) else part
            node[key] = child = self._owned(_child(node, key, part))
            node = child
        if isinstance(node, list):
            self.spend(len(node) // _SHIFTED)
        return node

    def _owned(self, node: Any) -> Any:
        if id(node) in self.owned:
            return node
        if not isinstance(node, dict | list):
            raise JsonPatchException("there is no object or array on the way")
        if self.forked:
            self.spend(len(node))
        copy = node.copy()
        self.owned[id(copy)] = copy
        self.weight += len(copy)
        return copy


def apply_patch(
    target: Patched, operations: list[dict[str, Any]], kind: type[Any] = object
) -> None:
    """Apply ``operations`` in order; on :class:`PatchFailed` the target is spent."""
    if not operations:
        return
    target.budget = MAX_SIZE
    _apply_all(target, operations)
    last = len(operations) - 1
    if not isinstance(target.value, kind):
        raise PatchFailed(last, operations[last], "the outcome would be no object", spent=True)
    if target.grown > MAX_SIZE:
        # Each copy was small enough: looked at is what they all amount to, once in so many.
        try:
            _measured("", target.value)
        except JsonPatchException as error:
            raise PatchFailed(last, operations[last], str(error), spent=True) from error
        target.grown = 0


def apply_again(target: Patched, operations: list[dict[str, Any]]) -> None:
    """The same for a patch that was accepted: where only one part of the history is gone through,
    no other limits are met than then."""
    target.budget = None
    _apply_all(target, operations)


def _apply_all(target: Patched, operations: list[dict[str, Any]]) -> None:
    target.forked = False
    for index, operation in enumerate(operations):
        try:
            _apply(target, operation)
        except (JsonPatchException, JsonPointerException) as error:
            raise PatchFailed(index, operation, str(error)[:_REASON]) from error


def _apply(target: Patched, operation: dict[str, Any]) -> None:
    path = operation["path"]
    match operation["op"]:
        case "test":
            # Accepted once, it would be found the same again.
            anew = target.budget is not None
            if anew and not same_json(_value(target, path), operation["value"]):
                raise JsonPatchException("the value is another one")
        case "copy":
            _copy(target, operation["from"], path)
        case "move":
            _move(target, operation["from"], path)
        case "add" | "replace":
            # It came with the payload, and is no larger than that.
            _room_for(target, path, operation["value"])
            _change(target, operation)
        case "remove" if path == "":
            # RFC 6902 does not say what is left; the reference client has null.
            target.value = None
        case _:
            _change(target, operation)


def _copy(target: Patched, source: str, path: str) -> None:
    """By reference: what two places hold is copied by whoever changes one of them."""
    value = _value(target, source)
    target.share()
    target.forked = True
    target.grown += _add(target, path, value)


def _move(target: Patched, source: str, path: str) -> None:
    value = _value(target, source)
    if path == source:
        return
    if path.startswith(source + "/"):
        raise JsonPatchException("a value cannot move into itself")
    _change(target, {"op": "remove", "path": source})
    _add(target, path, value)


def _add(target: Patched, path: str, value: Any) -> int:
    """How many values it puts in."""
    size = _room_for(target, path, value)
    target.spend(size)
    _change(target, {"op": "add", "path": path, "value": value})
    return size


def _room_for(target: Patched, path: str, value: Any) -> int:
    """How many values ``value`` puts in; not counted where that was done before."""
    return 0 if target.budget is None else _measured(path, value)


def _measured(path: str, value: Any) -> int:
    """The number of values in ``value``, itself included, where there is room for it at ``path``.

    A value that grows by its own copies doubles each time: there is an end to it. What is held in
    many places is looked at once for each level, and counted as often as it is held.
    """
    depth, size = path.count("/"), 1
    level, times = [value] if type(value) in _CONTAINERS else [], _ONCE
    while level:
        depth += 1
        sizes = map(len, level)
        size += sum(
            sizes if times is _ONCE else map(mul, sizes, [times[id(node)] for node in level])
        )
        if depth > MAX_DEPTH:
            raise JsonPatchException(f"nested deeper than {MAX_DEPTH} levels")
        if size > MAX_SIZE:
            raise _too_large()
        level, times = _next_level(level, times)
    return size


_Times = Mapping[int, int]
"""In how many places a container is held, by identity, where that is not one."""
_ONCE: Final[_Times] = {}


def _next_level(level: list[Any], times: _Times) -> tuple[list[Any], _Times]:
    below = [child for node in level for child in _items(node) if type(child) in _CONTAINERS]
    if times is _ONCE and len({*map(id, below)}) == len(below):
        # Nearly always; and half the time where there are a million.
        return below, _ONCE
    held: dict[int, int] = {}
    for node in level:
        often = times.get(id(node), 1)
        for child in _items(node):
            if type(child) in _CONTAINERS:
                held[id(child)] = held.get(id(child), 0) + often
    return [*{id(child): child for child in below}.values()], held


def _items(node: Any) -> Iterable[Any]:
    return node.values() if type(node) is dict else node


def _too_large() -> JsonPatchException:
    return JsonPatchException(f"more than {MAX_SIZE} values at once")


def _change(target: Patched, operation: dict[str, Any]) -> None:
    """The library finds the place and judges it; it would copy a value through and through, so
    that comes behind it."""
    parts = JsonPointer(operation["path"]).parts
    holder = target.own(parts) if parts else None
    change = _OPERATIONS[operation["op"]]
    target.value = change({**operation, "value": None}).apply(target.value)
    if change is RemoveOperation:
        return
    if holder is None:
        target.value = operation["value"]
    elif isinstance(holder, list):
        holder[-1 if parts[-1] == "-" else int(parts[-1])] = operation["value"]
    else:
        holder[parts[-1]] = operation["value"]


def _value(target: Patched, path: str) -> Any:
    node = target.value
    for part in JsonPointer(path).parts:
        if not isinstance(node, dict | list):
            raise JsonPatchException("there is no object or array on the way")
        node = _child(node, _index(node, part) if isinstance(node, list) else part, part)
    return node


def _child(node: Any, key: Any, part: str) -> Any:
    try:
        return node[key]
    except LookupError:
        raise JsonPatchException(f"there is no {quoted(part)}") from None


def _index(node: list[Any], part: str) -> int:
    if part != "0" and (not part.isascii() or not part.isdigit() or part.startswith("0")):
        raise JsonPatchException(f"{quoted(part)} is no index of an array")
    return int(part) if len(part) < 19 else len(node)


def same_json(one: Any, other: Any) -> bool:
    """Equal as JSON: ``true`` is not 1, but 1 is 1.0; members in any order."""
    pairs = [(one, other)]
    while pairs:
        one, other = pairs.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            if one.keys() != other.keys():
                return False
            pairs += [(value, other[key]) for key, value in one.items()]
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            pairs += zip(one, other, strict=True)
        elif isinstance(one, bool) or isinstance(other, bool):
            if one is not other:
                return False
        elif one != other:
            return False
    return True
