"""RFC 6902 patches on values that are shared: copied along the touched paths only.

``jsonpatch`` applies each operation; what is here sees to it that it never changes a
container that somebody else may hold, and that nothing is copied whole.
"""

from __future__ import annotations

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
"""Values that one operation may put in: what a payload of the usual limit can hold."""

_REASON: Final = 240
"""Characters of a reason: it may quote a name of any length."""

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

    __slots__ = ("owned", "value")

    def __init__(self, value: Any) -> None:
        self.value = value
        self.owned: dict[int, Any] = {}
        """By identity; the container itself is kept, so that its identity is not given again."""

    def share(self) -> Any:
        """Hand the value out: from here on it is copied before it changes."""
        self.owned.clear()
        return self.value

    def own(self, path: list[str]) -> None:
        """Copy the containers on the way to the last part of ``path``, where not done yet."""
        if not path:
            return
        self.value = node = self._owned(self.value)
        for part in path[:-1]:
            key: Any = _index(node, part) if isinstance(node, list) else part
            node[key] = child = self._owned(_child(node, key, part))
            node = child

    def _owned(self, node: Any) -> Any:
        if id(node) in self.owned:
            return node
        if not isinstance(node, dict | list):
            raise JsonPatchException("there is no object or array on the way")
        copy = node.copy()
        self.owned[id(copy)] = copy
        return copy


def apply_patch(
    target: Patched, operations: list[dict[str, Any]], kind: type[Any] = object
) -> None:
    """Apply ``operations`` in order; on :class:`PatchFailed` the target is spent."""
    for index, operation in enumerate(operations):
        try:
            _apply(target, operation)
        except (JsonPatchException, JsonPointerException) as error:
            raise PatchFailed(index, operation, str(error)[:_REASON]) from error
        if not isinstance(target.value, kind) and index == len(operations) - 1:
            raise PatchFailed(index, operation, "the outcome would be no object", spent=True)


def _apply(target: Patched, operation: dict[str, Any]) -> None:
    path = operation["path"]
    match operation["op"]:
        case "test":
            if not same_json(_value(target, path), operation["value"]):
                raise JsonPatchException("the value is another one")
        case "copy":
            # By reference: what two places hold is copied by whoever changes one of them.
            value = _value(target, operation["from"])
            target.owned.clear()
            _add(target, path, value)
        case "move":
            _move(target, operation["from"], path)
        case "add" | "replace":
            _bounded(path, operation["value"])
            _change(target, operation)
        case "remove" if path == "":
            # RFC 6902 does not say what is left; the reference client has null.
            target.value = None
        case _:
            _change(target, operation)


def _move(target: Patched, source: str, path: str) -> None:
    value = _value(target, source)
    if path == source:
        return
    if path.startswith(source + "/"):
        raise JsonPatchException("a value cannot move into itself")
    _change(target, {"op": "remove", "path": source})
    _add(target, path, value)


def _add(target: Patched, path: str, value: Any) -> None:
    _bounded(path, value)
    _change(target, {"op": "add", "path": path, "value": value})


def _bounded(path: str, value: Any) -> None:
    """A value that grows by its own copies doubles each time: there is an end to it."""
    depth, level = path.count("/"), [value]
    size = 0
    while level:
        depth += 1
        size += len(level)
        if depth > MAX_DEPTH or size > MAX_SIZE:
            raise JsonPatchException(
                f"nested deeper than {MAX_DEPTH} levels"
                if depth > MAX_DEPTH
                else f"more than {MAX_SIZE} values at once"
            )
        level = [
            child
            for node in level
            if isinstance(node, dict | list)
            for child in (node.values() if isinstance(node, dict) else node)
        ]


def _change(target: Patched, operation: dict[str, Any]) -> None:
    target.own(JsonPointer(operation["path"]).parts)
    target.value = _OPERATIONS[operation["op"]](operation).apply(target.value)


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
