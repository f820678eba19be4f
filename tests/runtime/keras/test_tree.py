"""``keras.tree`` does to nests what Keras' functions do: the expected values are Keras'."""

from __future__ import annotations

import collections
import importlib
import os
from typing import Any

import pytest

tree = importlib.import_module(os.environ.get("AUTOGRAPH_KERAS", "runtime.keras")).tree
"""With ``AUTOGRAPH_KERAS=keras`` this file tests Keras itself."""

Point = collections.namedtuple("Point", "x y")
SecondPoint = collections.namedtuple("SecondPoint", "x y")
NEST = {"b": [1, (2, None)], "a": Point(3, {"c": 4})}


def test_leaves_and_paths() -> None:
    assert tree.flatten(NEST) == [3, 4, 1, 2, None]
    assert tree.flatten(5) == [5]
    assert tree.flatten(None) == [None]
    assert tree.flatten_with_path(NEST) == [
        (("a", 0), 3), (("a", 1, "c"), 4), (("b", 0), 1), (("b", 1, 0), 2), (("b", 1, 1), None),
    ]  # fmt: skip
    assert tree.flatten_with_path(5) == [((), 5)]
    assert tree.is_nested([]) and tree.is_nested({}) and not tree.is_nested("text")
    assert tree.pack_sequence_as(NEST, "vwxyz") == {
        "b": ["x", ("y", "z")], "a": Point("v", {"c": "w"}),
    }  # fmt: skip
    assert tree.lists_to_tuples(NEST) == {"b": (1, (2, None)), "a": Point(3, {"c": 4})}
    for leaves in ([1], range(6)):
        with pytest.raises(ValueError):
            tree.pack_sequence_as(NEST, leaves)


def test_mapping() -> None:
    assert tree.map_structure(lambda x: [x], NEST) == {
        "b": [[1], ([2], [None])], "a": Point([3], {"c": [4]}),
    }  # fmt: skip
    assert tree.map_structure(lambda x: x + 1, [1, None], none_is_leaf=False) == [2, None]
    assert tree.map_structure(lambda x, y: x * y, [1, (2,)], [3, (4,)]) == [3, (8,)]
    assert tree.map_structure_up_to([0, [0, 0]], str, [[1, 1], [2, 2]]) == [
        "[1, 1]", ["2", "2"],
    ]  # fmt: skip
    assert tree.map_structure_up_to({"k": 0}, lambda a, b: (a, b), {"k": [1]}, {"k": 2}) == {
        "k": ([1], 2)
    }
    assert tree.map_shape_structure(lambda s: len(s), {"x": (2, None), "y": [(3,), [1, 2, 3]]}) == {
        "x": 2, "y": [1, 3],
    }  # fmt: skip


def test_what_does_not_match() -> None:
    for structures in (([1], [1, 2]), ([1], [[1]]), ([1], (1,)), ({"a": 1}, {"b": 1})):
        with pytest.raises(ValueError):
            tree.map_structure(lambda x, y: x, *structures)
        with pytest.raises(ValueError):
            tree.assert_same_structure(*structures)
    for structure in ([1], (1, 2), 5, [1, 2, 3]):
        with pytest.raises(ValueError):
            tree.map_structure_up_to([None, None], str, structure)
    for apply in (tree.map_structure, lambda f: tree.map_structure_up_to([], f)):
        with pytest.raises(ValueError, match="at least one structure"):
            apply(str)
    with pytest.raises(ValueError):
        tree.assert_same_structure(Point(0, 1), SecondPoint(0, 1))
    tree.assert_same_structure({"a": 1}, collections.OrderedDict(a=2))
    tree.assert_same_structure(NEST, NEST)
    with pytest.warns(DeprecationWarning, match="check_types"):
        tree.assert_same_structure([1], [2], check_types=False)
    tree.assert_same_paths([0, (1,)], (2, [3]))
    tree.assert_same_paths(Point(0, 1), SecondPoint(2, 3))
    tree.assert_same_paths(Point(0, 1), [2, 3])
    with pytest.raises(ValueError, match="missing in `a`"):
        tree.assert_same_paths([0], [1, 2])


def test_traversal() -> None:
    parts: list[Any] = []
    nest = [(1, 2), [3], {"a": 4}]
    assert tree.traverse(parts.append, nest) == nest
    assert parts == [nest, (1, 2), 1, 2, [3], 3, {"a": 4}, 4]
    parts.clear()
    assert tree.traverse(parts.append, nest, top_down=False) == nest
    assert parts == [1, 2, (1, 2), 3, [3], 4, {"a": 4}, nest]

    def replacement(part: Any) -> Any:
        if isinstance(part, tuple):
            return "pair"
        return tree.MAP_TO_NONE if part == 3 else None

    assert tree.traverse(replacement, nest) == ["pair", [None], {"a": 4}]
    assert tree.traverse(replacement, nest, top_down=False) == ["pair", [None], {"a": 4}]


def test_functions_are_needed() -> None:
    for apply in (tree.map_structure, lambda f, x: tree.map_structure_up_to(x, f, x)):
        with pytest.raises(TypeError):
            apply(3, [1])
    with pytest.raises(TypeError):
        tree.traverse(3, [1])
