"""The tree of a JSON value: what it shows equals what a walk through all of it finds."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import examples
from transcript_tui.ui.views.tree import OPENED, Change, Path, Tree

_NOT_THERE = object()
NAMES = st.sampled_from("abcde")
SCALARS = st.sampled_from([None, True, 1, 1.0, 0, "x", "y"])
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4)
)
Row = tuple[Path, Any, Change, bool | None]


def rows(tree: Tree) -> list[Row]:
    found = [tree.row(index) for index in range(tree.count)]
    return [(node.path, node.value, node.change, node.open) for node in found]


def walked(
    value: Any, before: Any, opened: set[Path], path: Path = (), *, whole: bool = False
) -> Iterator[Row]:
    """Every row there should be; ``whole``: within what is new, nothing is marked."""
    inner = isinstance(value, dict | list) and bool(value)
    alike = type(value) is type(before) and isinstance(value, dict | list)
    marked = inner and path in opened if alike else False
    change: Change = ""
    if not whole and before is _NOT_THERE:
        change = "added"
    elif not whole and not marked and not same(value, before):
        change = "changed"
    yield path, value, change, path in opened if inner else None
    if not inner or path not in opened:
        return
    whole = whole or not alike
    now, then = members(value), members(before) if not whole else {}
    for name, member in now.items():
        earlier = then.get(name, _NOT_THERE)
        yield from walked(member, earlier, opened, (*path, name), whole=whole)
    for name, member in then.items():
        if name not in now:
            yield (*path, name), member, "removed", None


def members(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {str(n): one for n, one in enumerate(value)}


def same(value: Any, before: Any) -> bool:
    return repr(ordered(value)) == repr(ordered(before))


def ordered(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: ordered(value[name]) for name in sorted(value)}
    return [ordered(one) for one in value] if isinstance(value, list) else value


@st.composite
def versions(draw: st.DrawFn) -> list[Any]:
    """Values that each come of the one before, and share with it what stayed."""
    found = [draw(VALUES)]
    for _ in range(draw(st.integers(1, 5))):
        found.append(amended(draw, found[-1]))
    return found


def amended(draw: st.DrawFn, value: Any) -> Any:
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 4)) == 0:
        return draw(VALUES)
    value = copy(value)
    name: Any = draw(
        st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value)))
    )
    match draw(st.integers(0, 3)):
        case 0:
            del value[name]
        case 1 if isinstance(value, dict):
            value[draw(NAMES)] = draw(VALUES)
        case 1:
            value.insert(name, draw(VALUES))
        case _:
            value[name] = amended(draw, value[name])
    return value


@settings(max_examples=examples(200))
@given(versions(), st.data())
def test_it_shows_what_a_walk_finds(found: list[Any], data: st.DataObject) -> None:
    tree = Tree()
    for _ in range(data.draw(st.integers(1, 8))):
        at = data.draw(st.integers(0, len(found) - 1))
        value, before = found[at], found[max(at - 1, 0)]
        tree.show(value, before)
        if data.draw(st.booleans()):
            revealed = tree.reveal()
            marked = [index for index, row in enumerate(rows(tree)) if row[2]]
            assert revealed == (marked[0] if marked else None)
        if data.draw(st.booleans()):
            tree.toggle(data.draw(st.integers(0, tree.count - 1)))
        shown = rows(tree)
        opened = {path for path, _, _, is_open in shown if is_open}
        assert shown == list(walked(value, before, opened))


def test_what_changed_is_marked() -> None:
    before = {"a": 1, "b": {"c": [1, 2], "d": 3}, "gone": 0}
    now = {"a": 2, "b": {"c": [1, 2, 3], "d": 3}, "new": {"deep": 1}}
    tree = Tree()
    tree.show(now, before)
    assert {path: change for path, _, change, _ in rows(tree) if change} == {
        ("a",): "changed",
        ("b", "c", "2"): "added",
        ("new",): "added",
        ("gone",): "removed",
    }
    tree.show(now, now)
    assert not any(change for _, _, change, _ in rows(tree))


def test_a_deep_value_is_not_walked_to_the_bottom() -> None:
    value: object = 1
    for _ in range(5000):
        value = {"x": value}
    tree = Tree()
    tree.show(value, value)
    assert tree.count < 200


def test_a_large_value_is_open_on_top_and_opens_where_it_changes() -> None:
    large = {"rows": [{"name": str(n), "tags": ["a", "b"]} for n in range(OPENED)], "more": {}}
    tree = Tree()
    tree.show(large, large)
    assert tree.count < 3 * OPENED
    for number in (900, 950):
        changed = {**large, "rows": list(large["rows"])}
        changed["rows"][number] = {**changed["rows"][number], "name": "new"}
        tree.show(changed, large)
        row = tree.reveal()
        assert row is not None
        assert tree.row(row).path == ("rows", str(number), "name")
        # What was opened for the change before is folded again.
        assert [path[1] for path, *_ in rows(tree) if path[2:] == ("name",)][-1] == str(number)
        assert tree.count == 1 + 2 + OPENED + 2


def test_what_is_folded_by_hand_stays_folded_and_says_that_it_changed() -> None:
    before = {"a": {"b": 1}, "c": 1}
    tree = Tree()
    tree.show(before, before)
    tree.toggle(1)
    tree.show({**before, "a": {"b": 2}}, before)
    assert tree.reveal() == 1
    assert rows(tree)[1][2:] == ("changed", False)
