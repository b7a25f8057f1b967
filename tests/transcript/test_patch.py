"""RFC 6902 on shared values: right, all or nothing, and nobody else's value changed."""

from __future__ import annotations

import copy
import json
import tracemalloc
from contextlib import suppress
from typing import Any

import jsonpatch
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from transcript_tui.transcript import patch as patch_module
from transcript_tui.transcript.living import JsonHistory, MetadataLog
from transcript_tui.transcript.patch import PatchFailed, same_json

Operation = dict[str, Any]


def patched(value: Any, *operations: Operation) -> Any:
    history = JsonHistory(value, 0)
    history.patch(list(operations), 1)
    return history.now


def op(name: str, path: str, **fields: Any) -> Operation:
    return {"op": name, "path": path, **fields}


@pytest.mark.parametrize(
    ("value", "operation", "outcome"),
    [
        ({"a": [1]}, op("add", "/a/-", value=2), {"a": [1, 2]}),
        ({"a": [1]}, op("add", "/a/0", value=2), {"a": [2, 1]}),
        ({"a": 1}, op("add", "", value=None), None),
        ({"a": 1}, op("replace", "", value=False), False),
        ({"a": 1}, op("remove", ""), None),
        ({"a/b": 1, "~": 2}, op("remove", "/a~1b"), {"~": 2}),
        ({"a~1b": 1}, op("replace", "/a~01b", value=2), {"a~1b": 2}),
        ({"a": {"b": 1}}, op("move", "/c", **{"from": "/a/b"}), {"a": {}, "c": 1}),
        ({"a": [1, 2, 3]}, op("move", "/a/2", **{"from": "/a/0"}), {"a": [2, 3, 1]}),
        ({"a": 1}, op("move", "/a", **{"from": "/a"}), {"a": 1}),
        ({"a": [1]}, op("copy", "/b", **{"from": "/a"}), {"a": [1], "b": [1]}),
        ({"a": [1]}, op("copy", "/a/0", **{"from": "/a"}), {"a": [[1], 1]}),
        ({"a": 1.0}, op("test", "/a", value=1), {"a": 1.0}),
        ({"": 1}, op("replace", "/", value=2), {"": 2}),
        ({"a": 1}, op("add", "/b", value=2, note="an extra member"), {"a": 1, "b": 2}),
    ],
)
def test_operations(value: Any, operation: Operation, outcome: Any) -> None:
    before = copy.deepcopy(value)
    assert patched(value, operation) == outcome
    assert value == before


@pytest.mark.parametrize(
    ("value", "operation"),
    [
        ({"a": 1}, op("remove", "/b")),
        ({"a": 1}, op("replace", "/b", value=1)),
        ({"a": 1}, op("add", "/b/c", value=1)),
        ({"a": 1}, op("add", "/a/c", value=1)),
        ({"a": [1]}, op("add", "/a/2", value=1)),
        ({"a": [1]}, op("add", "/a/01", value=1)),
        ({"a": [{}]}, op("add", "/a/x/y", value=1)),
        ({"a": [{}]}, op("add", "/a/5/y", value=1)),
        ({"a": [{}]}, op("add", "/a/" + "9" * 30 + "/y", value=1)),
        ({"a": [1]}, op("remove", "/a/-")),
        ({"a": "text"}, op("replace", "/a/0", value="T")),
        ({"a": {"b": {}}}, op("move", "/a/b/c", **{"from": "/a"})),
        ({"a": 1}, op("move", "/b/c", **{"from": "/a"})),
        ({"a": 1}, op("copy", "/b", **{"from": "/a/x"})),
        ({"a": 1}, op("test", "/a", value=True)),
        ({"a": [1]}, op("test", "/a", value=[1, 2])),
        ({"a": {"b": 1}}, op("test", "/a", value={"c": 1})),
        (None, op("add", "/a", value=1)),
    ],
)
def test_what_does_not_apply_changes_nothing(value: Any, operation: Operation) -> None:
    before = copy.deepcopy(value)
    history = JsonHistory(value, 0)
    with pytest.raises(PatchFailed) as failure:
        history.patch([operation], 1)
    assert failure.value.index == 0
    assert history.now == before
    assert value == before


def test_a_failure_late_in_a_patch_undoes_what_came_before() -> None:
    history = JsonHistory({"list": []}, 0)
    for stamp in range(1, 200):
        history.patch([op("add", "/list/-", value=stamp)], stamp)
    with pytest.raises(PatchFailed, match="operation 1"):
        history.patch([op("remove", "/list/0"), op("remove", "/nothing")], 300)
    assert history.now == {"list": list(range(1, 200))}
    assert history.at(100) == {"list": list(range(1, 100))}
    assert history.at(100) is history.at(100)
    assert [len(history.at(stamp + 1)["list"]) for stamp in history.stamps()] == list(range(200))
    assert list(history.stamps()) == list(range(200))
    assert history.last_stamp(50) == 49


def test_the_outcome_must_be_of_the_kind_asked_for() -> None:
    history = JsonHistory({"a": 1}, 0)
    with pytest.raises(PatchFailed, match="no object"):
        history.patch([op("replace", "", value=[])], 1, kind=dict)
    assert history.now == {"a": 1}
    history.patch([op("replace", "", value=[]), op("replace", "", value={"b": 2})], 2, kind=dict)
    assert history.now == {"b": 2}


def test_values_handed_out_never_change() -> None:
    history = JsonHistory({"deep": {"list": [1]}, "other": {}}, 0)
    first = history.now
    history.patch([op("add", "/deep/list/-", value=2)], 1)
    second = history.now
    assert first == {"deep": {"list": [1]}, "other": {}}
    # Only what lies on the way was copied.
    assert second["other"] is first["other"]
    history.patch([op("add", "/deep/list/-", value=3)], 2)
    assert second == {"deep": {"list": [1, 2]}, "other": {}}


def test_a_copied_value_is_nobodys_twin() -> None:
    value = patched(
        {"a": {"x": []}},
        op("copy", "/b", **{"from": "/a"}),
        op("add", "/b/x/-", value=1),
        op("add", "/a/x/-", value=2),
    )
    assert value == {"a": {"x": [2]}, "b": {"x": [1]}}


def test_copies_of_copies_come_to_an_end() -> None:
    history = JsonHistory({"a": [0] * 10}, 0)
    double = [op("copy", "/b", **{"from": ""}), op("copy", "/c", **{"from": "/b"})]
    assert "values at once" in _until_it_fails(history, double)
    deeper = [op("copy", "/a", **{"from": ""})]
    assert "nested deeper" in _until_it_fails(JsonHistory({}, 0), deeper)


def copy_to(path: str, source: str = "") -> Operation:
    return op("copy", path, **{"from": source})


def test_a_small_patch_does_no_large_work() -> None:
    """Doubled until it is large, copied again and again; or a large array that is made anew."""
    doubled = [copy_to(f"/k{n}") for n in range(17)] + [copy_to(f"/x{n}") for n in range(100)]
    assert "values at once" in _until_it_fails(JsonHistory({"a": [0]}, 0), doubled, most=1)
    anew = [copy_to("/b", "/a"), op("add", "/a/-", value=1)] * 100
    history = JsonHistory({"a": [0] * 20_000}, 0)
    assert "values at once" in _until_it_fails(history, anew, most=1)
    assert history.now == {"a": [0] * 20_000}
    history.patch(anew[:10], 1)
    assert len(history.now["a"]) == 20_005
    shifted = [op("add", "/a/0", value=1)] * 20_000
    assert "values at once" in _until_it_fails(history, shifted, most=1)


def test_a_shared_value_is_measured_without_listing_it() -> None:
    """1,000 places hold an array of 1,000, and a copy of all of it is a million values."""
    history = JsonHistory({"a": [0] * 1000, "b": {}}, 0)
    for number in range(990):
        history.patch([copy_to(f"/b/{number}", "/a")], number + 1)
    with pytest.raises(PatchFailed, match="values at once"):
        history.patch([copy_to("/d"), copy_to("/e")], 1001)
    assert history.now.keys() == {"a", "b"}


def test_many_patches_together_have_an_end_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patch_module, "MAX_SIZE", 1000)
    history, failed, largest = JsonHistory({"a": [0] * 100}, 0), 0, 0
    for stamp in range(1, 100):
        last = [op("test", "/a/0", value=1), *[op("remove", "/nothing")] * (stamp % 2)]
        for patch in ([copy_to(f"/k{stamp}", "/a")], [copy_to(f"/l{stamp}", "/a"), *last]):
            try:
                history.patch(patch, stamp)
            except PatchFailed:
                failed += 1
            largest = max(largest, 101 * len(history.now))
    assert 1000 < largest <= 2 * 1000
    assert failed > 99
    # What takes the place of something else may be copied forever.
    history = JsonHistory({"a": [0] * 100}, 0)
    for stamp in range(1, 100):
        history.patch([copy_to("/b", "/a")], stamp)
    history.patch([], 100)
    assert history.at(50) == history.now


def test_a_patch_of_a_huge_array_costs_no_array() -> None:
    history = JsonHistory({"a": [0] * 50_000}, 0)
    tracemalloc.start()
    try:
        for stamp in range(1, 1500):
            history.patch([op("replace", "/a/5", value=stamp)], stamp)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 5 * 50_000 * 8
    assert [history.at(at)["a"][5] for at in (1, 700, 1400, 1500)] == [0, 699, 1399, 1499]


def _until_it_fails(history: JsonHistory, patch: list[Operation], most: int = 400) -> str:
    for stamp in range(1, most + 1):
        try:
            history.patch(patch, stamp)
        except PatchFailed as failure:
            return str(failure)
    return "never"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"a": [1, {"b": None}]}, {"a": [1.0, {"b": None}]}, True),
        ([1], [True], False),
        ([0], [False], False),
        ({"a": 1}, {"b": 1}, False),
        ([1], [1, 1], False),
        ({"a": {}}, {"a": []}, False),
        ("1", 1, False),
    ],
)
def test_equality_is_that_of_json(one: Any, other: Any, same: bool) -> None:
    assert same_json(one, other) is same


_VALUES = st.recursive(
    st.sampled_from([0, 1, "s", None, True]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("ab"), inner, max_size=2)
    ),
    max_leaves=8,
)
_PATHS = st.lists(st.sampled_from(["a", "b", "0", "1", "-"]), max_size=3).map(
    lambda parts: "".join(f"/{part}" for part in parts)
)
_OPERATIONS = st.one_of(
    st.builds(lambda path, value: op("add", path, value=value), _PATHS, _VALUES),
    st.builds(lambda path, value: op("replace", path, value=value), _PATHS, _VALUES),
    st.builds(lambda path: op("remove", path), _PATHS.filter(bool)),
    st.builds(lambda path, source: op("move", path, **{"from": source}), _PATHS, _PATHS),
    st.builds(lambda path, source: op("copy", path, **{"from": source}), _PATHS, _PATHS),
)


@example(
    0,
    [
        [op("add", "", value={"a": [0]}), op("copy", "/b", **{"from": ""})],
        [op("remove", "/a/0")],
    ],
)
@given(_VALUES, st.lists(st.lists(_OPERATIONS, max_size=3), max_size=5))
def test_agrees_with_the_library_on_whole_copies(
    value: Any, patches: list[list[Operation]]
) -> None:
    history = JsonHistory(value, 0)
    expected = copy.deepcopy(value)
    versions = [copy.deepcopy(value)]
    for stamp, patch in enumerate(patches, 1):
        try:
            outcome = jsonpatch.apply_patch(expected, copy.deepcopy(patch))
        except Exception:
            outcome = None
        try:
            history.patch(patch, stamp)
        except PatchFailed:
            pass
        else:
            if outcome is not None:
                assert same_json(history.now, outcome)
            # The library works in place, and our values share what was copied; text has no parts
            # in common.
            expected = json.loads(json.dumps(history.now))
        versions.append(copy.deepcopy(history.now))
    for stamp, version in enumerate(versions):
        assert same_json(history.at(stamp + 1), version)


def test_metadata_merges_key_by_key_and_looks_back() -> None:
    log = MetadataLog()
    assert log.at() is None
    log.merge({"a": {"x": 1}, "b": 1}, 3)
    log.merge({"a": {"y": 2}}, 5)
    assert log.at(3) is None
    assert log.at() == {"a": {"y": 2}, "b": 1}
    assert log.at(4) == {"a": {"x": 1}, "b": 1}
    assert log.at() == {"a": {"y": 2}, "b": 1}


@given(_VALUES, st.lists(st.lists(_OPERATIONS, max_size=4), max_size=8))
def test_however_small_the_limit_history_reads_as_it_was(
    value: Any, patches: list[list[Operation]]
) -> None:
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(patch_module, "MAX_SIZE", 8)
        history, versions = JsonHistory(value, 0), [copy.deepcopy(value)]
        for stamp, patch in enumerate(patches, 1):
            with suppress(PatchFailed):
                history.patch(patch, stamp)
            versions.append(copy.deepcopy(history.now))
        for stamp, version in reversed([*enumerate(versions)]):
            assert same_json(history.at(stamp + 1), version)
