"""Reads of arrays that nothing uses raise as Python's do, where they are out of range."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf


def alone(a: Any, i: int) -> Any:
    a[i]
    return 1


def named(a: Any, i: int) -> Any:
    x = a[i]  # noqa: F841
    return a.sum()


def in_a_branch(a: Any, i: int) -> Any:
    if i > 2:
        a[i]
    return i


def in_a_loop(a: Any, i: int) -> Any:
    for k in range(i + 1):
        a[k]
    return i


def in_a_while_loop(a: Any, i: int) -> Any:
    k = 0
    while k <= i:
        x = a[k]  # noqa: F841
        k += 1
    return k


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
@pytest.mark.parametrize(
    "function", [alone, named, in_a_branch, in_a_loop, in_a_while_loop]
)
def test_unused_reads_raise_out_of_range(function: Any, options: dict[str, Any]) -> None:
    compiled, a = tf.jit(function, strict=True, **options), np.arange(3)
    assert compiled(a, 2) == function(a, 2)
    with pytest.raises(IndexError):
        compiled(a, 9)


def written(a: Any, i: Any) -> Any:
    b = a.copy()
    b[i] = 3
    return a.sum()


def changed_in_a_branch(a: Any, i: Any) -> Any:
    b = a.copy()
    if a[0] < 1:
        b[i] += 1
    return a.sum()


@pytest.mark.parametrize("options", [{}, {"jit_compile": True}])
@pytest.mark.parametrize("right, wrong", [
    (2, 3), (np.array([0, 2]), np.array([0, 3])),
    (np.array([True, False, True]), np.array([True] * 4)),
])  # fmt: skip
@pytest.mark.parametrize("function", [alone, named, written, changed_in_a_branch])
def test_arrays_of_indices_and_masks_do_too(
    function: Any, right: Any, wrong: Any, options: dict[str, Any]
) -> None:
    compiled, a = tf.jit(function, strict=True, **options), np.arange(3)
    assert compiled(a, right) == function(a, right)
    with pytest.raises(IndexError):
        compiled(a, wrong)
