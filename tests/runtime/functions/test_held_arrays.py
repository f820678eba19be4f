"""Arrays that lists, dicts and attributes hold, changed in place under ``runtime.jit``."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import runtime as tf


def item_set(array_of: Any, box: Any) -> Any:
    array_of(box)[0] = 9


def added_in_place(array_of: Any, box: Any) -> Any:
    array = array_of(box)
    array += 1


def through_a_view(array_of: Any, box: Any) -> Any:
    array = array_of(box)[1:]
    array *= 2
    return array


def in_a_branch(array_of: Any, box: Any) -> Any:
    if array_of(box).sum() > 3:
        array_of(box)[0] = -1
    return array_of(box)[0]


CHANGES = [item_set, added_in_place, through_a_view, in_a_branch]
BOXES: list[tuple[Callable[[Any], Any], Callable[[Any], Any]]] = [
    (lambda a: [a], lambda box: box[0]),
    (lambda a: [a, 1.5], lambda box: box[0]),
    (lambda a: {"k": a}, lambda box: box["k"]),
    (lambda a: OrderedDict(k=a, m=a[::-1]), lambda box: box["k"]),
    (lambda a: deque([a, 1]), lambda box: box[0]),
    (lambda a: [a, a], lambda box: box[1]),
    (lambda a: {"k": [a]}, lambda box: box["k"][0]),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("dtype", [float, ">i4"])
def test_arrays_in_containers_are_changed_where_they_lie(
    change: Callable[..., Any], dtype: Any
) -> None:
    for make, array_of in BOXES:
        staged = tf.jit(lambda box, array_of=array_of: change(array_of, box), strict=True)
        for _ in range(3):
            ours, pythons = (np.arange(1, 4).astype(dtype) for _ in range(2))
            found, expected = make(ours), make(pythons)
            assert np.array_equal(staged(found), change(array_of, expected))
            assert ours.tolist() == pythons.tolist()
            assert array_of(found) is ours


def test_items_are_assigned_and_augmented() -> None:
    def change(box: Any, n: Any) -> Any:
        box[0] += n
        box[1] = box[0] * 2
        box[0][0] = n

    staged = tf.jit(change, strict=True)
    for _ in range(3):
        box = [a := np.ones(2), a]
        staged(box, 3)
        assert box[0] is a and a.tolist() == [3.0, 4.0] and box[1].tolist() == [8.0, 8.0]


def test_an_array_that_a_staged_index_chooses_is_changed_in_place() -> None:
    def added(box: Any, k: Any) -> Any:
        box[k] += 1

    def named(box: Any, k: Any) -> Any:
        array = box[k]
        array[0] = 1.0

    def stale(box: Any, k: Any) -> Any:
        array = box[k]
        box[0][0] = 9.0
        return array.sum()

    def read(box: Any, k: Any) -> Any:
        return box[k].sum(), type(box[k]) is np.ndarray

    for make in (list, tuple):
        for change in (named, stale) if make is tuple else (added, named, stale):
            staged = tf.jit(change, strict=True)
            for k in (1, 0, 1):
                mine, its = (make([np.ones(2), np.zeros(2)]) for _ in range(2))
                assert staged(mine, k) == change(its, k)
                np.testing.assert_array_equal(mine, its)
        assert tf.jit(read, strict=True)(make([np.ones(2), np.zeros(2)]), 0) == (2.0, True)


def test_an_array_that_an_argument_and_a_container_hold() -> None:
    def change(a: Any, box: Any) -> Any:
        box[0][0] = 5.0
        return a.sum()

    staged = tf.jit(change, strict=True)
    for _ in range(3):
        a = np.ones(3)
        assert staged(a, [a]) == 7.0 and a.tolist() == [5.0, 1.0, 1.0]
        assert staged(np.ones(3), [a]) == 3.0


@pytest.mark.parametrize("stage", [tf.jit, tf.function])
def test_an_array_that_an_argument_and_an_attribute_hold(stage: Any) -> None:
    def change(a: Any, holder: Any) -> Any:
        a[0] = 9.0
        return holder.v.sum()

    staged = stage(change)
    a = np.ones(3)
    holder = SimpleNamespace(v=a)
    for _ in range(3):
        assert staged(a, holder) == 11.0
        if stage is tf.jit:  # under `function` the attribute is a constant of the trace
            assert staged(np.zeros(3), holder) == 11.0


@pytest.mark.parametrize("stage", [tf.jit, tf.function])
def test_changes_on_a_path_that_raises(stage: Any) -> None:
    def change(a: Any, n: Any) -> Any:
        if n > 0:
            a[0] = 5.0
            raise ValueError("no")
        return a.sum()

    staged = stage(change)
    for _ in range(3):
        with pytest.raises(ValueError, match="no"):
            staged(a := np.ones(2), 1)
        assert a.tolist() == [5.0, 1.0]
        assert staged(a, 0) == 6.0


def test_changes_of_containers_on_a_path_that_raises() -> None:
    def change(items: Any, table: Any, n: Any) -> Any:
        if n > 0:
            items.append(n)
            table["k"] = n
            raise ValueError("no")
        return items[0]

    staged = tf.jit(change, strict=True)
    for _ in range(4):
        with pytest.raises(ValueError, match="no"):
            staged(items := [1, 2], table := {"k": 0}, 7)
        assert (items, table) == ([1, 2, 7], {"k": 7})


def test_an_attribute_is_given_an_array_without_axes() -> None:
    def change(holder: Any, n: Any) -> Any:
        holder.v = np.asarray(n)
        holder.w = np.asarray(n)[()]

    holder = SimpleNamespace(v=0, w=0)
    tf.jit(change, strict=True)(holder, 2)
    assert type(holder.v) is np.ndarray and holder.v.shape == () and holder.v == 2
    assert type(holder.w) is np.int64
