"""Arrays without axes that ``runtime.jit`` returns are arrays, as NumPy's are, and no scalars."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.functions.jit_results import as_python


def complex_constant(a: Any) -> Any:
    return np.asarray(1j)


def added(a: Any) -> Any:
    z = np.array(2.0)
    z += a[0]
    return z


def constant_added(a: Any) -> Any:
    z = np.array(2.0)
    z += 1
    return z


def assigned(a: Any) -> Any:
    z = np.array(2.0)
    z[...] = 3
    return z


def assigned_by_no_index(a: Any) -> Any:
    z = np.zeros(())
    z[()] = a[1]
    return z


def written_to(a: Any) -> Any:
    z = np.array(2.0)
    np.add(a[0], 1, z)
    return z


def scalar_of_it(a: Any) -> Any:
    return np.array(2.0) + a[0]


def reshaped(a: Any) -> Any:
    return a[:1].reshape(())


def array_of_an_item(a: Any) -> Any:
    z = np.asarray(a[0])
    other = z
    z += 1.5
    return z, other, type(z) is np.ndarray, np.isscalar(z), z.shape


def changed_on_a_path(a: Any) -> Any:
    z = np.array(a[0])
    if a[1] > 0:
        z[()] = 7.0
    return z


def in_a_list(a: Any) -> Any:
    items = []
    for item in a:
        items.append(np.asarray(item))
    return items


def of_functions(a: Any) -> Any:
    item = a[0]
    return (
        np.copy(item), np.zeros_like(item), np.full((), item), np.where(a[1] > 0, item, a[2]),
        np.roll(item, 1), np.tensordot(a, a, 1), np.array(a.sum()), np.array(item, np.float32),
    )  # fmt: skip


def of_scalars(a: Any) -> Any:
    item = a[0]
    return (
        item.copy(), item.T, item.squeeze(), np.squeeze(item), item.reshape(()), item[...],
        item[()], item.astype(np.float32), np.clip(item, 0, 1), a.sum(), np.dot(a, a),
    )  # fmt: skip


def of_arrays(a: Any) -> Any:
    z = np.asarray(a[0])
    return (
        z.copy(), z.T, z.squeeze(), z.reshape(()), z[...], z[()], z.astype(np.float32), z.real,
        -z, z + 1, z.sum(), np.sin(z), np.flip(z), copy.deepcopy(z), copy.copy(z),
    )  # fmt: skip


@pytest.mark.parametrize(
    "function",
    [array_of_an_item, changed_on_a_path, in_a_list, of_functions, of_scalars, of_arrays],
)
def test_arrays_made_of_scalars_are_arrays(function: Any) -> None:
    as_python(function, (np.array([-1.0, 0.5, 2.0]),), (np.array([1.5, 0.0], np.float32),))


def test_arrays_made_of_numbers_are_arrays() -> None:
    def made(n: Any, x: Any) -> Any:
        return np.array(n), np.asarray(x), np.asarray(n, np.int32), np.copy(x), np.where(n, x, n)

    as_python(made, (2, 0.5), (0, 1.5))


def test_arrays_without_axes_do_not_round_and_have_no_hash() -> None:
    array = np.array([1.0, 2.0])
    with pytest.raises(TypeError, match="ndarray doesn't define __round__"):
        tf.jit(lambda a: round(np.asarray(a[0])), strict=True)(array)
    with pytest.raises(TypeError, match=r"unhashable type: 'numpy\.ndarray'"):
        tf.jit(lambda a: {np.asarray(a[0]): 1}, strict=True)(array)
    ((key, value),) = tf.jit(lambda a: {a[0]: 1}, strict=True)(array).items()
    assert (type(key), key, value) == (np.float64, 1.0, 1)  # a scalar has a hash


@pytest.mark.parametrize(
    "function",
    [
        complex_constant, added, constant_added, assigned, assigned_by_no_index, written_to,
        scalar_of_it, reshaped,
    ],
)  # fmt: skip
def test_results_without_axes_have_numpys_type(function: Any) -> None:
    compiled, a = tf.jit(function, strict=True), np.array([-1.0, 0.5, 2.0])
    expected = function(a)
    for _ in range(4):  # later calls are made by code of their own
        result = compiled(a)
        assert type(result) is type(expected)
        assert result == expected and result.dtype == expected.dtype


def test_clip_into_an_array() -> None:
    def clipped(a: Any) -> Any:
        out = np.zeros(3)
        np.clip(a, 0, 1, out)
        return out

    assert tf.jit(clipped, strict=True)(np.array([-1.0, 0.5, 2.0])).tolist() == [0.0, 0.5, 1.0]
