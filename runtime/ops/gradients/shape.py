"""Derivatives of ops that change shapes and of ops that make tensors of sizes."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.array.creation import linspace_op, one_hot_op, ones_like_op, zeros_like_op
from runtime.ops.array.shape import rank_op, roll_op, transpose_op
from runtime.ops.array.sorting import invert_permutation
from runtime.ops.gradients.dynamic_shapes import shaped_as, summed_to
from runtime.ops.gradients.elementwise import chosen
from runtime.ops.math.elementwise import floormod
from runtime.ops.math.logical import logical_not
from runtime.ops.math.reduction import sum_op
from runtime.ops.rules.static_arguments import known_value


def reshape(x: Any, shape: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The gradient in the old shape."""
    return shaped_as(dy, x), None


def same_elements(x: Any, y: Any, dy: Any, *, axis: Any) -> tuple[Any, ...]:
    """The gradient in the old shape: of expand_dims and squeeze."""
    return (shaped_as(dy, x),)


def transpose(a: Any, *values: Any) -> tuple[Any, ...]:
    """The axes go back."""
    *perm, _, dy = values
    if not perm:
        return (transpose_op(dy),)
    static_perm = known_value(perm[0])
    if static_perm is None:
        rank = rank_op(a, out_type=perm[0].dtype)
        order = invert_permutation(floormod(perm[0], rank))
    else:
        axes = np.asarray(static_perm)
        order = np.argsort(axes % max(axes.size, 1))
    return transpose_op(dy, order), None


def broadcast_to(x: Any, shape: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """What was repeated gets the sum."""
    return summed_to(dy, x), None


def roll(x: Any, shift: Any, y: Any, dy: Any, *, axis: tuple[int, ...]) -> tuple[Any, ...]:
    """The other way round."""
    return roll_op(dy, -shift, axis=axis), None


def fill(dims: Any, value: Any, y: Any, dy: Any) -> tuple[Any, ...]:
    """The value gets the sum."""
    return None, sum_op(dy, axis=None, keepdims=False)


def linspace(
    start: Any, stop: Any, num: Any, y: Any, dy: Any, *, axis: int
) -> tuple[Any, ...]:
    """Each number is a mean of the ends, whose weights are evenly spaced themselves."""
    joined = start + stop
    zero, unit = (like(joined, dtype=start.dtype) for like in (zeros_like_op, ones_like_op))
    weights = linspace_op(zero, unit, num, axis=axis)
    dstop = sum_op(dy * weights, axis=axis, keepdims=False)
    dstart = sum_op(dy * (1 - weights), axis=axis, keepdims=False)
    return summed_to(dstart, start), summed_to(dstop, stop), None


def meshgrid(*values: Any, indexing: str) -> tuple[Any, ...]:
    """Each vector of coordinates gets the sums over all other axes."""
    number = len(values) // 3
    gradients: list[Any] = []
    for i in range(number):
        gradient = values[2 * number + i]
        if gradient is None:  # whole numbers
            gradients.append(None)
            continue
        at = 1 - i if indexing == "xy" and i < 2 <= number else i
        other_axes = tuple(k for k in range(number) if k != at)
        total = sum_op(gradient, axis=other_axes, keepdims=False)
        gradients.append(shaped_as(total, values[i]))
    return tuple(gradients)


def one_hot(
    indices: Any, depth: Any, on: Any, off: Any, y: Any, dy: Any, *, axis: int
) -> tuple[Any, ...]:
    """The two values get the sums of their places."""
    hot = one_hot_op(indices, depth, True, False, axis=axis)
    don = sum_op(chosen(hot, dy), axis=None, keepdims=False)
    return None, None, don, sum_op(chosen(logical_not(hot), dy), axis=None, keepdims=False)
