"""Rules of NumPy's products of matrices, and of functions that arrange elements.

table.py lists them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograph.staging import StagedList
from runtime.ops.array import creation
from runtime.ops.array.concat_split import concat, stack
from runtime.ops.array.shape import expand_dims, reshape, reverse, transpose
from runtime.ops.array.where import where_op
from runtime.ops.linalg.matrices import band_part
from runtime.ops.math.comparison import less_equal
from runtime.ops.numpy_functions import exchanged_axes, matrix_product
from runtime.staging.numpy_arrays.rules.operands import (
    NoEquivalentError,
    as_array,
    as_common,
    axes_of,
    check_broadcast,
)


def matmul(a: Any, b: Any) -> Any:
    """A product of matrices and vectors whose sizes fit."""
    left, right = as_common([as_array(a), as_array(b)])
    ranks = left.shape.rank, right.shape.rank
    if left.dtype.kind not in "fc" or min(ranks) < 1:
        raise NoEquivalentError
    inner = left.shape.dims[-1], right.shape.dims[0 if ranks[1] == 1 else -2]
    if inner[0] is None or inner[0] != inner[1]:
        raise NoEquivalentError
    check_broadcast(left.shape.dims[:-2], right.shape.dims[:-2])
    return matrix_product(left, right)


def dot(a: Any, b: Any) -> Any:
    """A product of a matrix or vector with another one, which ``matmul`` gives, too."""
    if max(as_array(array).shape.rank for array in (a, b)) > 2:
        raise NoEquivalentError
    return matmul(a, b)


def reshaped_to(a: Any, shape: Any) -> Any:
    """``np.reshape(a, shape)``."""
    return reshaped(a, shape)


def reshaped(a: Any, *sizes: Any) -> Any:
    """``a.reshape(*sizes)``: sizes that are known, and certainly fit."""
    tensor, shape = as_array(a), sizes
    if len(sizes) == 1 and isinstance(sizes[0], tuple | list):
        shape = tuple(sizes[0])
    if not shape or not all(type(size) is int for size in shape):
        raise NoEquivalentError
    known_sizes = [size for size in shape if size != -1]
    count, known_count = tensor.shape.num_elements(), math.prod(known_sizes)
    if len(shape) - len(known_sizes) > 1 or min(known_sizes, default=1) < 1:
        raise NoEquivalentError
    if list(shape) != [-1]:
        is_known = len(known_sizes) == len(shape)
        if not count or count % known_count or is_known and count != known_count:
            raise NoEquivalentError
    return reshape(tensor, shape)


def raveled(a: Any) -> Any:
    """All elements along one axis."""
    return reshape(as_array(a), (-1,))


def permuted(a: Any, axes: Any = None) -> Any:
    """``np.transpose(a, axes)``."""
    return transposed(a, axes)


def transposed(a: Any, *axes: Any) -> Any:
    """``a.transpose(*axes)``."""
    tensor = as_array(a)
    order = axes[0] if len(axes) == 1 and isinstance(axes[0], tuple | list | None) else axes
    if not order:
        return transpose(tensor)
    if len(order) != tensor.shape.rank:
        raise NoEquivalentError
    return transpose(tensor, axes_of(tensor, tuple(order)))


def swapped(a: Any, axis1: Any, axis2: Any) -> Any:
    """The array with two axes in each other's place."""
    tensor = as_array(a)
    first, second = axes_of(tensor, (axis1,)) + axes_of(tensor, (axis2,))
    return transpose(tensor, exchanged_axes(tensor.shape.rank, first, second))


def flipped(m: Any, axis: Any = None) -> Any:
    """The array with its elements in the opposite order along axes."""
    tensor = as_array(m)
    axes = axes_of(tensor, tuple(range(tensor.shape.rank)) if axis is None else axis)
    return reverse(tensor, list(axes))


def joined(op: Callable[..., Any], extra_axes: int) -> Callable[..., Any]:
    """The rule of a function that joins arrays of one dtype along an axis."""

    def rule(arrays: Any, axis: Any = 0) -> Any:
        if not isinstance(arrays, list | tuple) or isinstance(arrays, StagedList) or not arrays:
            raise NoEquivalentError
        values = [as_array(array) for array in arrays]
        ranks = {value.shape.rank for value in values}
        rank = max(ranks) + extra_axes
        if len(ranks) > 1 or len({value.dtype for value in values}) > 1:
            raise NoEquivalentError
        if type(axis) is not int or not -rank <= axis < rank:
            raise NoEquivalentError
        shapes = [[*value.shape.dims] for value in values]
        for dims in shapes:
            if not extra_axes:
                del dims[axis]
            if None in dims or dims != shapes[0]:
                raise NoEquivalentError
        return op(values, axis)

    return rule


def side_by_side(tup: Any) -> Any:
    """``np.hstack(tup)``."""
    return joined(concat, 0)(tup, 0 if _rank_of_first(tup) == 1 else 1)


def one_below_the_other(tup: Any) -> Any:
    """``np.vstack(tup)``."""
    rule = joined(stack, 1) if _rank_of_first(tup) == 1 else joined(concat, 0)
    return rule(tup, 0)


def _rank_of_first(arrays: Any) -> int:
    if not isinstance(arrays, list | tuple) or isinstance(arrays, StagedList) or not arrays:
        raise NoEquivalentError
    rank: int = as_array(arrays[0]).shape.rank
    if not rank:
        raise NoEquivalentError
    return rank


def triangle(is_lower: bool) -> Callable[..., Any]:
    """The rule of ``np.tril``, or ``np.triu``."""

    def rule(m: Any, k: Any = 0) -> Any:
        tensor = as_array(m)
        if type(k) is not int or tensor.shape.rank < 2:
            raise NoEquivalentError
        beyond = k if is_lower else -k
        if not -1 << 31 < beyond < 1 << 31:
            raise NoEquivalentError
        if beyond >= 0:
            return band_part(tensor, -1, beyond) if is_lower else band_part(tensor, beyond, -1)
        return _without_main_diagonal(tensor, beyond, is_lower)

    return rule


def _without_main_diagonal(matrix: Any, beyond: int, is_lower: bool) -> Any:
    """A triangle that ends ``-beyond`` diagonals from the main one."""
    rows, columns = matrix.shape.dims[-2:]
    if rows is None or columns is None:
        raise NoEquivalentError
    row, column = expand_dims(creation.range(rows), 1), creation.range(columns)
    near, far = (column, row) if is_lower else (row, column)
    return where_op(less_equal(near - beyond, far), matrix, creation.zeros((), matrix.dtype))
